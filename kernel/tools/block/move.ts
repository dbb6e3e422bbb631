// block.move: one block or several to another place, in the order given and in one transaction. SiYuan echoes nothing
// useful: the oracle is the tree of every touched document against the tree that the move must produce.

import { blockMove } from "../../../shared/catalogue/block.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import { blockIds, canonicalDom } from "../../api/dom.js";
import type { SiyuanReader } from "../../api/reader.js";
import type { BlockMove } from "../../api/writer.js";
import { type Evidence, implementMutation, type Plan, type Verdict } from "../../safety/contract.js";
import { inParallel } from "../parallel.js";
import {
  afterMove,
  ancestorsOf,
  type BlockTree,
  type Children,
  childrenIn,
  type Destination,
  foldedSection,
  subtreeOf,
  treeOf,
} from "./block-tree.js";
import { compareStored } from "./comparison.js";
import { refusal } from "./content.js";
import { blocksOf, documentOf } from "./document-blocks.js";
import { isDocument, liveBlock, liveBlocks, type PlacedBlock } from "./location.js";
import { requireFits } from "./move-rules.js";
import { visibleText } from "./text-diff.js";

interface MoveInput {
  readonly id?: string;
  readonly ids?: readonly string[];
  readonly previousID?: string;
  readonly parentID?: string;
}

interface Found {
  readonly moved: readonly PlacedBlock[];
  readonly to: Destination;
  /** Documents of all blocks and of the destination, which comes first. */
  readonly documents: readonly string[];
  readonly notebooks: readonly string[];
}

interface MoveFacts extends Found {
  readonly tree: BlockTree;
  /** The DOM of every moved block, sections of folded headings included. */
  readonly doms: ReadonlyMap<string, string>;
  readonly crossesEncryption: boolean;
}

interface MovePlan extends Plan {
  readonly facts: MoveFacts;
  /** Empty when every block stands where it shall already. */
  readonly moves: readonly BlockMove[];
  readonly expected: Children;
  readonly emptied: readonly string[];
}

interface MoveAfter {
  readonly tree: BlockTree;
  readonly doms: ReadonlyMap<string, string>;
}

/** Blocks that a preflight describes, and characters of each. */
const shown = 20;
const shownChars = 80;

function idsOf({ id, ids }: MoveInput): readonly string[] {
  return ids ?? [id as string];
}

function fieldOf(input: MoveInput, index: number): string {
  return input.ids ? `ids.${index}` : "id";
}

function targetFieldOf({ previousID }: MoveInput): "previousID" | "parentID" {
  return previousID === undefined ? "parentID" : "previousID";
}

async function destinationOf(reader: SiyuanReader, { previousID, parentID }: MoveInput) {
  if (previousID === undefined) {
    if (parentID === undefined)
      throw refusal("invalid_arguments", "previousID", "a place is missing: give previousID or parentID");
    const parent = await liveBlock(reader, parentID, "parentID");
    return { block: parent, to: { parentID, previousID } };
  }
  const anchor = await liveBlock(reader, previousID, "previousID");
  if (isDocument(anchor))
    throw refusal("not_a_block", "previousID", `${previousID} is a document; give it as parentID`);
  if (parentID !== undefined && parentID !== anchor.parentID)
    throw refusal("invalid_arguments", "parentID", `${previousID} lies in ${anchor.parentID}; leave one of them out`);
  return { block: anchor, to: { parentID: anchor.parentID, previousID } };
}

/** Trees of these documents, and the DOM of the wanted blocks in them. */
async function readTrees(
  reader: SiyuanReader,
  documents: readonly string[],
  wanted: (tree: BlockTree) => readonly string[],
) {
  const doms = await inParallel(documents, async (id) => ({ id, dom: (await reader.blockDom(id)) ?? "" }));
  const tree = treeOf(doms);
  const ids = new Set(wanted(tree));
  const found = new Map<string, string>();
  for (const { id, dom } of doms) {
    for (const [block, { dom: html }] of Array.from(blocksOf(id, dom, ids))) found.set(block, html);
  }
  return { tree, doms: found };
}

function withSections(tree: BlockTree, ids: readonly string[]): readonly string[] {
  return ids.reduce<string[]>((all, id) => all.concat(id, foldedSection(tree, id)), []);
}

/** What is covered: the moved blocks, and every parent that loses or gets one, with its children and its own place. */
function stateOf(tree: BlockTree, doms: ReadonlyMap<string, string>, parents: readonly string[]): JsonObject {
  return {
    moved: Array.from(doms).map(([id, dom]) => ({ id, parentID: tree.parents.get(id) ?? "", dom: canonicalDom(dom) })),
    parents: parents.map((id) => ({
      id,
      above: ancestorsOf(tree, id),
      children: childrenIn(tree.children, id).map((child) => {
        const { type = "", folded = false, hidden = false } = tree.blocks.get(child) ?? {};
        return `${child} ${type}${folded ? " folded" : ""}${hidden ? " hidden" : ""}`;
      }),
    })),
  };
}

