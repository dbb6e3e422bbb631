// Reads SiYuan's block DOM: its canonical text, its top-level nodes, their attributes, references and words.
// SiYuan's serialiser always writes double-quoted attributes and closes what it opens, so a token scan suffices.

export interface DomTag {
  readonly name: string;
  readonly closes: boolean;
  readonly void: boolean;
  /** Decoded values; an attribute without a value has "". */
  readonly attributes: ReadonlyMap<string, string>;
}

/** A block at the top level of a DOM text. */
export interface DomNode {
  readonly id: string;
  /** For example `NodeParagraph`. */
  readonly type: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly html: string;
}

const voidTags: ReadonlySet<string> = new Set([
  "br",
  "img",
  "input",
  "hr",
  "wbr",
  "col",
  "source",
  "link",
  "meta",
  "embed",
]);

/** Attributes that say nothing about content: stamps, positions in an answer, badges. */
const volatileAttributes: ReadonlySet<string> = new Set([
  "updated",
  "data-node-index",
  "refcount",
  "av-names",
  "parent-fold",
  "parent-heading",
]);

/**
 * One tag, from its "<" to its ">". Split, not matched: this engine's regular expressions walk the whole text again
 * at each match once it holds a character beyond Latin-1.
 */
function parseTag(source: string): DomTag {
  if (source.charAt(1) === "/") return closingTag(source);
  const attributes = new Map<string, string>();
  // Parts alternate between names and values: `div class=`, `p`, ` updated=`, `2026…`, and a tail without a value.
  const parts = source.slice(1, -1).split('"');
  let name = "";
  for (let index = 0; index < parts.length; index += 2) {
    for (const text of wordsBetween(parts[index] as string)) {
      if (name === "") name = text;
      else if (text.charAt(text.length - 1) !== "=") attributes.set(text, "");
      else attributes.set(text.slice(0, -1), decodeEntities(parts[index + 1] ?? ""));
    }
  }
  const tagName = name.replace(/\/$/, "").toLowerCase();
  return {
    name: tagName,
    closes: false,
    void: voidTags.has(tagName) || source.charAt(source.length - 2) === "/",
    attributes,
  };
}

const noAttributes: ReadonlyMap<string, string> = new Map();

function closingTag(source: string): DomTag {
  const name = source.slice(2, -1).trim().toLowerCase();
  return { name, closes: true, void: voidTags.has(name), attributes: noAttributes };
}

/** Names between two attribute values; SiYuan separates them by one space. */
function wordsBetween(text: string): readonly string[] {
  if (text === "" || text === "/" || text === " /") return [];
  const plain = text.includes("\n") || text.includes("\t") ? text.replace(/\s/g, " ") : text;
  return plain.split(" ").filter((word) => word !== "" && word !== "/");
}

/** Index of the ">" that ends the tag opened at `start`; quotes may hide others. */
function tagEnd(html: string, start: number): number {
  let end = html.indexOf(">", start);
  while (end >= 0 && hasOpenQuote(html.slice(start, end))) end = html.indexOf(">", end + 1);
  return end;
}

function hasOpenQuote(text: string): boolean {
  return text.includes('"') && text.split('"').length % 2 === 0;
}

function isTagStart(html: string, index: number): boolean {
  const unit = html.charCodeAt(index + 1);
  return unit === 0x2f || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a);
}

/** Calls `visit` for every tag, with the text before it and its depth: 0 for a top-level tag and its closing one. */
export function scanDom(
  html: string,
  visit: (tag: DomTag, textBefore: string, depth: number, start: number, end: number) => void,
): number {
  let depth = 0;
  let last = 0;
  for (let start = html.indexOf("<"); start >= 0; start = html.indexOf("<", start + 1)) {
    if (!isTagStart(html, start)) continue;
    const close = tagEnd(html, start);
    if (close < 0) break;
    const tag = parseTag(html.slice(start, close + 1));
    if (tag.closes && !tag.void) depth--;
    visit(tag, html.slice(last, start), depth, start, close + 1);
    if (!tag.closes && !tag.void) depth++;
    last = close + 1;
    start = close;
  }
  return depth;
}

/**
 * The comparable form of a DOM: attributes sorted, volatile ones and the badge area left out. Equal for equal content,
 * whatever order SiYuan prints attributes in. A section's fold marks belong to its heading and are left out too.
 */
export function canonicalDom(html: string): string {
  const parts: string[] = [];
  let badgeDepth = -1;
  let tail = 0;
  scanDom(html, (tag, textBefore, depth, _start, end) => {
    tail = end;
    if (badgeDepth >= 0) {
      if (tag.closes && depth === badgeDepth) badgeDepth = -1;
      return;
    }
    parts.push(canonicalText(textBefore));
    if (!tag.closes && isBadgeArea(tag)) {
      badgeDepth = depth;
      return;
    }
    parts.push(tag.closes ? `</${tag.name}>` : `<${tag.name}${canonicalAttributes(tag.attributes)}>`);
  });
  if (badgeDepth < 0) parts.push(canonicalText(html.slice(tail)));
  return parts.join("");
}

