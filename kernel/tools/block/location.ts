// Finds live blocks and refuses ids that name none, a document, or something in a closed notebook.

import { SisyphusError } from "../../../shared/errors.js";
import type { Location, SiyuanReader, TreeInfo } from "../../api/reader.js";

export interface LiveBlock extends Location, TreeInfo {
  readonly id: string;
}

/** Where the block or document lies. Throws `block_not_found` or `notebook_closed`. */
export async function liveBlock(reader: SiyuanReader, id: string, field: string): Promise<LiveBlock> {
  const [location, infos] = await Promise.all([reader.location(id), reader.treeInfos([id])]);
  const info = infos.get(id);
  if (!location || !info) throw blockNotFound(id, field);
  await requireOpen(reader, location.notebook);
  return { id, ...location, ...info };
}

export async function requireOpen(reader: SiyuanReader, notebook: string): Promise<void> {
  const found = (await reader.notebooks()).find((entry) => entry.id === notebook);
  if (!found) throw new SisyphusError("notebook_not_found", `No notebook ${notebook}`);
  if (found.closed) throw new SisyphusError("notebook_closed", `Notebook ${found.name} is closed`);
}

export function blockNotFound(id: string, field: string): SisyphusError {
  return new SisyphusError("block_not_found", `No live block has the id ${id}`, { fields: [{ path: field, message: "no live block has this id" }] });
}

export function isDocument(block: { readonly type: string }): boolean {
  return block.type === "NodeDocument";
}
