// The block tool: single blocks inside documents.

import * as z from "zod/mini";
import { sizeLimits } from "../limits.js";
import { additive, mutation, read, type ToolDeclaration } from "./declaration.js";
import { blockId, dataType, described, markdown, page, pageSize } from "./fields.js";

export const blockAppend = additive({
  tool: "block",
  name: "append",
  permission: "rw",
  summary: "Add content as the last children of a document or container block",
  signature: "append(dataType, data, parentID)",
  input: () =>
    z.strictObject({
      dataType: dataType(),
      data: markdown("Content, one block or several"),
      parentID: blockId("Document or container block (list item, quote, callout, super block)"),
    }),
  examples: [{ parentID: "20260812120000-abcdefg", dataType: "markdown", data: "One more paragraph" }],
});

const updateItem = () => ({
  id: blockId("Block to replace"),
  dataType: dataType(),
  data: markdown("The whole new content of the block: exactly one block"),
});

export const blockUpdate = mutation("state", {
  tool: "block",
  name: "update",
  permission: "rw",
  summary: "Replace the content of one block, or of many in one call; attributes stay",
  signature: "update(id, dataType, data | items[])",
  input: () =>
    z.union([
      z.strictObject(updateItem()),
      z.strictObject({
        items: described(
          z.array(z.strictObject(updateItem())).check(z.minLength(1), z.maxLength(sizeLimits.maxBatchItems)),
          "Several updates, executed as one",
        ),
      }),
    ]),
  examples: [
    { id: "20260812120000-abcdefg", dataType: "markdown", data: "New content" },
    { items: [{ id: "20260812120000-abcdefg", dataType: "markdown", data: "New content" }] },
  ],
  guidance: [
    "One block stays one block: content that needs several is refused. Use block append for the rest.",
    "Name, alias, memo, bookmark, style and custom attributes are kept.",
    "References are written ((id \"fixed text\")) or ((id 'text that follows the target')).",
  ],
});

export const blockGetKramdown = read({
  tool: "block",
  name: "get_kramdown",
  permission: "r",
  summary: "Read the source of one block with its ids and attributes",
  signature: "get_kramdown(id)",
  input: () => z.strictObject({ id: blockId("Block") }),
  examples: [{ id: "20260812120000-abcdefg" }],
  positionals: ["id"],
});

export const blockGetChildren = read({
  tool: "block",
  name: "get_children",
  permission: "r",
  summary: "List the direct children of a document or container block",
  signature: "get_children(id)",
  input: () => z.strictObject({ id: blockId("Document or container block"), page: page(), pageSize: pageSize() }),
  examples: [{ id: "20260812120000-abcdefg", page: 1, pageSize: 50 }],
  positionals: ["id"],
});

export const blockTool = {
  name: "block",
  title: "Blocks",
  description:
    "Single blocks by id, for exact edits inside a document. Read the block and its neighbours first; a heading's section are its following siblings, not its children.",
  actions: [blockAppend, blockUpdate, blockGetKramdown, blockGetChildren],
} as const satisfies ToolDeclaration;
