// notebook.set_permission: what agents may do in a notebook. Only the owner's settings file changes.

import { notebookSetPermission } from "../../../shared/catalogue/notebook.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import { implementMutation, type Plan, type Verdict } from "../../safety/contract.js";
import { type Among, existingNotebook } from "./notebooks.js";

type Level = "none" | "r" | "rw" | "rwd";

interface SetPermissionPlan extends Plan {
  readonly notebook: string;
  readonly permission: Level;
}

export const setNotebookPermission = implementMutation(notebookSetPermission, {
  targets: ({ notebook }: { notebook: string }, { reader }) => existingNotebook(reader, notebook),

  async observe({ notebook }: { notebook: string }, { found }, { config }) {
    const levels = await config.freshPermissions();
    return {
      state: { notebook, permission: levels[notebook] ?? null },
      facts: { ...found, levels, effective: await config.permission(notebook) },
    };
  },

  plan(
    input: { notebook: string; permission: Level },
    { facts }: { facts: Among & { levels: JsonObject; effective: Level } },
  ): SetPermissionPlan {
    return { ...input, preview: () => ({ name: facts.notebook.name, from: facts.effective, to: input.permission }) };
  },

  stages: [
    {
      name: "permission",
      apply: ({ notebook, permission }: SetPermissionPlan, { config }) => config.setPermission(notebook, permission),
    },
  ],

  readback: (_plan: SetPermissionPlan, _answers, { config }) => config.freshPermissions(),

  verify({ notebook, permission }: SetPermissionPlan, before, _answers, after: JsonObject): Verdict {
    const { levels } = before.facts;
    const answer = { success: true, notebook, permission };
    const state = { notebook, permission: after[notebook] ?? null };
    const other = Object.keys({ ...levels, ...after }).find((id) => id !== notebook && levels[id] !== after[id]);
    if (after[notebook] !== permission)
      return { outcome: "mismatch", state, answer, difference: { problem: "the level was not stored" } };
    if (other !== undefined)
      return {
        outcome: "mismatch",
        state,
        answer,
        difference: { problem: `the level of notebook ${other} changed too` },
      };
    return { outcome: levels[notebook] === permission ? "no_change" : "committed", state, answer };
  },
});
