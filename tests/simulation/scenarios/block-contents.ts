// block.update, one block or several, and block.delete.

import type { JsonObject } from "../../../shared/wire/json.js";
import type { Notes } from "../siyuan/notes.js";
import type { Scenario } from "./scenario.js";
import {
  blockText,
  type Edit,
  edited,
  entry,
  holdsTexts,
  idOfKey,
  isInside,
  isNew,
  keepsAttributes,
  notebookOf,
  oneBlock,
  someBlock,
  someEdit,
} from "./targets.js";

const writable: ReadonlySet<string> = new Set(["NodeParagraph", "NodeHeading", "NodeBlockquote"]);

interface Item {
  readonly id: string;
  readonly data: string;
}

function itemHolds(notes: Notes, { id, data }: Item, before: Parameters<Scenario["holds"]>[2]): boolean {
  const place = notes.find(id);
  return place !== undefined && holdsTexts([place.block], data) && keepsAttributes(place, before);
}

export const updateBlock: Scenario = {
  tool: "block",
  action: "update",
  build(notes, random, words) {
    const place = someBlock(notes, random, ({ block }) => writable.has(block.type));
    return place && { id: place.block.id, dataType: "markdown", data: oneBlock(random, words) };
  },
  vary: (args, words) => ({ ...args, data: `Text ${words()} instead` }),
  notebooks: (notes, { id }) => notebookOf(notes, id),
  observed: (notes, { id }) => blockText(notes, id),
  holds: (notes, args, before) => itemHolds(notes, args as unknown as Item, before),
  mayChange: (key, { id }, before) => isInside(key, String(id), before) || isNew(key, before),
};

function itemsOf(args: JsonObject): readonly Item[] {
  return args.items as unknown as readonly Item[];
}

export const updateBlocks: Scenario = {
  tool: "block",
  action: "update",
  build(notes, random, words) {
    const places = [0, 1].map(() => someBlock(notes, random, ({ block }) => block.type === "NodeParagraph"));
    const ids = Array.from(new Set(places.map((place) => place?.block.id ?? "")));
    if (ids.includes("")) return undefined;
    return { items: ids.map((id) => ({ id, dataType: "markdown", data: `Text ${words()} of several` })) };
  },
  vary: (args, words) => ({
    items: itemsOf(args).map(({ id }) => ({ id, dataType: "markdown", data: `Text ${words()} instead` })),
  }),
  notebooks: (notes, args) => itemsOf(args).reduce<string[]>((all, { id }) => all.concat(notebookOf(notes, id)), []),
  observed: (notes, args) =>
    itemsOf(args)
      .map(({ id }) => blockText(notes, id))
      .join("\n"),
  holds: (notes, args, before) => itemsOf(args).every((item) => itemHolds(notes, item, before)),
  mayChange: (key, args, before) => itemsOf(args).some(({ id }) => isInside(key, id, before)) || isNew(key, before),
};

export const deleteBlock: Scenario = {
  tool: "block",
  action: "delete",
  build(notes, random) {
    const place = someBlock(notes, random, () => true);
    return place && { id: place.block.id };
  },
  vary: (args) => ({ ...args, id: "20260101000000-0000000" }),
  notebooks: (notes, { id }) => notebookOf(notes, id),
  observed: (notes, { id }) => blockText(notes, id),
  holds: (notes, { id }) => !notes.exists(String(id)),
  mayChange(key, args, before, after) {
    const id = String(args.id);
    if (isInside(key, id, before)) return true;
    // A document without a block gets an empty paragraph; emptied quotes and lists go with their last child.
    if (isNew(key, before)) return entry(after, key)?.text === "" || key.startsWith("children of ");
    const isAround = isInside(id, idOfKey(key), before);
    return isAround && (key.startsWith("children of ") || !after.has(key));
  },
};

/** An exact edit inside one block. */
export const replaceInBlock: Scenario = {
  tool: "block",
  action: "replace",
  build(notes, random, words) {
    const place = someBlock(notes, random, ({ block }) => block.children.length === 0 && block.text !== "");
    const edit = place && someEdit(place.block.text, words);
    return edit && { id: place.block.id, edit: { ...edit } };
  },
  vary: (args, words) => ({ ...args, edit: { ...(args.edit as JsonObject), new: words() } }),
  notebooks: (notes, { id }) => notebookOf(notes, id),
  observed: (notes, { id }) => blockText(notes, id),
  holds(notes, args, before) {
    const edit = args.edit as unknown as Edit;
    const place = notes.find(String(args.id));
    if (!place) return false;
    const earlier = before && entry(before, place.block.id)?.text;
    if (typeof earlier !== "string") return place.block.text.includes(edit.new);
    return place.block.text === edited(earlier, edit) && keepsAttributes(place, before);
  },
  mayChange: (key, { id }) => key === id,
};
