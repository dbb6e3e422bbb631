// block.batch_kramdown, docs_info and word_count: one question about several blocks.

import { blockBatchKramdown, blockDocsInfo, blockWordCount } from "../../../shared/catalogue/block.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import { implementRead, type ReadTools } from "../../safety/contract.js";
import { everyNotebookIsReadable, notebooksToAsk, readability } from "./readable.js";

/** Ids that must all be readable. */
interface Several {
  readonly id?: string;
  readonly ids?: readonly string[];
}

const idsOf = (input: Several): readonly string[] => input.ids ?? [input.id as string];

async function allReadable(input: Several, tools: ReadTools) {
  const ids = idsOf(input);
  const notebooks = await notebooksToAsk(ids, (index) => (input.ids ? `ids.${index}` : "id"), tools);
  return { ids, notebooks, found: Array.from(new Set(ids)) };
}

export const batchKramdown = implementRead(blockBatchKramdown, {
  // Each id is answered for itself, so that one that may not be read does not hide the others.
  targets: async ({ ids }, tools) => ({ ids, notebooks: [], found: await readability(ids, tools) }),
  async read({ ids, mode }, { found }, { reader }) {
    const readable = Array.from(found.keys()).filter((id) => found.get(id) === "readable");
    const kramdowns =
      readable.length === 0 ? new Map<string, string>() : await reader.kramdowns(readable, mode ?? "md");
    const items = ids.map((id): JsonObject => {
      const kramdown = kramdowns.get(id);
      if (kramdown !== undefined) return { id, ok: true, kramdown };
      return {
        id,
        ok: false,
        error: { type: found.get(id) === "permission_denied" ? "permission_denied" : "not_found" },
      };
    });
    return { items };
  },
});

export const docsInfo = implementRead(blockDocsInfo, {
  targets: (input: Several, tools) => allReadable(input, tools),
  async read({ refCount, av }, { found }, tools) {
    const documents = await tools.reader.docsInfo(found, refCount ?? false, av ?? false);
    // The ids of referring blocks may belong to notebooks that may not be read.
    const shown = (await everyNotebookIsReadable(tools))
      ? documents
      : documents.map(({ refIDs: _hidden, ...rest }) => rest);
    return { documents: shown };
  },
});

export const wordCount = implementRead(blockWordCount, {
  targets: (input: Several, tools) => allReadable(input, tools),
  read: async (_input, { found }, { reader }) => ({ ids: found, stat: await reader.wordCount(found) }),
});
