// What append and prepend share: content for one end of a document or container block.

import type { JsonObject } from "../../../shared/wire/json.js";
import type { DomNode } from "../../api/dom.js";
import type { SiyuanReader } from "../../api/reader.js";
import type { BlockContent, Echo } from "../../api/writer.js";
import type { Evidence, LostCall, Plan, Verdict } from "../../safety/contract.js";
import { documentOf } from "./document-blocks.js";
import { refusal } from "./content.js";
import { liveBlock } from "./location.js";
import {
  compareNewBlocks,
  echoedNodes,
  holdsNewContent,
  type NewBlocks,
  type NewContent,
  prepareNewBlocks,
  readNewContent,
  readStored,
  requireNew,
  type StoredBlocks,
  textOf,
} from "./new-blocks.js";
import { textDiff } from "./text-diff.js";

export interface ContainerInput extends BlockContent {
  readonly parentID: string;
}

export interface ContainerPlan extends Plan {
  readonly parentID: string;
  readonly blocks: NewBlocks;
}

export interface ContainerAfter extends StoredBlocks {
  readonly echo: Echo | undefined;
  readonly nodes: readonly DomNode[];
}

/** Types that take children at their ends one by one. A list merges what it gets and is refused. */
export const containers: ReadonlySet<string> = new Set([
  "NodeDocument",
  "NodeListItem",
  "NodeBlockquote",
  "NodeCallout",
  "NodeSuperBlock",
]);

export async function containerTarget(reader: SiyuanReader, parentID: string, field: string) {
  const parent = await liveBlock(reader, parentID, field);
  if (!containers.has(parent.type)) throw refusal("invalid_arguments", field, whyNot(parent.type));
  return parent;
}

/** The answers that do not depend on the end of the container. */
export const intoContainer = {
  async targets({ parentID }: ContainerInput, { reader }: { readonly reader: SiyuanReader }) {
    const parent = await containerTarget(reader, parentID, "parentID");
    return {
      ids: [parentID],
      notebooks: [parent.notebook],
      documents: [documentOf(parent.path)],
      found: parent,
    };
  },

  async observe(input: ContainerInput, _targets: unknown, { reader }: { readonly reader: SiyuanReader }) {
    return { state: null, facts: await readNewContent(input, "data", reader) };
  },

  plan(
    { parentID }: ContainerInput,
    { facts }: { readonly facts: NewContent },
    reservedIds: readonly string[],
  ): ContainerPlan {
    requireNew(facts, "data");
    const blocks = prepareNewBlocks(facts.content, reservedIds[0]);
    return {
      parentID,
      blocks,
      preview: () => ({ blocks: blocks.expected, diff: textDiff("", textOf(facts.content)) }),
    };
  },

  async readback(
    _plan: ContainerPlan,
    answers: readonly unknown[],
    { reader }: { readonly reader: SiyuanReader },
  ): Promise<ContainerAfter> {
    const [echo] = answers[0] as readonly Echo[];
    const nodes = echoedNodes(echo);
    return { echo, nodes, ...(await readStored(reader, nodes)) };
  },

  async reconcile(
    input: ContainerInput,
    { reservedIds: [id] }: LostCall,
    { reader }: { readonly reader: SiyuanReader },
  ): Promise<Evidence> {
    const done = await holdsNewContent(reader, input, id, input.parentID);
    return { done, answer: { success: true, id: id ?? "", parentID: input.parentID } };
  },
};

/** Pure. `placeProblem` tells what is wrong with the place of the new blocks, if anything. */
export function verifyInContainer(
  plan: ContainerPlan,
  after: ContainerAfter,
  placeProblem: (ids: readonly string[]) => string | undefined,
): Verdict {
  const ids = after.nodes.map((node) => node.id);
  const answer: JsonObject = {
    success: true,
    id: ids[0] ?? "",
    createdBlockIDs: ids,
    count: ids.length,
    parentID: plan.parentID,
  };
  const comparison = compareNewBlocks(plan.blocks, after.echo, after.nodes, plan.parentID, after);
  const problem = "problem" in comparison ? comparison.problem : placeProblem(ids);
  if (problem !== undefined) return { outcome: "mismatch", answer, difference: { problem, createdBlockIDs: ids } };
  return { outcome: "committed", answer, notes: "notes" in comparison ? Array.from(new Set(comparison.notes)) : [] };
}

function whyNot(type: string): string {
  if (type === "NodeList") return "the parent is a list, which would take the content apart; use one of its items";
  if (type === "NodeHeading") return "a heading has no children; use its document, or block insert behind it";
  return `a ${type.replace(/^Node/, "").toLowerCase()} block has no children`;
}
