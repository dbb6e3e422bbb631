// The typed reads of SiYuan's API. Nothing here can change notes, so a preflight cannot write by its type.

import { SisyphusError } from "../../shared/errors.js";
import { hostLimits, sizeLimits } from "../../shared/limits.js";
import { type Json, type JsonObject, isJsonObject } from "../../shared/wire/json.js";
import { isId } from "../../shared/wire/plugin.js";
import type { Clock, SiyuanApi } from "../host/host.js";
import { type ChildBlock, ChildRows, childBlock } from "./child-rows.js";
import { type DocumentEntry, documentEntries } from "./document-list.js";
import { dataOf, parseEnvelope } from "./envelope.js";
import { FolderReader } from "./folder-reader.js";
import type {
  Notebook,
  Location,
  TreePlace,
  DocumentInfo,
  TitleMatch,
  IndexedReference,
  StoredDocument,
} from "./notes.js";

export type { DocumentEntry } from "./document-list.js";
export type * from "./notes.js";

export class SiyuanReader {
  readonly #api: SiyuanApi;
  readonly #clock: Clock;
  readonly folders: FolderReader;
  #notebooks: { readonly value: Promise<readonly Notebook[]>; readonly readAtMs: number } | undefined;

  constructor(api: SiyuanApi, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
    this.folders = new FolderReader(api);
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

  /** A notebook's settings; it need not be open. */
  async notebookConf(notebook: string): Promise<JsonObject> {
    const data = await this.#data("/api/notebook/getNotebookConf", { notebook });
    if (!isJsonObject(data) || !isJsonObject(data.conf)) throw unexpected("getNotebookConf");
    return data.conf;
  }

  /** Every document file of a notebook, parents before children; empty when the folder is gone. Loads no tree. */
  async storedDocuments(notebook: string, folder = ""): Promise<readonly StoredDocument[]> {
    const entries = await this.#entries(`/data/${notebook}${folder}`);
    const found = entries
      .filter(({ name }) => name.endsWith(".sy"))
      .map(({ name, updated }) => ({
        id: name.slice(0, -".sy".length),
        path: `${folder}/${name}`,
        updatedSeconds: Number(updated),
      }));
    // SiYuan keeps a notebook's own files in folders that begin with a dot.
    for (const { name } of entries.filter((entry) => entry.isDir && !entry.name.startsWith("."))) {
      found.push(...(await this.storedDocuments(notebook, `${folder}/${name}`)));
    }
    return found;
  }

  async #entries(
    path: string,
  ): Promise<readonly { readonly name: string; readonly isDir: boolean; readonly updated: Json }[]> {
    const { code, data } = parseEnvelope("readDir", await this.#api.request("/api/file/readDir", { path }));
    if (code === 404) return [];
    if (code !== 0 || !Array.isArray(data)) throw unexpected("readDir");
    return data
      .filter(isJsonObject)
      .map(({ name, isDir, updated }) => ({ name: String(name), isDir: isDir === true, updated: updated ?? 0 }));
  }

  /** Lets other calls run between two slices of long work: the engine runs one thing at a time. */
  pause(): Promise<void> {
    return this.#clock.sleep(0);
  }

  /** True as soon as a tree holds the block; false when the time is over. */
  waitUntilLoaded(id: string, withinMs: number): Promise<boolean> {
    return this.#waitFor(withinMs, async () => (await this.treeInfos([id])).has(id));
  }

  /** True as soon as no tree holds the block; false when the time is over. */
  waitUntilUnloaded(id: string, withinMs: number): Promise<boolean> {
    return this.#waitFor(withinMs, async () => !(await this.treeInfos([id])).has(id));
  }

  async #waitFor(withinMs: number, condition: () => Promise<boolean>): Promise<boolean> {
    // Counted, not timed: the clock may step.
    for (let waitedMs = 0; waitedMs <= withinMs; waitedMs += hostLimits.notebookPollMs) {
      if (await condition()) return true;
      await this.#clock.sleep(hostLimits.notebookPollMs);
    }
    return false;
  }

