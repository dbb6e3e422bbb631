// The notes of the simulated SiYuan: notebooks, documents and blocks in memory, and their files on the disk.

import type { Json, JsonObject } from "../../../shared/wire/json.js";
import type { Random } from "../world/random.js";
import type { Disk } from "../world/disk.js";
import { readLevels } from "../world/levels.js";
import type { VirtualTime } from "../world/virtual-time.js";

export interface Block {
  readonly id: string;
  type: string;
  text: string;
  readonly attributes: Map<string, string>;
  children: Block[];
}

export interface Note {
  readonly id: string;
  notebook: string;
  /** "" directly in the notebook. */
  parent: string;
  title: string;
  /** Its attributes are the document's; its children are the blocks. */
  root: Block;
}

export interface Place {
  readonly note: Note;
  readonly block: Block;
  /** Undefined for the root. */
  readonly parent: Block | undefined;
}

/** What an oracle compares: a line of text per block, document, notebook and order of children. */
export type State = ReadonlyMap<string, string>;

const folder = "/notes";

/** SiYuan's numbers of orders: the manual one, that of the settings, and what those say here. */
export const manualOrder = 6;
const followsTree = 15;
export const treeOrder = 0;

export class Notes {
  readonly notebooks = new Map<string, JsonObject>();
  readonly notes = new Map<string, Note>();
  /** Manual order of documents by notebook. */
  readonly sorts = new Map<string, Readonly<Record<string, number>>>();
  readonly #disk: Disk;
  readonly #time: VirtualTime;
  readonly #random: Random;
  /** The state as last asked for, and the version of the notes then. */
  #known: { readonly version: number; readonly state: State } | undefined;
  #version = 0;
  /** Files that differ from memory. */
  readonly #dirty = new Set<string>();

  constructor(disk: Disk, time: VirtualTime, random: Random) {
    this.#disk = disk;
    this.#time = time;
    this.#random = random;
  }

