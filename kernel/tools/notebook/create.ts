// notebook.create: a notebook, its icon and its permission level, each a stage of its own.

import { notebookCreate } from "../../../shared/catalogue/notebook.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import type { Notebook } from "../../api/reader.js";
import {
  type Evidence,
  implementMutation,
  type LostCall,
  type Observation,
  type Plan,
  type ReadTools,
  type StageTrace,
  type Trace,
  type Verdict,
} from "../../safety/contract.js";
import { requireName } from "./name.js";

interface CreateNotebookInput {
  readonly name: string;
  readonly icon?: string;
}

interface CreateNotebookFacts {
  /** Ids of the notebooks that were there. */
  readonly before: readonly string[];
}

interface CreateNotebookPlan extends CreateNotebookInput, Plan {}

/** A notebook made through us is one the agent may write to. */
const level = "rw";

export const createNotebook = implementMutation(notebookCreate, {
  targets: async () => ({ ids: [], notebooks: [], found: undefined }),

  async observe(_input: CreateNotebookInput, _targets, { reader, config }): Promise<Observation<CreateNotebookFacts>> {
    // The last stage writes the levels: a damaged file has to stop the call before the first one.
    await config.freshPermissions();
    const before = (await reader.freshNotebooks()).map((notebook) => notebook.id);
    return { state: null, facts: { before }, witness: () => before.slice().sort() };
  },

  plan(input: CreateNotebookInput): CreateNotebookPlan {
    requireName(input.name, "name");
    return { ...input, preview: () => ({ name: input.name, permission: level }) };
  },

  stages: [
    {
      name: "create",
      names: (id: string) => [id],
      apply: (plan: CreateNotebookPlan, { writer }) => writer.createNotebook(plan.name),
    },
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

  async reconcile({ name, icon }: CreateNotebookInput, lost, tools): Promise<Evidence> {
    const made = await madeNotebook(name, lost, tools);
    if (!made) return { done: false, answer: {} };
    const { notebook, others } = made;
    const permission = await tools.config.permission(notebook.id);
    const done = permission === level && (icon === undefined || notebook.icon === icon);
    const answer = { success: true, notebook: notebook.id, name, ...(icon === undefined ? {} : { icon }), permission };
    return { done, answer, ...(made.isNamed ? {} : { witnesses: [others] }) };
  },

  async trace({ name, icon }: CreateNotebookInput, lost, tools): Promise<Trace<CreateNotebookFacts>> {
    const { stages } = lost;
    const made = await madeNotebook(name, lost, tools);
    if (!made) return { stages: stages.map(() => "unclear") };
    const { notebook, others } = made;
    const levels = await tools.config.freshPermissions();
    const iconTrace: StageTrace = icon === undefined || notebook.icon === icon ? "done" : "absent";
    const ownLevel = levels[notebook.id];
    const levelTrace: StageTrace = ownLevel === level ? "done" : "absent";
    const traces = (["done", iconTrace, levelTrace] as const).slice(0, stages.length);
    // A level or an icon that somebody chose since stays.
    const isUntouched = ownLevel === undefined && (stages.length > 1 || notebook.icon === "");
    if (!isUntouched || !traces.every((each) => each === "done")) return { stages: traces };
    const observation = { state: null, facts: { before: others } };
    const answers = [notebook.id, undefined].slice(0, stages.length);
    return { stages: traces, rest: { ...(made.isNamed ? {} : { witness: others }), observation, answers } };
  },
});

interface MadeNotebook {
  readonly notebook: Notebook;
  /** Ids of all other notebooks. */
  readonly others: readonly string[];
  /** True when SiYuan's answer named it; else it is the newest of this name, and the others must be those of before. */
  readonly isNamed: boolean;
}

async function madeNotebook(
  name: string,
  { namedIds = [], mayStillRun }: LostCall,
  { reader }: ReadTools,
): Promise<MadeNotebook | undefined> {
  const all = await reader.freshNotebooks();
  const [named] = namedIds;
  const ofName = all.filter((each) => each.name === name);
  // Ids begin with the time of their making.
  const [newest] = ofName
    .map(({ id }) => id)
    .sort()
    .reverse();
  // While the creation may still run, a notebook of this name may be somebody else's.
  const wanted = named ?? (mayStillRun ? undefined : newest);
  const notebook = ofName.find(({ id }) => id === wanted);
  if (!notebook) return undefined;
  const others = all.map(({ id }) => id).filter((id) => id !== notebook.id);
  return { notebook, others: others.sort(), isNamed: named !== undefined };
}
