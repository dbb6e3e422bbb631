// Routes of documents: where they lie, and making, renaming and removing them.

import { parseMarkdown } from "./markdown.js";
import { blocksIn, manualOrder, type Note, type Notes } from "./notes.js";
import { type ReadRoute, Refusal, text, texts, type WriteRoute } from "./route.js";

function noteOf(notes: Notes, id: string): Note {
  const place = notes.find(id);
  if (!place) throw new Refusal(-1, "tree not found");
  return place.note;
}

function requireOpen(notes: Notes, notebook: string): void {
  if (!notes.isOpen(notebook)) throw new Refusal(-1, "query notebook failed");
}

/** The document that a storage path names; "" for the notebook's own folder. */
function idOfPath(path: string): string {
  return path === "/" ? "" : path.slice(path.lastIndexOf("/") + 1).replace(/\.sy$/, "");
}

function atHumanPath(notes: Notes, notebook: string, path: string): readonly Note[] {
  return Array.from(notes.notes.values()).filter(
    (note) => note.notebook === notebook && notes.isOpen(notebook) && notes.humanPath(note) === path,
  );
}

/** The parent of a human path; missing ones are made empty. */
function ensureParents(notes: Notes, notebook: string, titles: readonly string[]): string {
  let parent = "";
  for (const title of titles) {
    const known = notes.below(notebook, parent).find((note) => note.title === title);
    parent = (known ?? addNote(notes, { notebook, parent, title, id: notes.newId(), markdown: "" })).id;
  }
  return parent;
}

interface NewNote {
  readonly notebook: string;
  readonly parent: string;
  readonly title: string;
  readonly id: string;
  readonly markdown: string;
}

export function addNote(notes: Notes, { notebook, parent, title, id, markdown }: NewNote): Note {
  const root = notes.newBlock("NodeDocument", "", parseMarkdown(markdown, notes), id);
  const note: Note = { id, notebook, parent, title, root };
  notes.notes.set(id, note);
  notes.changed(note);
  return note;
}

/** With everything below it, and with its place in the manual order. */
function moveNote(notes: Notes, id: string, notebook: string, parent: string): void {
  const note = notes.note(id);
  const target = parent === "" ? undefined : notes.note(parent);
  if (!note || (parent !== "" && target?.notebook !== notebook)) return;
  const family = notes.family(note);
  if (family.some((member) => member.id === parent)) return;
  const values = notes.sorts.get(note.notebook);
  if (notebook !== note.notebook && values) {
    const copied = family
      .filter((member) => values[member.id] !== undefined)
      .map((member) => [member.id, values[member.id]]);
    notes.sorts.set(notebook, { ...notes.sorts.get(notebook), ...Object.fromEntries(copied) });
    notes.sortChanged(notebook);
  }
  note.parent = parent;
  for (const member of family) {
    member.notebook = notebook;
    notes.changed(member);
  }
}

export const documentReads: Readonly<Record<string, ReadRoute>> = {
  "/api/filetree/getPathByID": (notes, body) => {
    const note = noteOf(notes, text(body, "id"));
    return { notebook: note.notebook, path: notes.path(note) };
  },
  "/api/filetree/getHPathByID": (notes, body) => notes.humanPath(noteOf(notes, text(body, "id"))),
  "/api/filetree/getIDsByHPath": (notes, body) =>
    atHumanPath(notes, text(body, "notebook"), text(body, "path")).map((note) => note.id),
  "/api/filetree/listDocsByPath": (notes, body) => {
    const notebook = text(body, "notebook");
    requireOpen(notes, notebook);
    const mode = typeof body.sort === "number" ? body.sort : notes.sortMode(notebook);
    const stored = mode === manualOrder ? notes.sorts.get(notebook) : undefined;
    const files = notes.listed(notebook, idOfPath(text(body, "path")), mode).map((note) => ({
      id: note.id,
      path: notes.path(note),
      name: `${note.title}.sy`,
      icon: note.root.attributes.get("icon") ?? "",
      subFileCount: notes.below(notebook, note.id).length,
      size: blocksIn(note.root).reduce((sum, block) => sum + block.text.length + 40, note.title.length),
      sort: stored?.[note.id] ?? 0,
    }));
    return { box: notebook, files, path: text(body, "path") };
  },
};

export const documentWrites: Readonly<Record<string, WriteRoute>> = {
  "/api/filetree/createDocWithMd": (notes, body) => {
    const [notebook, id, markdown] = [text(body, "notebook"), text(body, "id"), text(body, "markdown")];
    requireOpen(notes, notebook);
    if (notes.notes.has(id)) throw new Refusal(-1, "Duplicated filename");
    const titles = text(body, "path")
      .split("/")
      .filter((part) => part !== "");
    const title = titles.pop() ?? "Untitled";
    return {
      data: id,
      apply: (now, loss) => {
        if (loss === "nothing" || !now.isOpen(notebook)) return;
        const parent = ensureParents(now, notebook, titles);
        const made = addNote(now, { notebook, parent, title, id, markdown });
        if (loss === "first block only") made.root.children.splice(1);
        if (loss === "last word")
          for (const block of made.root.children) block.text = block.text.split(" ").slice(0, -1).join(" ");
      },
    };
  },
  "/api/filetree/renameDocByID": (notes, body) => {
    const [id, title] = [text(body, "id"), text(body, "title")];
    noteOf(notes, id);
    return {
      data: null,
      apply: (now, loss) => {
        const note = now.find(id)?.note;
        if (!note || loss === "nothing") return;
        note.title = loss === "last word" ? "Untitled" : title;
        now.changed(note);
      },
    };
  },
  "/api/filetree/changeSort": (_notes, body) => {
    const [notebook, ids] = [text(body, "notebook"), texts(body, "paths").map(idOfPath)];
    return {
      data: null,
      apply: (now, loss) => {
        if (loss === "nothing" || !now.isOpen(notebook)) return;
        const values: Record<string, number> = { ...now.sorts.get(notebook) };
        const kept = loss === "first block only" ? ids.slice(0, 1) : ids;
        for (const [index, id] of kept.entries()) values[id] = index + 1;
        now.sorts.set(notebook, values);
        now.sortChanged(notebook);
      },
    };
  },
  "/api/filetree/moveDocs": (notes, body) => {
    const [notebook, parent] = [text(body, "toNotebook"), idOfPath(text(body, "toPath"))];
    requireOpen(notes, notebook);
    const paths = texts(body, "fromPaths");
    const ids = paths.map(idOfPath);
    for (const [index, id] of ids.entries())
      if (notes.path(noteOf(notes, id)) !== paths[index]) throw new Refusal(-1, "block not found");
    return {
      data: null,
      apply: (now, loss) => {
        if (loss === "nothing" || !now.isOpen(notebook)) return;
        for (const id of loss === "first block only" ? ids.slice(0, 1) : ids) moveNote(now, id, notebook, parent);
      },
    };
  },
  "/api/filetree/removeDocByID": (notes, body) => {
    const id = text(body, "id");
    noteOf(notes, id);
    return {
      data: null,
      apply: (now, loss) => {
        const note = now.find(id)?.note;
        if (!note || loss === "nothing") return;
        for (const member of now.family(note)) now.removed(member);
      },
    };
  },
};
