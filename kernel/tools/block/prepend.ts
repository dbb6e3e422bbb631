// block.prepend: adds content as the first children of a document or container.

import { blockPrepend } from "../../../shared/catalogue/block.js";
import type { Echo } from "../../api/writer.js";
import { implementMutation, type Verdict } from "../../safety/contract.js";
import { type ContainerAfter, type ContainerPlan, intoContainer, verifyInContainer } from "./into-container.js";
import { standInOrder } from "./new-blocks.js";

export const prependBlock = implementMutation(blockPrepend, {
  reserves: 1,
  ...intoContainer,
  stages: [
    {
      name: "prepend",
      apply: (plan: ContainerPlan, { writer }): Promise<readonly Echo[]> =>
        writer.prependBlock(plan.parentID, plan.blocks.send),
    },
  ],
  verify: (plan: ContainerPlan, _before, _answers, after: ContainerAfter): Verdict =>
    verifyInContainer(plan, after, (ids) => {
      if (after.infos.get(ids[0] ?? "")?.previousID !== "") return "the new blocks are not the first ones";
      return standInOrder(ids, after.infos) ? undefined : "the new blocks are not in the asked order";
    }),
});
