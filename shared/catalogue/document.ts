// The document tool: documents and their place in the tree.

import * as z from "zod/mini";
import { readLimits, sizeLimits } from "../limits.js";
import { additive, mutation, read, type ToolDeclaration } from "./declaration.js";
import { blockId, described, markdown, notebookId, page, pageSize, windowFields } from "./fields.js";

export const documentCreate = additive({
  tool: "document",
  name: "create",
  permission: "rw",
  summary: "Create a document from Markdown at a human path inside a notebook",
  signature: "create(notebook, path | parentPath+title)",
  input: () =>
    z.strictObject({
      notebook: notebookId(),
      path: described(z.optional(z.string()), "Human path, /Folder/Title"),
      parentPath: described(z.optional(z.string()), "Human path of the parent; / is the root"),
      title: described(z.optional(z.string()), "New title"),
      markdown: z.optional(markdown("Body")),
    }),
  examples: [
    { notebook: "20260812120000-abcdefg", path: "/Projects/Plan", markdown: "First line" },
    { notebook: "20260812120000-abcdefg", parentPath: "/Projects", title: "Plan", markdown: "" },
  ],
  guidance: [
    "Give path, or parentPath together with title. Missing parents are created as empty documents.",
    "A title that exists is refused, so that a repeated call cannot make a twin.",
  ],
});

export const documentCreateDailyNote = additive({
  tool: "document",
  name: "create_daily_note",
  permission: "rw",
  summary: "Make today's note of a notebook, or answer the one that is there",
  signature: "create_daily_note(notebook)",
  input: () =>
    z.strictObject({
      notebook: notebookId(),
      app: described(z.optional(z.string().check(z.maxLength(sizeLimits.maxTitleChars))), "Window to be told"),
    }),
  examples: [{ notebook: "20260812120000-abcdefg" }],
  positionals: ["notebook"],
  guidance: ["Path and template come from the notebook's settings (notebook get_conf)."],
});

const documentId = () => blockId("Document id");

const storagePath = () => described(z.optional(z.string()), "Storage path, /<id>/<id>.sy; / is the root");

const lookupFields = z.enum(["id", "ids", "path", "hpath", "docInfo"]);

export const documentLookup = read({
  tool: "document",
  name: "lookup",
  permission: "r",
  summary: "Resolve a document's id, storage path and human path from one of them",
  signature: "lookup(id | notebook+path | notebook+hpath)",
  input: () =>
    z.strictObject({
      id: z.optional(documentId()),
      notebook: z.optional(notebookId()),
      path: storagePath(),
      hpath: described(z.optional(z.string()), "Human path, /Folder/Title"),
      hPath: described(z.optional(z.string()), "Same as hpath"),
      include: described(z.optional(z.union([lookupFields, z.array(lookupFields)])), "Default all but docInfo"),
    }),
  examples: [
    { id: "20260812120000-abcdefg" },
    { notebook: "20260812120000-abcdefg", hpath: "/Projects/Plan", include: ["id", "path"] },
    { notebook: "20260812120000-abcdefg", path: "/20260812120000-abcdefg.sy", include: "docInfo" },
  ],
  positionals: ["id"],
  guidance: ["Several documents may have one human path: then ids lists them all and nothing else is resolved."],
});

export const documentGetChildBlocks = read({
  tool: "document",
  name: "get_child_blocks",
  permission: "r",
  summary: "List the top-level blocks of a document",
  signature: "get_child_blocks(id)",
  input: () => z.strictObject({ id: documentId(), page: page(), pageSize: pageSize() }),
  examples: [{ id: "20260812120000-abcdefg" }, { id: "20260812120000-abcdefg", page: 2, pageSize: 50 }],
  positionals: ["id"],
  guidance: ["Without page and pageSize all rows come at once."],
});

export const documentGetChildDocs = read({
  tool: "document",
  name: "get_child_docs",
  permission: "r",
  summary: "List the documents directly below a document",
  signature: "get_child_docs(id)",
  input: () => z.strictObject({ id: documentId(), page: page(), pageSize: pageSize() }),
  examples: [{ id: "20260812120000-abcdefg" }, { id: "20260812120000-abcdefg", page: 2, pageSize: 50 }],
  positionals: ["id"],
  guidance: ["Without page and pageSize all rows come at once."],
});

export const documentGetDoc = read({
  tool: "document",
  name: "get_doc",
  permission: "r",
  summary: "Read a document by id as Markdown, whole or as a window of whole blocks, or as editor HTML",
  signature: "get_doc(id)",
  input: () =>
    z.strictObject({
      id: documentId(),
      mode: described(z.optional(z.enum(["markdown", "html"])), "Default markdown"),
      size: described(z.optional(z.int().check(z.gte(1))), "With html: blocks, roughly"),
      ...windowFields(),
    }),
  examples: [
    { id: "20260812120000-abcdefg" },
    { id: "20260812120000-abcdefg", blockStart: 50, blockLimit: 50 },
    { id: "20260812120000-abcdefg", mode: "html", size: 64 },
  ],
  positionals: ["id"],
  guidance: [
    "When hasNextWindow is true, call again with the fields of nextWindow; a partial read proves nothing about absence.",
    "HTML is the editor's view: it always starts at the first block, and folded parts are not in it.",
  ],
});

