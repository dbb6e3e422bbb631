// Finds live blocks and refuses ids that name none, a document, or something in a closed notebook.

import { SisyphusError } from "../../../shared/errors.js";
import { blockIds } from "../../api/dom.js";
import type { Location, Notebook, SiyuanReader, TreeInfo } from "../../api/reader.js";

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

/** Refuses a notebook that is missing or closed; asks anew before it says so. */
export async function requireOpen(reader: SiyuanReader, notebook: string): Promise<void> {
  const isOpen = (entry: Notebook) => entry.id === notebook && !entry.closed;
  if ((await reader.notebooks()).some(isOpen)) return;
  const found = (await reader.freshNotebooks()).find((entry) => entry.id === notebook);
  if (!found) throw new SisyphusError("notebook_not_found", `No notebook ${notebook}`);
  if (found.closed) throw new SisyphusError("notebook_closed", `Notebook ${found.name} is closed`);
}

export function blockNotFound(id: string, field: string): SisyphusError {
  return new SisyphusError("block_not_found", `No live block has the id ${id}`, { fields: [{ path: field, message: "no live block has this id" }] });
}

export function isDocument(block: { readonly type: string }): boolean {
  return block.type === "NodeDocument";
}

/** Finds many blocks with few reads: one document's DOM tells of all its blocks. Keeps the order of `ids`. */
export async function liveBlocks(reader: SiyuanReader, ids: readonly string[], fieldOf: (id: string) => string): Promise<readonly LiveBlock[]> {
  const infos = await reader.treeInfos(ids);
  const found = new Map<string, LiveBlock>();
  let open = ids.slice();
  while (open.length > 0) {
    const first = open[0] as string;
    const location = await reader.location(first);
    const info = infos.get(first);
    if (!location || !info) throw blockNotFound(first, fieldOf(first));
    await requireOpen(reader, location.notebook);
    found.set(first, { id: first, ...location, ...info });
    open = open.slice(1);
    if (open.length === 0) break;
    const document = location.path.slice(location.path.lastIndexOf("/") + 1, -".sy".length);
    const inside = new Set(blockIds((await reader.blockDom(document)) ?? ""));
    for (const id of open.filter((other) => inside.has(other))) {
      const other = infos.get(id);
      if (!other) throw blockNotFound(id, fieldOf(id));
      found.set(id, { id, ...location, ...other });
    }
    open = open.filter((id) => !found.has(id));
  }
  return ids.map((id) => found.get(id) as LiveBlock);
}
