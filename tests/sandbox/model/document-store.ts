// Document trees: in memory while their notebook is open, one .sy file each on disk, and the block index over them.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseBlockDom, renderBlocks } from "./block-dom.ts";
import { type BlockNode, childrenOf, findNode, walk } from "./block-node.ts";
import type { NotebookStore } from "./notebook-store.ts";
import { writeFileAtomically } from "./workspace.ts";

export interface StoredDocument {
  notebook: string;
  /** Storage path inside the notebook, `/<parent>/<id>.sy`. */
  path: string;
  root: BlockNode;
}

interface IndexEntry {
  rootId: string;
  type: string;
}

export function documentIdOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.sy$/, "");
}

export function newRoot(id: string, attributes: [string, string][], children: BlockNode[]): BlockNode {
  const root: BlockNode = {
    id,
    type: "NodeDocument",
    shape: new Map(),
    attributes: new Map(attributes),
    parts: [],
    parent: null,
  };
  for (const child of children) {
    child.parent = root;
    root.parts.push(child);
  }
  return root;
}

export class DocumentStore {
  readonly #documents = new Map<string, StoredDocument>();
  /** Block id to document. Entries of vanished children stay until their own delete: SiYuan's phantoms. */
  readonly #index = new Map<string, IndexEntry>();
  /** Called with a document id after each change, so that the SQL index can follow later. */
  onChange: (documentId: string) => void = () => {};

  constructor(readonly notebooks: NotebookStore) {}

  #file(document: { notebook: string; path: string }): string {
    return join(this.notebooks.workspace.notebookFolder(document.notebook), document.path);
  }

  /** Reads every tree of a notebook. */
  loadNotebook(notebook: string): void {
    const base = this.notebooks.workspace.notebookFolder(notebook);
    const visit = (folder: string) => {
      if (!existsSync(join(base, folder))) return;
      for (const entry of readdirSync(join(base, folder), { withFileTypes: true })) {
        const path = `${folder === "/" ? "" : folder}/${entry.name}`;
        if (entry.isDirectory() && !entry.name.startsWith(".")) visit(path);
        else if (entry.name.endsWith(".sy")) this.#loadFile(notebook, path);
      }
    };
    visit("/");
  }

  #loadFile(notebook: string, path: string): void {
    const stored = JSON.parse(readFileSync(this.#file({ notebook, path }), "utf8")) as {
      ID: string;
      Properties: Record<string, string>;
      Dom: string;
    };
    const attributes = Object.entries(stored.Properties).filter(([name]) => name !== "id");
    this.#adopt({ notebook, path, root: newRoot(stored.ID, attributes, parseBlockDom(stored.Dom)) });
  }

  #adopt(document: StoredDocument): void {
    this.#documents.set(document.root.id, document);
    for (const node of walk(document.root)) this.#index.set(node.id, { rootId: document.root.id, type: node.type });
    this.onChange(document.root.id);
  }

  /** Stores the tree on disk and in memory. */
  write(document: StoredDocument): void {
    const { root } = document;
    const properties: Record<string, string> = { id: root.id };
    for (const [name, value] of root.attributes) properties[name] = value;
    const stored = {
      ID: root.id,
      Spec: "2",
      Type: "NodeDocument",
      Properties: properties,
      Dom: renderBlocks(childrenOf(root)),
    };
    writeFileAtomically(this.#file(document), JSON.stringify(stored));
    this.#adopt(document);
  }

  /** Forgets a notebook's trees; the files stay. */
  unloadNotebook(notebook: string): void {
    for (const document of [...this.#documents.values()])
      if (document.notebook === notebook) this.#forget(document.root.id);
  }

  #forget(documentId: string): void {
    this.#documents.delete(documentId);
    for (const [id, entry] of this.#index) if (entry.rootId === documentId) this.#index.delete(id);
    this.onChange(documentId);
  }

  dropFromIndex(ids: Iterable<string>): void {
    for (const id of ids) this.#index.delete(id);
  }

  indexEntry(id: string): IndexEntry | undefined {
    return this.#index.get(id);
  }

  document(id: string): StoredDocument | undefined {
    return this.#documents.get(id);
  }

  documents(): StoredDocument[] {
    return [...this.#documents.values()];
  }

  /** The document that holds a block. */
  documentOf(blockId: string): StoredDocument | undefined {
    const entry = this.#index.get(blockId);
    return entry && this.#documents.get(entry.rootId);
  }

  node(blockId: string): BlockNode | undefined {
    const document = this.documentOf(blockId);
    return document && findNode(document.root, blockId);
  }

  title(document: StoredDocument): string {
    return document.root.attributes.get("title") ?? "";
  }

  humanPath(document: StoredDocument): string {
    const ids = document.path.replace(/\.sy$/, "").split("/").filter(Boolean);
    return `/${ids.map((id) => this.#documents.get(id)?.root.attributes.get("title") ?? id).join("/")}`;
  }

  /** Documents directly in a folder: `/` or a document's path. */
  children(notebook: string, path: string): StoredDocument[] {
    const folder = path.replace(/\.sy$/, "").replace(/\/$/, "");
    return this.documents().filter(
      (document) => document.notebook === notebook && dirname(document.path).replace(/\/$/, "") === folder,
    );
  }

  /** A document and all below it. */
  family(document: StoredDocument): StoredDocument[] {
    const folder = document.path.replace(/\.sy$/, "/");
    return this.documents().filter(
      (other) => other.notebook === document.notebook && (other === document || other.path.startsWith(folder)),
    );
  }

  remove(document: StoredDocument): void {
    const values = this.notebooks.sortValues(document.notebook);
    for (const member of this.family(document)) {
      delete values[member.root.id];
      this.#forget(member.root.id);
    }
    this.notebooks.saveSortValues(document.notebook, values);
    const file = this.#file(document);
    rmSync(file, { force: true });
    rmSync(file.replace(/\.sy$/, ""), { recursive: true, force: true });
  }

  /** Moves a document with its sub-documents into a folder (`/` or `/<parent>`) of a notebook. Sort values travel. */
  move(document: StoredDocument, notebook: string, folder: string): void {
    const family = this.family(document);
    const oldBase = document.path.replace(/\.sy$/, "");
    const newBase = `${folder === "/" ? "" : folder}/${document.root.id}`;
    const oldFile = this.#file(document);
    const newFile = this.#file({ notebook, path: `${newBase}.sy` });
    mkdirSync(dirname(newFile), { recursive: true });
    renameSync(oldFile, newFile);
    if (existsSync(oldFile.replace(/\.sy$/, "")))
      renameSync(oldFile.replace(/\.sy$/, ""), newFile.replace(/\.sy$/, ""));
    if (notebook !== document.notebook) this.#copySortValues(family, document.notebook, notebook);
    for (const member of family) {
      member.path = newBase + member.path.slice(oldBase.length);
      member.notebook = notebook;
      this.onChange(member.root.id);
    }
  }

  #copySortValues(family: StoredDocument[], from: string, to: string): void {
    const source = this.notebooks.sortValues(from);
    const target = this.notebooks.sortValues(to);
    for (const member of family) {
      const value = source[member.root.id];
      if (value !== undefined) target[member.root.id] = value;
    }
    this.notebooks.saveSortValues(to, target);
  }
}
