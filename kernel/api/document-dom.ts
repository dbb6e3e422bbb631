// A whole document's DOM in one pass over its block tags, for documents of thousands of blocks: a scan of every tag
// would hold up all other calls for seconds.

import { sizeLimits } from "../../shared/limits.js";
import { canonicalAttributes, outerAttributes } from "./dom.js";

/** The block's DOM without its own stamp: SiYuan keeps one that it is given, and makes one where there is none. */
export function withoutStamp(dom: string): string {
  const end = dom.indexOf(">");
  return dom.slice(0, end).replace(/ updated="\d*"/, "") + dom.slice(end);
}

/** One block's own tag. */
export interface BlockTag {
  readonly id: string;
  /** For example `NodeParagraph`. */
  readonly type: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** A top-level block with all it holds. */
export interface DocumentPart {
  readonly id: string;
  readonly type: string;
  readonly dom: string;
  /** Equal for equal content: block attributes sorted, volatile ones left out. */
  readonly form: string;
  /** The block and the blocks inside it, in order. */
  readonly blocks: readonly BlockTag[];
}

/** How often a block is referred to is no part of its content. */
function withoutCounts(text: string): string {
  return text.includes("protyle-attr--refcount")
    ? text.replace(/<div class="protyle-attr--refcount[^>]*>[^<]*<\/div>/g, "")
    : text;
}

const idMark = ' data-node-id="';
/** Blocks between two pauses: some ten milliseconds. */
const blocksPerSlice = 100;

/**
 * The top-level blocks of `getBlockDOM` of a document, in order. SiYuan numbers exactly these, and encodes quotes and
 * angle brackets in attribute values; quotes in text may stand as they are.
 *
 * @param pause lets other calls run
 */
export async function documentParts(dom: string, pause: () => Promise<void>): Promise<readonly DocumentPart[]> {
  const parts: DocumentPart[] = [];
  // Parsing the answer and cutting it are long enough each.
  if (dom.length > sizeLimits.longTextChars) await pause();
  const pieces = dom.split(idMark);
  let open: { readonly start: number; readonly forms: string[]; readonly blocks: BlockTag[] } | undefined;
  if (dom.length > sizeLimits.longTextChars) await pause();
  const close = (end: number) => {
    const [first] = open?.blocks ?? [];
    if (open && first)
      parts.push({ ...first, dom: dom.slice(open.start, end), form: open.forms.join(""), blocks: open.blocks });
  };
  let pieceStart = (pieces[0] as string).length + idMark.length;
  let textFrom = 0;
  for (let index = 1; index < pieces.length; index++) {
    const before = pieces[index - 1] as string;
    const piece = pieces[index] as string;
    const tagOffset = before.lastIndexOf("<");
    // Elsewhere it is text that looks like an attribute.
    if (tagOffset >= 0 && before.indexOf(">", tagOffset) < 0) {
      const start = pieceStart - idMark.length - before.length + tagOffset;
      const end = pieceStart + piece.indexOf(">") + 1;
      const attributes = outerAttributes(dom.slice(start, end));
      if (attributes.has("data-node-index") || !open) {
        open?.forms.push(withoutCounts(dom.slice(textFrom, start)));
        close(start);
        open = { start, forms: [], blocks: [] };
      } else {
        open.forms.push(withoutCounts(dom.slice(textFrom, start)));
      }
      open.forms.push(`<div${canonicalAttributes(attributes)}>`);
      const id = attributes.get("data-node-id") ?? "";
      open.blocks.push({ id, type: attributes.get("data-type") ?? "", attributes });
      textFrom = end;
    }
    pieceStart += piece.length + idMark.length;
    if (index % blocksPerSlice === 0) await pause();
  }
  open?.forms.push(withoutCounts(dom.slice(textFrom)));
  close(dom.length);
  return parts;
}
