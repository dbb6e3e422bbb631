// document.reorder: the manual order of all documents directly below a notebook or document, by ids.

import { documentReorder } from "../../../shared/catalogue/document.js";
import { implementMutation } from "../../safety/contract.js";
import { type Folder, folderPlace } from "./folder.js";
import {
  observeOrder,
  type OrderPlan,
  orderStages,
  planOrder,
  readOrder,
  reconcileOrder,
  verifyOrder,
} from "./ordering.js";

interface ReorderInput {
  readonly parentID: string;
  readonly orderedIDs: readonly string[];
}

export const reorderDocuments = implementMutation(documentReorder, {
  async targets({ parentID }: ReorderInput, { reader }) {
    const place = await folderPlace(reader, parentID, "parentID");
    return { ids: [parentID], notebooks: [place.notebook], found: place };
  },
  observe: (_input: ReorderInput, { found }, { reader }) => observeOrder(reader, found),
  plan: ({ orderedIDs }: ReorderInput, { facts }) => planOrder(facts, orderedIDs, "orderedIDs"),
  stages: orderStages,
  readback: (plan: OrderPlan, _answers, { reader }) => readOrder(plan, reader),
  verify: (plan: OrderPlan, { facts }, _answers, after: Folder) => verifyOrder(plan, facts, after, {}),
  async reconcile({ parentID, orderedIDs }: ReorderInput, _lost, { reader }) {
    return reconcileOrder(reader, await folderPlace(reader, parentID, "parentID"), () => orderedIDs, {});
  },
});
