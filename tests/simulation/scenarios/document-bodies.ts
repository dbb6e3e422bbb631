// fs.write with overwrite, and fs.replace: the body of a document made anew, or edited exactly.

import type { JsonObject } from "../../../shared/wire/json.js";
import { blocksIn, type Note, type Notes, type State } from "../siyuan/notes.js";
import type { Scenario } from "./scenario.js";
import {
  bodyText,
  documentText,
  type Edit,
  edited,
  entry,
  holdsTexts,
  idOfKey,
  isNew,
  someContent,
  someEdit,
  someNote,
} from "./targets.js";
import { noteAt, pathOf, titleOf } from "./workspace-paths.js";

function observedBy(text: typeof documentText): NonNullable<Scenario["observed"]> {
  return (notes, { path }) => text(notes, noteAt(notes, String(path))?.id);
}

function notebooks(notes: Notes, { path }: JsonObject): readonly string[] {
  return [noteAt(notes, String(path))?.notebook ?? ""].filter((id) => id !== "");
}

/** Documents that the path named when the commit looked. */
function idsAt(state: State, path: unknown): readonly string[] {
  return Array.from(state.keys()).filter((id) => entry(state, id)?.title === titleOf(String(path)));
}

/** The document at the path, by the name that it had then. */
function documentAt(notes: Notes, path: unknown, before: State | undefined): Note | undefined {
  const [id] = idsAt(before ?? notes.state(), path);
  return id === undefined ? undefined : notes.note(id);
}

export const overwriteDocument: Scenario = {
  tool: "fs",
  action: "write",
  build(notes, random, words) {
    const note = someNote(notes, random);
    return note && { path: pathOf(notes, note), markdown: someContent(random, words), overwrite: true };
  },
  vary: (args, words) => ({ ...args, markdown: `Text ${words()} instead` }),
  notebooks,
  observed: observedBy(documentText),
  holds(notes, { path, markdown }, before) {
    const note = documentAt(notes, path, before);
    return note !== undefined && holdsTexts(note.root.children, String(markdown));
  },
  mayChange(key, { path }, before, _after, read) {
    if (isNew(key, before)) return true;
    const ids = idsAt(read, path);
    const id = idOfKey(key);
    return (key !== id && ids.includes(id)) || ids.includes(String(entry(before, id)?.note));
  },
};

function editOf({ edit }: JsonObject): Edit {
  return edit as unknown as Edit;
}

export const replaceInDocument: Scenario = {
  tool: "fs",
  action: "replace",
  build(notes, random, words) {
    const note = someNote(notes, random);
    const block =
      note && random.pick(blocksIn(note.root).filter((one) => one.children.length === 0 && one.text !== ""));
    const edit = block && someEdit(block.text, words);
    if (!edit) return undefined;
    const hits = blocksIn(note.root).filter(({ text }) => text.includes(edit.old)).length;
    return { path: pathOf(notes, note), edit: { ...edit, ...(hits > 1 ? { replace_all: true } : {}) } };
  },
  vary: (args, words) => ({ ...args, edit: { ...(args.edit as JsonObject), new: words() } }),
  notebooks,
  observed: observedBy(bodyText),
  holds(notes, args, before) {
    const edit = editOf(args);
    const note = documentAt(notes, args.path, before);
    if (!note) return false;
    const blocks = blocksIn(note.root);
    if (!before) return blocks.some(({ text }) => text.includes(edit.new));
    const texts = new Map(blocks.map(({ id, text }) => [id, text]));
    const hit = Array.from(before.keys()).filter((id) => {
      const { note: own, text } = entry(before, id) ?? {};
      return own === note.id && typeof text === "string" && text.includes(edit.old);
    });
    return hit.length > 0 && hit.every((id) => texts.get(id) === edited(String(entry(before, id)?.text), edit));
  },
  // A block that holds others is sent with them: what somebody does inside it at that moment is overwritten.
  mayChange(key, { path }, before, after, read) {
    const block = entry(before, idOfKey(key)) ?? entry(after, idOfKey(key));
    return idsAt(read, path).includes(String(block?.note));
  },
};