export const documentListTree = read({
  tool: "document",
  name: "list_tree",
  permission: "r",
  summary: "List the documents below a notebook or document as a tree, by storage path",
  signature: "list_tree(notebook, path)",
  input: () =>
    z.strictObject({
      notebook: notebookId(),
      path: described(z.string(), "Storage path, /<id>/<id>.sy; / is the root"),
      maxDepth: described(
        z.optional(z.int().check(z.gte(0), z.lte(readLimits.maxTreeDepth))),
        `Levels, 0..${readLimits.maxTreeDepth}, default ${readLimits.defaultTreeDepth}`,
      ),
    }),
  examples: [
    { notebook: "20260812120000-abcdefg", path: "/" },
    { notebook: "20260812120000-abcdefg", path: "/20260812120000-abcdefg.sy", maxDepth: 1 },
  ],
  positionals: ["notebook", "path"],
  guidance: [
    "A node that was not opened has the number of its children; partial means that errors name subtrees that could not be read.",
  ],
});

export const documentSearchDocs = read({
  tool: "document",
  name: "search_docs",
  permission: "r",
  summary: "Find documents of a notebook by title",
  signature: "search_docs(notebook, query)",
  input: () =>
    z.strictObject({
      notebook: notebookId(),
      query: described(z.string().check(z.minLength(1)), "Words of the path, name, alias or memo"),
      path: storagePath(),
    }),
  examples: [
    { notebook: "20260812120000-abcdefg", query: "plan" },
    { notebook: "20260812120000-abcdefg", query: "plan", path: "/20260812120000-abcdefg.sy" },
  ],
  positionals: ["notebook", "query"],
  guidance: [
    "SiYuan's title index follows about three seconds late: a new or renamed document may be missing. For certainty list the tree.",
    "partial means that SiYuan's row limit was reached, over all notebooks: use a narrower query.",
  ],
});

export const documentRename = mutation("state", {
  tool: "document",
  name: "rename",
  permission: "rw",
  summary: "Give a document another title",
  signature: "rename(title, id | notebook+path)",
  input: () =>
    z.strictObject({
      id: z.optional(documentId()),
      notebook: z.optional(notebookId()),
      path: storagePath(),
      title: described(z.string().check(z.minLength(1)), "New title"),
    }),
  examples: [
    { id: "20260812120000-abcdefg", title: "New title" },
    { notebook: "20260812120000-abcdefg", path: "/20260812120000-abcdefg.sy", title: "New title" },
  ],
  guidance: ["References that follow the title change within seconds; those with a fixed text keep it."],
});

export const documentSetAttr = mutation("state", {
  tool: "document",
  name: "set_attr",
  permission: "rw",
  summary: "Set or clear a document's icon and cover",
  signature: "set_attr(id, attrs)",
  input: () =>
    z.strictObject({
      id: documentId(),
      attrs: described(
        z
          .strictObject({
            icon: z.optional(z.nullable(z.string().check(z.maxLength(sizeLimits.maxTitleChars)))),
            cover: z.optional(z.nullable(z.string().check(z.maxLength(sizeLimits.maxSettingChars)))),
          })
          .check(z.refine((attrs) => attrs.icon !== undefined || attrs.cover !== undefined, "icon or cover is needed")),
        "icon: emoji or its hex; cover: image path, URL or CSS background; null clears",
      ),
    }),
  examples: [
    { id: "20260812120000-abcdefg", attrs: { icon: "1f4d4" } },
    { id: "20260812120000-abcdefg", attrs: { icon: null, cover: "assets/cover.png" } },
  ],
});

export const documentRemove = mutation("state", {
  tool: "document",
  name: "remove",
  permission: "rwd",
  confirm: true,
  enabled: false,
  summary: "Delete documents with everything below them",
  signature: "remove(id | ids[] | notebook+path | paths[])",
  input: () =>
    z.strictObject({
      id: z.optional(documentId()),
      ids: described(
        z.optional(z.array(documentId()).check(z.minLength(1), z.maxLength(sizeLimits.maxRemovedDocuments))),
        "Document ids",
      ),
      notebook: z.optional(notebookId()),
      path: storagePath(),
      paths: described(
        z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(sizeLimits.maxRemovedDocuments))),
        "Storage paths; notebook is optional",
      ),
    }),
  examples: [
    { id: "20260812120000-abcdefg" },
    { ids: ["20260812120000-abcdefg", "20260812120000-hijklmn"] },
    { notebook: "20260812120000-abcdefg", path: "/20260812120000-abcdefg.sy" },
  ],
  guidance: [
    "Sub-documents go with them; the preflight counts and names them. References elsewhere keep their text and point to nothing.",
    "Several documents go in one step: when one of them is missing, none goes.",
  ],
});

