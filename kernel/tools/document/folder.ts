// A folder: the documents directly below a notebook or document, with all that decides about their order. It is what a
// structure precondition covers: any document that comes, goes, moves, is renamed or takes another place changes it.

import { SisyphusError } from "../../../shared/errors.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import { followsTree, type FolderListing, manualOrder } from "../../api/folder-reader.js";
import type { SiyuanReader } from "../../api/reader.js";
import { settingsOf } from "../notebook/settings.js";
import { idsOfPath, liveDocument } from "./live-document.js";

export interface FolderPlace {
  readonly notebook: string;
  /** Storage path of the parent document; `/` for the notebook itself. */
  readonly path: string;
  /** The parent document, or the notebook. */
  readonly parentID: string;
}

export interface Folder extends FolderPlace, FolderListing {
  /** The notebook's settings. */
  readonly conf: JsonObject;
  /** The order that is in force here, in SiYuan's numbers. */
  readonly sortMode: number;
}

/** The place that an id of a notebook or document names. Throws `document_not_found`, `not_a_document` or `notebook_closed`. */
export async function folderPlace(reader: SiyuanReader, id: string, field: string): Promise<FolderPlace> {
  const notebook = (await reader.freshNotebooks()).find((entry) => entry.id === id);
  if (notebook?.closed) throw new SisyphusError("notebook_closed", `Notebook ${notebook.name} is closed`);
  if (notebook) return { notebook: id, path: "/", parentID: id };
  const document = await liveDocument(reader, id, field);
  return { notebook: document.notebook, path: document.path, parentID: id };
}

export async function readFolder(reader: SiyuanReader, place: FolderPlace): Promise<Folder> {
  const [listing, conf, tree] = await Promise.all([
    reader.folders.list(place.notebook, place.path),
    reader.notebookConf(place.notebook),
    reader.folders.treeSettings(),
  ]);
  const own = Number(conf.sortMode ?? followsTree);
  return { ...place, ...listing, conf: settingsOf(conf), sortMode: own === followsTree ? tree.sortMode : own };
}

/** The order of the array is the position. */
export function folderJson({ notebook, path, conf, sortMode, visible, hidden }: Folder): JsonObject {
  return {
    notebook,
    path,
    conf,
    sortMode,
    children: visible.map((entry) => ({ ...entry })),
    hidden: hidden.map((entry) => ({ ...entry })),
  };
}

export function isInManualOrder({ sortMode }: Pick<Folder, "sortMode">): boolean {
  return sortMode === manualOrder;
}

export function idsIn({ visible }: FolderListing): readonly string[] {
  return visible.map(({ id }) => id);
}

/** Storage path of a document in the folder. */
export function pathIn({ path }: FolderPlace, id: string): string {
  return `/${idsOfPath(path).concat(id).join("/")}.sy`;
}

export function sameIds(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((id, index) => id === right[index]);
}
