// Which attributes a caller may set, and which values SiYuan stores as they are.

import { customName, settable, settableOfDocuments } from "./attribute-names.js";
import { refusal } from "./content.js";

/** Names with which SiYuan binds blocks to databases, cards, reminders, daily notes and its own views. */
const kernelOwned = /^custom-(?:avs$|riff-decks$|reminder|dailynote-|sy-)/;

const reasons: Readonly<Record<string, string>> = {
  id: "the id is the block's identity",
  updated: "SiYuan keeps it",
  title: "a title is changed by renaming the document",
  fold: "folding is not an attribute change: a heading's section would stay half hidden",
  "heading-fold": "SiYuan keeps it",
};

/** Throws a refusal that names the attribute. */
export function requireSettable(attrs: Readonly<Record<string, string | null>>, ofDocument: boolean): void {
  if (Object.keys(attrs).length === 0) throw refusal("invalid_arguments", "attrs", "it names no attribute");
  for (const name of Object.keys(attrs)) {
    const field = `attrs.${name}`;
    const reason = whyNotSettable(name, ofDocument);
    if (reason !== undefined) throw refusal("invalid_arguments", field, reason);
    const value = attrs[name] ?? "";
    const problem = whyNotStored(name, value);
    if (problem !== undefined) throw refusal("content_would_be_lost", field, problem);
  }
}

function whyNotSettable(name: string, ofDocument: boolean): string | undefined {
  if (settable.has(name) || (ofDocument && settableOfDocuments.has(name))) return undefined;
  const reason = reasons[name];
  if (reason !== undefined) return reason;
  if (kernelOwned.test(name)) return "this name belongs to SiYuan";
  if (customName.test(name)) return undefined;
  if (/^custom-/i.test(name))
    return "custom names are custom- and a lower-case letter, then lower-case letters, digits and hyphens";
  return "no attribute of this name can be set; use name, alias, memo, bookmark, style, icon or custom-…";
}

/** SiYuan changes these values without a word. */
function whyNotStored(name: string, value: string): string | undefined {
  if (value === "") return undefined;
  if (value !== value.trim() || /^[\u0085]|[\u0085]$/.test(value)) return "SiYuan would cut the space at its ends";
  if (/[\u0000\u200b\ufeff]/.test(value))
    return "SiYuan would drop an invisible character (NUL, zero-width space or byte order mark)";
  if (value.includes("\u00a0")) return "SiYuan would turn a no-break space into a space";
  if (value.includes("_esc_newline_")) return "SiYuan would read _esc_newline_ as a line break";
  if (/[\ud800-\udbff](?![\udc00-\udfff])|(?:^|[^\ud800-\udbff])[\udc00-\udfff]/.test(value))
    return "it holds half of a character pair (a lone surrogate)";
  if (name === "icon" && /^[^\x20-\x7e]+$/.test(value))
    return "SiYuan would turn it into Unicode hex; write an emoji as hex, for example 1f600";
  if (name === "tags" && normalTags(value) !== value) return `SiYuan would write it as ${normalTags(value)}`;
  return undefined;
}

function normalTags(value: string): string {
  return Array.from(new Set(value.split(",").map((tag) => tag.trim())))
    .filter((tag) => tag !== "")
    .join(",");
}
