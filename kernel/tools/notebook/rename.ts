// notebook.rename: another name for an open notebook.

import { notebookRename } from "../../../shared/catalogue/notebook.js";
import type { Notebook } from "../../api/reader.js";
import { implementMutation, type Plan } from "../../safety/contract.js";
import { requireName } from "./name.js";
import { type Among, entryState, openNotebookTarget, verdictOn } from "./notebooks.js";

interface RenamePlan extends Plan {
  readonly expected: Notebook;
}

export const renameNotebook = implementMutation(notebookRename, {
  targets: ({ notebook }: { notebook: string }, { reader }) => openNotebookTarget(reader, notebook),

  async observe(_input: unknown, { found }) {
    return { state: entryState(found.notebook), facts: found };
  },

  plan({ name }: { name: string }, { facts: { notebook } }: { facts: Among }): RenamePlan {
    requireName(name, "name");
    return { expected: { ...notebook, name }, preview: () => ({ from: notebook.name, to: name }) };
  },

  stages: [
    {
      name: "rename",
      apply: ({ expected }: RenamePlan, { writer }) => writer.renameNotebook(expected.id, expected.name),
    },
  ],

  readback: (_plan: RenamePlan, _answers, { reader }) => reader.freshNotebooks(),

  verify: ({ expected }: RenamePlan, before, _answers, after) =>
    verdictOn(expected, before.facts, after, { success: true, notebook: expected.id, name: expected.name }),
});
