// block.transfer_references: references to one block point to another one. We choose the blocks, from live trees, and
// name each of them to SiYuan, which would choose by an index that lags. It echoes nothing; the oracle is each block.

import { blockTransferReferences } from "../../../shared/catalogue/block.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import { canonicalDom, referenceIds } from "../../api/dom.js";
import { implementMutation, type Plan, type Verdict } from "../../safety/contract.js";
import { withoutFollowingTexts } from "../document/document-state.js";
import { refusal } from "./content.js";
import { type DocumentBlock, readDocumentBlocks } from "./document-blocks.js";
import { inboundReferences, type ReferenceHolder } from "./inbound-references.js";
import { liveBlock, type LiveBlock } from "./location.js";

interface TransferInput {
  readonly fromID: string;
  readonly toID: string;
  readonly refIDs?: readonly string[];
}

interface Found {
  readonly from: LiveBlock;
  readonly to: LiveBlock;
  readonly holders: readonly ReferenceHolder[];
  /** Index of the first wanted block that holds no such reference; -1 for none. */
  readonly stranger: number;
}

interface TransferPlan extends Plan {
  readonly fromID: string;
  readonly toID: string;
  readonly holders: readonly ReferenceHolder[];
}

interface TransferAfter {
  readonly blocks: ReadonlyMap<string, DocumentBlock>;
  /** Blocks that refer to the old target now. */
  readonly left: readonly string[];
}

export const transferReferences = implementMutation(blockTransferReferences, {
  async targets({ fromID, toID, refIDs }: TransferInput, { reader }) {
    if (fromID === toID) throw refusal("invalid_arguments", "toID", "it is the same as fromID");
    const [from, to] = await Promise.all([liveBlock(reader, fromID, "fromID"), liveBlock(reader, toID, "toID")]);
    const all = await inboundReferences(reader, { block: fromID });
    const wanted = refIDs && new Set(refIDs);
    const holders = wanted ? all.filter(({ holder }) => wanted.has(holder)) : all;
    const known = new Set(all.map(({ holder }) => holder));
    const found: Found = { from, to, holders, stranger: (refIDs ?? []).findIndex((id) => !known.has(id)) };
    return {
      ids: [fromID, toID].concat(holders.map(({ holder }) => holder)),
      notebooks: Array.from(new Set([from.notebook, to.notebook].concat(holders.map(({ notebook }) => notebook)))),
      documents: Array.from(new Set(holders.map(({ document }) => document))),
      found,
    };
  },

  async observe(_input: TransferInput, { found }) {
    const { from, to, holders } = found;
    const end = ({ id, notebook, path, type, parentID }: LiveBlock) => ({ id, notebook, path, type, parentID });
    const state = {
      from: end(from),
      to: end(to),
      holders: holders.map(({ holder, notebook, path, dom }) => ({
        id: holder,
        notebook,
        path,
        dom: canonicalDom(dom),
      })),
    };
    return { state, facts: found };
  },

  plan({ fromID, toID, refIDs }: TransferInput, { facts: { holders, stranger } }): TransferPlan {
    if (stranger >= 0)
      throw refusal(
        "invalid_arguments",
        `refIDs.${stranger}`,
        `${refIDs?.[stranger]} itself holds no reference to ${fromID}`,
      );
    const preview = () => ({
      references: holders.reduce((sum, { dom }) => sum + countOf(dom, fromID), 0),
      blocks: holders.map(({ holder, document }) => ({ id: holder, document })),
    });
    return { fromID, toID, holders, preview };
  },

  stages: [
    {
      name: "transfer",
      /** An empty list would mean every block to SiYuan. */
      apply: async ({ fromID, toID, holders }: TransferPlan, { writer }) =>
        holders.length === 0
          ? undefined
          : writer.transferReferences(
              fromID,
              toID,
              holders.map(({ holder }) => holder),
            ),
    },
  ],

  async readback({ fromID, holders }: TransferPlan, _answers, { reader }): Promise<TransferAfter> {
    const left = await inboundReferences(reader, { block: fromID });
    const places = holders.map(({ holder, path }) => ({ id: holder, path }));
    return { blocks: await readDocumentBlocks(reader, places), left: left.map(({ holder }) => holder) };
  },

  verify({ fromID, toID, holders }: TransferPlan, { facts }, _answers, { blocks, left }: TransferAfter): Verdict {
    const results = holders.map((holder) => compareHolder(holder, blocks.get(holder.holder), fromID, toID));
    const references = holders.reduce((sum, { dom }) => sum + countOf(dom, fromID), 0);
    const answer: JsonObject = {
      success: true,
      fromID,
      toID,
      references,
      items: holders.map(({ holder }, index) => ({ id: holder, result: results[index]?.problem ?? "committed" })),
      left: left.length,
    };
    const failed = results.findIndex(({ problem }) => problem !== undefined);
    if (failed >= 0) {
      return {
        outcome: "mismatch",
        answer,
        difference: {
          problem: results[failed]?.problem as string,
          block: holders[failed]?.holder ?? "",
          items: answer.items as JsonObject[string],
        },
      };
    }
    const notes: string[] = [];
    if (results.some(({ followed }) => followed))
      notes.push("dynamic anchor text refreshed: it follows the new target");
    if (left.length > 0) notes.push(`${left.length} other blocks still refer to ${fromID}`);
    const state = { holders: holders.map(({ holder }) => blocks.get(holder)?.dom ?? "").map(canonicalDom) };
    return { outcome: facts.holders.length === 0 ? "no_change" : "committed", state, answer, notes };
  },

  /** Done when every block that was chosen refers to the new target and to the old one no more. */
  async reconcile({ fromID, toID }: TransferInput, { targetIds }, { reader }) {
    const [left, moved] = [
      await inboundReferences(reader, { block: fromID }),
      await inboundReferences(reader, { block: toID }),
    ];
    const still = new Set(left.map(({ holder }) => holder));
    const now = new Set(moved.map(({ holder }) => holder));
    const chosen = targetIds.filter((id) => id !== fromID && id !== toID);
    const done = chosen.length > 0 && chosen.every((id) => !still.has(id) && now.has(id));
    const items = chosen.map((id) => ({ id, result: "committed" }));
    return { done, answer: { success: true, fromID, toID, items, left: still.size } };
  },
});

function countOf(dom: string, id: string): number {
  return referenceIds(dom).filter((target) => target === id).length;
}

/** The block as it was, with the other target; the text of a reference that follows its target may be another one. */
function compareHolder(
  { dom, holder }: ReferenceHolder,
  after: DocumentBlock | undefined,
  fromID: string,
  toID: string,
): { readonly problem?: string; readonly followed: boolean } {
  if (!after || after.id !== holder) return { problem: "the block is gone", followed: false };
  if (referenceIds(after.dom).includes(fromID))
    return { problem: "it still refers to the old target", followed: false };
  const expected = canonicalDom(dom.split(` data-id="${fromID}"`).join(` data-id="${toID}"`));
  const found = canonicalDom(after.dom);
  if (expected === found) return { followed: false };
  return withoutFollowingTexts(expected) === withoutFollowingTexts(found)
    ? { followed: true }
    : { problem: "more of the block changed than its references", followed: false };
}