function parentsOf(tree: BlockTree, ids: readonly string[], { parentID }: Destination): readonly string[] {
  return Array.from(new Set([parentID].concat(ids.map((id) => tree.parents.get(id) ?? ""))));
}

export const moveBlock = implementMutation(blockMove, {
  async targets(input: MoveInput, { reader }) {
    const ids = idsOf(input);
    const twice = ids.find((id, index) => ids.indexOf(id) !== index);
    if (twice !== undefined) throw refusal("invalid_arguments", "ids", `${twice} is given twice`);
    const { block, to } = await destinationOf(reader, input);
    const moved = await liveBlocks(reader, ids, (id) => fieldOf(input, ids.indexOf(id)));
    const document = moved.find(isDocument);
    if (document)
      throw refusal(
        "not_a_block",
        fieldOf(input, ids.indexOf(document.id)),
        `${document.id} is a document; use document move`,
      );
    const all = [block, ...moved];
    const documents = Array.from(new Set(all.map(({ path }) => documentOf(path))));
    const notebooks = Array.from(new Set(all.map(({ notebook }) => notebook)));
    return {
      ids: ids.concat(to.previousID ?? to.parentID),
      notebooks,
      documents,
      found: { moved, to, documents, notebooks },
    };
  },

  async observe(input: MoveInput, { found }, { reader }) {
    const ids = idsOf(input);
    const { tree, doms } = await readTrees(reader, found.documents, (all) => withSections(all, ids));
    const confs = found.notebooks.length < 2 ? [] : await inParallel(found.notebooks, (id) => reader.notebookConf(id));
    const facts: MoveFacts = { ...found, tree, doms, crossesEncryption: confs.some((conf) => conf.encrypted === true) };
    const state = { documents: found.documents, ...stateOf(tree, doms, parentsOf(tree, ids, found.to)) };
    return { state, facts };
  },

  plan(input: MoveInput, { facts }): MovePlan {
    const ids = idsOf(input);
    const { tree, to, documents, doms } = facts;
    const target = targetFieldOf(input);
    if (facts.crossesEncryption)
      throw refusal("invalid_arguments", target, "SiYuan moves no block into or out of an encrypted notebook");
    const document = documents[0] as string;
    requireFits(tree, { ids, to, document }, { block: (index) => fieldOf(input, index), target });
    const { children, emptied } = afterMove(tree, ids, to);
    const changed = Array.from(children.keys()).some(
      (parent) => childrenIn(children, parent).join() !== childrenIn(tree.children, parent).join(),
    );
    return {
      facts,
      moves: changed || emptied.length > 0 ? chainOf(ids, to) : [],
      expected: children,
      emptied,
      preview: () => ({
        blocks: ids.reduce((sum, id) => sum + subtreeOf(tree, id).length, 0),
        moved: ids.slice(0, shown).map((id) => ({
          id,
          type: tree.blocks.get(id)?.type ?? "",
          text: visibleText(doms.get(id) ?? "").slice(0, shownChars),
        })),
        toParent: to.parentID,
        ...(to.previousID === undefined ? {} : { behind: to.previousID }),
        ...(emptied.length > 0 ? { alsoRemoved: emptied } : {}),
        notes: notesOn(facts, ids, emptied),
      }),
    };
  },

  stages: [
    {
      name: "move",
      async apply({ moves }: MovePlan, { writer }): Promise<void> {
        if (moves.length > 0) await writer.moveBlocks(moves);
      },
    },
  ],

  readback: ({ facts }: MovePlan, _answers, { reader }): Promise<MoveAfter> =>
    readTrees(reader, facts.documents, () => Array.from(facts.doms.keys())),

  verify({ facts, moves, expected, emptied }: MovePlan, _before, _answers, after: MoveAfter): Verdict {
    const ids = facts.moved.map(({ id }) => id);
    const { tree, to } = facts;
    const created = Array.from(after.tree.blocks.keys()).filter((id) => isNewEmpty(id, facts, expected, after.tree));
    const sections = withSections(tree, ids).filter((id) => !ids.includes(id));
    const answer: JsonObject = {
      success: true,
      ...(ids.length === 1 ? { id: ids[0] as string } : {}),
      ids,
      count: ids.length,
      parentID: to.parentID,
      finalOrder: childrenIn(after.tree.children, to.parentID).filter((id) => ids.includes(id)),
      ...(sections.length > 0 ? { alsoMoved: sections } : {}),
      ...(emptied.length > 0 ? { alsoRemoved: emptied } : {}),
      ...(created.length > 0 ? { createdBlockIDs: created } : {}),
    };
    const problem = moveProblem(facts, expected, emptied, after);
    const parents = parentsOf(facts.tree, ids, to).filter((id) => !emptied.includes(id));
    const state = { documents: facts.documents, ...stateOf(after.tree, after.doms, parents) };
    if (problem !== undefined) return { outcome: "mismatch", state, answer, difference: { problem } };
    return {
      outcome: moves.length > 0 ? "committed" : "no_change",
      state,
      answer,
      notes: notesOn(facts, ids, emptied),
    };
  },

  async reconcile(input: MoveInput, { documents = [] }, { reader }): Promise<Evidence> {
    const ids = idsOf(input);
    const { block, to } = await destinationOf(reader, input);
    const document = documentOf(block.path);
    const { tree } = await readTrees(reader, [document], () => []);
    const anchor = to.previousID === undefined ? [] : [to.previousID, ...foldedSection(tree, to.previousID)];
    const children = childrenIn(tree.children, to.parentID);
    const at = anchor.length === 0 ? 0 : children.indexOf(anchor[anchor.length - 1] as string) + 1;
    const wanted = withSections(tree, ids);
    const isThere = children.slice(at, at + wanted.length).join() === wanted.join();
    // A move between documents that was cut off may leave the blocks in both.
    const elsewhere = documents.filter((id) => id !== document);
    const done = isThere && !(await anyHolds(reader, elsewhere, wanted));
    return {
      done,
      answer: {
        success: true,
        ...(ids.length === 1 ? { id: ids[0] as string } : {}),
        ids,
        count: ids.length,
        parentID: to.parentID,
        finalOrder: children.filter((id) => ids.includes(id)),
      },
    };
  },
});

