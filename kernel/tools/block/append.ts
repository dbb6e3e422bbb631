// block.append: adds content as the last children of a document or container.

import { blockAppend } from "../../../shared/catalogue/block.js";
import type { Echo } from "../../api/writer.js";
import { implementMutation, type Verdict } from "../../safety/contract.js";
import { type ContainerAfter, type ContainerPlan, intoContainer, verifyInContainer } from "./into-container.js";

export const appendBlock = implementMutation(blockAppend, {
  reserves: 1,
  ...intoContainer,
  stages: [
    {
      name: "append",
      apply: (plan: ContainerPlan, { writer }): Promise<readonly Echo[]> =>
        writer.appendBlock(plan.parentID, plan.blocks.send),
    },
  ],
  // Another writer may already have put more below it, so the end itself is not asked for.
  verify: (plan: ContainerPlan, _before, _answers, after: ContainerAfter): Verdict =>
    verifyInContainer(plan, after, () => undefined),
});
