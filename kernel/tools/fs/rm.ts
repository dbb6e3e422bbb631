// fs.rm: the document at a workspace path, with everything below it.

import { fsRm } from "../../../shared/catalogue/fs.js";
import { implementMutation } from "../../safety/contract.js";
import { areGone } from "../block/location.js";
import {
  observeRemoval,
  planRemoval,
  readRemoval,
  type RemovalAfter,
  type RemovalPlan,
  removalStage,
  verifyRemoval,
} from "../document/removal.js";
import { writableDocument } from "./resolve.js";

export const rm = implementMutation(fsRm, {
  async targets({ path }, tools) {
    const found = await writableDocument(
      path,
      tools,
      "this names no document; a whole notebook goes with notebook remove",
    );
    return { ids: [found.document.id], notebooks: [found.document.notebook], found };
  },
  async observe(_input: { path: string }, { found }, { reader }) {
    const { state, facts } = await observeRemoval(reader, [found.document], "path");
    return { state, facts: { ...facts, path: found.path } };
  },
  plan: (_input: { path: string }, { facts }) => planRemoval(facts),
  stages: [removalStage],
  readback: (plan: RemovalPlan, _answers, { reader }) => readRemoval(reader, plan),
  verify: (_plan: RemovalPlan, { facts }, _answers, after: RemovalAfter) =>
    verifyRemoval(facts, after, { success: true, path: facts.path }),
  async reconcile({ path }: { path: string }, { targetIds, notebooks }, { reader }) {
    return { done: await areGone(reader, targetIds, notebooks), answer: { success: true, path } };
  },
});
