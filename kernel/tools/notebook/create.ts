// notebook.create: a notebook, its icon and its permission level, each a stage of its own.

import { notebookCreate } from "../../../shared/catalogue/notebook.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import type { Notebook } from "../../api/reader.js";
import { implementMutation, type Plan, type Verdict } from "../../safety/contract.js";
import { requireName } from "./name.js";

interface CreateNotebookInput {
  readonly name: string;
  readonly icon?: string;
}

interface CreateNotebookPlan extends CreateNotebookInput, Plan {}

/** A notebook made through us is one the agent may write to. */
const level = "rw";

export const createNotebook = implementMutation(notebookCreate, {
  targets: async () => ({ ids: [], notebooks: [], found: undefined }),

  async observe(_input: CreateNotebookInput, _targets, { reader, config }) {
    // The last stage writes the levels: a damaged file has to stop the call before the first one.
    await config.freshPermissions();
    const before = (await reader.freshNotebooks()).map((notebook) => notebook.id);
    return { state: null, facts: { before } };
  },

  plan(input: CreateNotebookInput): CreateNotebookPlan {
    requireName(input.name, "name");
    return { ...input, preview: () => ({ name: input.name, permission: level }) };
  },

  stages: [
    { name: "create", apply: (plan: CreateNotebookPlan, { writer }) => writer.createNotebook(plan.name) },
    {
      name: "icon",
      apply: async (plan: CreateNotebookPlan, { writer }, [id]) => {
        if (plan.icon !== undefined) await writer.setNotebookIcon(id as string, plan.icon);
      },
    },
    {
      name: "permission",
      apply: (_plan: CreateNotebookPlan, { config }, [id]) => config.setPermission(id as string, level),
    },
  ],

  async readback(_plan: CreateNotebookPlan, [id], { reader, config }) {
    const notebook = (await reader.freshNotebooks()).find((entry) => entry.id === id);
    return { notebook, permission: await config.permission(id as string) };
  },

  verify(
    plan: CreateNotebookPlan,
    before,
    [id],
    after: { notebook: Notebook | undefined; permission: string },
  ): Verdict {
    const { notebook, permission } = after;
    const answer: JsonObject = {
      success: true,
      notebook: id as string,
      name: plan.name,
      ...(plan.icon === undefined ? {} : { icon: plan.icon }),
      permission,
    };
    const asAsked =
      notebook !== undefined &&
      !before.facts.before.includes(notebook.id) &&
      notebook.name === plan.name &&
      (plan.icon === undefined || notebook.icon === plan.icon) &&
      permission === level;
    return asAsked
      ? { outcome: "committed", answer }
      : {
          outcome: "mismatch",
          answer,
          difference: { problem: "the notebook is not as asked", found: notebook ? { ...notebook } : null },
        };
  },
});
