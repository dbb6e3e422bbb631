// block.append: adds content as the last children of a document or container.

import { blockAppend } from "../../../shared/catalogue/block.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import { blockIds, canonicalDom, type DomNode, topLevelNodes } from "../../api/dom.js";
import type { TreeInfo } from "../../api/reader.js";
import type { BlockContent, Echo } from "../../api/writer.js";
import { implementMutation, type Plan, type Verdict } from "../../safety/contract.js";
import { compareStored, lostReferences, missingWords } from "./comparison.js";
import { type Content, readContent, refusal } from "./content.js";
import { liveBlock } from "./location.js";
import { attributeLineOf, idsInAttributeLines } from "./markdown-source.js";
import { textDiff, visibleText } from "./text-diff.js";

interface AppendInput extends BlockContent {
  readonly parentID: string;
}

interface AppendPlan extends Plan {
  readonly parentID: string;
  readonly content: Content;
  readonly send: BlockContent;
  /** Blocks that the content makes, as far as the parser tells. */
  readonly expected: number;
  readonly reservedId: string | undefined;
}

interface AppendAfter {
  readonly echo: Echo | undefined;
  readonly nodes: readonly DomNode[];
  readonly stored: ReadonlyMap<string, string>;
  readonly infos: ReadonlyMap<string, TreeInfo>;
}

/** Types that take children at their end one by one. A list merges what it gets and is refused. */
const containers: ReadonlySet<string> = new Set(["NodeDocument", "NodeListItem", "NodeBlockquote", "NodeCallout", "NodeSuperBlock"]);

export const appendBlock = implementMutation(blockAppend, {
  reserves: 1,

  async targets({ parentID }: AppendInput, { reader }) {
    const parent = await liveBlock(reader, parentID, "parentID");
    if (!containers.has(parent.type)) throw refusal("invalid_arguments", "parentID", whyNot(parent.type));
    return { ids: [parentID], notebooks: [parent.notebook], found: parent };
  },

  async observe(input: AppendInput, _targets, { reader }) {
    const content = await readContent(input, "data", reader);
    const ids = content.kind === "dom" ? blockIds(content.text) : idsInAttributeLines(content.source);
    const taken = Array.from((await reader.treeInfos(ids)).keys());
    return { state: null, facts: { content, taken } };
  },

  plan({ parentID }: AppendInput, { facts: { content, taken } }, reservedIds): AppendPlan {
    if (taken.length > 0) {
      throw refusal("content_would_be_lost", "data", `the id ${taken[0]} belongs to a live block, which would be torn out of its document; remove the ids from the content`);
    }
    const expected = content.kind === "dom" ? content.nodes.length : content.preview.blocks;
    const reservedId = content.kind === "markdown" && canCarryId(content) ? reservedIds[0] : undefined;
    const text = content.text.replace(/\s+$/, "");
    const data = reservedId === undefined ? content.text : `${text}\n${attributeLineOf(new Map([["id", reservedId]]))}`;
    return {
      parentID,
      content,
      send: { dataType: content.kind, data },
      expected,
      reservedId,
      preview: () => ({ blocks: expected, diff: textDiff("", visibleText(content.kind === "markdown" ? content.preview.html : content.text)) }),
    };
  },

  stages: [
    { name: "append", apply: (plan: AppendPlan, { writer }): Promise<readonly Echo[]> => writer.appendBlock(plan.parentID, plan.send) },
  ],

  async readback(_plan: AppendPlan, answers, { reader }): Promise<AppendAfter> {
    const [echo] = answers[0] as readonly Echo[];
    const { nodes } = topLevelNodes(echo?.dom ?? "");
    const ids = nodes.map((node) => node.id);
    const [infos, stored] = ids.length === 0 ? [new Map<string, TreeInfo>(), new Map<string, string>()] : await Promise.all([reader.treeInfos(ids), reader.blockDoms(ids)]);
    return { echo, nodes, stored, infos };
  },

  verify(plan: AppendPlan, _before, _answers, { echo, nodes, stored, infos }): Verdict {
    const ids = nodes.map((node) => node.id);
    const answer: JsonObject = { success: true, id: ids[0] ?? "", createdBlockIDs: ids, count: ids.length, parentID: plan.parentID };
    const notes: string[] = [];
    const mismatch = (problem: string): Verdict => ({ outcome: "mismatch", answer, difference: { problem, createdBlockIDs: ids } });
    if (!echo || echo.id === "") return mismatch("SiYuan wrote nothing");
    if (nodes.length < plan.expected) return mismatch(`${nodes.length} of ${plan.expected} blocks were made`);
    const missing = missingWords(plan.content, nodes);
    if (missing.length > 0) return mismatch(`SiYuan dropped words of the request: ${missing.slice(0, 5).join(" ")}`);
    if (plan.reservedId !== undefined && !ids.includes(plan.reservedId)) return mismatch("the reserved id is not among the new blocks");
    const storedNodes: DomNode[] = [];
    for (const node of nodes) {
      const [found] = topLevelNodes(stored.get(node.id) ?? "").nodes;
      if (!found || infos.get(node.id)?.parentID !== plan.parentID) return mismatch(`block ${node.id} is not below the parent`);
      const comparison = compareStored(node.html, canonicalDom(found.html));
      if (!comparison.equal) return mismatch(`block ${node.id} is not what SiYuan announced`);
      notes.push(...comparison.notes);
      storedNodes.push(found);
    }
    const lost = lostReferences(plan.content, storedNodes);
    if (lost.length > 0) return mismatch(`references were emptied: ${lost.join(" ")}`);
    return { outcome: "committed", answer, notes: Array.from(new Set(notes)) };
  },
});

function whyNot(type: string): string {
  if (type === "NodeList") return "the parent is a list, which would take the content apart; append to one of its items";
  if (type === "NodeHeading") return "a heading has no children; append to its document";
  return `a ${type.replace(/^Node/, "").toLowerCase()} block has no children`;
}

/** False where an attribute line would not name the last block: below HTML, or where the content ends with its own. */
function canCarryId({ source, text }: Content & { kind: "markdown" }): boolean {
  return text.trim() !== "" && !source.endsInHtml && !source.attributeLines.some((line) => line.isLastLine);
}

