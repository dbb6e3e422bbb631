// Reads of folders: the documents directly below one parent in visible and in manual order, hidden ones included.

import { SisyphusError } from "../../shared/errors.js";
import { isJsonObject, type JsonObject } from "../../shared/wire/json.js";
import type { SiyuanApi } from "../host/host.js";
import { dataOf } from "./envelope.js";

export interface FolderEntry {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  /** The stored place in the manual order, whatever order is shown; 0 where none is stored. */
  readonly sort: number;
}

export interface FolderListing {
  /** In visible order. */
  readonly visible: readonly FolderEntry[];
  /** Documents that SiYuan does not show, in manual order. */
  readonly hidden: readonly FolderEntry[];
}

/** The owner's settings of the document tree. */
export interface TreeSettings {
  /** The order of notebooks that have none of their own. */
  readonly sortMode: number;
  /** More than seven levels. */
  readonly allowsDeeper: boolean;
}

/** SiYuan's number for the manual order. */
export const manualOrder = 6;
/** A notebook with it follows the settings of the tree. */
export const followsTree = 15;

export class FolderReader {
  readonly #api: SiyuanApi;

  constructor(api: SiyuanApi) {
    this.#api = api;
  }

  /** The documents directly under a storage path (`/` or `/…/<id>.sy`). */
  async list(notebook: string, path: string): Promise<FolderListing> {
    const [shown, all] = await Promise.all([
      this.#files({ notebook, path, maxListCount: -1 }),
      // Stored places are answered in this order only.
      this.#files({ notebook, path, maxListCount: -1, sort: manualOrder, showHidden: true }),
    ]);
    const stored = all.map(entryOf);
    const byId = new Map(stored.map((entry) => [entry.id, entry]));
    const visible = shown.map(entryOf).map((entry) => byId.get(entry.id) ?? entry);
    const shownIds = new Set(visible.map(({ id }) => id));
    return { visible, hidden: stored.filter(({ id }) => !shownIds.has(id)) };
  }

  async treeSettings(): Promise<TreeSettings> {
    const data = dataOf("getConf", await this.#api.request("/api/system/getConf", {}));
    const conf = isJsonObject(data) && isJsonObject(data.conf) ? data.conf : undefined;
    const tree = conf && isJsonObject(conf.fileTree) ? conf.fileTree : undefined;
    if (typeof tree?.sort !== "number") throw new SisyphusError("api_error", "SiYuan answered getConf unexpectedly");
    return { sortMode: tree.sort, allowsDeeper: tree.allowCreateDeeper === true };
  }

  async #files(body: JsonObject): Promise<readonly JsonObject[]> {
    const data = dataOf("listDocsByPath", await this.#api.request("/api/filetree/listDocsByPath", body));
    if (!isJsonObject(data) || !Array.isArray(data.files))
      throw new SisyphusError("api_error", "SiYuan answered listDocsByPath unexpectedly");
    return data.files.filter(isJsonObject);
  }
}

function entryOf(file: JsonObject): FolderEntry {
  return {
    id: String(file.id),
    path: String(file.path),
    // SiYuan lists titles with the file suffix in some versions.
    title: String(file.name).replace(/\.sy$/, ""),
    sort: Number(file.sort ?? 0),
  };
}
