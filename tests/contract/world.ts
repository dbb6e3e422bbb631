// All notebooks and documents as SiYuan itself shows them, so that a test can say that exactly one thing has changed.

import type { Siyuan } from "./siyuan.js";

export interface NotebookView {
  readonly name: string;
  readonly icon: string;
  readonly closed: boolean;
  /** Without the sort value, which every new notebook shifts for all others. */
  readonly conf: Record<string, unknown>;
  /** By storage path; empty while closed. */
  readonly documents: Record<string, { readonly title: string; readonly dom: string }>;
}

export type World = Record<string, NotebookView>;

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly icon: string;
  readonly closed: boolean;
}

interface File {
  readonly id: string;
  readonly path: string;
  readonly name: string;
  readonly subFileCount: number;
}

export async function world(siyuan: Siyuan): Promise<World> {
  const { notebooks } = await siyuan.data<{ notebooks: Entry[] }>("/api/notebook/lsNotebooks", {});
  const view: World = {};
  for (const { id, name, icon, closed } of notebooks) {
    const { conf } = await siyuan.data<{ conf: Record<string, unknown> }>("/api/notebook/getNotebookConf", {
      notebook: id,
    });
    const { sort: _sort, ...kept } = conf;
    const documents: NotebookView["documents"] = {};
    if (!closed) await collect(siyuan, id, "/", documents);
    view[id] = { name, icon, closed, conf: kept, documents };
  }
  return view;
}

async function collect(
  siyuan: Siyuan,
  notebook: string,
  path: string,
  documents: NotebookView["documents"],
): Promise<void> {
  const { files } = await siyuan.data<{ files: File[] }>("/api/filetree/listDocsByPath", {
    notebook,
    path,
    maxListCount: -1,
  });
  for (const file of files) {
    documents[file.path] = { title: file.name.replace(/\.sy$/, ""), dom: sortedAttributes(await siyuan.dom(file.id)) };
    if (file.subFileCount > 0) await collect(siyuan, notebook, file.path, documents);
  }
}

/** SiYuan writes a block's attributes in any order. */
function sortedAttributes(dom: string): string {
  return dom.replace(/<([a-z][\w-]*)((?: [\w-]+="[^"]*")+)/g, (_tag, name: string, attributes: string) => {
    return `<${name} ${(attributes.match(/[\w-]+="[^"]*"/g) ?? []).sort().join(" ")}`;
  });
}
