// SiYuan's raw transactions: code 0 whatever happens, and all operations of one or none. Moves and updates are known here.

import type { JsonObject } from "../../../shared/wire/json.js";
import { kept, putInPlace, removeEmptied } from "./block-writes.js";
import { parseDoms } from "./dom.js";
import { type Block, blocksIn, type Notes } from "./notes.js";
import { objects, type WriteRoute } from "./route.js";

interface Move {
  readonly id: string;
  readonly previousID: string;
  readonly parentID: string;
}

function moveOf({ id, previousID, parentID }: JsonObject): Move {
  return { id: String(id), previousID: String(previousID ?? ""), parentID: String(parentID ?? "") };
}

function canMove(notes: Notes, { id, previousID, parentID }: Move, moved: ReadonlySet<string>): boolean {
  const place = notes.find(id);
  const target = notes.find(previousID || parentID);
  if (!place?.parent || !target || (previousID !== "" && !target.parent && !moved.has(previousID))) return false;
  return !blocksIn(place.block).some((block) => block.id === target.block.id);
}

function move(notes: Notes, { id, previousID, parentID }: Move): Block | undefined {
  const place = notes.find(id);
  const source = place?.parent;
  if (!place || !source) return undefined;
  source.children = source.children.filter((child) => child.id !== id);
  const target = notes.find(previousID || parentID);
  const parent = previousID === "" ? target?.block : target?.parent;
  if (!target || !parent) return undefined;
  const at = previousID === "" ? 0 : parent.children.findIndex((child) => child.id === previousID) + 1;
  parent.children.splice(at, 0, place.block);
  notes.changed(place.note);
  notes.changed(target.note);
  return source;
}

export const transactionWrites: Readonly<Record<string, WriteRoute>> = {
  "/api/transactions": (_notes, body) => {
    const operations = objects(body, "transactions").flatMap((transaction) => objects(transaction, "doOperations"));
    const moves = operations.filter(({ action }) => action === "move").map(moveOf);
    const updated = operations
      .filter(({ action }) => action === "update")
      .flatMap(({ data }) => parseDoms(String(data)));
    return {
      data: null,
      apply: (now, loss) => {
        const moved = new Set(moves.map(({ id }) => id));
        if (loss === "nothing" || !moves.every((one) => canMove(now, one, moved))) return;
        if (!updated.every(({ id }) => now.find(id)?.parent)) return;
        const sources = moves.map((one) => move(now, one));
        for (const source of sources) if (source && source.children.length === 0) removeEmptied(now, source.id);
        for (const block of kept(updated, loss)) putInPlace(now, block);
      },
    };
  },
};
