// The fs tool: notes as files under human-readable workspace paths.

import * as z from "zod/mini";
import { SisyphusError } from "../errors.js";
import { readLimits, sizeLimits } from "../limits.js";
import type { Json, JsonObject } from "../wire/json.js";
import { additive, mutation, read, type ToolDeclaration } from "./declaration.js";
import { described, edit, markdown, page, pageSize, windowFields, workspacePath } from "./fields.js";

export const fsLs = read({
  tool: "fs",
  name: "ls",
  permission: "r",
  summary: "List the notebooks (/), or the documents directly under a path",
  signature: "ls(path)",
  input: () => z.strictObject({ path: workspacePath("/ or /Notebook/Folder/Document") }),
  examples: [{ path: "/" }, { path: "/Work/Projects" }],
  positionals: ["path"],
});

export const fsRead = read({
  tool: "fs",
  name: "read",
  permission: "r",
  summary: "Read a document as Markdown, whole or as a window of whole blocks",
  signature: "read(path)",
  input: () => z.strictObject({ path: workspacePath("/Notebook/Folder/Document"), ...windowFields() }),
  examples: [{ path: "/Work/Plan" }, { path: "/Work/Plan", blockStart: 50, blockLimit: 50, includeBlockIds: true }],
  positionals: ["path"],
  guidance: [
    "When hasNextWindow is true, call again with the fields of nextWindow; a partial read proves nothing about absence.",
  ],
});

export const fsTree = read({
  tool: "fs",
  name: "tree",
  permission: "r",
  summary: "List what lies under a path, level by level",
  signature: "tree(path, maxDepth?)",
  input: () =>
    z.strictObject({
      path: workspacePath("/ or /Notebook/Folder/Document"),
      maxDepth: described(
        z.optional(z.int().check(z.gte(0), z.lte(readLimits.maxTreeDepth))),
        `Levels below the direct children, 0..${readLimits.maxTreeDepth}, default ${readLimits.defaultTreeDepth}`,
      ),
    }),
  examples: [{ path: "/" }, { path: "/Work", maxDepth: 1 }],
  positionals: ["path"],
  guidance: ["Where children is a number, the tree was cut there: that many documents follow."],
});

export const fsWrite = additive({
  tool: "fs",
  name: "write",
  permission: "rw",
  summary: "Create a document from Markdown, or with overwrite replace the whole body of one",
  signature: "write(path, markdown, overwrite?)",
  variant: { field: "overwrite", class: { kind: "mutation", precondition: "state" } },
  input: () =>
    z.strictObject({
      path: workspacePath("/Notebook/Folder/Title of the document"),
      markdown: markdown("Body; a first heading equal to the title is left out"),
      overwrite: described(z.optional(z.boolean()), "true: replace the whole body of the document at path"),
    }),
  examples: [
    { path: "/Work/Plan", markdown: "First line" },
    { path: "/Work/Plan", markdown: "Another body", overwrite: true },
  ],
  positionals: ["path", "markdown"],
  guidance: [
    "Without overwrite a path that exists is refused, and missing parents are created as empty documents.",
    "overwrite keeps the document with its title, icon, attributes and sub-documents, and makes every block of its body anew. It is refused where that would lose something: databases, embeds, super blocks, HTML, widgets and media; blocks with a name, alias, memo, bookmark, style or custom attribute; blocks that others refer to.",
  ],
});

/** One edit beside the path instead of inside `edit`. */
function nestedEdit(business: JsonObject): JsonObject {
  const { old, new: instead, replace_all: all, replaceAll, ...rest } = business;
  const flat = { old, new: instead, replace_all: all ?? replaceAll };
  const given = Object.keys(flat).filter((name) => flat[name as keyof typeof flat] !== undefined);
  if (given.length === 0) return business;
  if (rest.edit !== undefined) {
    throw new SisyphusError("invalid_arguments", "fs.replace: give edit, or old and new beside path, not both", {
      fields: [{ path: "edit", message: "given together with old or new" }],
    });
  }
  const edit: Record<string, Json> = {};
  for (const name of given) edit[name] = flat[name as keyof typeof flat] as Json;
  return { ...rest, edit };
}