  /** Where the block or document lies; undefined when no live tree holds it. */
  async location(id: string): Promise<Location | undefined> {
    const { code, data } = parseEnvelope("getPathByID", await this.#api.request("/api/filetree/getPathByID", { id }));
    if (code !== 0 || !isJsonObject(data)) return undefined;
    return { notebook: String(data.notebook), path: String(data.path) };
  }

  /** The block's DOM; undefined when no live tree holds it. Of a document: the DOM of all its blocks. */
  async blockDom(id: string): Promise<string | undefined> {
    const { dom } = await this.#fields("/api/block/getBlockDOM", { id });
    return typeof dom === "string" && dom !== "" ? dom : undefined;
  }

  /** The DOM of each block that exists. Costs ids times documents: for a few ids only. */
  async blockDoms(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const data = await this.#fields("/api/block/getBlockDOMs", { ids });
    return new Map(Object.keys(data).map((id) => [id, String(data[id])]));
  }

  async kramdown(id: string): Promise<string | undefined> {
    const { kramdown } = await this.#fields("/api/block/getBlockKramdown", { id });
    return typeof kramdown === "string" && kramdown !== "" ? kramdown : undefined;
  }

  /** The source of each block that exists, `mode` md or textmark. For a few ids only. */
  async kramdowns(ids: readonly string[], mode: string): Promise<ReadonlyMap<string, string>> {
    const data = await this.#fields("/api/block/getBlockKramdowns", { ids, mode });
    return new Map(Object.keys(data).map((id) => [id, String(data[id])]));
  }

  /** Notebook, document and title of a live block, in SiYuan's own words. */
  async blockInfo(id: string): Promise<JsonObject> {
    const data = await this.#data("/api/block/getBlockInfo", { id });
    if (!isJsonObject(data)) throw unexpected("getBlockInfo");
    return data;
  }

  /** The way from the document down to the block. SiYuan escapes the names as HTML. */
  async breadcrumb(id: string, excludeTypes: readonly string[]): Promise<readonly JsonObject[]> {
    const data = await this.#data("/api/block/getBlockBreadcrumb", { id, excludeTypes });
    return (Array.isArray(data) ? data : []).filter(isJsonObject);
  }

  /** One entry per id that a document holds; waits until SiYuan's queue of writes is empty. */
  async docsInfo(ids: readonly string[], refCount: boolean, av: boolean): Promise<readonly JsonObject[]> {
    const data = await this.#data("/api/block/getDocsInfo", { ids, refCount, av });
    return (Array.isArray(data) ? data : []).filter(isJsonObject);
  }

  /** Resolves when SiYuan has executed every write that it accepted before. It waits, then says that there is no block. */
  async finishWrites(): Promise<void> {
    const ids: readonly string[] = [];
    parseEnvelope(
      "getDocsInfo",
      await this.#api.request("/api/block/getDocsInfo", { ids, refCount: false, av: false }),
    );
  }

  /** Sums over the blocks. SiYuan counts an unknown id as an empty block. */
  async wordCount(ids: readonly string[]): Promise<JsonObject> {
    const data = await this.#data("/api/block/getBlocksWordCount", { ids });
    const stat = isJsonObject(data) ? data.stat : undefined;
    if (stat === undefined || !isJsonObject(stat)) throw unexpected("getBlocksWordCount");
    return stat;
  }

  /** Paragraphs changed last, from SiYuan's index: up to three seconds old. */
  async recentlyUpdated(): Promise<readonly JsonObject[]> {
    const data = await this.#data("/api/block/getRecentUpdatedBlocks", {});
    return (Array.isArray(data) ? data : []).filter(isJsonObject);
  }

  /** Type, parent and neighbours of each id that a tree holds. */
  async treeInfos(ids: readonly string[]): Promise<ReadonlyMap<string, TreePlace>> {
    if (ids.length === 0) return new Map();
    const data = await this.#fields("/api/block/getBlockTreeInfos", { ids });
    const infos = new Map<string, TreePlace>();
    for (const id of Object.keys(data)) {
      const info = data[id];
      if (isJsonObject(info) && info.type !== "") {
        infos.set(id, {
          type: String(info.type),
          parentID: String(info.parentID),
          previousID: String(info.previousID ?? ""),
          nextID: String(info.nextID ?? ""),
        });
      }
    }
    return infos;
  }

  async children(id: string): Promise<readonly ChildBlock[]> {
    const data = await this.#data("/api/block/getChildBlocks", { id });
    return (Array.isArray(data) ? data : []).filter(isJsonObject).map(childBlock);
  }

  /** The same of a whole document, of which little may be looked at. */
  async childRows(id: string): Promise<ChildRows> {
    return ChildRows.in(await this.#api.request("/api/block/getChildBlocks", { id }));
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
    const reply = await this.#api.request("/api/filetree/listDocsByPath", { notebook, path, maxListCount: -1 });
    const entries = documentEntries(reply);
    if (!entries) throw unexpected("listDocsByPath");
    return entries;
  }

  /** The root's title and attributes. SiYuan finishes pending block operations before it answers. */
  async documentInfo(id: string): Promise<DocumentInfo> {
    const data = await this.#data("/api/block/getDocInfo", { id });
    if (!isJsonObject(data) || !isJsonObject(data.ial)) throw unexpected("getDocInfo");
    const { ial } = data;
    const attributes = new Map(Object.keys(ial).map((name) => [name, String(ial[name])] as const));
    return { title: String(data.name), attributes, subDocuments: Number(data.subFileCount ?? 0) };
  }

  /** Human path inside the notebook, `/Folder/Title`. */
  async humanPath(id: string): Promise<string> {
    return String(await this.#data("/api/filetree/getHPathByID", { id }));
  }

  /** The document as SiYuan's editor loads it: HTML of about `size` top-level blocks from the first, and how many there are. */
  async editorHtml(id: string, size: number): Promise<{ readonly html: string; readonly blockCount: number }> {
    const data = await this.#data("/api/filetree/getDoc", { id, mode: 0, size });
    if (!isJsonObject(data) || typeof data.content !== "string") throw unexpected("getDoc");
    return { html: data.content, blockCount: Number(data.blockCount ?? 0) };
  }

  /** Notebooks and documents whose human path matches, over all notebooks, as many as `searchLimit` says. */
  async searchTitles(query: string): Promise<readonly TitleMatch[]> {
    const data = await this.#data("/api/filetree/searchDocs", { k: query });
    return (Array.isArray(data) ? data : []).filter(isJsonObject).map((row) => ({
      notebook: String(row.box),
      path: String(row.path),
      humanPath: String(row.hPath),
    }));
  }

  /** Rows that SiYuan's searches answer at most. */
  async searchLimit(): Promise<number> {
    const data = await this.#data("/api/system/getConf", {});
    const conf = isJsonObject(data) && isJsonObject(data.conf) ? data.conf : undefined;
    const search = conf && isJsonObject(conf.search) ? conf.search : undefined;
    if (typeof search?.limit !== "number") throw unexpected("getConf");
    return search.limit;
  }

  /** Ids of the documents with exactly this human path. */
  async idsByHumanPath(notebook: string, path: string): Promise<readonly string[]> {
    // SiYuan finds none whose path holds the joiner of an emoji, though it keeps such titles.
    if (path.includes("\u200d")) return this.#idsByTitles(notebook, path.split("/").slice(1));
    const data = await this.#data("/api/filetree/getIDsByHPath", { notebook, path });
    return (Array.isArray(data) ? data : []).map(String);
  }

  /** Level by level, by the titles on the path. */
  async #idsByTitles(notebook: string, titles: readonly string[]): Promise<readonly string[]> {
    let folders = ["/"];
    let found: readonly DocumentEntry[] = [];
    for (const title of titles) {
      const levels = await Promise.all(folders.map((folder) => this.documents(notebook, folder)));
      found = levels.reduce<DocumentEntry[]>((all, level) => all.concat(level.filter((e) => e.title === title)), []);
      folders = found.map((entry) => entry.path);
    }
    return found.map((entry) => entry.id);
  }

  /** A template of dates and text, rendered; nothing else may be sent, for SiYuan's templates can write. */
  async renderTemplate(template: string): Promise<{ readonly text: string } | { readonly problem: string }> {
    const { code, msg, data } = parseEnvelope(
      "renderSprig",
      await this.#api.request("/api/template/renderSprig", { template }),
    );
    return code === 0 && typeof data === "string" ? { text: data } : { problem: msg };
  }

  /** Waits until SiYuan's index holds every write that was answered before now. Without it the index is up to three seconds old. */
  async catchUpIndex(): Promise<void> {
    await this.#data("/api/sqlite/flushTransaction", {});
  }

  /**
   * References to a block, or to any block inside a document, as the index has them: a row may outlive its block. Never
   * more than `limit` rows, one per holder and target.
   */
  async indexedReferences(
    to: { readonly block: string } | { readonly insideDocument: string },
    limit: number,
  ): Promise<readonly IndexedReference[]> {
    const target =
      "block" in to
        ? `def_block_id = '${requireId(to.block)}'`
        : `def_block_id IN (SELECT id FROM blocks WHERE root_id = '${requireId(to.insideDocument)}' AND type != 'd')`;
    const stmt = `SELECT DISTINCT block_id, root_id, def_block_id, box, path FROM refs WHERE ${target} ORDER BY root_id, block_id LIMIT ${limit}`;
    const data = await this.#data("/api/query/sql", { stmt, mode: "readonly" });
    return (Array.isArray(data) ? data : []).filter(isJsonObject).map((row) => ({
      holder: String(row.block_id),
      document: String(row.root_id),
      target: String(row.def_block_id),
      notebook: String(row.box),
      path: String(row.path),
    }));
  }

  /** Whether SiYuan's searches tell upper case from lower case. */
  async searchIsCaseSensitive(): Promise<boolean> {
    const data = await this.#data("/api/system/getConf", {});
    const conf = isJsonObject(data) && isJsonObject(data.conf) ? data.conf : undefined;
    return conf !== undefined && isJsonObject(conf.search) && conf.search.caseSensitive === true;
  }

  /** The id that names this device's workspace settings. */
  async systemId(): Promise<string> {
    const data = await this.#data("/api/system/getConf", {});
    const conf = isJsonObject(data) && isJsonObject(data.conf) ? data.conf : undefined;
    const system = conf && isJsonObject(conf.system) ? conf.system : undefined;
    if (typeof system?.id !== "string" || system.id === "") throw unexpected("getConf");
    return system.id;
  }

  /** Of an answer that is an object also where nothing was found: anything else proves no absence. */
  async #fields(path: string, body: Json): Promise<JsonObject> {
    const data = await this.#data(path, body);
    if (!isJsonObject(data)) throw unexpected(path.slice(path.lastIndexOf("/") + 1));
    return data;
  }

  async #data(path: string, body: Json): Promise<Json> {
    const reply = await this.#api.request(path, body);
    // The engine decodes a text when it is first looked at, and parses it after that: each is long enough.
    if (reply.text.length > sizeLimits.longTextChars) await this.pause();
    return dataOf(path.slice(path.lastIndexOf("/") + 1), reply);
  }
}

function unexpected(endpoint: string): SisyphusError {
  return new SisyphusError("api_error", `SiYuan answered ${endpoint} in an unexpected form`);
}

/** Ids go into statements as they are, so nothing else may. */
function requireId(id: string): string {
  if (!isId(id)) throw new SisyphusError("internal_error", "not an id");
  return id;
}
