// block.insert: inserts content beside a block or at the start of a container, one block or many in one dispatch.

import { blockInsert } from "../../../shared/catalogue/block.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import { type DomNode, topLevelNodes } from "../../api/dom.js";
import type { BlockInsertion, Echo } from "../../api/writer.js";
import { implementMutation, type Plan, type Verdict } from "../../safety/contract.js";
import { type Content, refusal } from "./content.js";
import { documentOf } from "./document-blocks.js";
import { entriesOf, type InsertEntry, type LiveAnchor, liveAnchor, requireFits } from "./insert-anchor.js";
import { attributeLineOf } from "./markdown-source.js";
import {
  compareNewBlocks,
  echoedNodes,
  holdsNewContent,
  idsIn,
  type NewBlocks,
  type NewContent,
  prepareNewBlocks,
  readNewContent,
  readStored,
  requireNew,
  type StoredBlocks,
  standInOrder,
  textOf,
} from "./new-blocks.js";
import { textDiff } from "./text-diff.js";

interface Insertion extends NewBlocks {
  readonly entry: InsertEntry;
  readonly anchor: LiveAnchor;
}

interface InsertPlan extends Plan {
  readonly single: boolean;
  /** As asked. */
  readonly insertions: readonly Insertion[];
  /** Positions in `insertions` in the order in which they are sent. */
  readonly order: readonly number[];
}

interface InsertAfter extends StoredBlocks {
  /** One per insertion, as asked. */
  readonly echoes: readonly (Echo | undefined)[];
  readonly nodes: readonly (readonly DomNode[])[];
}

/** Differences shown by the preflight of a batch. */
const shownChanges = 5;

export const insertBlock = implementMutation(blockInsert, {
  reserves: 1,

  async targets(input, { reader }) {
    const entries = entriesOf(input);
    const known = new Map<string, LiveAnchor>();
    const anchors: LiveAnchor[] = [];
    for (const entry of entries) {
      const key = anchorKey(entry);
      const anchor = known.get(key) ?? (await liveAnchor(reader, entry));
      known.set(key, anchor);
      anchors.push(anchor);
    }
    const notebooks = Array.from(new Set(anchors.map((anchor) => anchor.block.notebook)));
    const documents = Array.from(new Set(anchors.map((anchor) => documentOf(anchor.block.path))));
    return { ids: entries.map((entry) => entry.anchorID), notebooks, documents, found: { entries, anchors } };
  },

  async observe(_input, { found: { entries, anchors } }, { reader }) {
    const contents: NewContent[] = [];
    for (const entry of entries) contents.push(await readNewContent(entry, entry.dataField, reader));
    return { state: null, facts: { entries, anchors, contents } };
  },

  plan(input, { facts: { entries, anchors, contents } }, reservedIds): InsertPlan {
    const seen = new Set<string>();
    entries.forEach((entry, index) => {
      const content = contents[index] as NewContent;
      requireNew(content, entry.dataField);
      requireFits(content.content, entry, anchors[index] as LiveAnchor);
      for (const id of idsIn(content.content)) {
        if (seen.has(id))
          throw refusal("content_would_be_lost", entry.dataField, `another block of the call carries the id ${id} too`);
        seen.add(id);
      }
    });
    const order = sendingOrder(entries);
    // SiYuan executes in this order, so the presence of the last one proves the others.
    const last = order[order.length - 1];
    const insertions = entries.map((entry, index): Insertion => {
      const anchor = anchors[index] as LiveAnchor;
      const { content } = contents[index] as NewContent;
      const reserved = index === last ? reservedIds[0] : undefined;
      return {
        entry,
        anchor,
        ...(anchor.itemType === "" ? prepareNewBlocks(content, reserved) : prepareItem(content, reserved)),
      };
    });
    const preview = () => ({
      blocks: insertions.reduce((sum, insertion) => sum + insertion.expected, 0),
      changes: insertions
        .slice(0, shownChanges)
        .map(({ entry, content }) => ({ [entry.kind]: entry.anchorID, diff: textDiff("", textOf(content)) })),
      ...(anchors.some((anchor) => anchor.folded) ? { note: foldedNote } : {}),
    });
    return { single: !("blocks" in input), insertions, order, preview };
  },

  stages: [
    {
      name: "insert",
      async apply(plan: InsertPlan, { writer }): Promise<readonly Echo[]> {
        const requests = plan.order.map((index) => requestOf(plan.insertions[index] as Insertion));
        const [only] = requests;
        return requests.length === 1 && only ? writer.insertBlock(only) : writer.insertBlocks(requests);
      },
    },
  ],

  async readback(plan: InsertPlan, answers, { reader }): Promise<InsertAfter> {
    const sent = answers[0] as readonly Echo[];
    const echoes = plan.insertions.map((_insertion, index) => sent[plan.order.indexOf(index)]);
    const nodes = plan.insertions.map(({ anchor }, index) =>
      anchor.itemType === "" ? echoedNodes(echoes[index]) : echoedItem(echoes[index]),
    );
    return { echoes, nodes, ...(await readStored(reader, flat(nodes))) };
  },

  verify(plan: InsertPlan, _before, _answers, after: InsertAfter): Verdict {
    const ids = flat(after.nodes).map((node) => node.id);
    const [id] = ids;
    const answer: JsonObject = {
      success: true,
      ...(plan.single ? { id: id ?? "" } : {}),
      createdBlockIDs: ids,
      count: ids.length,
    };
    const mismatch = (problem: string): Verdict => ({
      outcome: "mismatch",
      answer,
      difference: { problem, createdBlockIDs: ids },
    });
    const notes = new Set<string>();
    for (const [index, insertion] of plan.insertions.entries()) {
      const comparison = compareNewBlocks(
        insertion,
        after.echoes[index],
        after.nodes[index] ?? [],
        insertion.anchor.parentID,
        after,
      );
      if ("problem" in comparison)
        return mismatch(plan.single ? comparison.problem : `blocks.${index}: ${comparison.problem}`);
      for (const note of comparison.notes) notes.add(note);
      if (insertion.anchor.folded) notes.add(foldedNote);
    }
    const misplaced = placeProblem(plan, after);
    return misplaced === undefined ? { outcome: "committed", answer, notes: Array.from(notes) } : mismatch(misplaced);
  },

  /** Of several insertions only the last one carries an id, which proves nothing of the others' words. */
  async reconcile(input, { reservedIds: [id] }, { reader }) {
    const [entry, second] = entriesOf(input);
    const done = entry !== undefined && !second && (await holdsNewContent(reader, entry, id, undefined));
    return { done, answer: { success: true, id: id ?? "" } };
  },
});

