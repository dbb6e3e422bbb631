// block.move and document.reorder: what stands where.

import type { JsonObject } from "../../../shared/wire/json.js";
import { manualOrder, type Notes } from "../siyuan/notes.js";
import type { Random } from "../world/random.js";
import type { Scenario } from "./scenario.js";
import {
  blockText,
  entry,
  idOfKey,
  isInside,
  isNew,
  notebookOf,
  someBlock,
  someNote,
  someNotebook,
} from "./targets.js";

function childrenText(notes: Notes, id: string): string {
  const place = notes.find(id);
  const siblings = place?.parent?.children ?? [];
  return `${place?.parent?.id}: ${siblings.map((block) => `${block.id} ${block.type}`).join(" ")}`;
}

function anchorOf({ previousID }: JsonObject): string {
  return String(previousID);
}

export const moveBlock: Scenario = {
  tool: "block",
  action: "move",
  build(notes, random) {
    const [moved, anchor] = [0, 1].map(() => someBlock(notes, random, ({ block }) => block.type !== "NodeListItem"));
    if (!moved || !anchor || isInside(anchor.block.id, moved.block.id, notes.state())) return undefined;
    return { id: moved.block.id, previousID: anchor.block.id };
  },
  vary: (args) => ({ ...args, previousID: args.id as string }),
  notebooks: (notes, args) => notebookOf(notes, args.id).concat(notebookOf(notes, anchorOf(args))),
  observed: (notes, args) =>
    [blockText(notes, args.id), childrenText(notes, String(args.id)), childrenText(notes, anchorOf(args))].join("\n"),
  holds(notes, args) {
    const siblings = notes.find(anchorOf(args))?.parent?.children ?? [];
    const at = siblings.findIndex((block) => block.id === anchorOf(args));
    return at >= 0 && siblings[at + 1]?.id === args.id;
  },
  mayChange(key, args, before, after) {
    const id = String(args.id);
    if (isInside(key, id, before)) return true;
    if (isNew(key, before)) return entry(after, key)?.text === "" || key.startsWith("children of ");
    const isAround = isInside(id, idOfKey(key), before) || isInside(anchorOf(args), idOfKey(key), before);
    return isAround && (key.startsWith("children of ") || !after.has(key));
  },
};

function shuffled(ids: readonly string[], random: Random): readonly string[] {
  return ids
    .map((id) => ({ id, rank: random.unit() }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ id }) => id);
}

/** The notebook and the parent document, "" for the notebook itself. */
function folderOf(notes: Notes, parentID: unknown): { readonly notebook: string; readonly parent: string } {
  const note = notes.notes.get(String(parentID));
  return note ? { notebook: note.notebook, parent: note.id } : { notebook: String(parentID), parent: "" };
}

export const reorderDocuments: Scenario = {
  tool: "document",
  action: "reorder",
  build(notes, random) {
    const parentID = random.chance(0.3) ? someNote(notes, random)?.id : someNotebook(notes, random);
    const { notebook, parent } = folderOf(notes, parentID);
    const ids = notes.below(notebook, parent).map((note) => note.id);
    return parentID === undefined || ids.length < 2 ? undefined : { parentID, orderedIDs: shuffled(ids, random) };
  },
  vary: (args) => ({ ...args, orderedIDs: Array.from(args.orderedIDs as readonly string[]).reverse() }),
  notebooks: (notes, { parentID }) => [folderOf(notes, parentID).notebook],
  observed(notes, { parentID }) {
    const { notebook, parent } = folderOf(notes, parentID);
    const listed = notes
      .listed(notebook, parent)
      .map((note) => [note.id, note.title, notes.sorts.get(notebook)?.[note.id]]);
    return JSON.stringify([{ ...notes.notebooks.get(notebook), sort: 0 }, notes.isOpen(notebook), listed]);
  },
  holds(notes, { parentID, orderedIDs }) {
    const { notebook, parent } = folderOf(notes, parentID);
    const ids = notes.listed(notebook, parent).map((note) => note.id);
    return notes.sortMode(notebook) === manualOrder && ids.join() === (orderedIDs as readonly string[]).join();
  },
  // The order of the folder, and the notebook's mode.
  mayChange: (key, args, before) => {
    const notebook = entry(before, String(args.parentID))?.notebook ?? args.parentID;
    return key === `order in ${String(notebook)}` || key === notebook;
  },
};
