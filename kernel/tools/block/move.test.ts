// Evidence of a lost move between two documents: SiYuan may have stopped when both held the block.

import { expect, it } from "vitest";
import type { SiyuanReader } from "../../api/reader.js";
import type { LostCall, ReadTools } from "../../safety/contract.js";
import { moveBlock } from "./move.js";

const notebook = "20260101000000-noteboo";
const [from, to] = ["20260101000000-fromfro", "20260101000000-totooto"];
const [block, anchor, other] = ["20260101000000-aaaaaaa", "20260101000000-bbbbbbb", "20260101000000-ccccccc"];

const domOf = (ids: readonly string[]) =>
  ids.map((id) => `<div data-node-id="${id}" data-type="NodeParagraph"><div>${id}</div></div>`).join("");

/** Two documents with these blocks. */
function readerOf(blocks: Readonly<Record<string, readonly string[]>>): SiyuanReader {
  const documentOf = (id: string) => Object.keys(blocks).find((document) => blocks[document]?.includes(id)) ?? id;
  return {
    location: async (id: string) => ({ notebook, path: `/${documentOf(id)}.sy` }),
    treeInfos: async (ids: readonly string[]) =>
      new Map(ids.map((id) => [id, { type: "NodeParagraph", parentID: documentOf(id), previousID: "", nextID: "" }])),
    notebooks: async () => [{ id: notebook, closed: false }],
    blockDom: async (id: string) => domOf(blocks[id] ?? []),
  } as unknown as SiyuanReader;
}

async function isProven(blocks: Readonly<Record<string, readonly string[]>>): Promise<boolean> {
  const lost: LostCall = {
    targetIds: [anchor, block],
    notebooks: [notebook],
    documents: [from, to],
    reservedIds: [],
    stages: ["move"],
    mayStillRun: false,
  };
  const input = { id: block, previousID: anchor };
  const tools = { reader: readerOf(blocks) } as unknown as ReadTools;
  return (await moveBlock.reconcile?.(input as never, lost, tools))?.done ?? false;
}

it("is proven where the block stands in its place and in no other document", async () => {
  expect(await isProven({ [to]: [anchor, block], [from]: [other] })).toBe(true);
  expect(await isProven({ [to]: [anchor, block], [from]: [] })).toBe(true);
});

it("is not proven while the old document holds the block too, or the place is another one", async () => {
  expect(await isProven({ [to]: [anchor, block], [from]: [other, block] })).toBe(false);
  expect(await isProven({ [to]: [anchor, other, block], [from]: [] })).toBe(false);
  expect(await isProven({ [to]: [anchor], [from]: [block] })).toBe(false);
});
