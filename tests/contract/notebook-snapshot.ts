// All documents of a notebook as SiYuan's own API shows them, so that a test can say what else a write changed.

import type { Siyuan } from "./siyuan.js";

export interface DocumentSnapshot {
  readonly path: string;
  readonly title: string;
  readonly humanPath: string;
  readonly sort: number;
  /** Of the root, without the stamp. */
  readonly attributes: Record<string, string>;
  /** The DOM of all blocks, in one spelling and without stamps. */
  readonly dom: string;
}

interface ListedFile {
  readonly id: string;
  readonly path: string;
  readonly name: string;
  readonly sort: number;
  readonly subFileCount: number;
}

/** By id, in visible order. All documents are asked at once: each answer waits for SiYuan's next tick. */
export async function notebookSnapshot(siyuan: Siyuan, notebook: string): Promise<Record<string, DocumentSnapshot>> {
  const list = async (folder: string): Promise<ListedFile[]> => {
    const { files } = await siyuan.data<{ files: ListedFile[] }>("/api/filetree/listDocsByPath", {
      notebook,
      path: folder,
      sort: 6,
      maxListCount: -1,
    });
    const below = await Promise.all(files.map((file) => (file.subFileCount > 0 ? list(file.path) : [])));
    return files.flatMap((file, index) => [file, ...(below[index] ?? [])]);
  };
  const documents = await Promise.all(
    (await list("/")).map(async ({ id, path, name, sort }): Promise<[string, DocumentSnapshot]> => {
      const [{ ial }, humanPath, dom] = await Promise.all([
        siyuan.data<{ ial: Record<string, string> }>("/api/block/getDocInfo", { id }),
        siyuan.data<string>("/api/filetree/getHPathByID", { id }),
        siyuan.dom(id),
      ]);
      const { updated: _updated, ...attributes } = ial;
      return [id, { path, title: name, humanPath, sort, attributes, dom: oneSpelling(dom) }];
    }),
  );
  return Object.fromEntries(documents);
}

/** SiYuan prints attributes in any order. */
export function oneSpelling(dom: string): string {
  return dom.replace(/<([a-z0-9]+)((?: [^\s=>]+(?:="[^"]*")?)*)>/g, (_tag, name: string, attributes: string) => {
    const sorted = (attributes.match(/[^\s=>]+(?:="[^"]*")?/g) ?? [])
      .filter((text) => !/^(updated|data-node-index|refcount)=/.test(text))
      .sort();
    return `<${[name, ...sorted].join(" ")}>`;
  });
}
