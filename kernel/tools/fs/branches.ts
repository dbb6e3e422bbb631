// A resolved path as the branch that lies at it.

import type { Notebook, SiyuanReader } from "../../api/reader.js";
import type { Branch } from "./forest.js";
import { type ResolvedPlace, storagePathOf } from "./resolve.js";

export function notebookBranch({ id, name }: Notebook): Branch {
  return { id, name, path: `/${name}`, notebook: id, storagePath: "/", count: 0, children: undefined };
}

/** The notebook or document itself; its children are not listed yet. */
export async function branchOf(found: ResolvedPlace, reader: SiyuanReader): Promise<Branch> {
  if (found.kind === "notebook") return notebookBranch(found.notebook);
  const { id, path, notebook } = found;
  return {
    id,
    name: path.slice(path.lastIndexOf("/") + 1),
    path,
    notebook: notebook.id,
    storagePath: await storagePathOf(found, reader),
    count: 0,
    children: undefined,
  };
}
