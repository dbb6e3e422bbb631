// The block tool: single blocks inside documents.
// One file per tool, and this tool has the most actions.

import * as z from "zod/mini";
import { readLimits, sizeLimits } from "../limits.js";
import { additive, mutation, read, type ToolDeclaration } from "./declaration.js";
import { blockId, blockIds, dataType, described, edit, markdown, notebookId, page, pageSize } from "./fields.js";

// One text per field for all actions: the merged list of a tool repeats every other one with the names of its actions.
const target = () => blockId("Block; for most actions also a document");
const container = () => blockId("Document, list item, quote, callout or super block");
const content = () => markdown("Content");

export const blockAppend = additive({
  tool: "block",
  name: "append",
  permission: "rw",
  summary: "Add content as the last children of a document or container block",
  signature: "append(dataType, data, parentID)",
  input: () =>
    z.strictObject({
      dataType: dataType(),
      data: content(),
      parentID: container(),
    }),
  examples: [{ parentID: "20260812120000-abcdefg", dataType: "markdown", data: "One more paragraph" }],
});

const anchors = () => ({
  nextID: z.optional(blockId("Before this block")),
  previousID: z.optional(blockId("Behind this block")),
  parentID: z.optional(container()),
});

const insertItem = () => ({ dataType: dataType(), data: content(), ...anchors() });

export const blockInsert = additive({
  tool: "block",
  name: "insert",
  permission: "rw",
  summary: "Insert content before or behind a block, or at the start of a container; many places in one call",
  signature: "insert(dataType, data, nextID | previousID | parentID | blocks[])",
  input: () =>
    z.union([
      z.strictObject(insertItem()),
      z.strictObject({
        blocks: described(
          z.array(z.strictObject(insertItem())).check(z.minLength(1), z.maxLength(sizeLimits.maxBatchItems)),
          "Several insertions {dataType, data, anchor}; an anchor beside blocks is their default",
        ),
        ...anchors(),
      }),
    ]),
  examples: [
    { dataType: "markdown", data: "Right behind", previousID: "20260812120000-abcdefg" },
    {
      nextID: "20260812120000-abcdefg",
      blocks: [
        { dataType: "markdown", data: "First" },
        { dataType: "markdown", data: "Second" },
      ],
    },
  ],
  guidance: [
    "Each block has exactly one anchor. Blocks with the same anchor stand in the order of the list.",
    "Beside a list item only a list of one item can stand, with the marker of that list.",
  ],
});

export const blockPrepend = additive({
  tool: "block",
  name: "prepend",
  permission: "rw",
  summary: "Add content as the first children of a document or container block",
  signature: "prepend(dataType, data, parentID)",
  input: () =>
    z.strictObject({
      dataType: dataType(),
      data: content(),
      parentID: container(),
    }),
  examples: [{ parentID: "20260812120000-abcdefg", dataType: "markdown", data: "A first paragraph" }],
});

export const blockAddToDailyNote = additive({
  tool: "block",
  name: "add_to_daily_note",
  permission: "rw",
  summary: "Add content to today's note of a notebook, which is made if it is not there",
  signature: "add_to_daily_note(notebook, dataType, data, position)",
  input: () =>
    z.strictObject({
      notebook: notebookId(),
      dataType: dataType(),
      data: content(),
      position: described(z.enum(["append", "prepend"]), "End of the note"),
    }),
  examples: [
    { notebook: "20260812120000-abcdefg", dataType: "markdown", data: "Called the office", position: "append" },
  ],
  guidance: ["Path and template come from the notebook's settings (notebook get_conf)."],
});

