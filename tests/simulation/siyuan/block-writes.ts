// Writes of blocks: insert, append, prepend, update, delete, attributes. Each answers code 0 with an echo of the request.

import type { JsonObject } from "../../../shared/wire/json.js";
import { domsOf, parseDoms } from "./dom.js";
import { parseMarkdown } from "./markdown.js";
import { type Block, blocksIn, type Note, type Notes } from "./notes.js";
import { type Loss, objects, Refusal, text, type Write, type WriteRoute } from "./route.js";

const containers: ReadonlySet<string> = new Set(["NodeDocument", "NodeListItem", "NodeBlockquote"]);
const vanishing: ReadonlySet<string> = new Set(["NodeList", "NodeBlockquote"]);

function transactions(operations: readonly JsonObject[]): JsonObject[] {
  return operations.map((operation) => ({ doOperations: [operation] }));
}

function requireContainer(notes: Notes, id: string): void {
  const place = notes.find(id);
  if (!place) throw new Refusal(-1, `parent block not found: ${id}`);
  if (!containers.has(place.block.type)) throw new Refusal(-1, "a leaf block cannot have children");
}

/** What of the parsed blocks reaches the tree. */
export function kept(blocks: readonly Block[], loss: Loss): readonly Block[] {
  const some = loss === "nothing" ? [] : loss === "first block only" ? blocks.slice(0, 1) : blocks;
  return some.map((block) => damaged(block, loss));
}

function damaged(block: Block, loss: Loss): Block {
  return {
    ...block,
    text: loss === "last word" ? block.text.split(" ").slice(0, -1).join(" ") : block.text,
    attributes: new Map(loss === "attributes" ? [] : block.attributes),
    children: block.children.map((child) => damaged(child, loss)),
  };
}

interface Insertion {
  readonly blocks: readonly Block[];
  readonly echo: JsonObject;
  readonly into: (notes: Notes, blocks: readonly Block[]) => void;
}

function insertion(notes: Notes, body: JsonObject, where: "start" | "end" | "anchor"): Insertion {
  const blocks = parseMarkdown(text(body, "data"), notes);
  const anchor = (name: string) => (where === "anchor" || name === "parentID" ? String(body[name] ?? "") : "");
  const [parentID, previousID, nextID] = [anchor("parentID"), anchor("previousID"), anchor("nextID")];
  if (previousID === "" && nextID === "") requireContainer(notes, parentID);
  const sibling = notes.find(previousID || nextID);
  const lost = where === "anchor" && (previousID || nextID) !== "" && !sibling?.parent;
  return {
    blocks,
    echo: { action: "insert", id: lost ? "" : (blocks[0]?.id ?? ""), parentID, data: domsOf(blocks) },
    into: (now, made) => putAt(now, { parentID, previousID, nextID, atEnd: where === "end" }, made),
  };
}

/** The anchor may be gone by now: then nothing happens, and nobody is told. */
function putAt(
  notes: Notes,
  { parentID, previousID, nextID, atEnd }: { parentID: string; previousID: string; nextID: string; atEnd: boolean },
  blocks: readonly Block[],
): void {
  const sibling = notes.find(previousID || nextID);
  const place = previousID || nextID ? sibling : notes.find(parentID);
  const parent = previousID || nextID ? sibling?.parent : place?.block;
  if (!place || !parent) return;
  const beside = parent.children.findIndex((child) => child.id === (previousID || nextID));
  const index = beside < 0 ? (atEnd ? parent.children.length : 0) : previousID ? beside + 1 : beside;
  parent.children.splice(index, 0, ...blocks);
  notes.changed(place.note);
}

function insertions(list: readonly Insertion[]): Write {
  return {
    data: transactions(list.map(({ echo }) => echo)),
    apply: (notes, loss) => {
      for (const { into, blocks } of list) into(notes, kept(blocks, loss));
    },
  };
}

interface Update {
  readonly echoes: readonly JsonObject[];
  readonly apply: Write["apply"];
}

function update(notes: Notes, body: JsonObject): Update {
  const id = text(body, "id");
  const place = notes.find(id);
  if (!place) throw new Refusal(-1, "get block failed: tree not found");
  const data = text(body, "data");
  const blocks = body.dataType === "dom" ? parseDoms(data) : parseMarkdown(data, notes);
  if (!place.parent) return updateDocument(place.block, blocks);
  const [first] = blocks;
  const made = { ...(first as Block), id };
  return {
    echoes: [{ action: "update", id, parentID: "", data: domsOf([made]) }],
    apply: (now, loss) => {
      const [block] = kept([made], loss);
      if (block) putInPlace(now, block);
    },
  };
}

