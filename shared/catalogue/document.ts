// The document tool: documents and their place in the tree.

import * as z from "zod/mini";
import { additive, type ToolDeclaration } from "./declaration.js";
import { described, markdown, notebookId } from "./fields.js";

export const documentCreate = additive({
  tool: "document",
  name: "create",
  permission: "rw",
  summary: "Create a document from Markdown at a human path inside a notebook",
  signature: "create(notebook, path | parentPath+title)",
  input: () =>
    z.strictObject({
      notebook: notebookId(),
      path: described(z.optional(z.string()), "Human path inside the notebook, /Folder/Title, without the notebook name"),
      parentPath: described(z.optional(z.string()), "Human path of the parent document; / is the notebook root"),
      title: described(z.optional(z.string()), "Title, with parentPath"),
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

export const documentTool = {
  name: "document",
  title: "Documents",
  description:
    "Documents by id. Human paths here have no notebook name: /Folder/Title. To browse or read, prefer fs.",
  actions: [documentCreate],
} as const satisfies ToolDeclaration;