const updateItem = () => ({
  id: target(),
  dataType: dataType(),
  data: markdown("Content of exactly one block"),
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
          "Several updates {id, dataType, data}, executed as one",
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

export const blockReplace = mutation("state", {
  tool: "block",
  name: "replace",
  permission: "rw",
  summary: "Replace exact passages inside one block's Markdown; everything else of it stays",
  signature: "replace(id, edit)",
  input: () => z.strictObject({ id: target(), edit: edit() }),
  examples: [
    { id: "20260812120000-abcdefg", edit: { old: "teh", new: "the" } },
    {
      id: "20260812120000-abcdefg",
      edit: [
        { old: "draft", new: "final", replace_all: true },
        { old: "see below", new: "**see below**" },
      ],
    },
  ],
  guidance: [
    "old is text as block get_kramdown prints it, without the attribute lines {: … }. No match, or several without replace_all, are refused with their number.",
    "References, tags, marks and attributes outside of old stay as they are.",
  ],
});

export const blockTransferReferences = mutation("manifest", {
  tool: "block",
  name: "transfer_references",
  permission: "rw",
  summary: "Let references to one block or document point to another one",
  signature: "transfer_references(fromID, toID, refIDs?)",
  input: () =>
    z.strictObject({
      fromID: blockId("Old target"),
      toID: blockId("New target"),
      refIDs: described(
        z.optional(z.array(blockId("Holder")).check(z.minLength(1))),
        "Only in these blocks; default all",
      ),
    }),
  examples: [
    { fromID: "20260812120000-abcdefg", toID: "20260812120000-bcdefgh" },
    {
      fromID: "20260812120000-abcdefg",
      toID: "20260812120000-bcdefgh",
      refIDs: ["20260812120000-cdefghi"],
    },
  ],
  guidance: [
    "Needs rw on the notebooks of both ends and of every block that refers. What was written a moment ago is found too.",
    "A reference with a text of its own keeps it; one that follows its target shows the new target's text.",
  ],
});

export const blockDelete = mutation("state", {
  tool: "block",
  name: "delete",
  permission: "rwd",
  confirm: true,
  enabled: false,
  summary: "Delete one block with everything inside it",
  signature: "delete(id)",
  input: () => z.strictObject({ id: target() }),
  examples: [{ id: "20260812120000-abcdefg" }],
  positionals: ["id"],
  guidance: [
    "A heading goes alone, its section stays. A list, quote or super block goes with its last child; the answer names it.",
  ],
});

export const blockMove = mutation("structure", {
  tool: "block",
  name: "move",
  permission: "rw",
  confirm: true,
  summary: "Move one block or several, in the given order, behind a block or to the start of a container",
  signature: "move(id | ids, previousID | parentID)",
  input: () => {
    const place = {
      previousID: z.optional(blockId("Behind this block")),
      parentID: z.optional(container()),
    };
    return z.union([
      z.strictObject({ id: target(), ...place }),
      z.strictObject({ ids: blockIds(sizeLimits.maxMovedItems), ...place }),
    ]);
  },
  examples: [
    { id: "20260812120000-abcdefg", previousID: "20260812120000-hijklmn" },
    { ids: ["20260812120000-abcdefg", "20260812120000-opqrstu"], parentID: "20260812120000-hijklmn" },
  ],
  guidance: [
    "A heading goes alone; folded, it takes its section along. List items stay in lists, other blocks stay out of them.",
    "Containers that lose their last block vanish; the answer names them.",
  ],
});

export const blockSetAttrs = mutation("state", {
  tool: "block",
  name: "set_attrs",
  permission: "rw",
  summary: "Set or remove attributes of a block or document; the others stay",
  signature: "set_attrs(id, attrs)",
  input: () =>
    z.strictObject({
      id: target(),
      attrs: described(
        z.record(z.string(), z.nullable(z.string())),
        'Name to value: name, alias, memo, bookmark, style, icon, custom-*; null or "" removes',
      ),
    }),
  examples: [{ id: "20260812120000-abcdefg", attrs: { memo: "Check this", "custom-status": "open", alias: null } }],
  guidance: [
    "Custom names are custom- and a lower-case letter, then lower-case letters, digits and hyphens.",
    "An icon is Unicode hex such as 1f4d4. A title is changed by renaming the document.",
  ],
});

export const blockSetFoldState = mutation("state", {
  tool: "block",
  name: "set_fold_state",
  permission: "rw",
  summary: "Fold or open a block; of a heading, the section below it",
  signature: "set_fold_state(id, folded)",
  input: () => z.strictObject({ id: target(), folded: described(z.boolean(), "false opens") }),
  examples: [{ id: "20260812120000-abcdefg", folded: true }],
  positionals: ["id"],
  guidance: [
    "Opening a heading that lies in a folded section opens that section too; other blocks there are refused.",
    "Folding changes what the editor shows, nothing that is read or exported.",
  ],
});

export const blockGetKramdown = read({
  tool: "block",
  name: "get_kramdown",
  permission: "r",
  summary: "Read the source of one block with its ids and attributes",
  signature: "get_kramdown(id)",
  input: () => z.strictObject({ id: target() }),
  examples: [{ id: "20260812120000-abcdefg" }],
  positionals: ["id"],
});

export const blockGetChildren = read({
  tool: "block",
  name: "get_children",
  permission: "r",
  summary: "List the direct children of a document or container block",
  signature: "get_children(id)",
  input: () => z.strictObject({ id: target(), page: page(), pageSize: pageSize() }),
  examples: [{ id: "20260812120000-abcdefg", page: 1, pageSize: 50 }],
  positionals: ["id"],
});

export const blockBatchKramdown = read({
  tool: "block",
  name: "batch_kramdown",
  permission: "r",
  summary: "Read the source of up to 20 blocks; an id that cannot be read gets an error of its own",
  signature: "batch_kramdown(ids)",
  input: () =>
    z.strictObject({
      ids: blockIds(readLimits.maxBatchReadBlocks),
      mode: described(z.optional(z.enum(["md", "textmark"])), "textmark keeps every inline mark"),
    }),
  examples: [{ ids: ["20260812120000-abcdefg", "20260812120000-hijklmn"] }],
});

export const blockGetAttrs = read({
  tool: "block",
  name: "get_attrs",
  permission: "r",
  summary: "Read the attributes of a block or document: name, alias, memo, bookmark, style, icon, custom-*",
  signature: "get_attrs(id)",
  input: () => z.strictObject({ id: target() }),
  examples: [{ id: "20260812120000-abcdefg" }],
  positionals: ["id"],
});

export const blockInfo = read({
  tool: "block",
  name: "info",
  permission: "r",
  summary: "Tell a block's type, neighbours, document and notebook",
  signature: "info(id)",
  input: () => z.strictObject({ id: target() }),
  examples: [{ id: "20260812120000-abcdefg" }],
  positionals: ["id"],
});

export const blockBreadcrumb = read({
  tool: "block",
  name: "breadcrumb",
  permission: "r",
  summary: "Tell the way from the document through its headings down to a block",
  signature: "breadcrumb(id)",
  input: () =>
    z.strictObject({
      id: target(),
      excludeTypes: described(z.optional(z.array(z.string())), "Inline types left out of the names"),
    }),
  examples: [{ id: "20260812120000-abcdefg" }],
  positionals: ["id"],
});

export const blockDom = read({
  tool: "block",
  name: "dom",
  permission: "r",
  summary:
    "Read a block, or all blocks of a document, as SiYuan's own DOM: the exact form, for updates with dataType dom",
  signature: "dom(id)",
  input: () => z.strictObject({ id: target() }),
  examples: [{ id: "20260812120000-abcdefg" }],
  positionals: ["id"],
});

/** One id, or several, never both. */
const oneOrSeveral = <Shape extends z.core.$ZodLooseShape>(more: Shape) =>
  z.union([
    z.strictObject({ id: target(), ...more }),
    z.strictObject({ ids: blockIds(readLimits.maxBatchReadBlocks), ...more }),
  ]);

export const blockDocsInfo = read({
  tool: "block",
  name: "docs_info",
  permission: "r",
  summary: "Tell title, attributes, number of subdocuments and references of the documents of these blocks",
  signature: "docs_info(id | ids)",
  input: () =>
    oneOrSeveral({
      refCount: described(z.optional(z.boolean()), "Count references too"),
      av: described(z.optional(z.boolean()), "List its databases too"),
    }),
  examples: [{ id: "20260812120000-abcdefg" }, { ids: ["20260812120000-abcdefg"], refCount: true, av: true }],
});

export const blockWordCount = read({
  tool: "block",
  name: "word_count",
  permission: "r",
  summary: "Count characters, words, links, images and references of blocks or documents together",
  signature: "word_count(ids)",
  input: () => oneOrSeveral({}),
  examples: [{ ids: ["20260812120000-abcdefg"] }],
  guidance: ["A block inside another one of the list counts twice."],
});

export const blockRecentUpdated = read({
  tool: "block",
  name: "recent_updated",
  permission: "workspace",
  summary: "List the paragraphs that changed last, newest first; SiYuan's index is up to three seconds behind",
  signature: "recent_updated()",
  input: () =>
    z.strictObject({
      count: described(
        z.optional(z.int().check(z.gte(1), z.lte(readLimits.maxRecentBlocks))),
        `Rows at most, 1..${readLimits.maxRecentBlocks}`,
      ),
    }),
  examples: [{}, { count: 5 }],
});

export const blockTool = {
  name: "block",
  title: "Blocks",
  description:
    "Single blocks by id, for exact edits inside a document. Read the block and its neighbours first; a heading's section are its following siblings, not its children.",
  actions: [
    blockInsert,
    blockPrepend,
    blockAppend,
    blockAddToDailyNote,
    blockUpdate,
    blockReplace,
    blockTransferReferences,
    blockDelete,
    blockMove,
    blockSetAttrs,
    blockSetFoldState,
    blockGetKramdown,
    blockBatchKramdown,
    blockGetChildren,
    blockGetAttrs,
    blockInfo,
    blockBreadcrumb,
    blockDom,
    blockDocsInfo,
    blockWordCount,
    blockRecentUpdated,
  ],
} as const satisfies ToolDeclaration;
