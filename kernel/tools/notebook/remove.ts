// notebook.remove: a notebook with all its documents. The precondition covers every file.

import { notebookRemove } from "../../../shared/catalogue/notebook.js";
import { hostLimits } from "../../../shared/limits.js";
import type { Json } from "../../../shared/wire/json.js";
import type { Notebook, StoredDocument } from "../../api/reader.js";
import { implementMutation, type Plan, type Verdict } from "../../safety/contract.js";
import { type Among, entryState, existingNotebook, strayChange } from "./notebooks.js";

interface RemovePlan extends Plan {
  readonly notebook: string;
  /**
   * A document at the root, unless there is none. Never one below another: when SiYuan loads a document whose parent has
   * just been deleted, it writes a new parent, and the notebook is back as a ghost.
   */
  readonly witness: string | undefined;
}

interface Removed {
  readonly all: readonly Notebook[];
  readonly files: readonly StoredDocument[];
  readonly unloaded: boolean;
}

export const removeNotebook = implementMutation(notebookRemove, {
  targets: ({ notebook }: { notebook: string }, { reader }) => existingNotebook(reader, notebook),

  async observe({ notebook }: { notebook: string }, { found }, { reader }) {
    const files = await reader.storedDocuments(notebook);
    const state = {
      entry: entryState(found.notebook),
      documents: files.map(({ path, updatedSeconds }) => [path, updatedSeconds]),
    };
    return { state: state as Json, facts: { ...found, files } };
  },

  plan(
    _input: unknown,
    { facts: { notebook, files } }: { facts: Among & { files: readonly StoredDocument[] } },
  ): RemovePlan {
    return {
      notebook: notebook.id,
      witness: files[0]?.id,
      preview: () => ({ name: notebook.name, documents: files.length }),
    };
  },

  stages: [{ name: "remove", apply: ({ notebook }: RemovePlan, { writer }) => writer.removeNotebook(notebook) }],

  async readback({ notebook, witness }: RemovePlan, _answers, { reader }): Promise<Removed> {
    const unloaded = witness === undefined || (await reader.waitUntilUnloaded(witness, hostLimits.notebookLoadMs));
    const [all, files] = await Promise.all([reader.freshNotebooks(), reader.storedDocuments(notebook)]);
    return { all, files, unloaded };
  },

  verify({ notebook }: RemovePlan, before, _answers, { all, files, unloaded }: Removed): Verdict {
    const answer = { success: true, notebook, documents: before.facts.files.length };
    const mismatch = (problem: string): Verdict => ({ outcome: "mismatch", answer, difference: { problem } });
    if (all.some((entry) => entry.id === notebook)) return mismatch("the notebook is still listed");
    if (files.length > 0) return mismatch(`${files.length} documents are still stored`);
    if (!unloaded) return mismatch("its documents can still be read");
    const stray = strayChange(before.facts.all, all, notebook);
    return stray === undefined ? { outcome: "committed", state: null, answer } : mismatch(stray);
  },

  async reconcile({ notebook }: { notebook: string }, _lost, { reader }) {
    const all = await reader.freshNotebooks();
    return { done: !all.some((entry) => entry.id === notebook), answer: { success: true, notebook } };
  },
});