  newId(): string {
    const stamp = new Date(this.#time.wallMs).toISOString().replace(/\D/g, "").slice(0, 14);
    const letters = Array.from({ length: 7 }, () =>
      "0123456789abcdefghijklmnopqrstuvwxyz".charAt(this.#random.between(0, 35)),
    );
    return `${stamp}-${letters.join("")}`;
  }

  newBlock(type: string, text: string, children: Block[] = [], id = this.newId()): Block {
    return { id, type, text, attributes: new Map(), children };
  }

  find(id: string): Place | undefined {
    for (const note of this.notes.values()) {
      if (!this.isOpen(note.notebook)) continue;
      const found = findBelow(note, note.root, undefined, id);
      if (found) return found;
    }
    return undefined;
  }

  /** True for a block or document that exists, also in a closed notebook. */
  exists(id: string): boolean {
    return Array.from(this.notes.values()).some((note) => findBelow(note, note.root, undefined, id) !== undefined);
  }

  note(id: string): Note | undefined {
    const note = this.notes.get(id);
    return note && this.isOpen(note.notebook) ? note : undefined;
  }

  isOpen(notebook: string): boolean {
    const conf = this.notebooks.get(notebook);
    return conf !== undefined && conf.closed !== true;
  }

  /** What the owner's settings say of a notebook. */
  permission(notebook: string): string | undefined {
    return readLevels(this.#disk)[notebook];
  }

  /** Storage path, `/<id>/<id>.sy`. */
  path(note: Note): string {
    return `${this.#folderOf(note)}.sy`;
  }

  humanPath(note: Note): string {
    const parent = this.notes.get(note.parent);
    return `${parent ? this.humanPath(parent) : ""}/${note.title}`;
  }

  below(notebook: string, parent: string): readonly Note[] {
    return Array.from(this.notes.values())
      .filter((note) => note.notebook === notebook && note.parent === parent)
      .sort((left, right) => (left.id < right.id ? -1 : 1));
  }

  /** The documents of a folder as a person sees them: in manual order, or by title. */
  listed(notebook: string, parent: string, mode = this.sortMode(notebook)): readonly Note[] {
    const values = this.sorts.get(notebook) ?? {};
    const byTitle = (left: Note, right: Note) => (left.title < right.title ? -1 : left.title > right.title ? 1 : 0);
    const found = Array.from(this.below(notebook, parent)).sort(byTitle);
    return mode === manualOrder ? found.sort((left, right) => (values[left.id] ?? 0) - (values[right.id] ?? 0)) : found;
  }

  /** The order that is in force in a notebook. */
  sortMode(notebook: string): number {
    const own = Number(this.notebooks.get(notebook)?.sortMode ?? followsTree);
    return own === followsTree ? treeOrder : own;
  }

  /** The document with everything below it. */
  family(note: Note): readonly Note[] {
    return this.below(note.notebook, note.id).reduce<Note[]>((all, child) => all.concat(this.family(child)), [note]);
  }

  changed(note: Note): void {
    this.#version++;
    this.#dirty.add(`doc/${note.id}`);
  }

  removed(note: Note): void {
    this.#version++;
    this.notes.delete(note.id);
    this.#dirty.add(`doc/${note.id}`);
  }

  notebookChanged(id: string): void {
    this.#version++;
    this.#dirty.add(`notebook/${id}`);
  }

  sortChanged(notebook: string): void {
    this.#version++;
    this.#dirty.add(`sort/${notebook}`);
  }

  /** What is not yet on the disk, to be written later. */
  takeDirty(): readonly string[] {
    const files = Array.from(this.#dirty);
    this.#dirty.clear();
    return files;
  }

  /** Writes files as memory holds them now. */
  save(files: readonly string[]): void {
    for (const file of files) {
      const [kind = "", id = ""] = file.split("/");
      const text = kind === "doc" ? this.#noteText(id) : this.#confText(kind, id);
      if (!this.#disk.isFull || text === undefined) this.#disk.write(`${folder}/${file}`, text, this.#time.elapsedMs);
    }
  }

  /** Memory is gone; what the disk holds is what there is. */
  load(): void {
    this.#version++;
    for (const map of [this.notebooks, this.notes, this.sorts]) map.clear();
    this.#dirty.clear();
    for (const path of this.#disk.paths(folder)) {
      const [, , kind, id = ""] = path.split("/");
      const value = JSON.parse(this.#disk.read(path) as string) as never;
      if (kind === "notebook") this.notebooks.set(id, value);
      else if (kind === "sort") this.sorts.set(id, value);
      else this.notes.set(id, parseNote(value));
    }
    // A document whose parent or notebook did not reach the disk is not loaded.
    for (const note of Array.from(this.notes.values())) if (!this.#isReachable(note)) this.notes.delete(note.id);
  }

  state(): State {
    if (this.#known?.version === this.#version) return this.#known.state;
    const state = new Map<string, string>();
    for (const [id, conf] of this.notebooks) state.set(id, JSON.stringify({ ...conf, sort: 0 }));
    for (const [id, values] of this.sorts) state.set(`order in ${id}`, JSON.stringify(values));
    for (const note of this.notes.values()) {
      const { notebook, parent, title } = note;
      state.set(
        note.id,
        JSON.stringify({ notebook, parent, title, attributes: Object.fromEntries(note.root.attributes) }),
      );
      addBlocks(state, note.root, note.id);
    }
    this.#known = { version: this.#version, state };
    return state;
  }

  #folderOf(note: Note): string {
    const parent = this.notes.get(note.parent);
    return `${parent ? this.#folderOf(parent) : ""}/${note.id}`;
  }

  #isReachable(note: Note): boolean {
    if (!this.notebooks.has(note.notebook)) return false;
    const parent = this.notes.get(note.parent);
    return note.parent === "" || (parent !== undefined && this.#isReachable(parent));
  }

  #noteText(id: string): string | undefined {
    const note = this.notes.get(id);
    return note && JSON.stringify({ ...note, root: plain(note.root) });
  }

  #confText(kind: string, id: string): string | undefined {
    const value: Json | undefined = kind === "notebook" ? this.notebooks.get(id) : this.sorts.get(id);
    return value && JSON.stringify(value);
  }
}

function findBelow(note: Note, block: Block, parent: Block | undefined, id: string): Place | undefined {
  if (block.id === id) return { note, block, parent };
  for (const child of block.children) {
    const found = findBelow(note, child, block, id);
    if (found) return found;
  }
  return undefined;
}

function addBlocks(state: Map<string, string>, parent: Block, note: string): void {
  state.set(`children of ${parent.id}`, parent.children.map((child) => child.id).join(" "));
  for (const { id, type, text, attributes, children } of parent.children) {
    state.set(id, JSON.stringify({ type, text, parent: parent.id, note, attributes: Object.fromEntries(attributes) }));
    if (children.length > 0) addBlocks(state, { id, type, text, attributes, children }, note);
  }
}

/** A block and everything inside it. */
export function blocksIn(block: Block): readonly Block[] {
  return block.children.reduce<Block[]>((all, child) => all.concat(blocksIn(child)), [block]);
}

function plain({ id, type, text, attributes, children }: Block): JsonObject {
  return { id, type, text, attributes: Object.fromEntries(attributes), children: children.map(plain) };
}

interface StoredBlock {
  readonly id: string;
  readonly type: string;
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly StoredBlock[];
}

export function parseNote(stored: Omit<Note, "root"> & { readonly root: StoredBlock }): Note {
  return { ...stored, root: parseBlock(stored.root) };
}

function parseBlock({ id, type, text, attributes, children }: StoredBlock): Block {
  return { id, type, text, attributes: new Map(Object.entries(attributes)), children: children.map(parseBlock) };
}

/** A document as it is now, to be put back later. */
export function copyNote(note: Note): Note {
  return parseNote({ ...note, root: plain(note.root) as unknown as StoredBlock });
}
