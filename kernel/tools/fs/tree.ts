// fs.tree: what lies under a path, level by level.

import { fsTree } from "../../../shared/catalogue/fs.js";
import { readLimits } from "../../../shared/limits.js";
import type { Json, JsonObject } from "../../../shared/wire/json.js";
import { implementRead } from "../../safety/contract.js";
import { branchOf, notebookBranch } from "./branches.js";
import { type Branch, errorRow, grow, type ListingError } from "./forest.js";
import { readableNotebooks, resolvePath } from "./resolve.js";
import { virtualFiles } from "./virtual-files.js";

export const tree = implementRead(fsTree, {
  async targets({ path }, tools) {
    const found = await resolvePath(path, tools);
    return { ids: [], notebooks: "notebook" in found ? [found.notebook.id] : [], found };
  },

  async read({ maxDepth = readLimits.defaultTreeDepth }, { found }, tools): Promise<Json> {
    const { reader } = tools;
    switch (found.kind) {
      case "virtual":
        return answer({ path: found.file.path, maxDepth, rows: [], errors: [], top: [] });
      case "root": {
        const notebooks = await readableNotebooks(tools);
        const branches = notebooks.filter((notebook) => !notebook.closed).map(notebookBranch);
        // SiYuan does not count a notebook's documents, so these are listed even where the tree is cut.
        const notebookErrors = await grow(reader, branches, 1);
        const top = documentsIn(branches);
        const errors = await grow(reader, withChildren(top), maxDepth - 1);
        const rows = notebooks.map((notebook) => {
          const branch = branches.find(({ id }) => id === notebook.id);
          if (!branch)
            return { name: notebook.name, path: `/${notebook.name}`, id: notebook.id, children: [], closed: true };
          return maxDepth === 0 ? { ...rowOf(branch), children: branch.children?.length ?? 0 } : rowOf(branch);
        });
        return answer({
          path: "/",
          maxDepth,
          rows: [...virtualFiles.map(({ name, path }) => ({ name, path, children: [], virtual: true })), ...rows],
          errors: [...notebookErrors, ...errors],
          top,
        });
      }
      default: {
        const branch = await branchOf(found, reader);
        const rootErrors = await grow(reader, [branch], 1);
        const top = documentsIn([branch]);
        const errors = await grow(reader, withChildren(top), maxDepth);
        return answer({ path: branch.path, maxDepth, rows: top.map(rowOf), errors: [...rootErrors, ...errors], top });
      }
    }
  },
});

function documentsIn(branches: readonly Branch[]): readonly Branch[] {
  return branches.reduce<Branch[]>((all, branch) => all.concat(branch.children ?? []), []);
}

function withChildren(branches: readonly Branch[]): readonly Branch[] {
  return branches.filter((branch) => branch.count > 0);
}

/** Where the tree is cut or could not be listed, `children` is the number that SiYuan counts. */
function rowOf({ name, path, id, count, children }: Branch): JsonObject {
  return { name, path, id, children: children ? children.map(rowOf) : count };
}

interface Parts {
  readonly path: string;
  readonly maxDepth: number;
  readonly rows: readonly JsonObject[];
  readonly errors: readonly ListingError[];
  readonly top: readonly Branch[];
}

function answer({ path, maxDepth, rows, errors, top }: Parts): JsonObject {
  const failedTop = top.filter((document) => errors.some((error) => error.root === document));
  return {
    path,
    tree: rows,
    maxDepth,
    partial: errors.length > 0,
    errors: errors.map(errorRow),
    topLevelDocumentCount: top.length,
    failedTopLevelDocumentCount: failedTop.length,
  };
}