/** Every old block goes, and the new ones come in one insertion. */
function updateDocument({ id, children }: Block, blocks: readonly Block[]): Update {
  const deletions = children.map((child) => ({ action: "delete", id: child.id }));
  return {
    echoes: [...deletions, { action: "appendInsert", id: blocks[0]?.id ?? "", parentID: id, data: domsOf(blocks) }],
    apply: (now, loss) => {
      const target = now.find(id);
      if (!target || loss === "nothing") return;
      const gone = new Set(children.map((child) => child.id));
      // What came after the request was read stays in front of the new blocks.
      target.block.children = target.block.children.filter((child) => !gone.has(child.id)).concat(kept(blocks, loss));
      now.changed(target.note);
    },
  };
}

/** The block takes the place of the one with its id; nothing happens where that is gone. */
export function putInPlace(notes: Notes, block: Block): void {
  const target = notes.find(block.id);
  if (!target) return;
  target.block.type = block.type;
  target.block.text = block.text;
  target.block.children = block.children;
  target.block.attributes.clear();
  for (const [name, value] of block.attributes) target.block.attributes.set(name, value);
  notes.changed(target.note);
}

/** Empty quotes and lists go with their last child; an empty document gets a paragraph. */
function removeBlock(notes: Notes, id: string): void {
  const place = notes.find(id);
  if (!place?.parent) return;
  place.parent.children = place.parent.children.filter((child) => child.id !== id);
  notes.changed(place.note);
  if (place.parent.children.length === 0) removeEmptied(notes, place.parent.id);
}

/** What becomes of a container without children. */
export function removeEmptied(notes: Notes, id: string): void {
  const place = notes.find(id);
  if (!place) return;
  if (vanishing.has(place.block.type)) removeBlock(notes, id);
  else place.block.children.push(notes.newBlock("NodeParagraph", ""));
  notes.changed(place.note);
}

function setAttributes(notes: Notes, id: string, attrs: JsonObject): Write["apply"] {
  if (!notes.find(id)) throw new Refusal(-1, "tree not found");
  return (now, loss) => {
    const place = now.find(id);
    if (!place || loss === "nothing") return;
    const names = Object.keys(attrs);
    for (const name of loss === "attributes" ? names.slice(1) : names) {
      const value = attrs[name];
      if (value === null || value === "") place.block.attributes.delete(name);
      else place.block.attributes.set(name, String(value));
    }
    now.changed(place.note);
  };
}

export const blockWrites: Readonly<Record<string, WriteRoute>> = {
  "/api/block/insertBlock": (notes, body) => insertions([insertion(notes, body, "anchor")]),
  "/api/block/batchInsertBlock": (notes, body) =>
    insertions(objects(body, "blocks").map((block) => insertion(notes, block, "anchor"))),
  "/api/block/appendBlock": (notes, body) => insertions([insertion(notes, body, "end")]),
  "/api/block/prependBlock": (notes, body) => insertions([insertion(notes, body, "start")]),
  "/api/block/updateBlock": (notes, body) => {
    const { echoes, apply } = update(notes, body);
    return { data: [{ doOperations: echoes }], apply };
  },
  "/api/block/batchUpdateBlock": (notes, body) => {
    const updates = objects(body, "blocks").map((block) => update(notes, block));
    return {
      data: [{ doOperations: updates.flatMap(({ echoes }) => echoes) }],
      apply: (now, loss) => {
        for (const { apply } of loss === "first block only" ? updates.slice(0, 1) : updates) apply(now, loss);
      },
    };
  },
  "/api/block/deleteBlock": (_notes, body) => {
    const id = text(body, "id");
    return {
      data: transactions([{ action: "delete", id }]),
      answersFirst: true,
      apply: (now, loss) => {
        if (loss !== "nothing") removeBlock(now, id);
      },
    };
  },
  "/api/attr/setBlockAttrs": (notes, body) => {
    const apply = setAttributes(notes, text(body, "id"), (body.attrs ?? {}) as JsonObject);
    return { data: null, apply };
  },
};

/** Ids of all blocks of a note, for whoever picks one. */
export function blockIdsOf(note: Note): readonly string[] {
  return blocksIn(note.root).map((block) => block.id);
}
