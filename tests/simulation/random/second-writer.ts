// Somebody who edits in SiYuan itself, at any moment, and who sometimes puts an old state back.

import { addNote } from "../siyuan/documents.js";
import { blocksIn, copyNote, type Note, type Notes } from "../siyuan/notes.js";
import { someBlock, someNote, someNotebook } from "../scenarios/targets.js";
import type { Random } from "../world/random.js";
import type { World } from "../world/world.js";

type Edit = (notes: Notes, note: Note) => void;

export class SecondWriter {
  readonly #world: World;
  readonly #random: Random;
  isAway = false;
  /** Documents as they once were. */
  readonly #copies: Note[] = [];

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  /** One edit of a document, or of any when `id` names none. */
  edit(id?: string): void {
    const random = this.#random;
    const world = this.#world;
    const note = (id === undefined ? undefined : world.notes.find(id)?.note) ?? someNote(world.notes, random);
    if (!note || !world.process.isUp || this.isAway) return;
    if (random.chance(0.3)) this.#copies.push(copyNote(note));
    const [what, edit] = random.weighted<readonly [string, Edit]>([
      [["text", (notes, target) => this.#text(notes, target)], 5],
      [["attribute", (notes, target) => this.#attribute(notes, target)], 2],
      [["new block", (notes, target) => this.#append(notes, target)], 2],
      [["block deleted", (notes, target) => this.#delete(notes, target)], 1],
      [["renamed", (notes, target) => this.#rename(notes, target)], 1],
      [["old state put back", (notes) => this.#restore(notes)], 3],
      [["new document", (notes) => this.#create(notes)], 1],
      [["document removed", (notes, target) => this.#remove(notes, target)], 0.3],
      [["notebook closed for a while", (notes) => this.#close(notes)], 0.3],
      [["notebook renamed", (notes) => this.#renameNotebook(notes)], 0.5],
    ]);
    world.editByOthers(`${what} in ${note.id}`, (notes) => edit(notes, note));
  }

  #text(notes: Notes, note: Note): void {
    const leaves = note.root.children.filter((block) => block.children.length === 0);
    const block = this.#random.pick(leaves);
    if (!block) return;
    // A heading's text begins with its marks.
    const [marks = ""] = block.type === "NodeHeading" ? block.text.split(" ") : [];
    block.text = `${marks === "" ? "" : `${marks} `}Other ${this.#world.words()}`;
    notes.changed(note);
  }

  #attribute(notes: Notes, note: Note): void {
    const block = this.#random.pick(note.root.children) ?? note.root;
    block.attributes.set(this.#random.pick(["custom-a", "memo", "name"]) ?? "memo", this.#world.words());
    notes.changed(note);
  }

  #append(notes: Notes, note: Note): void {
    note.root.children.push(notes.newBlock("NodeParagraph", `Other ${this.#world.words()}`));
    notes.changed(note);
  }

  #delete(notes: Notes, note: Note): void {
    if (note.root.children.length < 2) return;
    const place = someBlock(notes, this.#random, () => true);
    if (!place?.parent || place.parent.children.length < 2) return;
    place.parent.children = place.parent.children.filter((block) => block !== place.block);
    notes.changed(place.note);
  }

  #rename(notes: Notes, note: Note): void {
    note.title = `Other ${this.#world.words()}`;
    notes.changed(note);
  }

  /** The document is again what it was, as after an undo or a synchronisation. */
  #restore(notes: Notes): void {
    const copy = this.#random.pick(this.#copies);
    if (!copy || !notes.notebooks.has(copy.notebook)) return;
    if (copy.parent !== "" && !notes.notes.has(copy.parent)) return;
    notes.notes.delete(copy.id);
    const restored = copyNote(copy);
    // A block that lies in another document by now stays there.
    restored.root.children = restored.root.children.filter(
      (child) => !blocksIn(child).some((block) => notes.exists(block.id)),
    );
    notes.notes.set(copy.id, restored);
    notes.changed(restored);
  }

  #create(notes: Notes): void {
    const notebook = someNotebook(notes, this.#random);
    if (notebook === undefined) return;
    const title = `Other ${this.#world.words()}`;
    addNote(notes, { notebook, parent: "", title, id: notes.newId(), markdown: `Other ${this.#world.words()}` });
  }

  #remove(notes: Notes, note: Note): void {
    if (notes.notes.size < 5) return;
    for (const member of notes.family(note)) notes.removed(member);
  }

  #close(notes: Notes): void {
    const id = someNotebook(notes, this.#random);
    if (id === undefined) return;
    setClosed(notes, id, true);
    const open = () => this.#world.editByOthers("notebook opened again", (now) => setClosed(now, id, false));
    this.#world.time.at(this.#random.delay(100, 60_000), () => {
      if (this.#world.process.isUp) open();
      else this.#world.time.at(30_000, open);
    });
  }

  #renameNotebook(notes: Notes): void {
    const id = someNotebook(notes, this.#random);
    if (id === undefined) return;
    notes.notebooks.set(id, { ...notes.notebooks.get(id), name: `Other ${this.#world.words()}` });
    notes.notebookChanged(id);
  }
}

function setClosed(notes: Notes, id: string, closed: boolean): void {
  const conf = notes.notebooks.get(id);
  if (!conf) return;
  notes.notebooks.set(id, { ...conf, closed });
  notes.notebookChanged(id);
}
