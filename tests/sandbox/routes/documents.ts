// Document routes: create, list, find, rename, move, remove, order.
import { existsSync, statSync } from "node:fs";
import { posix } from "node:path";
import { closeLater, type Envelope, Refusal, success } from "../http/answer.ts";
import type { RouteCall, RouteTable } from "../http/route.ts";
import type { Kernel } from "../kernel.ts";
import { changeAttributes } from "../model/attribute-rules.ts";
import { emptyDanglingReferences, emptyParagraph, parseBlockDom, reorderAttributes } from "../model/block-dom.ts";
import { cloneNode, walk } from "../model/block-node.ts";
import { documentIdOf, newRoot, type StoredDocument } from "../model/document-store.ts";
import { printable } from "../model/notebook-store.ts";
import { currentStamp, isIdentifier, newIdentifier, stampOf } from "../model/identifiers.ts";

const maxDepth = 7;
const maxTitleLength = 512;
const listCap = 512;
/** Kept in titles, but no human path with it is found. */
const joiner = "\u200d";

export function putOnTop(kernel: Kernel, document: StoredDocument): void {
  const values = kernel.notebooks.sortValues(document.notebook);
  const folder = posix.dirname(document.path);
  const siblings = kernel.documents
    .children(document.notebook, folder)
    .filter((other) => other.root.id !== document.root.id);
  // In another order than the manual one SiYuan sees no places.
  const placeOf = (other: StoredDocument) =>
    sortModeOf(kernel, document.notebook) === customOrder ? (values[other.root.id] ?? 0) : 0;
  const lowest = siblings.reduce((least, other) => Math.min(least, placeOf(other)), 0);
  values[document.root.id] = lowest - 1;
  kernel.notebooks.saveSortValues(document.notebook, values);
}

export function createDocument(
  kernel: Kernel,
  notebook: string,
  folder: string,
  id: string,
  title: string,
  dom: string,
): StoredDocument {
  const path = `${folder === "/" ? "" : folder}/${id}.sy`;
  if (path.split("/").length - 1 > maxDepth) throw new Refusal(-1, "Only supports creating documents 7 levels deep");
  if (kernel.documents.document(id)?.path === path) throw new Refusal(-1, "Duplicated filename");
  const stamp = isIdentifier(id) ? stampOf(id) : currentStamp();
  const attributes: [string, string][] = [
    ["title", title === "" ? "Untitled" : title],
    ["type", "doc"],
    ["updated", stamp],
  ];
  if (title === "") attributes.push(["custom-sy-title-empty", "true"]);
  const blocks = parseBlockDom(dom === "" ? "" : dom);
  const root = newRoot(id, attributes, blocks.length > 0 ? blocks : [emptyParagraph(newIdentifier(), currentStamp())]);
  const local = new Set([...walk(root)].map((node) => node.id));
  emptyDanglingReferences(root, (target) => local.has(target) || kernel.documents.indexEntry(target) !== undefined);
  for (const node of walk(root)) {
    if (node.type === "NodeTable" && !node.attributes.has("colgroup")) {
      const columns = JSON.stringify(node.parts).match(/<col\b/g)?.length ?? 1;
      node.attributes.set("colgroup", "|".repeat(Math.max(0, columns - 1)));
    }
    reorderAttributes(node);
  }
  const document = { notebook, path, root };
  kernel.documents.write(document);
  return document;
}

/** The folder for a human path's parent; missing ancestors are created empty and stay even if the rest fails. */
export function ensureFolder(kernel: Kernel, notebook: string, parentHumanPath: string, parentId: string): string {
  if (parentHumanPath === "/") return "/";
  const wanted = kernel.documents.document(parentId);
  if (wanted && wanted.notebook === notebook && kernel.documents.humanPath(wanted) === parentHumanPath) {
    return wanted.path.replace(/\.sy$/, "");
  }
  let folder = "/";
  for (const title of parentHumanPath.split("/").filter(Boolean)) {
    const known = kernel.documents
      .children(notebook, folder)
      .find((document) => kernel.documents.title(document) === title && !title.includes(joiner));
    let next = known;
    if (!next) {
      next = createDocument(kernel, notebook, folder, newIdentifier(), title, "");
      putOnTop(kernel, next);
    }
    folder = next.path.replace(/\.sy$/, "");
  }
  return folder;
}

function humanPathParts(raw: string): { parent: string; title: string } {
  const last = raw === "" ? "." : raw === "/" ? "" : posix.basename(raw);
  let title = printable(last.replace(/\.sy$/, ""));
  title = [...title].slice(0, maxTitleLength).join("");
  const parent = posix.dirname(posix.join("/", raw));
  return { parent, title };
}

