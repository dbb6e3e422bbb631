// The notebook tool: top-level containers of documents.

import * as z from "zod/mini";
import { sizeLimits } from "../limits.js";
import { additive, read, type ToolDeclaration } from "./declaration.js";
import { described } from "./fields.js";

export const notebookList = read({
  tool: "notebook",
  name: "list",
  permission: "workspace",
  summary: "List the notebooks with id, name, icon, order and whether they are closed",
  signature: "list()",
  input: () => z.strictObject({}),
  examples: [{}],
});

export const notebookCreate = additive({
  tool: "notebook",
  name: "create",
  permission: "workspace",
  summary: "Create a notebook; it gets the permission level rw",
  signature: "create(name)",
  input: () =>
    z.strictObject({
      name: described(z.string().check(z.minLength(1), z.maxLength(sizeLimits.maxTitleChars)), "Name"),
      icon: described(
        z.optional(z.string().check(z.regex(/^[0-9a-f]{2,8}(?:-[0-9a-f]{2,8})*$/, "must be Unicode hex such as 1f4d4"))),
        "Icon as Unicode hex, for example 1f4d4",
      ),
    }),
  examples: [{ name: "Work", icon: "1f4d4" }],
});

export const notebookTool = {
  name: "notebook",
  title: "Notebooks",
  description: "Notebooks are the top level of the workspace. Ids come from list.",
  actions: [notebookList, notebookCreate],
} as const satisfies ToolDeclaration;
