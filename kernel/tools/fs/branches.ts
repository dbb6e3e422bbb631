// A resolved path as the branches that lie at it.

import type { Notebook } from "../../api/reader.js";
import type { Branch } from "./forest.js";
import type { Resolved } from "./resolve.js";

export function notebookBranch({ id, name }: Notebook): Branch {
  return { id, name, path: `/${name}`, notebook: id, storagePath: "/", count: 0, children: undefined };
}

/** The notebook or document itself; its children are not listed yet. */
export function branchOf(found: Extract<Resolved, { kind: "notebook" | "document" }>): Branch {
  if (found.kind === "notebook") return notebookBranch(found.notebook);
  const { id, path, notebook, storagePath } = found;
  return {
    id,
    name: path.slice(path.lastIndexOf("/") + 1),
    path,
    notebook: notebook.id,
    storagePath,
    count: 0,
    children: undefined,
  };
}