/** One spelling for a character, whether SiYuan printed it as an entity or not. */
function canonicalText(text: string): string {
  return text.includes("&") || text.includes(">") ? encodeText(decodeEntities(text)) : text;
}

function encodeText(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** The area where SiYuan shows name, alias, memo, bookmark and database badges. */
export function isBadgeArea(tag: DomTag): boolean {
  return (tag.attributes.get("class") ?? "").split(" ").includes("protyle-attr");
}

function canonicalAttributes(attributes: ReadonlyMap<string, string>): string {
  const inFoldedSection = attributes.has("heading-fold");
  return Array.from(attributes)
    .filter(
      ([name]) => !volatileAttributes.has(name) && !(inFoldedSection && (name === "fold" || name === "heading-fold")),
    )
    .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
    .sort()
    .join("");
}

/** The blocks at the top level, in order. `balanced` is false when a tag is left open. */
export function topLevelNodes(html: string): { readonly nodes: readonly DomNode[]; readonly balanced: boolean } {
  const nodes: DomNode[] = [];
  let open: { tag: DomTag; start: number } | undefined;
  const depth = scanDom(html, (tag, _text, level, start, end) => {
    if (level !== 0) return;
    if (!tag.closes && !tag.void) open = { tag, start };
    const first = tag.void ? { tag, start } : open;
    if (!first || (!tag.closes && !tag.void)) return;
    const { attributes } = first.tag;
    nodes.push({
      id: attributes.get("data-node-id") ?? "",
      type: attributes.get("data-type") ?? first.tag.name,
      attributes,
      html: html.slice(first.start, end),
    });
    open = undefined;
  });
  return { nodes, balanced: depth === 0 };
}

/** Ids of every block in the DOM, in order. */
export function blockIds(html: string): readonly string[] {
  return html
    .split(' data-node-id="')
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf('"')));
}

/** Targets of the block references in the DOM, in order. An emptied reference has "". */
export function referenceIds(html: string): readonly string[] {
  const ids: string[] = [];
  scanDom(html, (tag) => {
    if ((tag.attributes.get("data-type") ?? "").split(" ").includes("block-ref"))
      ids.push(tag.attributes.get("data-id") ?? "");
  });
  return ids;
}

const keptAttributes: ReadonlySet<string> = new Set([
  "caption",
  "icon",
  "bookmark",
  "style",
  "name",
  "memo",
  "alias",
  "fold",
  "linewrap",
  "ligatures",
  "linenumber",
  "breadcrumb",
  "data-export-md",
  "data-export-html",
]);

/** The attributes of a block that belong to the user or to SiYuan's bindings, not to the form of its content. */
export function userAttributes(attributes: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const inFoldedSection = attributes.has("heading-fold");
  return new Map(
    Array.from(attributes).filter(
      ([name]) => (keptAttributes.has(name) || name.startsWith("custom-")) && !(inFoldedSection && name === "fold"),
    ),
  );
}

/** Words of a DOM or HTML text and, on request, of its attribute values: runs of letters and digits, decoded. */
export function wordsOf(html: string, withAttributes: boolean): readonly string[] {
  const texts: string[] = [];
  const values: string[] = [];
  let tail = 0;
  scanDom(html, (tag, textBefore, _depth, _start, end) => {
    texts.push(decodeEntities(textBefore));
    // Inline marks do not separate words; blocks and breaks do.
    if (!inlineTags.has(tag.name)) texts.push(" ");
    if (withAttributes) values.push(...Array.from(tag.attributes.values()));
    tail = end;
  });
  texts.push(decodeEntities(html.slice(tail)));
  return `${texts.join("")} ${values.join(" ")}`
    .replace(invisible, "")
    .split(separators)
    .filter((word) => word !== "");
}

const invisible = /[\u200b\u200d\ufe0f]/g;
/** ASCII and CJK punctuation, spaces and symbols: whatever is no letter or digit. */
const separators =
  /[\u0000-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f\uff00-\uff0f\uff1a-\uff20]+/;
const inlineTags: ReadonlySet<string> = new Set([
  "span",
  "strong",
  "em",
  "code",
  "mark",
  "sup",
  "sub",
  "a",
  "s",
  "u",
  "kbd",
  "b",
  "i",
  "del",
]);

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,5}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    const point = decimal !== undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}

/** A value as it stands between double quotes in a DOM. */
export function encodeAttribute(value: string): string {
  return encodeText(value).replace(/"/g, "&quot;");
}
