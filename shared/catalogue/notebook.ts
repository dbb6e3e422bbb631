// The notebook tool: top-level containers of documents.

import * as z from "zod/mini";
import { sizeLimits } from "../limits.js";
import { additive, mutation, read, type ToolDeclaration } from "./declaration.js";
import { described, notebookIcon, notebookId, page, pageSize } from "./fields.js";

const notebookName = () => described(z.string().check(z.minLength(1), z.maxLength(sizeLimits.maxTitleChars)), "Name");

const exampleNotebook = "20260812120000-abcdefg";

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
      name: notebookName(),
      icon: z.optional(notebookIcon("Icon as Unicode hex, for example 1f4d4")),
    }),
  examples: [{ name: "Work", icon: "1f4d4" }],
});

export const notebookSetOpenState = mutation("state", {
  tool: "notebook",
  name: "set_open_state",
  permission: "rw",
  summary: "Open or close a notebook",
  signature: "set_open_state(notebook, opened)",
  input: () =>
    z.strictObject({
      notebook: notebookId(),
      opened: described(z.boolean(), "true opens, false closes; a closed notebook cannot be read or written"),
    }),
  examples: [{ notebook: exampleNotebook, opened: true }],
  positionals: ["notebook"],
});

export const notebookRemove = mutation("state", {
  tool: "notebook",
  name: "remove",
  permission: "rwd",
  confirm: true,
  enabled: false,
  summary: "Delete a notebook with all its documents",
  signature: "remove(notebook)",
  input: () => z.strictObject({ notebook: notebookId() }),
  examples: [{ notebook: exampleNotebook }],
  positionals: ["notebook"],
});

export const notebookRename = mutation("state", {
  tool: "notebook",
  name: "rename",
  permission: "rw",
  summary: "Rename an open notebook",
  signature: "rename(notebook, name)",
  input: () => z.strictObject({ notebook: notebookId(), name: notebookName() }),
  examples: [{ notebook: exampleNotebook, name: "Work" }],
  positionals: ["notebook", "name"],
});

export const notebookGetConf = read({
  tool: "notebook",
  name: "get_conf",
  permission: "r",
  summary: "Read a notebook's settings",
  signature: "get_conf(notebook)",
  input: () => z.strictObject({ notebook: notebookId() }),
  examples: [{ notebook: exampleNotebook }],
  positionals: ["notebook"],
});

const settingText = (description: string) =>
  described(z.optional(z.string().check(z.maxLength(sizeLimits.maxSettingChars))), description);

export const notebookSetConf = mutation("state", {
  tool: "notebook",
  name: "set_conf",
  permission: "rw",
  summary: "Change some of a notebook's settings; the others stay",
  signature: "set_conf(notebook, conf)",
  input: () =>
    z.strictObject({
      notebook: notebookId(),
      conf: z.strictObject({
        name: z.optional(notebookName()),
        closed: described(z.optional(z.boolean()), "Refused here: use set_open_state"),
        sortMode: described(
          z.optional(z.int().check(z.gte(0), z.lte(15))),
          "Order of documents; 6 is custom, 15 follows the document tree",
        ),
        refCreateSavePath: settingText("Where documents made from references go"),
        createDocNameTemplate: settingText("Title template of new documents, where this SiYuan has one"),
        dailyNoteSavePath: settingText("Path template of daily notes, from /"),
        dailyNoteTemplatePath: settingText("Template of daily notes, /….md below templates"),
      }),
    }),
  examples: [{ notebook: exampleNotebook, conf: { sortMode: 6 } }],
});

export const notebookSetIcon = mutation("state", {
  tool: "notebook",
  name: "set_icon",
  permission: "rw",
  summary: "Set or remove a notebook's icon",
  signature: "set_icon(notebook, icon)",
  input: () =>
    z.strictObject({
      notebook: notebookId(),
      icon: notebookIcon("Icon as Unicode hex, for example 1f4d4; empty removes it"),
    }),
  examples: [{ notebook: exampleNotebook, icon: "1f4d4" }],
  positionals: ["notebook", "icon"],
});

export const notebookGetPermissions = read({
  tool: "notebook",
  name: "get_permissions",
  permission: "r",
  summary: "List what agents may do in each notebook, or in one",
  signature: "get_permissions(notebook?)",
  input: () =>
    z.strictObject({
      notebook: described(
        z.optional(z.string().check(z.regex(/^(?:all|\d{14}-[0-9a-z]{7})$/, "must be all or a notebook id"))),
        "Notebook id, or all",
      ),
    }),
  examples: [{}, { notebook: exampleNotebook }],
  positionals: ["notebook"],
});

export const notebookSetPermission = mutation("state", {
  tool: "notebook",
  name: "set_permission",
  permission: "workspace",
  confirm: true,
  enabled: false,
  summary: "Change what agents may do in a notebook",
  signature: "set_permission(notebook, permission)",
  input: () =>
    z.strictObject({
      notebook: notebookId(),
      permission: described(z.enum(["none", "r", "rw", "rwd"]), "none hides it, r reads, rw writes, rwd also deletes"),
    }),
  examples: [{ notebook: exampleNotebook, permission: "rw" }],
  positionals: ["notebook", "permission"],
});

export const notebookGetChildDocs = read({
  tool: "notebook",
  name: "get_child_docs",
  permission: "r",
  summary: "List the documents at the root of a notebook",
  signature: "get_child_docs(notebook)",
  input: () => z.strictObject({ notebook: notebookId(), page: page(), pageSize: pageSize() }),
  examples: [{ notebook: exampleNotebook, page: 1, pageSize: 50 }],
  positionals: ["notebook"],
});

export const notebookTool = {
  name: "notebook",
  title: "Notebooks",
  description: "Notebooks are the top level of the workspace. Ids come from list.",
  actions: [
    notebookList,
    notebookCreate,
    notebookSetOpenState,
    notebookRemove,
    notebookRename,
    notebookGetConf,
    notebookSetConf,
    notebookSetIcon,
    notebookGetPermissions,
    notebookSetPermission,
    notebookGetChildDocs,
  ],
} as const satisfies ToolDeclaration;
