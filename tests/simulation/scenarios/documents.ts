// document.create, document.rename and document.remove.

import type { Notes } from "../siyuan/notes.js";
import type { Scenario } from "./scenario.js";
import {
  documentText,
  entry,
  runOf,
  idOfKey,
  isInside,
  isNew,
  notebookOf,
  someContent,
  someNote,
  someNotebook,
} from "./targets.js";

export const createDocument: Scenario = {
  tool: "document",
  action: "create",
  build(notes, random, words) {
    const notebook = someNotebook(notes, random);
    if (notebook === undefined) return undefined;
    const parent = random.chance(0.3) ? `/Folder ${words()}` : "";
    return { notebook, path: `${parent}/Title ${words()}`, markdown: someContent(random, words) };
  },
  vary: (args, words) => ({ ...args, path: `/Title ${words()}` }),
  notebooks: (_notes, { notebook }) => [String(notebook)],
  holds: (notes, { notebook, path, markdown }) =>
    Array.from(notes.notes.values()).some(
      (note) =>
        note.notebook === notebook &&
        notes.isOpen(note.notebook) &&
        notes.humanPath(note) === path &&
        runOf(note.root.children, String(markdown)) !== undefined,
    ),
  mayChange: (key, _args, before) => isNew(key, before),
};

export const renameDocument: Scenario = {
  tool: "document",
  action: "rename",
  build(notes, random, words) {
    const note = someNote(notes, random);
    return note && { id: note.id, title: `Title ${words()}` };
  },
  vary: (args, words) => ({ ...args, title: `Title ${words()}` }),
  notebooks: (notes, { id }) => notebookOf(notes, id),
  observed: (notes, { id }) => documentText(notes, id),
  holds: (notes, { id, title }) => notes.note(String(id))?.title === title,
  mayChange: (key, { id }) => key === id,
};

function withAllBelow(notes: Notes, id: string): string {
  const note = notes.note(id);
  return note
    ? notes
        .family(note)
        .map((member) => documentText(notes, member.id))
        .join("\n")
    : "";
}

export const removeDocument: Scenario = {
  tool: "document",
  action: "remove",
  build(notes, random) {
    // Some documents must be left for the others.
    const note = notes.notes.size > 4 ? someNote(notes, random) : undefined;
    return note && { id: note.id };
  },
  vary: (args) => ({ ...args, id: "20260101000000-0000000" }),
  notebooks: (notes, { id }) => notebookOf(notes, id),
  observed: (notes, { id }) => withAllBelow(notes, String(id)),
  holds: (notes, { id }) => !notes.exists(String(id)),
  mayChange(key, { id }, before) {
    const note = entry(before, idOfKey(key))?.note ?? idOfKey(key);
    return isInside(String(note), String(id), before);
  },
};
