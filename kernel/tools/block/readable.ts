// Which of several ids may be read, with few requests: one when no notebook is closed to reading, else one more per id.

import type { ReadTools } from "../../safety/contract.js";
import { blockNotFound } from "./location.js";

export type Readability = "readable" | "permission_denied" | "not_found";

/** For each id: whether a live tree holds it, and in a notebook that may be read. */
export async function readability(
  ids: readonly string[],
  { reader, config }: ReadTools,
): Promise<ReadonlyMap<string, Readability>> {
  const distinct = Array.from(new Set(ids));
  const infos = await reader.treeInfos(distinct);
  const found = new Map<string, Readability>(distinct.map((id) => [id, infos.has(id) ? "readable" : "not_found"]));
  if (await everyNotebookIsReadable({ reader, config })) return found;
  // The notebook comes from the live tree: an index could still tell the one before a move.
  await Promise.all(
    Array.from(infos.keys()).map(async (id) => {
      const location = await reader.location(id);
      if (!location) found.set(id, "not_found");
      else if (!(await config.mayRead(location.notebook))) found.set(id, "permission_denied");
    }),
  );
  return found;
}

/** The notebooks of the ids whose permission must still be asked. Throws `block_not_found` for the first id that no tree holds. */
export async function notebooksToAsk(
  ids: readonly string[],
  fieldOf: (index: number) => string,
  { reader, config }: ReadTools,
): Promise<readonly string[]> {
  const infos = await reader.treeInfos(Array.from(new Set(ids)));
  ids.forEach((id, index) => {
    if (!infos.has(id)) throw blockNotFound(id, fieldOf(index));
  });
  if (await everyNotebookIsReadable({ reader, config })) return [];
  const locations = await Promise.all(Array.from(infos.keys()).map((id) => reader.location(id)));
  return Array.from(new Set(locations.map((location) => location?.notebook ?? "")));
}

export async function everyNotebookIsReadable({ reader, config }: ReadTools): Promise<boolean> {
  for (const notebook of await reader.notebooks()) if (!(await config.mayRead(notebook.id))) return false;
  return true;
}
