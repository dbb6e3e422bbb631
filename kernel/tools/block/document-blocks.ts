// The blocks inside a document's DOM. One read of a document costs a millisecond; asking for a hundred ids costs sixty.

import { type DomTag, scanTags } from "../../api/dom.js";
import type { SiyuanReader } from "../../api/reader.js";

export interface DocumentBlock {
  readonly id: string;
  readonly type: string;
  readonly parentID: string;
  /** Neighbours among the parent's children; "" at the ends. */
  readonly previousID: string;
  readonly nextID: string;
  readonly dom: string;
}

/** The wanted blocks that the document's DOM holds. */
export function blocksOf(
  documentID: string,
  dom: string,
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, DocumentBlock> {
  const found: Omit<DocumentBlock, "nextID">[] = [];
  /** The child seen last of each parent, and who follows whom. */
  const lastChild = new Map<string, string>();
  const following = new Map<string, string>();
  const preceding = new Map<string, string>();
  /** Blocks whose closing tag is still to come, outermost first. */
  const open: { readonly id: string; readonly tag: DomTag; readonly depth: number; readonly start: number }[] = [];
  scanTags(dom, (tag, depth, start, end) => {
    const innermost = open[open.length - 1];
    if (tag.closes) {
      if (!innermost || innermost.depth !== depth) return;
      open.pop();
      if (!wanted.has(innermost.id)) return;
      const { id } = innermost;
      found.push({
        id,
        type: innermost.tag.attributes.get("data-type") ?? "",
        parentID: open[open.length - 1]?.id ?? documentID,
        previousID: preceding.get(id) ?? "",
        dom: dom.slice(innermost.start, end),
      });
      return;
    }
    const id = tag.attributes.get("data-node-id");
    if (id === undefined || tag.void) return;
    const parentID = innermost?.id ?? documentID;
    const previousID = lastChild.get(parentID);
    if (previousID !== undefined) {
      preceding.set(id, previousID);
      following.set(previousID, id);
    }
    lastChild.set(parentID, id);
    open.push({ id, tag, depth, start });
  });
  return new Map(found.map((block) => [block.id, { ...block, nextID: following.get(block.id) ?? "" }]));
}

/** The document that a storage path names. */
export function documentOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1, -".sy".length);
}

/** The blocks at these places, with one read per document. A block that is not there any more is left out. */
export async function readDocumentBlocks(
  reader: SiyuanReader,
  places: readonly { readonly id: string; readonly path: string }[],
): Promise<ReadonlyMap<string, DocumentBlock>> {
  const wanted = new Set(places.map((place) => place.id));
  const found = new Map<string, DocumentBlock>();
  for (const document of Array.from(new Set(places.map((place) => documentOf(place.path))))) {
    for (const [id, block] of Array.from(blocksOf(document, (await reader.blockDom(document)) ?? "", wanted)))
      found.set(id, block);
  }
  return found;
}