export const documentDuplicate = mutation("state", {
  tool: "document",
  name: "duplicate",
  permission: "rw",
  summary: "Copy a document, without its sub-documents, right behind it",
  signature: "duplicate(id)",
  input: () => z.strictObject({ id: documentId() }),
  examples: [{ id: "20260812120000-abcdefg" }],
  positionals: ["id"],
  guidance: [
    "SiYuan names the copy. All its blocks have new ids; references inside the document point into the copy.",
    "Flashcards and database rows stay with the original; a database is shown in both.",
  ],
});

export const documentHeadingToDoc = mutation("structure", {
  tool: "document",
  name: "heading_to_doc",
  permission: "rw",
  summary: "Make a document of a heading and its section, with the heading's id",
  signature: "heading_to_doc(headingID, targetNotebook)",
  input: () =>
    z.strictObject({
      headingID: blockId("Heading"),
      targetNotebook: notebookId(),
      targetPath: described(z.optional(z.string()), "Storage path of the parent; default /"),
      previousPath: described(z.optional(z.string()), "Storage path to stand behind"),
    }),
  examples: [
    { headingID: "20260812120000-abcdefg", targetNotebook: "20260812120000-hijklmn" },
    {
      headingID: "20260812120000-abcdefg",
      targetNotebook: "20260812120000-hijklmn",
      targetPath: "/20260812120000-opqrstu.sy",
    },
  ],
  guidance: [
    "References to the heading point to the document. Its attributes come along; its marks become plain text.",
    "Headings of the section rise so that the highest is on level two.",
  ],
});

export const documentDocToHeading = mutation("structure", {
  tool: "document",
  name: "doc_to_heading",
  permission: "rw",
  summary: "Make a heading with the document's id and content beside a block of another document",
  signature: "doc_to_heading(srcID, targetID)",
  input: () =>
    z.strictObject({
      srcID: blockId("Document"),
      targetID: blockId("Block of another document"),
      after: described(z.optional(z.boolean()), "Default true"),
    }),
  examples: [
    { srcID: "20260812120000-abcdefg", targetID: "20260812120000-hijklmn" },
    { srcID: "20260812120000-abcdefg", targetID: "20260812120000-hijklmn", after: false },
  ],
  guidance: [
    "A document with sub-documents is refused. Beside a heading the new one has its level and stands behind its section.",
    "Tags of the document become a paragraph; its other attributes stay with the heading.",
  ],
});

export const documentMove = mutation("structure", {
  tool: "document",
  name: "move",
  permission: "rw",
  confirm: true,
  summary: "Move documents, each with everything below it, to another parent",
  signature: "move(fromIDs, toID | fromPaths, toNotebook, toPath)",
  input: () =>
    z.union([
      z.strictObject({
        fromIDs: described(
          z.array(documentId()).check(z.minLength(1), z.maxLength(sizeLimits.maxMovedItems)),
          "Documents, in final order",
        ),
        toID: blockId("New parent: document or notebook"),
      }),
      z.strictObject({
        fromPaths: described(
          z.array(z.string()).check(z.minLength(1), z.maxLength(sizeLimits.maxMovedItems)),
          "Storage paths",
        ),
        toNotebook: notebookId(),
        toPath: described(z.string(), "Storage path of the new parent; / is the root"),
      }),
    ]),
  examples: [
    { fromIDs: ["20260812120000-abcdefg"], toID: "20260812120000-hijklmn" },
    { fromPaths: ["/20260812120000-abcdefg.sy"], toNotebook: "20260812120000-opqrstu", toPath: "/" },
  ],
  guidance: [
    "References stay, they go by id. Human and storage paths change, of everything below too.",
    "In a folder in manual order the documents stand as given; elsewhere its sort mode decides.",
  ],
});

export const documentReorder = mutation("structure", {
  tool: "document",
  name: "reorder",
  permission: "rw",
  summary: "Put all documents of a notebook root or below a document into a manual order",
  signature: "reorder(parentID, orderedIDs)",
  input: () =>
    z.strictObject({
      parentID: blockId("Notebook or document"),
      orderedIDs: described(
        z.array(documentId()).check(z.minLength(1), z.maxLength(sizeLimits.maxOrderedDocuments)),
        "All documents directly below",
      ),
    }),
  examples: [{ parentID: "20260812120000-abcdefg", orderedIDs: ["20260812120000-hijklmn", "20260812120000-opqrstu"] }],
  guidance: [
    "List the folder first (get_child_docs, or notebook get_child_docs) and give all its ids.",
    "A notebook in another order changes to the manual one as a whole; the answer then has sortModeChanged.",
  ],
});

export const documentTool = {
  name: "document",
  title: "Documents",
  description: "Documents by id. Human paths here have no notebook name. To browse or read, prefer fs.",
  actions: [
    documentCreate,
    documentCreateDailyNote,
    documentLookup,
    documentRename,
    documentRemove,
    documentDuplicate,
    documentHeadingToDoc,
    documentDocToHeading,
    documentGetChildBlocks,
    documentGetChildDocs,
    documentSetAttr,
    documentListTree,
    documentSearchDocs,
    documentGetDoc,
    documentMove,
    documentReorder,
  ],
} as const satisfies ToolDeclaration;
