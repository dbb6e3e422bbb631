// document.list_tree: the documents below a notebook or document, level by level. SiYuan's own tree call answers ids
// without titles or order and refuses notebook roots and leaves, so folders are listed one by one.

import { documentListTree } from "../../../shared/catalogue/document.js";
import { readLimits } from "../../../shared/limits.js";
import type { Json, JsonObject } from "../../../shared/wire/json.js";
import { implementRead } from "../../safety/contract.js";
import { requireOpen } from "../block/location.js";
import { type Branch, flatten, grow, type ListingError } from "../fs/forest.js";
import { documentAt } from "./live-document.js";

interface ListTreeInput {
  readonly notebook: string;
  readonly path: string;
  readonly maxDepth?: number;
}

export const listTree = implementRead(documentListTree, {
  async targets({ notebook }: ListTreeInput, { reader }) {
    await requireOpen(reader, notebook);
    return { ids: [], notebooks: [notebook], found: undefined };
  },

  async read(
    { notebook, path, maxDepth = readLimits.defaultTreeDepth }: ListTreeInput,
    _targets,
    { reader },
  ): Promise<Json> {
    const top = path === "/" ? "/" : (await documentAt(reader, notebook, path, "path")).path;
    const root: Branch = { id: "", name: "", path: "", notebook, storagePath: top, count: 0, children: undefined };
    const errors = await grow(reader, [root], 1 + maxDepth);
    if (!root.children) throw errors[0]?.error;
    const failed = errors.map(({ branch }) => branch);
    const isCut = flatten(root.children).some((branch) => !branch.children && !failed.includes(branch));
    return {
      notebook,
      path: top,
      maxDepth,
      tree: root.children.map(rowOf),
      ...(isCut
        ? { depthHint: "Where children is a number, the tree was cut: list that path, or raise maxDepth" }
        : {}),
      ...(errors.length > 0 ? { partial: true, errors: errors.map(errorRow) } : {}),
    };
  },
});

/** Where the tree is cut or could not be listed, `children` is the number that SiYuan counts. */
function rowOf({ id, name, storagePath, count, children }: Branch): JsonObject {
  return { id, title: name, path: storagePath, children: children ? children.map(rowOf) : count };
}

function errorRow({ branch, error }: ListingError): JsonObject {
  return { id: branch.id, path: branch.storagePath, message: error.message };
}
