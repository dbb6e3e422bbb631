// fs.write and fs.rm: documents by their workspace path.

import type { Note, Notes } from "../siyuan/notes.js";
import { createDocument, removeDocument } from "./documents.js";
import type { Scenario } from "./scenario.js";
import { runOf, someContent, someNote, someNotebook } from "./targets.js";

export function nameOf(notes: Notes, notebook: string): string {
  return String(notes.notebooks.get(notebook)?.name ?? "");
}

/** `/Notebook/Folder/Title` of a document. */
export function pathOf(notes: Notes, note: Note): string {
  return `/${nameOf(notes, note.notebook)}${notes.humanPath(note)}`;
}

export function titleOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The notebook that the path names. */
export function notebookAt(notes: Notes, path: string): string | undefined {
  return Array.from(notes.notebooks.keys()).find((id) => path.startsWith(`/${nameOf(notes, id)}/`));
}

/** By its title, which no other document has: the notebook on the path may have another name by now. */
export function noteAt(notes: Notes, path: string): Note | undefined {
  return Array.from(notes.notes.values()).find((note) => path.endsWith(`/${note.title}`));
}

export const writeDocument: Scenario = {
  tool: "fs",
  action: "write",
  build(notes, random, words) {
    const notebook = someNotebook(notes, random);
    if (notebook === undefined) return undefined;
    return { path: `/${nameOf(notes, notebook)}/Title ${words()}`, markdown: someContent(random, words) };
  },
  vary: (args, words) => ({ ...args, markdown: `Text ${words()} instead` }),
  notebooks: (notes, { path }) => [notebookAt(notes, String(path)) ?? ""].filter((id) => id !== ""),
  // Its notebook may have another name by then: no other document has this title.
  holds: (notes, { path, markdown }) =>
    Array.from(notes.notes.values()).some(
      (note) => String(path).endsWith(`/${note.title}`) && runOf(note.root.children, String(markdown)) !== undefined,
    ),
  mayChange: createDocument.mayChange,
};

export const removeAtPath: Scenario = {
  tool: "fs",
  action: "rm",
  build(notes, random) {
    const note = notes.notes.size > 4 ? someNote(notes, random) : undefined;
    return note && { path: pathOf(notes, note) };
  },
  vary: () => ({ path: "/Nowhere/Nothing" }),
  notebooks: (notes, { path }) => [noteAt(notes, String(path))?.notebook ?? ""].filter((id) => id !== ""),
  observed(notes, { path }) {
    const note = noteAt(notes, String(path));
    return note && notes.isOpen(note.notebook) ? (removeDocument.observed?.(notes, { id: note.id }) ?? "") : "";
  },
  // The path is a name: which document had it, the state before tells.
  holds: (notes, { path }) => noteAt(notes, String(path)) === undefined,
  mayChange(key, { path }, before, after, read) {
    const title = JSON.stringify(titleOf(String(path)));
    const named = Array.from(read.keys()).filter((id) => read.get(id)?.includes(title));
    return named.some((id) => removeDocument.mayChange(key, { id }, before, after, read));
  },
};
