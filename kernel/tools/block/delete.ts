// block.delete: deletes one block with what lies inside it, and tells what SiYuan removes or makes besides.

import { blockDelete } from "../../../shared/catalogue/block.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import { type BlockPlace, blockPlaces, emptiedBy, subtreeIds } from "../../api/block-places.js";
import { canonicalDom } from "../../api/dom.js";
import { implementMutation, type Plan, type Verdict } from "../../safety/contract.js";
import { refusal } from "./content.js";
import { documentOf } from "./document-blocks.js";
import { areGone, blockNotFound, isDocument, liveBlock } from "./location.js";
import { textDiff, visibleText } from "./text-diff.js";

interface DeleteFacts {
  readonly id: string;
  readonly type: string;
  readonly document: string;
  readonly dom: string;
  /** Every block of the document. */
  readonly places: readonly BlockPlace[];
  readonly emptied: readonly string[];
}

interface DeletePlan extends Plan {
  readonly id: string;
  readonly document: string;
}

export const deleteBlock = implementMutation(blockDelete, {
  async targets({ id }, { reader }) {
    const block = await liveBlock(reader, id, "id");
    if (isDocument(block)) throw refusal("not_a_block", "id", `${id} is a document; use document remove`);
    return { ids: [id], notebooks: [block.notebook], documents: [documentOf(block.path)], found: block };
  },

  async observe({ id }, { found }, { reader }) {
    const document = documentOf(found.path);
    const [dom, whole] = await Promise.all([reader.blockDom(id), reader.blockDom(document)]);
    if (dom === undefined || whole === undefined) throw blockNotFound(id, "id");
    const places = blockPlaces(whole);
    const emptied = emptiedBy(places, id);
    const facts: DeleteFacts = { id, type: found.type, document, dom, places, emptied };
    return { state: { id, parentID: found.parentID, path: found.path, dom: canonicalDom(dom), emptied }, facts };
  },

  plan(_input, { facts }): DeletePlan {
    const { id, document, places, emptied, dom, type } = facts;
    const own = places.find((place) => place.id === id);
    if (type === "NodeHeading" && own?.folded) {
      throw refusal(
        "invalid_arguments",
        "id",
        "the heading is folded: deleting it would leave its section hidden; unfold it first",
      );
    }
    const preview = (): JsonObject => ({
      type,
      blocks: subtreeIds(places, id).size,
      ...(emptied.length > 0 ? { alsoRemoved: emptied } : {}),
      ...(type === "NodeHeading" ? { note: "only the heading goes, its section stays" } : {}),
      diff: textDiff(visibleText(dom), ""),
    });
    return { id, document, preview };
  },

  stages: [{ name: "delete", apply: (plan: DeletePlan, { writer }) => writer.deleteBlock(plan.id) }],

  async readback({ document }: DeletePlan, _answers, { reader }): Promise<readonly BlockPlace[]> {
    // SiYuan answers a delete before it happens; this read waits for it.
    await reader.documentInfo(document);
    return blockPlaces((await reader.blockDom(document)) ?? "");
  },

  // SiYuan's answer echoes nothing: the oracle is the document before and after.
  verify(_plan: DeletePlan, { facts }, _answers, after: readonly BlockPlace[]): Verdict {
    const removed = subtreeIds(facts.places, facts.id);
    const left = new Set(after.map((place) => place.id));
    const known = new Set(facts.places.map((place) => place.id));
    const alsoRemoved = facts.places.map((place) => place.id).filter((id) => !removed.has(id) && !left.has(id));
    const created = after.map((place) => place.id).filter((id) => !known.has(id));
    const answer: JsonObject = {
      success: true,
      id: facts.id,
      deletedBlocks: removed.size,
      ...(alsoRemoved.length > 0 ? { alsoRemoved } : {}),
      // A document or list item without a block gets an empty paragraph.
      ...(created.length > 0 ? { createdBlockIDs: created } : {}),
    };
    const state = { id: facts.id, dom: null, emptied: alsoRemoved };
    const mismatch = (problem: string): Verdict => ({
      outcome: "mismatch",
      state,
      answer,
      difference: { problem, alsoRemoved },
    });
    if (Array.from(removed).some((id) => left.has(id))) return mismatch("the block is still there");
    const unexpected = alsoRemoved.filter((id) => !facts.emptied.includes(id));
    if (unexpected.length > 0) return mismatch(`${unexpected.length} other blocks are gone`);
    return { outcome: "committed", state, answer };
  },

  async reconcile({ id }, { notebooks }, { reader }) {
    return { done: await areGone(reader, [id], notebooks), answer: { success: true, id } };
  },
});