async function createDocWithMd(call: RouteCall): Promise<Envelope> {
  const { kernel, arguments: fields } = call;
  const notebook = fields.identifier("notebook");
  const tags = fields.optionalText("tags");
  const parentId = fields.optionalText("parentID");
  const id = fields.has("id") ? fields.text("id") : newIdentifier();
  const { parent, title } = humanPathParts(fields.text("path"));
  const markdown = fields.text("markdown");
  return kernel.oneCreation(async () => {
    kernel.notebooks.requireOpen(notebook);
    await kernel.queue.drained();
    if (call.withoutEffect) return success(id);
    const dom = kernel.lute.markdownToDom(markdown.replace(/\r\n?/g, "\n"));
    const folder = ensureFolder(kernel, notebook, parent, parentId);
    const document = createDocument(kernel, notebook, folder, id, title, dom);
    if (tags !== "") changeAttributes(document.root, { tags });
    await kernel.queue.drained();
    putOnTop(kernel, document);
    kernel.documents.write(document);
    await kernel.queue.drained();
    await kernel.queue.drained();
    return success(id);
  });
}

function readableSize(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(2)} kB`;
}

function readableTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ")}, now`;
}

function fileEntry(kernel: Kernel, document: StoredDocument, sort: number): Record<string, unknown> {
  const { root, path } = document;
  const file = posix.join(kernel.workspace.notebookFolder(document.notebook), path);
  const status = existsSync(file) ? statSync(file) : undefined;
  const mtime = Math.floor((status?.mtimeMs ?? 0) / 1000);
  const attribute = (name: string) => root.attributes.get(name) ?? "";
  return {
    path,
    name: attribute("title"),
    icon: attribute("icon"),
    name1: attribute("name"),
    alias: attribute("alias"),
    memo: attribute("memo"),
    bookmark: attribute("bookmark"),
    id: root.id,
    count: 0,
    size: status?.size ?? 0,
    hSize: readableSize(status?.size ?? 0),
    mtime,
    ctime: mtime,
    hMtime: readableTime(mtime),
    hCtime: readableTime(mtime),
    sort,
    subFileCount: kernel.documents.children(document.notebook, path).length,
    newFlashcardCount: 0,
    dueFlashcardCount: 0,
    flashcardCount: 0,
  };
}

const nameDescending = 1;
const customOrder = 6;
const followFileTree = 15;

/** The order in force in a notebook. */
function sortModeOf(kernel: Kernel, notebook: string): number {
  const { sortMode } = kernel.notebooks.conf(notebook);
  return sortMode === followFileTree ? kernel.workspace.conf.fileTree.sort : sortMode;
}

function listDocsByPath({ kernel, arguments: fields }: RouteCall): Envelope {
  const box = fields.requiredIdentifier("notebook");
  const path = fields.requiredText("path");
  kernel.notebooks.requireOpen(box);
  const mode = fields.number("sort", sortModeOf(kernel, box));
  const values = kernel.notebooks.sortValues(box);
  const sortOf = (document: StoredDocument) => (mode === customOrder ? (values[document.root.id] ?? 0) : 0);
  const byName = (left: StoredDocument, right: StoredDocument) =>
    (mode === nameDescending ? -1 : 1) * kernel.documents.title(left).localeCompare(kernel.documents.title(right));
  // Equal places in the manual order: the younger document first.
  const byAge = (left: StoredDocument, right: StoredDocument) =>
    mode === customOrder ? Number(stampOf(right.root.id)) - Number(stampOf(left.root.id)) : 0;
  const found = kernel.documents
    .children(box, path)
    .sort((left, right) => sortOf(left) - sortOf(right) || byAge(left, right) || byName(left, right));
  const cap = fields.number("maxListCount", listCap);
  const showHidden = fields.fields.showHidden === true;
  const shown = found.filter((document) => showHidden || document.root.attributes.get("custom-hidden") !== "true");
  const listed = cap > 0 ? shown.slice(0, cap) : shown;
  return success({ box, files: listed.map((document) => fileEntry(kernel, document, sortOf(document))), path });
}

function documentOf(kernel: Kernel, id: string, data: unknown): StoredDocument {
  const document = kernel.documents.documentOf(id);
  if (!document) throw new Refusal(-1, "tree not found", data);
  return document;
}

function getPathByID({ kernel, arguments: fields }: RouteCall): Envelope {
  const document = documentOf(kernel, fields.identifier("id"), null);
  return success({ notebook: document.notebook, path: document.path });
}

function getHPathByID({ kernel, arguments: fields }: RouteCall): Envelope {
  return success(kernel.documents.humanPath(documentOf(kernel, fields.identifier("id"), null)));
}

function getHPathByPath({ kernel, arguments: fields }: RouteCall): Envelope {
  const notebook = fields.identifier("notebook");
  const path = fields.text("path");
  if (path === "/") return success("/");
  const document = kernel.documents.document(documentIdOf(path));
  if (!document || document.notebook !== notebook || document.path !== path) throw new Refusal(-1, "block not found");
  return success(kernel.documents.humanPath(document));
}

