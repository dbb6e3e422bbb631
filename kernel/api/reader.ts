// The typed reads of SiYuan's API. Nothing here can change notes, so a preflight cannot write by its type.

import { SisyphusError } from "../../shared/errors.js";
import { hostLimits } from "../../shared/limits.js";
import { type Json, isJsonObject } from "../../shared/wire/json.js";
import type { Clock, SiyuanApi } from "../host/host.js";
import { dataOf, parseEnvelope } from "./envelope.js";

export interface Notebook {
  readonly id: string;
  readonly name: string;
  readonly icon: string;
  readonly sort: number;
  readonly closed: boolean;
}

/** Where a document lies, or the document that a block lies in. */
export interface Location {
  readonly notebook: string;
  /** Storage path, `/<id>/<id>.sy`. */
  readonly path: string;
}

export interface TreeInfo {
  /** For example `NodeParagraph`; "" is a phantom that no document holds. */
  readonly type: string;
  readonly parentID: string;
}

export interface DocumentEntry {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly children: number;
}

export interface ChildBlock {
  readonly id: string;
  readonly type: string;
  readonly subType: string;
  readonly markdown: string;
}

export class SiyuanReader {
  readonly #api: SiyuanApi;
  readonly #clock: Clock;
  #notebooks: { readonly value: Promise<readonly Notebook[]>; readonly readAtMs: number } | undefined;

  constructor(api: SiyuanApi, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /** All notebooks, at most one second old. */
  notebooks(): Promise<readonly Notebook[]> {
    const age = this.#notebooks ? this.#clock.nowMs() - this.#notebooks.readAtMs : -1;
    if (this.#notebooks && age >= 0 && age < hostLimits.settingsCacheMs) return this.#notebooks.value;
    return this.freshNotebooks();
  }

  /** All notebooks as they are now. */
  freshNotebooks(): Promise<readonly Notebook[]> {
    const value = this.#readNotebooks();
    this.#notebooks = { value, readAtMs: this.#clock.nowMs() };
    value.catch(() => {
      this.#notebooks = undefined;
    });
    return value;
  }

  async #readNotebooks(): Promise<readonly Notebook[]> {
    const data = await this.#data("/api/notebook/lsNotebooks", {});
    const list = isJsonObject(data) && Array.isArray(data.notebooks) ? data.notebooks : undefined;
    if (!list) throw unexpected("lsNotebooks");
    return list.filter(isJsonObject).map((entry) => ({
      id: String(entry.id),
      name: String(entry.name),
      icon: String(entry.icon ?? ""),
      sort: Number(entry.sort),
      closed: entry.closed === true,
    }));
  }

  /** Where the block or document lies; undefined when no live tree holds it. */
  async location(id: string): Promise<Location | undefined> {
    const { code, data } = parseEnvelope("getPathByID", await this.#api.request("/api/filetree/getPathByID", { id }));
    if (code !== 0 || !isJsonObject(data)) return undefined;
    return { notebook: String(data.notebook), path: String(data.path) };
  }

  /** The block's DOM; undefined when no live tree holds it. Of a document: the DOM of all its blocks. */
  async blockDom(id: string): Promise<string | undefined> {
    const data = await this.#data("/api/block/getBlockDOM", { id });
    const dom = isJsonObject(data) ? data.dom : undefined;
    return typeof dom === "string" && dom !== "" ? dom : undefined;
  }

  /** The DOM of each block that exists. Costs ids times documents: for a few ids only. */
  async blockDoms(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const data = await this.#data("/api/block/getBlockDOMs", { ids });
    return new Map(isJsonObject(data) ? Object.keys(data).map((id) => [id, String(data[id])]) : []);
  }

  async kramdown(id: string): Promise<string | undefined> {
    const data = await this.#data("/api/block/getBlockKramdown", { id });
    const kramdown = isJsonObject(data) ? data.kramdown : undefined;
    return typeof kramdown === "string" && kramdown !== "" ? kramdown : undefined;
  }

  /** Type and parent of each id that a tree holds. */
  async treeInfos(ids: readonly string[]): Promise<ReadonlyMap<string, TreeInfo>> {
    if (ids.length === 0) return new Map();
    const data = await this.#data("/api/block/getBlockTreeInfos", { ids });
    const infos = new Map<string, TreeInfo>();
    if (!isJsonObject(data)) return infos;
    for (const id of Object.keys(data)) {
      const info = data[id];
      if (isJsonObject(info) && info.type !== "") infos.set(id, { type: String(info.type), parentID: String(info.parentID) });
    }
    return infos;
  }

  async children(id: string): Promise<readonly ChildBlock[]> {
    const data = await this.#data("/api/block/getChildBlocks", { id });
    return (Array.isArray(data) ? data : []).filter(isJsonObject).map((entry) => ({
      id: String(entry.id),
      type: String(entry.type),
      subType: String(entry.subType ?? ""),
      markdown: String(entry.markdown ?? ""),
    }));
  }

  /** What SiYuan's parser makes of Markdown, as preview HTML. Writes nothing. */
  async previewHtml(markdown: string): Promise<string> {
    const data = await this.#data("/api/lute/md2html", { markdown, mode: "protyle-preview" });
    const html = isJsonObject(data) ? data.html : undefined;
    if (typeof html !== "string") throw unexpected("md2html");
    return html;
  }

  /** Documents directly under a storage path (`/` or `/…/<id>.sy`), in visible order. */
  async documents(notebook: string, path: string): Promise<readonly DocumentEntry[]> {
    const data = await this.#data("/api/filetree/listDocsByPath", { notebook, path, maxListCount: -1 });
    const files = isJsonObject(data) && Array.isArray(data.files) ? data.files : undefined;
    if (!files) throw unexpected("listDocsByPath");
    return files.filter(isJsonObject).map((file) => ({
      id: String(file.id),
      path: String(file.path),
      // SiYuan lists titles with the file suffix in some versions.
      title: String(file.name).replace(/\.sy$/, ""),
      children: Number(file.subFileCount ?? 0),
    }));
  }

  /** Ids of the documents with exactly this human path. */
  async idsByHumanPath(notebook: string, path: string): Promise<readonly string[]> {
    const data = await this.#data("/api/filetree/getIDsByHPath", { notebook, path });
    return (Array.isArray(data) ? data : []).map(String);
  }

  /** The id that names this device's workspace settings. */
  async systemId(): Promise<string> {
    const data = await this.#data("/api/system/getConf", {});
    const conf = isJsonObject(data) && isJsonObject(data.conf) ? data.conf : undefined;
    const system = conf && isJsonObject(conf.system) ? conf.system : undefined;
    if (typeof system?.id !== "string" || system.id === "") throw unexpected("getConf");
    return system.id;
  }

  async #data(path: string, body: Json): Promise<Json> {
    return dataOf(path.slice(path.lastIndexOf("/") + 1), await this.#api.request(path, body));
  }
}

function unexpected(endpoint: string): SisyphusError {
  return new SisyphusError("api_error", `SiYuan answered ${endpoint} in an unexpected form`);
}
