// block.set_fold_state: folds or opens a block; of a heading, its section. SiYuan echoes nothing; the oracle is the
// marks of every block of the document, before and after.

import { blockSetFoldState } from "../../../shared/catalogue/block.js";
import type { Json, JsonObject } from "../../../shared/wire/json.js";
import { canonicalDom } from "../../api/dom.js";
import { coverOf, type FoldMark, foldMarks, marksAfter, sectionOf } from "../../api/fold-marks.js";
import type { SiyuanReader } from "../../api/reader.js";
import { implementMutation, type Plan, type Verdict } from "../../safety/contract.js";
import { refusal } from "./content.js";
import { documentOf } from "./document-blocks.js";
import { blockNotFound, isDocument, liveBlock } from "./location.js";

interface FoldInput {
  readonly id: string;
  readonly folded: boolean;
}

interface FoldFacts {
  readonly document: string;
  readonly path: string;
  readonly marks: readonly FoldMark[];
  readonly block: FoldMark;
  /** Canonical form of the block itself. */
  readonly form: string;
}

interface FoldPlan extends Plan {
  readonly id: string;
  readonly folded: boolean;
  readonly document: string;
  readonly expected: readonly FoldMark[];
  readonly answer: JsonObject;
  readonly notes: readonly string[];
}

const marksOf = async (reader: SiyuanReader, document: string) => foldMarks((await reader.blockDom(document)) ?? "");

export const setFoldState = implementMutation(blockSetFoldState, {
  async targets({ id }: FoldInput, { reader }) {
    const block = await liveBlock(reader, id, "id");
    if (isDocument(block)) throw refusal("not_a_block", "id", `${id} is a document; only its blocks fold`);
    return { ids: [id], notebooks: [block.notebook], documents: [documentOf(block.path)], found: block };
  },

  async observe({ id }: FoldInput, { found }, { reader }) {
    const document = documentOf(found.path);
    const [marks, dom] = await Promise.all([marksOf(reader, document), reader.blockDom(id)]);
    const block = marks.find((mark) => mark.id === id);
    if (!block || dom === undefined) throw blockNotFound(id, "id");
    const facts: FoldFacts = { document, path: found.path, marks, block, form: canonicalDom(dom) };
    return { state: stateOf(facts, marks), facts };
  },

  plan({ id, folded }: FoldInput, { facts: { document, marks, block } }): FoldPlan {
    const isHeading = block.type === "NodeHeading";
    const cover = coverOf(marks, block);
    if (block.hidden && (folded || !isHeading || !cover)) {
      throw refusal(
        "invalid_arguments",
        "id",
        cover
          ? `the block lies in the folded section of the heading ${cover.id}; open that heading first`
          : "the block lies in the folded section of a heading; open that heading first",
      );
    }
    const expected = marksAfter(marks, block, folded);
    const section = isHeading ? sectionOf(marks, block) : [];
    const alsoOpened = isHeading && !folded && block.hidden && cover ? [cover.id] : [];
    const ownFolds = folded ? section.filter((mark) => mark.fold && !mark.hidden).map((mark) => mark.id) : [];
    const answer: JsonObject = {
      success: true,
      id,
      folded,
      ...(isHeading ? { sectionBlocks: section.length } : {}),
      ...(alsoOpened.length > 0 ? { alsoUnfolded: alsoOpened } : {}),
      ...(ownFolds.length > 0 ? { foldedInside: ownFolds } : {}),
    };
    const notes = [
      ...(alsoOpened.length > 0 ? ["the heading lay in a folded section: that section is open too"] : []),
      ...(ownFolds.length > 0 ? ["blocks inside that were folded on their own will be open once the heading is"] : []),
    ];
    return { id, folded, document, expected, answer, notes, preview: () => ({ from: block.fold, ...answer, notes }) };
  },

  stages: [
    {
      name: "fold",
      apply: ({ id, folded }: FoldPlan, { writer }) => (folded ? writer.foldBlock(id) : writer.unfoldBlock(id)),
    },
  ],

  readback: ({ document }: FoldPlan, _answers, { reader }) => marksOf(reader, document),

  verify({ expected, answer, notes }: FoldPlan, { facts }, _answers, after: readonly FoldMark[]): Verdict {
    const found = new Map(after.map((mark) => [mark.id, mark]));
    const state = stateOf(facts, after);
    const wrong = expected.find((mark) => {
      const now = found.get(mark.id);
      return !now || now.fold !== mark.fold || now.hidden !== mark.hidden;
    });
    if (wrong) {
      const now = found.get(wrong.id);
      const problem = now
        ? `block ${wrong.id} is ${now.fold ? "folded" : "open"}${now.hidden ? " in a folded section" : ""}`
        : `block ${wrong.id} is gone`;
      return { outcome: "mismatch", state, answer, difference: { problem, block: wrong.id } };
    }
    const unchanged = facts.marks.every((mark, index) => {
      const now = expected[index];
      return now?.fold === mark.fold && now.hidden === mark.hidden;
    });
    return { outcome: unchanged ? "no_change" : "committed", state, answer, notes };
  },

  async reconcile({ id, folded }: FoldInput, _lost, { reader }) {
    const location = await reader.location(id);
    const marks = location ? await marksOf(reader, documentOf(location.path)) : [];
    const block = marks.find((mark) => mark.id === id);
    const isFolded = (mark: FoldMark) => mark.fold === folded && (folded || !mark.hidden);
    const done =
      block !== undefined &&
      isFolded(block) &&
      (block.type !== "NodeHeading" || sectionOf(marks, block).every(isFolded) || !folded);
    return { done, answer: { success: true, id, folded } };
  },
});

/** The block with its place, and the marks of all that folding it can touch. */
function stateOf({ block, path, form, marks }: FoldFacts, now: readonly FoldMark[]): Json {
  const cover = coverOf(marks, block) ?? block;
  const touched = new Set(
    [cover, block].reduce<string[]>(
      (ids, mark) => ids.concat(mark.id, mark.type === "NodeHeading" ? sectionOf(marks, mark).map(({ id }) => id) : []),
      [],
    ),
  );
  const blocks = now.filter(({ id }) => touched.has(id)).map(({ id, fold, hidden }) => ({ id, fold, hidden }));
  return { id: block.id, parentID: block.parentID, path, dom: withoutFold(form), blocks };
}

/** The fold itself is among the marks. */
function withoutFold(form: string): string {
  const end = form.indexOf(">");
  return form.slice(0, end).replace(/ (?:fold|heading-fold)="[^"]*"/g, "") + form.slice(end);
}