/** In the order of creation. */
function getIDsByHPath({ kernel, arguments: fields }: RouteCall): Envelope {
  if (!fields.has("path") || !fields.has("notebook")) return success(null);
  const notebook = fields.identifier("notebook");
  const path = fields.text("path");
  const matching = kernel.documents
    .documents()
    .filter((document) => document.notebook === notebook && kernel.documents.humanPath(document) === path);
  if (path.includes(joiner)) return success([]);
  return success(matching.map((document) => document.root.id));
}

async function removeDocByID(call: RouteCall): Promise<Envelope> {
  const { kernel, arguments: fields } = call;
  if (!fields.has("id")) return success(null);
  const id = fields.identifier("id");
  await kernel.queue.drained();
  const document = documentOf(kernel, id, closeLater);
  if (!call.withoutEffect) kernel.documents.remove(document);
  return success(null);
}

/** Paths of any notebook; all are looked up before the first document goes. */
async function removeDocs(call: RouteCall): Promise<Envelope> {
  const { kernel, arguments: fields } = call;
  if (!fields.has("paths")) return success(null);
  const paths = fields.list("paths").map(String);
  await kernel.queue.drained();
  const found = paths.map((path) => {
    const id = path.slice(path.lastIndexOf("/") + 1).replace(/\.sy$/, "");
    const document = kernel.documents.document(id);
    if (!document || document.path !== path) throw new Refusal(-1, "block not found", closeLater);
    return document;
  });
  if (found.length === 0) throw new Refusal(-1, "block not found", closeLater);
  if (call.withoutEffect) return success(null);
  for (const { root } of found) {
    const document = kernel.documents.document(root.id);
    if (document) kernel.documents.remove(document);
  }
  return success(null);
}

async function renameDocByID(call: RouteCall): Promise<Envelope> {
  const { kernel, arguments: fields } = call;
  if (!fields.has("id") || !fields.has("title")) return success(null);
  const id = fields.identifier("id");
  await kernel.queue.drained();
  return rename(call, documentOf(kernel, id, closeLater), fields.text("title"));
}

/** A path without a document is refused with the file's place on the machine. */
async function renameDoc(call: RouteCall): Promise<Envelope> {
  const { kernel, arguments: fields } = call;
  const notebook = fields.identifier("notebook");
  const path = fields.text("path");
  await kernel.queue.drained();
  const document = kernel.documents.document(documentIdOf(path));
  if (!document || document.notebook !== notebook || document.path !== path) {
    const file = posix.join(kernel.workspace.notebookFolder(notebook), path);
    throw new Refusal(-1, `open ${file}: no such file or directory`);
  }
  return rename(call, document, fields.text("title"));
}

function rename(call: RouteCall, document: StoredDocument, raw: string): Envelope {
  const { kernel } = call;
  if ([...raw].length > maxTitleLength) throw new Refusal(-1, "Name is limited to 512 characters", closeLater);
  const title = printable(raw);
  if (title === kernel.documents.title(document) || call.withoutEffect) return success(null);
  const copy = { ...document, root: cloneNode(document.root) };
  copy.root.attributes.set("title", title === "" ? "Untitled" : title);
  if (title === "") copy.root.attributes.set("custom-sy-title-empty", "true");
  else copy.root.attributes.delete("custom-sy-title-empty");
  copy.root.attributes.set("updated", currentStamp());
  kernel.documents.write(copy);
  for (const member of kernel.documents.family(copy)) kernel.documents.onChange(member.root.id);
  return success(null);
}

/** Writes 1..n in the given order for the siblings of the first path; the others follow by id, whatever their old order. */
async function changeSort({ kernel, arguments: fields, withoutEffect }: RouteCall): Promise<Envelope> {
  const notebook = fields.identifier("notebook");
  const paths = fields.texts("paths");
  await kernel.queue.drained();
  const first = paths[0];
  if (first === undefined || !kernel.notebooks.isOpen(notebook) || withoutEffect) return success(null);
  const values = kernel.notebooks.sortValues(notebook);
  const listed = paths.map(documentIdOf);
  const here = kernel.documents.children(notebook, posix.dirname(first)).map((document) => document.root.id);
  const rest = here.filter((id) => !listed.includes(id)).sort();
  [...listed, ...rest].forEach((id, index) => {
    if (here.includes(id)) values[id] = index + 1;
  });
  kernel.notebooks.saveSortValues(notebook, values);
  return success(null);
}

export const documentRoutes: RouteTable = {
  "filetree/createDocWithMd": createDocWithMd,
  "filetree/listDocsByPath": listDocsByPath,
  "filetree/getPathByID": getPathByID,
  "filetree/getHPathByID": getHPathByID,
  "filetree/getHPathByPath": getHPathByPath,
  "filetree/getIDsByHPath": getIDsByHPath,
  "filetree/removeDocByID": removeDocByID,
  "filetree/removeDocs": removeDocs,
  "filetree/renameDoc": renameDoc,
  "filetree/renameDocByID": renameDocByID,
  "filetree/changeSort": changeSort,
};
