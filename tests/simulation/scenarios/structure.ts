// block.move, document.reorder and fs.reorder: what stands where.

import type { JsonObject } from "../../../shared/wire/json.js";
import { manualOrder, type Notes, type State } from "../siyuan/notes.js";
import type { Random } from "../world/random.js";
import type { Scenario } from "./scenario.js";
import { nameOf, pathOf, titleOf } from "./workspace-paths.js";
import {
  blockText,
  entry,
  folderOf,
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
  holds(notes, args, before) {
    const siblings = notes.find(anchorOf(args))?.parent?.children ?? [];
    const at = siblings.findIndex((block) => block.id === anchorOf(args));
    if (at >= 0) return siblings[at + 1]?.id === args.id;
    return before !== undefined && isWhereItsContainerWas(notes, args, before);
  },
  mayChange(key, args, before, after) {
    const id = String(args.id);
    if (isInside(key, id, before)) return true;
    if (isNew(key, before)) return entry(after, key)?.text === "" || key.startsWith("children of ");
    const isAround = isInside(id, idOfKey(key), before) || isInside(anchorOf(args), idOfKey(key), before);
    return isAround && (key.startsWith("children of ") || !after.has(key));
  },
};

/** A quote or list that loses its last block goes with it: behind it means then where it was. */
function isWhereItsContainerWas(notes: Notes, args: JsonObject, before: State): boolean {
  const [id, anchor] = [String(args.id), anchorOf(args)];
  if (notes.exists(anchor) || !isInside(id, anchor, before)) return false;
  const parent = String(entry(before, anchor)?.parent);
  const wanted = (before.get(`children of ${parent}`) ?? "").split(" ").map((child) => (child === anchor ? id : child));
  return (notes.find(id)?.parent?.children ?? []).map((child) => child.id).join(" ") === wanted.join(" ");
}

function shuffled(ids: readonly string[], random: Random): readonly string[] {
  return ids
    .map((id) => ({ id, rank: random.unit() }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ id }) => id);
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

/** The folder of a workspace path, as the arguments of document.reorder name it. */
function parentAt(state: State, path: unknown): string {
  const titles = String(path).split("/").slice(1);
  const field = titles.length === 1 ? "name" : "title";
  const found = Array.from(state.keys()).find((key) => entry(state, key)?.[field] === titles[titles.length - 1]);
  return found ?? "";
}

export const reorderAtPath: Scenario = {
  tool: "fs",
  action: "reorder",
  build(notes, random, words) {
    const byId = reorderDocuments.build(notes, random, words);
    if (!byId) return undefined;
    const parent = notes.notes.get(String(byId.parentID));
    const path = parent ? pathOf(notes, parent) : `/${nameOf(notes, String(byId.parentID))}`;
    const ids = byId.orderedIDs as readonly string[];
    return { path, orderedPaths: ids.map((id) => `${path}/${notes.notes.get(id)?.title}`) };
  },
  vary: (args) => ({ ...args, orderedPaths: Array.from(args.orderedPaths as readonly string[]).reverse() }),
  notebooks: (notes, { path }) =>
    [folderOf(notes, parentAt(notes.state(), path)).notebook].filter((id) => notes.notebooks.has(id)),
  observed: (notes, { path }) => reorderDocuments.observed?.(notes, { parentID: parentAt(notes.state(), path) }) ?? "",
  // Names belong to what had them when the commit looked.
  holds(notes, { path, orderedPaths }, before) {
    const state = before ?? notes.state();
    const orderedIDs = (orderedPaths as readonly string[]).map(
      (one) => Array.from(state.keys()).find((key) => entry(state, key)?.title === titleOf(one)) ?? "",
    );
    return reorderDocuments.holds(notes, { parentID: parentAt(state, path), orderedIDs }, before);
  },
  mayChange: (key, { path }, before, after, read) =>
    reorderDocuments.mayChange(key, { parentID: parentAt(read, path) }, before, after, read),
};
