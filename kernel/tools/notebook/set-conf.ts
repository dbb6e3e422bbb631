// notebook.set_conf: some settings of a notebook; all others keep their values.

import { notebookSetConf } from "../../../shared/catalogue/notebook.js";
import type { Json, JsonObject } from "../../../shared/wire/json.js";
import type { Notebook } from "../../api/reader.js";
import { implementMutation, type Plan, type Verdict } from "../../safety/contract.js";
import { refusal } from "../block/content.js";
import { requireName } from "./name.js";
import { type Among, entryState, existingNotebook, verdictOn } from "./notebooks.js";
import { settingsOf } from "./settings.js";

interface Changes {
  readonly name?: string;
  readonly closed?: boolean;
  readonly sortMode?: number;
  readonly refCreateSavePath?: string;
  readonly createDocNameTemplate?: string;
  readonly dailyNoteSavePath?: string;
  readonly dailyNoteTemplatePath?: string;
}

interface SetConfPlan extends Plan {
  readonly notebook: string;
  readonly changes: JsonObject;
  readonly expectedConf: JsonObject;
  readonly expectedEntry: Notebook;
}

/** Refuses values that SiYuan would store in another form: it answers code 0 all the same. */
function requireStorable(changes: Changes): void {
  const {
    name,
    refCreateSavePath,
    createDocNameTemplate,
    dailyNoteSavePath: path,
    dailyNoteTemplatePath: template,
  } = changes;
  if (name !== undefined) requireName(name, "conf.name");
  for (const [field, value] of Object.entries({
    refCreateSavePath,
    createDocNameTemplate,
    dailyNoteSavePath: path,
    dailyNoteTemplatePath: template,
  })) {
    if (value === undefined) continue;
    if (value !== value.trim()) throw refusal("content_would_be_lost", `conf.${field}`, "SiYuan drops outer spaces");
    if (/[\u0000-\u001f\u007f]/.test(value))
      throw refusal("content_would_be_lost", `conf.${field}`, "it holds a control character");
  }
  if (path !== undefined && path !== "" && !/^\/./.test(path)) {
    throw refusal(
      "content_would_be_lost",
      "conf.dailyNoteSavePath",
      "SiYuan stores a path that begins with / and names a document",
    );
  }
  if (template !== undefined && template !== "") {
    const inside = template.split("/").every((part) => part !== "..");
    if (!/^\/.*\.md$/.test(template) || !inside) {
      throw refusal(
        "content_would_be_lost",
        "conf.dailyNoteTemplatePath",
        "SiYuan stores a path below its templates that begins with / and ends with .md",
      );
    }
  }
}

/** Unset fields are left out, so that they keep their values. */
function given(changes: Changes): JsonObject {
  return JSON.parse(JSON.stringify(changes)) as JsonObject;
}

function sameSettings(left: JsonObject, right: JsonObject): boolean {
  const differs = (key: string) => JSON.stringify(left[key]) !== JSON.stringify(right[key]);
  return !Object.keys({ ...left, ...right }).some(differs);
}

export const setNotebookConf = implementMutation(notebookSetConf, {
  targets: ({ notebook }: { notebook: string }, { reader }) => existingNotebook(reader, notebook),

  async observe({ notebook }: { notebook: string }, { found }, { reader }) {
    const conf = settingsOf(await reader.notebookConf(notebook));
    return { state: { entry: entryState(found.notebook), conf } as Json, facts: { ...found, conf } };
  },

  plan(input: { notebook: string; conf: Changes }, { facts }: { facts: Among & { conf: JsonObject } }): SetConfPlan {
    const { notebook, conf } = facts;
    if (input.conf.closed !== undefined) {
      throw refusal(
        "invalid_arguments",
        "conf.closed",
        "set here, SiYuan marks the notebook without loading or unloading its documents; use notebook set_open_state",
      );
    }
    requireStorable(input.conf);
    const changes = given(input.conf);
    const unknown = Object.keys(changes).find((key) => conf[key] === undefined);
    if (unknown !== undefined)
      throw refusal("content_would_be_lost", `conf.${unknown}`, "this version of SiYuan has no such setting");
    const before: Record<string, Json> = {};
    for (const key of Object.keys(changes)) before[key] = conf[key] as Json;
    return {
      notebook: notebook.id,
      changes,
      expectedConf: { ...conf, ...changes },
      expectedEntry: { ...notebook, name: input.conf.name ?? notebook.name },
      preview: () => ({ name: notebook.name, from: before, to: changes }),
    };
  },

  stages: [
    { name: "conf", apply: (plan: SetConfPlan, { writer }) => writer.setNotebookConf(plan.notebook, plan.changes) },
  ],

  async readback({ notebook }: SetConfPlan, _answers, { reader }) {
    const all = await reader.freshNotebooks();
    return { all, conf: settingsOf(await reader.notebookConf(notebook)) };
  },

  verify(plan: SetConfPlan, before, [echo], after: { all: readonly Notebook[]; conf: JsonObject }): Verdict {
    const answer = { success: true, notebook: plan.notebook, ...after.conf };
    const verdict = verdictOn(plan.expectedEntry, before.facts, after.all, answer);
    const state: Json = { entry: verdict.state ?? null, conf: after.conf };
    if (verdict.outcome === "mismatch") return { ...verdict, state };
    const asAsked =
      sameSettings(after.conf, plan.expectedConf) && sameSettings(settingsOf(echo as JsonObject), plan.expectedConf);
    if (!asAsked)
      return {
        outcome: "mismatch",
        state,
        answer,
        difference: { problem: "the settings are not as asked", found: after.conf },
      };
    return { outcome: sameSettings(before.facts.conf, after.conf) ? "no_change" : "committed", state, answer };
  },
});
