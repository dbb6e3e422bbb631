// Structure as SiYuan's own API shows it: folders in visible order, trees of documents, and what a second writer does to them.

import type { Scratch } from "./scratch.js";
import type { Siyuan } from "./siyuan.js";

interface Listed {
  readonly id: string;
  readonly path: string;
  readonly name: string;
}

/** Ids of the documents directly under a storage path, as a person sees them. */
export async function visible(siyuan: Siyuan, notebook: string, path = "/"): Promise<string[]> {
  const { files } = await siyuan.data<{ files: Listed[] }>("/api/filetree/listDocsByPath", {
    notebook,
    path,
    maxListCount: -1,
  });
  return files.map(({ id }) => id);
}

/** A notebook made through the product, so that it may be written. */
export async function makeNotebook({ client }: Pick<Scratch, "client">, name: string): Promise<string> {
  return String((await client.write("notebook", { action: "create", name })).notebook);
}

/** Removes all documents: a small notebook is compared fast. */
export async function clear(siyuan: Siyuan, notebook: string): Promise<void> {
  for (const id of await visible(siyuan, notebook)) await siyuan.data("/api/filetree/removeDocByID", { id });
}

export async function sortModeOf(siyuan: Siyuan, notebook: string): Promise<number> {
  const { conf } = await siyuan.data<{ conf: { sortMode: number } }>("/api/notebook/getNotebookConf", { notebook });
  return conf.sortMode;
}

export function setSortMode(siyuan: Siyuan, notebook: string, sortMode: number): Promise<unknown> {
  return siyuan.data("/api/notebook/setNotebookConf", { notebook, conf: { sortMode } });
}

export interface FolderWithChildren {
  /** Human path inside the notebook. */
  readonly base: string;
  readonly parent: string;
  readonly path: string;
  /** In visible order. */
  readonly children: string[];
}

let folders = 0;

/** A document with children of these titles, in this visible order. */
export async function makeFolder(
  { siyuan, notebook }: Pick<Scratch, "siyuan" | "notebook">,
  titles: readonly string[],
): Promise<FolderWithChildren> {
  const base = `/folder ${++folders}`;
  const make = (path: string, markdown: string) =>
    siyuan.data<string>("/api/filetree/createDocWithMd", { notebook, path, markdown });
  const parent = await make(base, "parent text");
  const path = `/${parent}.sy`;
  const children: string[] = [];
  for (const title of titles) children.push(await make(`${base}/${title}`, `text of ${title}`));
  if (children.length > 0)
    await siyuan.data("/api/filetree/changeSort", { notebook, paths: children.map((id) => `/${parent}/${id}.sy`) });
  return { base, parent, path, children };
}

/** What somebody else may do to a folder between a preflight and its commit; each must stop the commit. */
export const folderChanges: readonly [
  string,
  (siyuan: Siyuan, notebook: string, folder: FolderWithChildren) => Promise<unknown>,
][] = [
  [
    "a new document",
    (siyuan, notebook, { base }) =>
      siyuan.data("/api/filetree/createDocWithMd", { notebook, path: `${base}/theirs`, markdown: "" }),
  ],
  [
    "a removed document",
    (siyuan, _notebook, { children }) =>
      siyuan.data("/api/filetree/removeDocByID", { id: children[children.length - 1] }),
  ],
  [
    "another order",
    (siyuan, notebook, { parent, children }) =>
      siyuan.data("/api/filetree/changeSort", {
        notebook,
        paths: children
          .slice(1)
          .concat(children[0] ?? "")
          .map((id) => `/${parent}/${id}.sy`),
      }),
  ],
  [
    "another title",
    (siyuan, _notebook, { children }) =>
      siyuan.data("/api/filetree/renameDocByID", { id: children[children.length - 1], title: "theirs" }),
  ],
  [
    "a document moved away",
    (siyuan, notebook, { children }) =>
      siyuan.data("/api/filetree/moveDocsByID", { fromIDs: [children[children.length - 1]], toID: notebook }),
  ],
  [
    "another setting of the notebook",
    (siyuan, notebook) =>
      siyuan.data("/api/notebook/setNotebookConf", { notebook, conf: { dailyNoteSavePath: `/theirs ${Date.now()}` } }),
  ],
];