const foldedNote = "the heading is folded: the content stands behind its section";

function anchorKey({ kind, anchorID }: InsertEntry): string {
  return `${kind} ${anchorID}`;
}

/**
 * What goes directly behind one block, or to the start of one container, arrives before what went there earlier: the
 * later ones of the call are sent first. What goes before one block keeps its order.
 */
function sendingOrder(entries: readonly InsertEntry[]): readonly number[] {
  const positions = entries.map((_entry, index) => index);
  const before = positions.filter((index) => entries[index]?.kind === "nextID");
  const behind = positions.filter((index) => entries[index]?.kind !== "nextID").reverse();
  return before.concat(behind);
}

function requestOf({ entry, anchor, send }: Insertion): BlockInsertion {
  return { ...send, [entry.kind]: anchor.sentID };
}

/** One list item: the list around it stays out, and an id stands behind the marker, because a line below goes to the list. */
function prepareItem(content: Content, reserved: string | undefined): NewBlocks {
  const plain: NewBlocks = {
    content,
    send: { dataType: content.kind, data: content.text },
    expected: 1,
    reservedId: undefined,
  };
  if (content.kind === "dom" || reserved === undefined || content.source.attributeLines.length > 0) return plain;
  const data = content.text.replace(
    /^(\s*(?:[-*+]|\d{1,9}[.)])\s+)/,
    `$1${attributeLineOf(new Map([["id", reserved]]))}`,
  );
  return data === content.text ? plain : { ...plain, send: { dataType: "markdown", data }, reservedId: reserved };
}

/** The item of an echo that still shows the list around it. */
function echoedItem(echo: Echo | undefined): readonly DomNode[] {
  const nodes = echoedNodes(echo);
  const [node] = nodes;
  if (node?.type !== "NodeList") return nodes;
  const inner = node.html.slice(node.html.indexOf(">") + 1);
  return topLevelNodes(inner).nodes.filter((child) => child.type === "NodeListItem");
}

/** Blocks with one anchor stand together in the asked order, and touch the anchor. */
function placeProblem({ insertions }: InsertPlan, { nodes, infos }: InsertAfter): string | undefined {
  const groups = new Map<string, { readonly insertion: Insertion; readonly ids: string[] }>();
  insertions.forEach((insertion, index) => {
    const key = anchorKey(insertion.entry);
    const group = groups.get(key) ?? { insertion, ids: [] };
    groups.set(key, group);
    group.ids.push(...(nodes[index] ?? []).map((node) => node.id));
  });
  for (const { insertion, ids } of Array.from(groups.values())) {
    const { entry, anchor } = insertion;
    const first = infos.get(ids[0] ?? "");
    const last = infos.get(ids[ids.length - 1] ?? "");
    if (!standInOrder(ids, infos)) return `the blocks at ${entry.anchorID} are not in the asked order`;
    const touches =
      entry.kind === "nextID"
        ? last?.nextID === anchor.sentID
        : first?.previousID === (entry.kind === "previousID" ? anchor.sentID : "");
    if (!touches) return `the new blocks are not at ${entry.anchorID}`;
  }
  return undefined;
}

function flat<Item>(lists: readonly (readonly Item[])[]): readonly Item[] {
  return lists.reduce<Item[]>((all, list) => all.concat(list), []);
}
