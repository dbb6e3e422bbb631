// Reads SiYuan's block DOM: its canonical text, its top-level nodes, their attributes, references and words.
// SiYuan's serialiser always writes double-quoted attributes and closes what it opens, so a token scan suffices.

import { rememberLast } from "./remember-last.js";

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
 * Tags by their source. A write looks at the same DOM up to ten times and most tags of a document are equal, so each
 * source is taken apart once, and its attributes only when somebody asks for them.
 */
const knownTags = new Map<string, KnownTag>();
const maxKnownTags = 4_096;
const maxKnownTagChars = 1_024;

interface KnownTag extends DomTag {
  /** The tag in canonical form, once it was needed; "" for one that opens a badge area. */
  canonical: string | undefined;
}

/** The tag that starts at `start`, whose first ">" is at `close`; undefined when a quote hides that ">". */
function tagAt(html: string, start: number, close: number): KnownTag | undefined {
  const source = html.slice(start, close + 1);
  return knownTags.get(source) ?? newTag(source);
}

function newTag(source: string): KnownTag | undefined {
  if (hasOpenQuote(source)) return undefined;
  const tag = parseTag(source);
  if (source.length <= maxKnownTagChars) {
    if (knownTags.size >= maxKnownTags) knownTags.clear();
    knownTags.set(source, tag);
  }
  return tag;
}

/** One tag, from its "<" to its ">". */
function parseTag(source: string): KnownTag {
  const closes = source.charAt(1) === "/";
  const end = closes ? -1 : source.search(/[\s>]/);
  const name = (closes ? source.slice(2, -1).trim() : source.slice(1, end).replace(/\/$/, "")).toLowerCase();
  let attributes: ReadonlyMap<string, string> | undefined = closes ? noAttributes : undefined;
  return {
    name,
    closes,
    void: voidTags.has(name) || (!closes && source.charAt(source.length - 2) === "/"),
    canonical: undefined,
    get attributes() {
      attributes = attributes ?? parseAttributes(source.slice(end, -1));
      return attributes;
    },
  };
}

const noAttributes: ReadonlyMap<string, string> = new Map();

/**
 * What stands behind a tag's name. Split, not matched: this engine's regular expressions walk the whole text again at
 * each match once it holds a character beyond Latin-1.
 */
function parseAttributes(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  // Parts alternate between names and values: ` class=`, `p`, ` updated=`, `2026…`, and a tail without a value.
  const parts = text.split('"');
  for (let index = 0; index < parts.length; index += 2) {
    const text = parts[index] as string;
    const value = parts[index + 1] ?? "";
    // Nearly always one space, a name and its "=".
    if (text.lastIndexOf(" ") === 0 && text.endsWith("=") && !text.includes("\n") && !text.includes("\t")) {
      attributes.set(text.slice(1, -1), decodeEntities(value));
      continue;
    }
    for (const word of wordsBetween(text)) {
      if (word.endsWith("=")) attributes.set(word.slice(0, -1), decodeEntities(value));
      else attributes.set(word, "");
    }
  }
  return attributes;
}

/** Names between two attribute values; SiYuan separates them by one space. */
function wordsBetween(text: string): readonly string[] {
  if (text === "" || text === "/" || text === " /") return [];
  const plain = text.includes("\n") || text.includes("\t") ? text.replace(/\s/g, " ") : text;
  return plain.split(" ").filter((word) => word !== "" && word !== "/");
}

function hasOpenQuote(text: string): boolean {
  return text.includes('"') && text.split('"').length % 2 === 0;
}

function isTagStart(html: string, index: number): boolean {
  const unit = html.charCodeAt(index + 1);
  return unit === 0x2f || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a);
}

/** As `scanTags`, with the text before each tag. */
export function scanDom(
  html: string,
  visit: (tag: KnownTag, textBefore: string, depth: number, start: number, end: number) => void,
): number {
  let last = 0;
  return scanTags(html, (tag, depth, start, end) => {
    const text = html.slice(last, start);
    last = end;
    visit(tag, text, depth, start, end);
  });
}

/**
 * Calls `visit` for every tag with its depth: 0 for a top-level tag and its closing one. Copies no text, which in a long
 * block costs more than all tags.
 */
export function scanTags(
  html: string,
  visit: (tag: KnownTag, depth: number, start: number, end: number) => void,
): number {
  let depth = 0;
  for (let start = html.indexOf("<"); start >= 0; start = html.indexOf("<", start + 1)) {
    let close = html.indexOf(">", start);
    let tag = close < 0 ? undefined : knownTags.get(html.slice(start, close + 1));
    if (!tag) {
      if (!isTagStart(html, start)) continue;
      while (close >= 0 && !tag) {
        tag = tagAt(html, start, close);
        if (!tag) close = html.indexOf(">", close + 1);
      }
      if (!tag) break;
    }
    if (tag.closes && !tag.void) depth--;
    visit(tag, depth, start, close + 1);
    if (!tag.closes && !tag.void) depth++;
    start = close;
  }
  return depth;
}

