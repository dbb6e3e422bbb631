// block.recent_updated: the paragraphs changed last, as far as they may be read.

import { blockRecentUpdated } from "../../../shared/catalogue/block.js";
import { isJsonObject } from "../../../shared/wire/json.js";
import { decodeEntities } from "../../api/dom.js";
import { implementRead } from "../../safety/contract.js";
import { readability } from "./readable.js";

export const recentUpdated = implementRead(blockRecentUpdated, {
  targets: async () => ({ ids: [], notebooks: [], found: undefined }),
  async read({ count }, _targets, tools) {
    const rows = await tools.reader.recentlyUpdated();
    // The index may still list blocks that are gone or lie elsewhere by now.
    const readable = await readability(
      rows.map((row) => String(row.id)),
      tools,
    );
    const blocks = rows
      .filter((row) => readable.get(String(row.id)) === "readable")
      .slice(0, count ?? rows.length)
      .map((row) => ({
        id: String(row.id),
        rootID: String(row.rootID),
        notebook: String(row.box),
        path: String(row.path),
        hPath: decodeEntities(String(row.hPath)),
        type: String(row.type),
        content: decodeEntities(String(row.content)),
        updated: isJsonObject(row.ial) ? String(row.ial.updated ?? "") : "",
      }));
    return { blocks };
  },
});
