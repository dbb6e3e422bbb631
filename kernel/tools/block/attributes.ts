// The attributes of a block or document, from the live tree. SiYuan's own attribute read may be stale after a failed write.

import { decodeEntities, topLevelNodes, userAttributes } from "../../api/dom.js";
import type { SiyuanReader } from "../../api/reader.js";
import { isDocument, type LiveBlock } from "./location.js";

/** A block's own attributes; undefined when it is gone. Stamps and what SiYuan derives are left out. */
export async function readAttributes(
  reader: SiyuanReader,
  block: Pick<LiveBlock, "id" | "type">,
): Promise<ReadonlyMap<string, string> | undefined> {
  if (isDocument(block)) {
    const kramdown = await reader.kramdown(block.id);
    return kramdown === undefined ? undefined : documentAttributes(kramdown);
  }
  const dom = await reader.blockDom(block.id);
  return dom === undefined ? undefined : blockAttributes(dom);
}

/** From the outer tag of a block's DOM. */
export function blockAttributes(dom: string): ReadonlyMap<string, string> {
  return userAttributes(topLevelNodes(dom).nodes[0]?.attributes ?? new Map());
}

/** Kept by SiYuan itself, or no attributes of the user's. */
const ownNames: ReadonlySet<string> = new Set(["id", "title", "type", "updated"]);

/** From the last line of a document's kramdown. */
export function documentAttributes(kramdown: string): ReadonlyMap<string, string> {
  const line = kramdown.replace(/\s+$/, "");
  const own = line.slice(line.lastIndexOf("\n") + 1);
  const attributes = new Map<string, string>();
  for (const match of Array.from(own.matchAll(/ ([A-Za-z][^\s="]*)="([^"]*)"/g))) {
    const name = match[1] as string;
    if (!ownNames.has(name)) attributes.set(name, decodeEntities((match[2] as string).replace(/_esc_newline_/g, "\n")));
  }
  return attributes;
}