/**
 * The comparable form of a DOM: attributes sorted, volatile ones and the badge area left out. Equal for equal content,
 * whatever order SiYuan prints attributes in. A section's fold marks belong to its heading and are left out too.
 */
export const canonicalDom = rememberLast((html: string): string => {
  const parts: string[] = [];
  let badgeDepth = -1;
  let last = 0;
  scanTags(html, (tag, depth, start, end) => {
    const from = last;
    last = end;
    if (badgeDepth >= 0) {
      if (tag.closes && depth === badgeDepth) badgeDepth = -1;
      return;
    }
    if (start > from) parts.push(canonicalText(html.slice(from, start)));
    tag.canonical = tag.canonical ?? canonicalTag(tag);
    if (tag.canonical === "") badgeDepth = depth;
    else parts.push(tag.canonical);
  });
  if (badgeDepth < 0 && last < html.length) parts.push(canonicalText(html.slice(last)));
  return parts.join("");
});

function canonicalTag(tag: DomTag): string {
  if (tag.closes) return `</${tag.name}>`;
  return isBadgeArea(tag) ? "" : `<${tag.name}${canonicalAttributes(tag.attributes)}>`;
}

/** One spelling for a character, whether SiYuan printed it as an entity or not. */
function canonicalText(text: string): string {
  return text.includes("&") || text.includes(">") ? encodeText(decodeEntities(text)) : text;
}

export function encodeText(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** The area where SiYuan shows name, alias, memo, bookmark and database badges. */
export function isBadgeArea(tag: DomTag): boolean {
  return (tag.attributes.get("class") ?? "").split(" ").includes("protyle-attr");
}

export function canonicalAttributes(attributes: ReadonlyMap<string, string>): string {
  const inFoldedSection = attributes.has("heading-fold");
  const printed: string[] = [];
  attributes.forEach((value, name) => {
    if (volatileAttributes.has(name) || (inFoldedSection && (name === "fold" || name === "heading-fold"))) return;
    printed.push(` ${name}=${JSON.stringify(value)}`);
  });
  return printed.sort().join("");
}

/** The attributes of the DOM's first tag: the block's own, when it is the DOM of one block. Empty for no DOM. */
export function outerAttributes(html: string): ReadonlyMap<string, string> {
  const start = html.indexOf("<");
  let close = start >= 0 && isTagStart(html, start) ? html.indexOf(">", start) : -1;
  while (close >= 0) {
    const tag = tagAt(html, start, close);
    if (tag) return tag.attributes;
    close = html.indexOf(">", close + 1);
  }
  return noAttributes;
}

/** The blocks at the top level, in order. `balanced` is false when a tag is left open. */
export function topLevelNodes(html: string): { readonly nodes: readonly DomNode[]; readonly balanced: boolean } {
  const nodes: DomNode[] = [];
  let open: { tag: DomTag; start: number } | undefined;
  const depth = scanTags(html, (tag, level, start, end) => {
    if (level !== 0) return;
    if (!tag.closes && !tag.void) open = { tag, start };
    const first = tag.void ? { tag, start } : open;
    if (!first || (!tag.closes && !tag.void)) return;
    const { attributes } = first.tag;
    nodes.push({
      id: attributes.get("data-node-id") ?? "",
      type: attributes.get("data-type") ?? first.tag.name,
      attributes,
      html: first.start === 0 && end === html.length ? html : html.slice(first.start, end),
    });
    open = undefined;
  });
  return { nodes, balanced: depth === 0 };
}

const idMark = ' data-node-id="';

/** Ids of every block in the DOM, in order. */
export function blockIds(html: string): readonly string[] {
  const ids: string[] = [];
  for (let at = html.indexOf(idMark); at >= 0; at = html.indexOf(idMark, at)) {
    at += idMark.length;
    ids.push(html.slice(at, html.indexOf('"', at)));
  }
  return ids;
}

/** Targets of the block references in the DOM, in order. An emptied reference has "". */
export function referenceIds(html: string): readonly string[] {
  const ids: string[] = [];
  scanTags(html, (tag) => {
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
  const kept = new Map<string, string>();
  attributes.forEach((value, name) => {
    if (!keptAttributes.has(name) && !name.startsWith("custom-")) return;
    if (!(inFoldedSection && name === "fold")) kept.set(name, value);
  });
  return kept;
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
