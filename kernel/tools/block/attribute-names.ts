// The names that attributes of blocks may have.

/** Names that a person may give. */
export const settable: ReadonlySet<string> = new Set([
  "name",
  "alias",
  "memo",
  "bookmark",
  "style",
  "icon",
  "caption",
  "linewrap",
  "ligatures",
  "linenumber",
  "breadcrumb",
  "data-export-md",
  "data-export-html",
]);

/** Documents have these besides. */
export const settableOfDocuments: ReadonlySet<string> = new Set(["title-img", "tags"]);

/** SiYuan refuses other custom names, or stores them in lower case. */
export const customName = /^custom-[a-z][a-z0-9-]*$/;

/** Written by SiYuan itself in attribute lines, and taken back from there. */
const derived: ReadonlySet<string> = new Set(["id", "updated", "colgroup", "fold", "heading-fold", "parent-style"]);

/** False for a name that SiYuan drops from an attribute line, or stores in another spelling. */
export function isStoredName(name: string): boolean {
  return settable.has(name) || settableOfDocuments.has(name) || derived.has(name) || customName.test(name);
}
