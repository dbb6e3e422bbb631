// What scenarios share: picking targets, making content, and reading the notes back as texts.

import { type JsonObject, isJsonObject } from "../../../shared/wire/json.js";
import { type Block, blocksIn, type Note, type Notes, type Place, type State } from "../siyuan/notes.js";
import type { Random } from "../world/random.js";
import type { Words } from "./scenario.js";

export function someNote(notes: Notes, random: Random): Note | undefined {
  return random.pick(Array.from(notes.notes.values()).filter((note) => notes.isOpen(note.notebook)));
}

/** A place for documents: a notebook, and "" or the parent document. */
export interface Folder {
  readonly notebook: string;
  readonly parent: string;
}

/** The folder that an id names: that below a document, or the top of a notebook. */
export function folderOf(notes: Notes, id: unknown): Folder {
  const note = notes.notes.get(String(id));
  return note ? { notebook: note.notebook, parent: note.id } : { notebook: String(id), parent: "" };
}

/** A block inside some document, of a type that `fits`. */
export function someBlock(notes: Notes, random: Random, fits: (place: Place) => boolean): Place | undefined {
  const note = someNote(notes, random);
  if (!note) return undefined;
  const places = blocksIn(note.root).map((block) => notes.find(block.id));
  return random.pick(places.filter((place): place is Place => place?.parent !== undefined && fits(place)));
}

export function someNotebook(notes: Notes, random: Random): string | undefined {
  return random.pick(Array.from(notes.notebooks.keys()).filter((id) => notes.isOpen(id)));
}

/** Content that needs no parser, a heading, or a quote. */
export function oneBlock(random: Random, words: Words): string {
  return random.weighted<string>([
    [`Text ${words()} and more`, 8],
    [`## Heading ${words()}`, 1],
    [`> Quote ${words()}`, 1],
  ]);
}

export function someContent(random: Random, words: Words): string {
  return random.chance(0.25) ? `${oneBlock(random, words)}\n\nText ${words()} too` : oneBlock(random, words);
}

/** The texts of the leaves that the content asks for. */
export function leafTexts(markdown: string): readonly string[] {
  return markdown.split("\n\n").map((chunk) => chunk.replace(/^> /, ""));
}

function leavesOf(block: Block): readonly string[] {
  return blocksIn(block)
    .filter((inner) => inner.children.length === 0)
    .map((inner) => inner.text);
}

/** True when these blocks in a row hold exactly the asked leaves. */
export function holdsTexts(blocks: readonly Block[], markdown: string): boolean {
  const wanted = leafTexts(markdown);
  return blocks.reduce<string[]>((all, block) => all.concat(leavesOf(block)), []).join("\n") === wanted.join("\n");
}

/** The blocks among `siblings` that hold the content, wherever they begin; undefined when it is not there whole. */
export function runOf(siblings: readonly Block[], markdown: string): number | undefined {
  const count = markdown.split("\n\n").length;
  const starts = siblings.map((_block, index) => index);
  return starts.find((start) => holdsTexts(siblings.slice(start, start + count), markdown));
}

export function notebookOf(notes: Notes, id: unknown): readonly string[] {
  const place = notes.find(String(id));
  return place ? [place.note.notebook] : [];
}

/** A block with everything inside it, its parent and its document, wherever that lies. */
export function blockText(notes: Notes, id: unknown): string {
  const place = notes.find(String(id));
  if (!place) return "";
  const { note, parent, block } = place;
  return JSON.stringify([note.id, parent?.id ?? "", plain(block)]);
}

/** The place and the blocks of a document, without its title and its own attributes. */
export function bodyText(notes: Notes, id: unknown): string {
  const note = notes.note(String(id));
  return note ? JSON.stringify([notes.path(note), note.notebook, note.root.children.map(plain)]) : "";
}

function plain(block: Block): unknown {
  const { id, type, text, attributes, children } = block;
  return [id, type, text, Array.from(attributes).sort(), children.map(plain)];
}

/** A document with its title, attributes, place and content. */
export function documentText(notes: Notes, id: unknown): string {
  const note = notes.note(String(id));
  return note ? JSON.stringify([notes.path(note), note.notebook, note.title, plain(note.root)]) : "";
}

/** An entry of a state, taken apart. */
export function entry(state: State, key: string): JsonObject | undefined {
  const text = state.get(key);
  if (text === undefined || key.startsWith("children of ")) return undefined;
  const value: unknown = JSON.parse(text);
  return isJsonObject(value) ? value : undefined;
}

/** The id that a key is about. */
export function idOfKey(key: string): string {
  return key.replace(/^children of /, "");
}

export function isNew(key: string, before: State): boolean {
  return !before.has(idOfKey(key)) && !before.has(key);
}

/** True for a block that lies, at any depth, inside the block or document `id`. */
export function isInside(key: string, id: string, state: State): boolean {
  let current = idOfKey(key);
  for (let level = 0; level < 20; level++) {
    if (current === id) return true;
    const parent = entry(state, current)?.parent;
    if (typeof parent !== "string" || parent === "") return false;
    current = parent;
  }
  return false;
}

/** True when the block's own attributes are as they were. */
export function keepsAttributes(place: Place, before: State | undefined): boolean {
  const earlier = before && entry(before, place.block.id)?.attributes;
  if (earlier === undefined || !isJsonObject(earlier)) return true;
  const names = Object.keys(earlier);
  return (
    names.length === place.block.attributes.size &&
    names.every((name) => place.block.attributes.get(name) === earlier[name])
  );
}

/** An exact edit of one word, which leaves all else of a text as it is. */
export interface Edit {
  readonly old: string;
  readonly new: string;
  readonly replace_all?: boolean;
}

/** The last word of a text becomes another one. */
export function someEdit(text: string, words: Words): Edit | undefined {
  const old = text.split(" ").pop() ?? "";
  return text.split(old).length === 2 ? { old, new: words() } : undefined;
}

export function edited(text: string, { old, new: added }: Edit): string {
  return text.split(old).join(added);
}
