// document.remove: a document by id, with everything below it.

import { documentRemove } from "../../../shared/catalogue/document.js";
import { implementMutation } from "../../safety/contract.js";
import { liveDocument } from "./live-document.js";
import {
  observeRemoval,
  planRemoval,
  readRemoval,
  type RemovalAfter,
  type RemovalPlan,
  verifyRemoval,
} from "./removal.js";

interface RemoveInput {
  readonly id: string;
}

export const removeDocument = implementMutation(documentRemove, {
  async targets({ id }: RemoveInput, { reader }) {
    const document = await liveDocument(reader, id, "id");
    return { ids: [id], notebooks: [document.notebook], found: document };
  },
  observe: (_input: RemoveInput, { found }, { reader }) => observeRemoval(reader, found),
  plan: (_input: RemoveInput, { facts }) => planRemoval(facts),
  stages: [{ name: "remove", apply: (plan: RemovalPlan, { writer }) => writer.removeDocument(plan.document.id) }],
  readback: (plan: RemovalPlan, _answers, { reader }) => readRemoval(reader, plan),
  verify: ({ document }: RemovalPlan, { facts }, _answers, after: RemovalAfter) =>
    verifyRemoval(facts, after, { success: true, id: document.id }),
});
