// All tools and actions, in the order in which clients see them, and how a called name is resolved.

import { blockTool } from "./block.js";
import type { ActionDeclaration, ToolDeclaration } from "./declaration.js";
import { documentTool } from "./document.js";
import { fsTool } from "./fs.js";
import { notebookTool } from "./notebook.js";
import { searchTool } from "./search.js";

export const catalogue = [
  fsTool,
  notebookTool,
  documentTool,
  blockTool,
  searchTool,
] as const satisfies readonly ToolDeclaration[];

type DeclaredActions = (typeof catalogue)[number]["actions"][number];

/** Union of `tool.action` for every declared action; the kernel's implementations are checked against it. */
export type ActionKey = { [Action in DeclaredActions as `${Action["tool"]}.${Action["name"]}`]: Action };

/** The tool of that name; the prefix `siyuan_` is accepted. */
export function findTool(name: string): ToolDeclaration | undefined {
  const plain = name.startsWith("siyuan_") ? name.slice("siyuan_".length) : name;
  return catalogue.find((tool) => tool.name === plain);
}

const actionAliases: Readonly<Record<string, readonly string[]>> = {
  list: ["ls"],
  ls: ["list"],
  remove: ["rm", "delete"],
  rm: ["remove", "delete"],
  del: ["delete", "rm", "remove"],
};

/** The action of that name; `-` counts as `_`, and a few common other names are accepted. */
export function findAction(tool: ToolDeclaration, name: string): ActionDeclaration | undefined {
  const plain = name.replace(/-/g, "_");
  for (const candidate of [plain, ...(actionAliases[plain] ?? [])]) {
    const found = tool.actions.find((action) => action.name === candidate);
    if (found) return found;
  }
  return undefined;
}