/** True when one of the documents holds one of the blocks. */
async function anyHolds(reader: SiyuanReader, documents: readonly string[], ids: readonly string[]): Promise<boolean> {
  const held = await inParallel(documents, async (id) => new Set(blockIds((await reader.blockDom(id)) ?? "")));
  return held.some((blocks) => ids.some((id) => blocks.has(id)));
}

/** Each block behind the one before it: the anchor may vanish as soon as the first one has left it. */
function chainOf(ids: readonly string[], { parentID, previousID }: Destination): readonly BlockMove[] {
  return ids.map((id, index) => {
    const behind = index === 0 ? previousID : ids[index - 1];
    return behind === undefined ? { id, parentID } : { id, previousID: behind };
  });
}

/** The paragraph that a document gets when its last block leaves. */
function isNewEmpty(id: string, { tree, documents }: MoveFacts, expected: Children, after: BlockTree): boolean {
  const document = after.parents.get(id) ?? "";
  const isOnly = documents.includes(document) && childrenIn(after.children, document).length === 1;
  return isOnly && !tree.blocks.has(id) && childrenIn(expected, document).length === 0;
}

function moveProblem(
  facts: MoveFacts,
  expected: Children,
  emptied: readonly string[],
  after: MoveAfter,
): string | undefined {
  const { tree, documents } = facts;
  const ids = facts.moved.map(({ id }) => id);
  // SiYuan drops what is empty when it next loads the document, one level at a time.
  const found = (parent: string) => childrenIn(after.tree.children, parent).filter((id) => !emptied.includes(id));
  for (const parent of parentsOf(tree, ids, facts.to)) {
    if (emptied.includes(parent)) continue;
    const wanted = childrenIn(expected, parent);
    const there = found(parent);
    if (wanted.join() === there.join()) continue;
    const isEmptyDocument = wanted.length === 0 && documents.includes(parent) && there.length === 1;
    if (isEmptyDocument && isNewEmpty(there[0] as string, facts, expected, after.tree)) continue;
    return `the blocks in ${parent} do not stand as expected`;
  }
  const moved = Array.from(facts.doms.keys());
  for (const id of Array.from(tree.blocks.keys())) {
    if (emptied.includes(id)) continue;
    if (!after.tree.blocks.has(id)) return `the block ${id} is gone`;
    if (!moved.includes(id) && after.tree.parents.get(id) !== tree.parents.get(id))
      return `the block ${id} lies elsewhere than before`;
  }
  const changed = moved.find(
    (id) => !compareStored(facts.doms.get(id) ?? "", canonicalDom(after.doms.get(id) ?? "")).equal,
  );
  return changed && `the content of ${changed} changed`;
}

function notesOn(
  { tree, to, documents }: MoveFacts,
  ids: readonly string[],
  emptied: readonly string[],
): readonly string[] {
  const headings = ids.map((id) => tree.blocks.get(id)).filter((block) => block?.type === "NodeHeading");
  const notes: string[] = [];
  if (headings.some((block) => !block?.folded)) notes.push("a heading goes alone, its section stays");
  if (headings.some((block) => block?.folded)) notes.push("a folded heading takes its section along");
  if (to.previousID !== undefined && tree.blocks.get(to.previousID)?.folded)
    notes.push("behind a folded heading means behind its section");
  if (emptied.length > 0) notes.push("SiYuan drops the containers that lose their last block");
  if (documents.length > 1) notes.push("the blocks are in another document now; references to them stay");
  return notes;
}
