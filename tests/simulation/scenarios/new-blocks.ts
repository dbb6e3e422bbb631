// block.append, block.prepend and block.insert.

import type { JsonObject } from "../../../shared/wire/json.js";
import type { Scenario } from "./scenario.js";
import { holdsTexts, isNew, notebookOf, runOf, someBlock, someContent, someNote } from "./targets.js";

const vary: Scenario["vary"] = (args, words) => ({ ...args, data: `Text ${words()} instead` });

function intoContainer(action: "append" | "prepend"): Scenario {
  return {
    tool: "block",
    action,
    build(notes, random, words) {
      const quote = random.chance(0.2)
        ? someBlock(notes, random, ({ block }) => block.type === "NodeBlockquote")
        : undefined;
      const parentID = quote?.block.id ?? someNote(notes, random)?.id;
      return parentID === undefined ? undefined : { parentID, dataType: "markdown", data: someContent(random, words) };
    },
    vary,
    notebooks: (notes, { parentID }) => notebookOf(notes, parentID),
    holds(notes, { parentID, data }) {
      const start = runOf(notes.find(String(parentID))?.block.children ?? [], String(data));
      return action === "append" ? start !== undefined : start === 0;
    },
    mayChange: (key, { parentID }, before) => key === `children of ${String(parentID)}` || isNew(key, before),
  };
}

export const appendBlock = intoContainer("append");
export const prependBlock = intoContainer("prepend");

function anchorOf(args: JsonObject): string {
  return String(args.previousID ?? args.nextID);
}

export const insertBlock: Scenario = {
  tool: "block",
  action: "insert",
  build(notes, random, words) {
    const place = someBlock(notes, random, ({ block }) => block.type !== "NodeListItem");
    const side = random.chance(0.5) ? "previousID" : "nextID";
    return place && { [side]: place.block.id, dataType: "markdown", data: someContent(random, words) };
  },
  vary,
  notebooks: (notes, args) => notebookOf(notes, anchorOf(args)),
  holds(notes, args) {
    const anchor = notes.find(anchorOf(args));
    const siblings = anchor?.parent?.children ?? [];
    const at = siblings.findIndex((block) => block.id === anchorOf(args));
    if (at < 0) return false;
    const count = String(args.data).split("\n\n").length;
    const start = args.previousID === undefined ? at - count : at + 1;
    return start >= 0 && holdsTexts(siblings.slice(start, start + count), String(args.data));
  },
  mayChange: (key, _args, before, after) => isNew(key, before) || addsOnly(key, before, after),
};

/** A list of children that lost none. Which list it is, `holds` says. */
function addsOnly(key: string, before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): boolean {
  if (!key.startsWith("children of ")) return false;
  const left = new Set((after.get(key) ?? "").split(" "));
  return (before.get(key) ?? "").split(" ").every((id) => left.has(id));
}

interface Insertion {
  readonly previousID: string;
  readonly data: string;
}

function insertionsOf({ blocks }: JsonObject): readonly Insertion[] {
  return blocks as unknown as readonly Insertion[];
}

/** Several at once; those behind one block stand in the order of the list. */
export const insertBlocks: Scenario = {
  tool: "block",
  action: "insert",
  build(notes, random, words) {
    const places = [0, 1].map(() => someBlock(notes, random, ({ block }) => block.type !== "NodeListItem"));
    const [first, second] = places.map((place) => place?.block.id);
    if (first === undefined || second === undefined) return undefined;
    return {
      blocks: [first, second].map((previousID) => ({
        dataType: "markdown",
        data: `Text ${words()} of several`,
        previousID,
      })),
    };
  },
  vary: (args, words) => ({
    blocks: insertionsOf(args).map(({ previousID }) => ({
      dataType: "markdown",
      data: `Text ${words()} instead`,
      previousID,
    })),
  }),
  notebooks: (notes, args) =>
    insertionsOf(args).reduce<string[]>((all, { previousID }) => all.concat(notebookOf(notes, previousID)), []),
  holds(notes, args) {
    const all = insertionsOf(args);
    return all.every(({ previousID }) => {
      const siblings = notes.find(previousID)?.parent?.children ?? [];
      const at = siblings.findIndex((block) => block.id === previousID);
      const wanted = all.filter((one) => one.previousID === previousID).map(({ data }) => data);
      return at >= 0 && holdsTexts(siblings.slice(at + 1, at + 1 + wanted.length), wanted.join("\n\n"));
    });
  },
  mayChange: insertBlock.mayChange,
};
