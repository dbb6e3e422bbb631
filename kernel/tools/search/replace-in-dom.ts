// Replaces text in the DOM of blocks: in the words of chosen places, and in nothing else of the block.

import type { ReplacedPlace } from "../../../shared/catalogue/search.js";
import { decodeEntities, type DomTag, encodeAttribute, encodeText, scanDom } from "../../api/dom.js";
import type { Replacer } from "./pattern.js";

/** A block without blocks inside it. */
export interface LeafBlock {
  readonly id: string;
  readonly type: string;
  /** Ids and types of the block and of all that it lies in, outermost first. */
  readonly lineage: readonly { readonly id: string; readonly type: string }[];
  readonly dom: string;
}

interface OpenBlock {
  readonly id: string;
  readonly type: string;
  readonly depth: number;
  readonly start: number;
  hasBlocks: boolean;
}

/** The leaf blocks of one top-level block, in order. */
export function leafBlocks(dom: string): readonly LeafBlock[] {
  const leaves: LeafBlock[] = [];
  const open: OpenBlock[] = [];
  scanDom(dom, (tag, _text, depth, start, end) => {
    const innermost = open[open.length - 1];
    if (tag.closes) {
      if (innermost?.depth !== depth) return;
      open.pop();
      if (innermost.hasBlocks) return;
      const lineage = open.concat(innermost).map(({ id, type }) => ({ id, type }));
      leaves.push({ id: innermost.id, type: innermost.type, lineage, dom: dom.slice(innermost.start, end) });
      return;
    }
    const id = tag.attributes.get("data-node-id");
    if (id === undefined || tag.void) return;
    if (innermost) innermost.hasBlocks = true;
    open.push({ id, type: tag.attributes.get("data-type") ?? "", depth, start, hasBlocks: false });
  });
  return leaves;
}

export interface ReplacedDom {
  readonly dom: string;
  readonly count: number;
}

/** Marks by SiYuan's name in `data-type`. */
const markPlaces: Readonly<Record<string, ReplacedPlace>> = {
  strong: "strong",
  em: "em",
  u: "u",
  s: "s",
  mark: "mark",
  sup: "sup",
  sub: "sub",
  tag: "tag",
  kbd: "kbd",
  code: "code",
  a: "aText",
  "block-ref": "blockRef",
  "file-annotation-ref": "fileAnnotationRef",
  "inline-memo": "inlineMemo",
};

interface OpenElement {
  readonly editable: boolean;
  readonly places: readonly ReplacedPlace[];
  /** The text of a reference that follows its target. */
  readonly follows: boolean;
  /** The title of an image as shown below it: the same words stand in its attribute. */
  readonly repeats: boolean;
}

/** The block with its matches replaced. A mark that is left without text goes. */
export function replaceInDom(
  { dom, type }: Pick<LeafBlock, "dom" | "type">,
  places: ReadonlySet<ReplacedPlace>,
  replacer: Replacer,
): ReplacedDom {
  const parts: string[] = [];
  let last = 0;
  let count = 0;
  let emptied = false;
  const put = (start: number, end: number, text: string) => {
    parts.push(dom.slice(last, start), text);
    last = end;
  };
  const open: OpenElement[] = [];
  const plain: ReplacedPlace = type === "NodeCodeBlock" ? "codeBlock" : "text";
  scanDom(dom, (tag, textBefore, _depth, start, end) => {
    const inner = open[open.length - 1];
    if (inner?.editable && !inner.follows && textBefore !== "") {
      const own = inner.places.length > 0 ? inner.places : [plain];
      const result = own.some((place) => places.has(place)) ? replacer.replace(decodeEntities(textBefore)) : undefined;
      if (result && result.count > 0) {
        put(start - textBefore.length, start, encodeText(result.text));
        if (!inner.repeats) count += result.count;
        emptied = emptied || result.text.replace(/\u200b/g, "") === "";
      }
    }
    if (tag.closes) {
      if (!tag.void) open.pop();
      return;
    }
    const changed = replacedAttributes(tag, type, places, replacer, dom.slice(start, end));
    if (changed.count > 0) {
      put(start, end, changed.dom);
      count += changed.count;
    }
    if (!tag.void) open.push(opened(tag, inner));
  });
  if (count === 0) return { dom, count };
  const edited = parts.concat(dom.slice(last)).join("");
  return { dom: emptied ? edited.replace(emptyMark, "") : edited, count };
}

const emptyMark = /<span data-type="[a-z ]+"(?: data-(?:href|title)="[^"]*")*>\u200b?<\/span>/g;

function opened({ attributes }: DomTag, inner: OpenElement | undefined): OpenElement {
  const types = (attributes.get("data-type") ?? "").split(" ");
  const editable = attributes.get("contenteditable");
  const own = types.map((name) => markPlaces[name]).filter((place) => place !== undefined);
  const repeats = inner?.repeats === true || attributes.get("class") === "protyle-action__title";
  if (repeats) return { editable: true, places: ["imgTitle"], follows: false, repeats };
  return {
    repeats,
    editable: editable === undefined ? (inner?.editable ?? false) : editable === "true",
    places: (inner?.places ?? []).concat(own),
    follows: inner?.follows === true || (types.includes("block-ref") && attributes.get("data-subtype") === "d"),
  };
}

/** Words that stand in attributes: titles, addresses, formulas, memos, HTML. */
function replacedAttributes(
  { name, attributes }: DomTag,
  blockType: string,
  places: ReadonlySet<ReplacedPlace>,
  replacer: Replacer,
  source: string,
): ReplacedDom {
  const types = (attributes.get("data-type") ?? "").split(" ");
  const wanted: [string, ReplacedPlace][] = [];
  if (types.includes("a")) wanted.push(["data-title", "aTitle"], ["data-href", "aHref"]);
  if (types.includes("inline-math")) wanted.push(["data-content", "inlineMath"]);
  if (types.includes("inline-memo")) wanted.push(["data-inline-memo-content", "inlineMemo"]);
  if (name === "img") wanted.push(["alt", "imgText"], ["title", "imgTitle"], ["src", "imgSrc"], ["data-src", "imgSrc"]);
  if (types.includes("NodeMathBlock")) wanted.push(["data-content", "mathBlock"]);
  if (name === "protyle-html" && blockType === "NodeHTMLBlock") wanted.push(["data-content", "htmlBlock"]);
  let dom = source;
  let count = 0;
  for (const [attribute, place] of wanted) {
    const value = attributes.get(attribute);
    if (value === undefined || !places.has(place)) continue;
    const result = replacer.replace(value);
    if (result.count === 0) continue;
    const at = dom.indexOf(` ${attribute}="`) + attribute.length + 3;
    dom = dom.slice(0, at) + encodeAttribute(result.text) + dom.slice(dom.indexOf('"', at));
    // The image's address stands there twice.
    if (attribute !== "data-src") count += result.count;
  }
  return { dom, count };
}
