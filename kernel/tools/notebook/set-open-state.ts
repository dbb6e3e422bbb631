// notebook.set_open_state: opens or closes a notebook. SiYuan answers before its documents are loaded or unloaded, and
// sometimes without doing either; the oracle is a document of the notebook, which a live tree holds or not.

import { notebookSetOpenState } from "../../../shared/catalogue/notebook.js";
import { hostLimits } from "../../../shared/limits.js";
import type { Json, JsonObject } from "../../../shared/wire/json.js";
import type { Notebook, SiyuanReader } from "../../api/reader.js";
import { implementMutation, type Plan, type Verdict } from "../../safety/contract.js";
import { refusal } from "../block/content.js";
import { type Among, entryState, existingNotebook, verdictOn } from "./notebooks.js";

interface OpenStatePlan extends Plan {
  readonly expected: Notebook;
  /** A document of the notebook; none in an empty one. */
  readonly witness: string | undefined;
}

/** Any document that lies directly in the notebook's folder: a file, so that a closed notebook has one too. */
async function witnessOf(reader: SiyuanReader, notebook: string): Promise<string | undefined> {
  return (await reader.storedDocuments(notebook))[0]?.id;
}

export const setNotebookOpenState = implementMutation(notebookSetOpenState, {
  targets: ({ notebook }: { notebook: string }, { reader }) => existingNotebook(reader, notebook),

  async observe({ opened }: { opened: boolean }, { found }, { reader }) {
    const { notebook } = found;
    const witness = await witnessOf(reader, notebook.id);
    const isStuck =
      opened &&
      !notebook.closed &&
      witness !== undefined &&
      !(await reader.waitUntilLoaded(witness, hostLimits.notebookSettleMs));
    return { state: { entry: entryState(notebook), isStuck } as Json, facts: { ...found, witness, isStuck } };
  },

  plan(
    { opened }: { opened: boolean },
    { facts }: { facts: Among & { witness: string | undefined; isStuck: boolean } },
  ): OpenStatePlan {
    const { notebook, witness, isStuck } = facts;
    if (isStuck) {
      throw refusal(
        "invalid_arguments",
        "opened",
        "SiYuan calls this notebook open without having loaded its documents, and opening it again does nothing: close it first",
      );
    }
    return {
      expected: { ...notebook, closed: !opened },
      witness,
      preview: () => ({ name: notebook.name, from: !notebook.closed, to: opened }),
    };
  },

  stages: [
    {
      name: "open state",
      apply: ({ expected }: OpenStatePlan, { writer }) =>
        expected.closed ? writer.closeNotebook(expected.id) : writer.openNotebook(expected.id),
    },
  ],

  async readback({ expected, witness }: OpenStatePlan, _answers, { reader }) {
    const { notebookLoadMs } = hostLimits;
    const wait = (id: string) =>
      expected.closed ? reader.waitUntilUnloaded(id, notebookLoadMs) : reader.waitUntilLoaded(id, notebookLoadMs);
    const settled = witness === undefined || (await wait(witness));
    return { settled, all: await reader.freshNotebooks() };
  },

  verify(
    { expected }: OpenStatePlan,
    before,
    _answers,
    after: { settled: boolean; all: readonly Notebook[] },
  ): Verdict {
    const opened = !expected.closed;
    const answer: JsonObject = { success: true, notebook: expected.id, opened };
    const verdict = verdictOn(expected, before.facts, after.all, answer);
    const state: Json = { entry: verdict.state ?? null, isStuck: opened && !after.settled };
    if (verdict.outcome === "mismatch" || after.settled) return { ...verdict, state };
    const problem = opened
      ? "SiYuan lists the notebook as open, but its documents cannot be read"
      : "the notebook's documents can still be read";
    return { outcome: "mismatch", state, answer, difference: { problem } };
  },
});