export const fsReplace = mutation("manifest", {
  tool: "fs",
  name: "replace",
  permission: "rw",
  summary: "Replace exact passages in a document's plain blocks; everything else of it stays",
  signature: "replace(path, edit)",
  input: () => z.strictObject({ path: workspacePath("/Notebook/Folder/Document"), edit: edit() }),
  spelled: nestedEdit,
  examples: [
    { path: "/Work/Plan", edit: { old: "teh", new: "the" } },
    {
      path: "/Work/Plan",
      edit: [
        { old: "draft", new: "final", replace_all: true },
        { old: "see below", new: "**see below**" },
      ],
    },
  ],
  positionals: ["path"],
  guidance: [
    "old is text as fs read shows it, within one block. No match, or several without replace_all, are refused with their number.",
    "Databases, embeds, super blocks, HTML, widgets and media are left out; those that hold the text are listed as skippedComplexBlocks.",
    "References, tags, marks and attributes outside of old stay as they are.",
  ],
});

export const fsRm = mutation("state", {
  tool: "fs",
  name: "rm",
  permission: "rwd",
  confirm: true,
  summary: "Delete a document with everything below it",
  signature: "rm(path)",
  input: () => z.strictObject({ path: workspacePath("/Notebook/Folder/Document") }),
  examples: [{ path: "/Work/Old plan" }],
  positionals: ["path"],
});

export const fsSearch = read({
  tool: "fs",
  name: "search",
  permission: "r",
  summary: "Find lines of Markdown under a path",
  signature: "search(path, query)",
  input: () =>
    z.strictObject({
      path: workspacePath("/ or /Notebook/Folder/Document"),
      query: described(
        z.string().check(z.minLength(1), z.maxLength(sizeLimits.maxSearchPatternChars)),
        "Text, or with regex a regular expression, looked for in each line",
      ),
      regex: described(
        z.optional(z.boolean()),
        "query is a regular expression without look-around and back-references",
      ),
      caseSensitive: described(z.optional(z.boolean()), "Tell upper case from lower case; default false"),
      page: page(),
      pageSize: pageSize(),
    }),
  examples: [
    { path: "/", query: "deadline" },
    { path: "/Work", query: "^# .*plan", regex: true, caseSensitive: true, page: 1, pageSize: 20 },
  ],
  positionals: ["path", "query"],
  guidance: ["line counts from 1 in the Markdown that fs read gives of the document."],
});

export const fsMv = mutation("structure", {
  tool: "fs",
  name: "mv",
  permission: "rw",
  confirm: true,
  summary: "Move a document with everything below it to another path, rename it, or both",
  signature: "mv(from, to)",
  input: () =>
    z.strictObject({
      from: workspacePath("/Notebook/Folder/Document"),
      to: workspacePath("Its whole new path, title last"),
    }),
  examples: [{ from: "/Work/Plan", to: "/Archive/2026/Plan" }],
  positionals: ["from", "to"],
  guidance: ["The new parent must exist and the new path must be free. References stay, they go by id."],
});

export const fsReorder = mutation("structure", {
  tool: "fs",
  name: "reorder",
  permission: "rw",
  summary: "Put all documents directly under a path into a manual order",
  signature: "reorder(path, orderedPaths)",
  input: () =>
    z.strictObject({
      path: workspacePath("/Notebook or /Notebook/Folder/Document"),
      orderedPaths: described(
        z.array(z.string().check(z.minLength(1))).check(z.minLength(1), z.maxLength(sizeLimits.maxOrderedDocuments)),
        "Path of every document directly under it, each once",
      ),
    }),
  examples: [{ path: "/Work", orderedPaths: ["/Work/Plan", "/Work/Notes"] }],
  positionals: ["path"],
  guidance: [
    "Take the paths from fs ls. Documents with the same title can only be ordered by id, with document reorder.",
    "A notebook in another order changes to the manual one as a whole; the answer then has sortModeChanged.",
  ],
});

export const fsTool = {
  name: "fs",
  title: "Filesystem",
  description:
    "Notes as files. Start here to find and read notes. Paths are human: /Notebook/Folder/Document; / lists the notebooks. The notebook name may be left out when only one readable note fits.",
  actions: [fsLs, fsTree, fsRead, fsWrite, fsReplace, fsRm, fsSearch, fsMv, fsReorder],
} as const satisfies ToolDeclaration;
