// document.list_tree: the documents below a notebook or document, level by level. SiYuan's own tree call answers ids
// without titles or order and refuses notebook roots and leaves, so folders are listed one by one.

import { documentListTree } from "../../../shared/catalogue/document.js";
import { readLimits } from "../../../shared/limits.js";
import type { Json, JsonObject } from "../../../shared/wire/json.js";
import type { DocumentEntry, SiyuanReader } from "../../api/reader.js";
import { implementRead } from "../../safety/contract.js";
import { requireOpen } from "../block/location.js";
import { documentAt } from "./live-document.js";

interface ListTreeInput {
  readonly notebook: string;
  readonly path: string;
  readonly maxDepth?: number;
}

/** A document and what is known of its children: the nodes, or their number where the tree is cut. */
interface TreeNode {
  readonly entry: DocumentEntry;
  children: number | readonly TreeNode[];
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
    const roots = (await reader.documents(notebook, top)).map(uncut);
    const errors: JsonObject[] = [];
    let level = roots;
    for (let depth = 0; depth < maxDepth && level.length > 0; depth++)
      level = await openLevel(reader, notebook, level, errors);
    const isCut = level.some((node) => node.entry.children > 0);
    return {
      notebook,
      path: top,
      maxDepth,
      tree: roots.map(rowOf),
      ...(isCut
        ? { depthHint: "Where children is a number, the tree was cut: list that path, or raise maxDepth" }
        : {}),
      ...(errors.length > 0 ? { partial: true, errors } : {}),
    };
  },
});

const uncut = (entry: DocumentEntry): TreeNode => ({ entry, children: entry.children });

/** Lists the folders of one level; answers the nodes of the next. A folder that fails stays a number. */
async function openLevel(
  reader: SiyuanReader,
  notebook: string,
  level: readonly TreeNode[],
  errors: JsonObject[],
): Promise<TreeNode[]> {
  const folders = level.filter((node) => node.entry.children > 0);
  const next: TreeNode[] = [];
  for (let start = 0; start < folders.length; start += readLimits.parallelRequests) {
    const group = folders.slice(start, start + readLimits.parallelRequests);
    const lists = await Promise.all(
      group.map(({ entry }) =>
        reader.documents(notebook, entry.path).catch((thrown: unknown) => {
          errors.push({ id: entry.id, path: entry.path, message: thrown instanceof Error ? thrown.message : "failed" });
          return undefined;
        }),
      ),
    );
    group.forEach((node, index) => {
      const list = lists[index];
      if (!list) return;
      const nodes = list.map(uncut);
      node.children = nodes;
      next.push(...nodes);
    });
  }
  return next;
}

function rowOf({ entry: { id, title, path }, children }: TreeNode): JsonObject {
  return {
    id,
    title,
    path,
    children: typeof children === "number" ? (children === 0 ? [] : children) : children.map(rowOf),
  };
}
