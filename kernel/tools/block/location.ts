// Finds live blocks and refuses ids that name none, a document, or something in a closed notebook.

import { SisyphusError } from "../../../shared/errors.js";
import type { Location, Notebook, SiyuanReader, TreeInfo, TreePlace } from "../../api/reader.js";
import { blocksOf, documentOf } from "./document-blocks.js";

/** A block or document in its place. */
export interface PlacedBlock extends Location {
  readonly id: string;
  readonly type: string;
  /** Nearest block above; "" for a document. */
  readonly parentID: string;
}

export interface LiveBlock extends PlacedBlock, TreeInfo {}

/** Where the block or document lies. Throws `block_not_found` or `notebook_closed`. */
export async function liveBlock(reader: SiyuanReader, id: string, field: string): Promise<LiveBlock & TreePlace> {
  const [location, infos] = await Promise.all([reader.location(id), reader.treeInfos([id])]);
  const info = infos.get(id);
  if (!location || !info) throw blockNotFound(id, field);
  await requireOpen(reader, location.notebook);
  return { id, ...location, ...info };
}

/** Refuses a notebook that is missing or closed; asks anew before it says so. */
export async function requireOpen(reader: SiyuanReader, notebook: string): Promise<void> {
  const isOpen = (entry: Notebook) => entry.id === notebook && !entry.closed;
  if ((await reader.notebooks()).some(isOpen)) return;
  const found = (await reader.freshNotebooks()).find((entry) => entry.id === notebook);
  if (!found) throw new SisyphusError("notebook_not_found", `No notebook ${notebook}`);
  if (found.closed) throw new SisyphusError("notebook_closed", `Notebook ${found.name} is closed`);
}

/** True when no tree holds any of these and every notebook they were in is open: a closed notebook hides its blocks. */
export async function areGone(
  reader: SiyuanReader,
  ids: readonly string[],
  notebooks: readonly string[],
): Promise<boolean> {
  const all = await reader.freshNotebooks();
  if (!notebooks.every((id) => all.some((entry) => entry.id === id && !entry.closed))) return false;
  return (await reader.treeInfos(ids)).size === 0;
}

export function blockNotFound(id: string, field: string): SisyphusError {
  return new SisyphusError("block_not_found", `No live block has the id ${id}`, {
    fields: [{ path: field, message: "no live block has this id" }],
  });
}

export function isDocument(block: { readonly type: string }): boolean {
  return block.type === "NodeDocument";
}

/** A block in its place, with its DOM. */
export interface ReadBlock extends PlacedBlock {
  /** "" for a document. */
  readonly dom: string;
}

/** Finds many blocks with few reads: one document's DOM tells of all its blocks. Keeps the order of `ids`. */
export async function liveBlocks(
  reader: SiyuanReader,
  ids: readonly string[],
  fieldOf: (id: string) => string,
): Promise<readonly ReadBlock[]> {
  const found = new Map<string, ReadBlock>();
  for (const id of ids) {
    if (found.has(id)) continue;
    const location = await reader.location(id);
    if (!location) throw blockNotFound(id, fieldOf(id));
    await requireOpen(reader, location.notebook);
    const document = documentOf(location.path);
    // A document is no block of its own DOM.
    if (id === document) found.set(id, { id, ...location, type: "NodeDocument", parentID: "", dom: "" });
    const inside = blocksOf(document, (await reader.blockDom(document)) ?? "", new Set(ids));
    for (const block of Array.from(inside.values())) found.set(block.id, { ...block, ...location });
    if (!found.has(id)) throw blockNotFound(id, fieldOf(id));
  }
  return ids.map((id) => found.get(id) as ReadBlock);
}
