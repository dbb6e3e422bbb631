// Files of a document outside its place: what an interrupted move may leave behind. A document must never lie at two places.

import type { SiyuanReader } from "../../api/reader.js";
import { inParallel } from "../parallel.js";
import { idsOfPath } from "./live-document.js";

export interface DocumentPlace {
  readonly id: string;
  readonly notebook: string;
  readonly path: string;
}

/** Storage paths, in any notebook, of files of these documents or below them that do not lie at or below their places. */
export async function strayCopies(reader: SiyuanReader, places: readonly DocumentPlace[]): Promise<readonly string[]> {
  const notebooks = await reader.freshNotebooks();
  const stray = await inParallel(notebooks, async (notebook) => {
    const files = await reader.storedDocuments(notebook.id);
    return files
      .filter(({ path }) => {
        const ids = idsOfPath(path);
        const place = places.find(({ id }) => ids.includes(id));
        if (!place) return false;
        const folder = place.path.replace(/\.sy$/, "");
        return place.notebook !== notebook.id || (path !== place.path && !path.startsWith(`${folder}/`));
      })
      .map(({ path }) => path);
  });
  return stray.reduce<string[]>((all, paths) => all.concat(paths), []);
}
