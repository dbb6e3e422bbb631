// notebook.set_icon: a notebook's icon. Works on closed notebooks too.

import { notebookSetIcon } from "../../../shared/catalogue/notebook.js";
import type { Notebook } from "../../api/reader.js";
import { implementMutation, type Plan } from "../../safety/contract.js";
import { type Among, entryState, existingNotebook, verdictOn } from "./notebooks.js";

interface SetIconPlan extends Plan {
  readonly expected: Notebook;
}

export const setNotebookIcon = implementMutation(notebookSetIcon, {
  targets: ({ notebook }: { notebook: string }, { reader }) => existingNotebook(reader, notebook),

  async observe(_input: unknown, { found }) {
    return { state: entryState(found.notebook), facts: found };
  },

  plan({ icon }: { icon: string }, { facts: { notebook } }: { facts: Among }): SetIconPlan {
    return { expected: { ...notebook, icon }, preview: () => ({ name: notebook.name, from: notebook.icon, to: icon }) };
  },

  stages: [
    {
      name: "icon",
      apply: ({ expected }: SetIconPlan, { writer }) => writer.setNotebookIcon(expected.id, expected.icon),
    },
  ],

  readback: (_plan: SetIconPlan, _answers, { reader }) => reader.freshNotebooks(),

  verify: ({ expected }: SetIconPlan, before, _answers, after) =>
    verdictOn(expected, before.facts, after, { success: true, notebook: expected.id, icon: expected.icon }),
});
