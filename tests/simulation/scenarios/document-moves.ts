// document.move by ids, and fs.mv by workspace paths: another parent, another title, or both.

import type { JsonObject } from "../../../shared/wire/json.js";
import { manualOrder, type Note, type Notes, type State } from "../siyuan/notes.js";
import type { Random } from "../world/random.js";
import type { Scenario } from "./scenario.js";
import { documentText, entry, type Folder, folderOf, idOfKey, notebookOf, someNote, someNotebook } from "./targets.js";
import { nameOf, noteAt, notebookAt, pathOf, titleOf } from "./workspace-paths.js";

function someFolder(notes: Notes, random: Random): Folder | undefined {
  const note = random.chance(0.5) ? someNote(notes, random) : undefined;
  if (note) return { notebook: note.notebook, parent: note.id };
  const notebook = someNotebook(notes, random);
  return notebook === undefined ? undefined : { notebook, parent: "" };
}

/** The documents with all that goes along, and the folder that they go to. */
function placesText(notes: Notes, movers: readonly Note[], { notebook, parent }: Folder): string {
  const listed = notes.below(notebook, parent).map((note) => [note.id, note.title]);
  return JSON.stringify([
    movers.map((note) => [documentText(notes, note.id), notes.family(note).map((member) => notes.path(member))]),
    listed,
    notes.sortMode(notebook),
  ]);
}

/** Documents, not blocks, of the moved families; and the orders that they leave and enter. */
function isMoved(key: string, ids: readonly string[], state: State): boolean {
  if (key.startsWith("order in ")) return true;
  if (key !== idOfKey(key) || entry(state, key)?.notebook === undefined) return false;
  for (let id = key; id !== ""; id = String(entry(state, id)?.parent ?? "")) if (ids.includes(id)) return true;
  return false;
}

function idsOf({ fromIDs }: JsonObject): readonly string[] {
  return fromIDs as readonly string[];
}

export const moveDocuments: Scenario = {
  tool: "document",
  action: "move",
  build(notes, random) {
    const movers = Array.from({ length: random.chance(0.3) ? 2 : 1 }, () => someNote(notes, random)?.id);
    const folder = someFolder(notes, random);
    const fromIDs = Array.from(new Set(movers.filter((id): id is string => id !== undefined)));
    if (!folder || fromIDs.length === 0) return undefined;
    return { fromIDs, toID: folder.parent || folder.notebook };
  },
  vary: (args) => ({ ...args, fromIDs: ["20260101000000-0000000"] }),
  notebooks: (notes, args) =>
    idsOf(args)
      .reduce<string[]>((all, id) => all.concat(notebookOf(notes, id)), [])
      .concat(folderOf(notes, args.toID).notebook)
      .filter((id) => notes.notebooks.has(id)),
  observed(notes, args) {
    const movers = idsOf(args).map((id) => notes.note(id));
    if (movers.includes(undefined)) return "";
    return placesText(notes, movers as readonly Note[], folderOf(notes, args.toID));
  },
  holds(notes, args) {
    const ids = idsOf(args);
    const { notebook, parent } = folderOf(notes, args.toID);
    const areThere = ids.every((id) => {
      const note = notes.note(id);
      return note?.parent === parent && note.notebook === notebook;
    });
    if (!areThere || notes.sortMode(notebook) !== manualOrder) return areThere;
    const listed = notes.listed(notebook, parent).map((note) => note.id);
    return listed.filter((id) => ids.includes(id)).join() === ids.join();
  },
  mayChange: (key, args, before) => isMoved(key, idsOf(args), before),
};

/** The folder that a path to a document names, in some state of the notes. */
function folderAt(state: State, path: string): Folder | undefined {
  const [, name, ...titles] = path.split("/");
  const holds = (field: string, value: string | undefined) =>
    Array.from(state.keys()).find((key) => value !== undefined && entry(state, key)?.[field] === value);
  const parent = titles[titles.length - 2];
  const id = parent === undefined ? undefined : holds("title", parent);
  if (parent !== undefined) return id === undefined ? undefined : { notebook: "", parent: id };
  const notebook = holds("name", name);
  return notebook === undefined ? undefined : { notebook, parent: "" };
}

export const moveAtPath: Scenario = {
  tool: "fs",
  action: "mv",
  build(notes, random, words) {
    const note = someNote(notes, random);
    const folder = someFolder(notes, random);
    if (!note || !folder) return undefined;
    const parent = notes.notes.get(folder.parent);
    const base = parent ? pathOf(notes, parent) : `/${nameOf(notes, folder.notebook)}`;
    const title = random.chance(0.6) ? `Title ${words()}` : note.title;
    return { from: pathOf(notes, note), to: `${base}/${title}` };
  },
  vary: (args, words) => ({ ...args, to: `${String(args.to)} ${words()}` }),
  notebooks: (notes, { from, to }) => {
    const source = noteAt(notes, String(from))?.notebook;
    return [source, notebookAt(notes, String(to))].filter((id): id is string => id !== undefined);
  },
  observed(notes, { from, to }) {
    const note = noteAt(notes, String(from));
    const folder = folderAt(notes.state(), String(to));
    if (!note || !notes.isOpen(note.notebook) || !folder) return "";
    const notebook = folder.notebook || notes.notes.get(folder.parent)?.notebook;
    return placesText(notes, [note], { notebook: notebook ?? "", parent: folder.parent });
  },
  // Names belong to what had them when the commit looked.
  holds(notes, { to }, before) {
    const folder = folderAt(before ?? notes.state(), String(to));
    return Array.from(notes.notes.values()).some(
      (note) =>
        note.title === titleOf(String(to)) &&
        note.parent === folder?.parent &&
        (folder.parent !== "" || note.notebook === folder.notebook),
    );
  },
  mayChange(key, { from }, before, _after, read) {
    const title = titleOf(String(from));
    const ids = Array.from(read.keys()).filter((id) => entry(read, id)?.title === title);
    return isMoved(key, ids, before);
  },
};
