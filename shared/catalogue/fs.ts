// The fs tool: notes as files under human-readable workspace paths.

import * as z from "zod/mini";
import { read, type ToolDeclaration } from "./declaration.js";
import { windowFields, workspacePath } from "./fields.js";

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

export const fsTool = {
  name: "fs",
  title: "Filesystem",
  description:
    "Notes as files. Start here to find and read notes. Paths are human: /Notebook/Folder/Document; / lists the notebooks. The notebook name may be left out when only one readable note fits.",
  actions: [fsLs, fsRead],
} as const satisfies ToolDeclaration;
