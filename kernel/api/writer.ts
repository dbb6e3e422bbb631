// The typed writes of SiYuan's API. Each is sent once: no retry, no redirect, no second guess.

import { SisyphusError } from "../../shared/errors.js";
import { type Json, type JsonObject, isJsonObject } from "../../shared/wire/json.js";
import type { HostReply, SiyuanApi } from "../host/host.js";
import { parseEnvelope, refusedBySiyuan } from "./envelope.js";

/** SiYuan's own account of a block operation: a request in its normal form, not yet a proof of anything. */
export interface Echo {
  /** "" when nothing was written. */
  readonly id: string;
  readonly parentID: string;
  readonly dom: string;
}

export interface BlockContent {
  readonly dataType: "markdown" | "dom";
  readonly data: string;
}

/** Content with its place: exactly one of the anchors. */
export interface BlockInsertion extends BlockContent {
  readonly nextID?: string;
  readonly previousID?: string;
  readonly parentID?: string;
}

/** Behind a block, or to the start of a container. */
export type BlockMove =
  | { readonly id: string; readonly previousID: string }
  | { readonly id: string; readonly parentID: string };

/**
 * How a dispatch can end without an answer:
 * - `api_error`: SiYuan said no
 * - `host_token_rejected`: never executed
 * - `kernel_unreachable`: no answer; it may have run, and may still run
 * - `outcome_unknown`: an answer that proves nothing; it may have run
 */
export class SiyuanWriter {
  readonly #api: SiyuanApi;

  constructor(api: SiyuanApi) {
    this.#api = api;
  }

  /** The same writer, which tells of each request before it sends it. */
  watched(onSend: () => void): SiyuanWriter {
    return new SiyuanWriter({
      request: (path, body) => {
        onSend();
        return this.#api.request(path, body);
      },
    });
  }

  appendBlock(parentID: string, content: BlockContent): Promise<readonly Echo[]> {
    return this.#blocks("/api/block/appendBlock", { parentID, ...content });
  }

  prependBlock(parentID: string, content: BlockContent): Promise<readonly Echo[]> {
    return this.#blocks("/api/block/prependBlock", { parentID, ...content });
  }

  insertBlock(insertion: BlockInsertion): Promise<readonly Echo[]> {
    return this.#blocks("/api/block/insertBlock", { ...insertion });
  }

  /** One transaction per element, in order; one echo per element. */
  insertBlocks(insertions: readonly BlockInsertion[]): Promise<readonly Echo[]> {
    return this.#blocks("/api/block/batchInsertBlock", { blocks: insertions.map((insertion) => ({ ...insertion })) });
  }

  /** Answered before it happens, and for any id alike. */
  async deleteBlock(id: string): Promise<void> {
    await this.#send("/api/block/deleteBlock", { id });
  }

  /** All of them in one transaction, in order: SiYuan answers code 0 even when it did nothing, but never does a part. */
  async moveBlocks(moves: readonly BlockMove[]): Promise<void> {
    const doOperations = moves.map((move) => ({ action: "move", ...move }));
    await this.#send("/api/transactions", { transactions: [{ doOperations }], reqId: 1 });
  }

  /** Changes these attributes of a block or document and leaves the others; "" or null removes one. */
  async setAttributes(id: string, attrs: Readonly<Record<string, string | null>>): Promise<void> {
    await this.#send("/api/attr/setBlockAttrs", { id, attrs });
  }

  updateBlock(id: string, content: BlockContent): Promise<readonly Echo[]> {
    return this.#blocks("/api/block/updateBlock", { id, ...content });
  }

  /** All or nothing when SiYuan refuses an element. */
  updateBlocks(blocks: readonly (BlockContent & { readonly id: string })[]): Promise<readonly Echo[]> {
    return this.#blocks("/api/block/batchUpdateBlock", { blocks: blocks.map((block) => ({ ...block })) });
  }

  /** Of a heading: with its section. */
  async foldBlock(id: string): Promise<void> {
    await this.#send("/api/block/foldBlock", { id });
  }

  async unfoldBlock(id: string): Promise<void> {
    await this.#send("/api/block/unfoldBlock", { id });
  }

  /**
   * Other DOM for many blocks in one transaction: all or nothing. Each document is loaded once, where `updateBlocks`
   * loads it for every block. Answered alike when it failed; without `updated` in it SiYuan stamps the block anew.
   */
  async replaceDoms(blocks: readonly { readonly id: string; readonly dom: string }[]): Promise<void> {
    const doOperations = blocks.map(({ id, dom }) => ({ action: "update", id, data: dom }));
    await this.#send("/api/transactions", { transactions: [{ doOperations, undoOperations: [] }], reqId: 1 });
  }

  /** Only in these blocks: without them SiYuan would choose by its index, which lags. */
  async transferReferences(fromID: string, toID: string, refIDs: readonly string[]): Promise<void> {
    await this.#send("/api/block/transferBlockRef", { fromID, toID, refIDs: refIDs.slice() });
  }

  /** The new document's id. */
  async createDocument(notebook: string, path: string, markdown: string, id: string): Promise<string> {
    const data = await this.#send("/api/filetree/createDocWithMd", { notebook, path, markdown, id });
    if (typeof data !== "string") throw noAnswer("createDocWithMd");
    return data;
  }

  /** Today's note by the notebook's settings, made where it is not there; its id. `app` is told to SiYuan's windows. */
  async createDailyNote(notebook: string, app: string | undefined): Promise<string> {
    const data = await this.#send("/api/filetree/createDailyNote", { notebook, ...(app === undefined ? {} : { app }) });
    if (!isJsonObject(data) || typeof data.id !== "string") throw noAnswer("createDailyNote");
    return data.id;
  }

  /** Makes today's note first where it is not there. */
  addToDailyNote(notebook: string, end: "append" | "prepend", content: BlockContent): Promise<readonly Echo[]> {
    return this.#blocks(`/api/block/${end}DailyNoteBlock`, { notebook, ...content });
  }

  async renameDocument(id: string, title: string): Promise<void> {
    await this.#send("/api/filetree/renameDocByID", { id, title });
  }

  /** By storage path: SiYuan says no where no document lies there, while a block's id would rename its document. */
  async renameDocumentAt(notebook: string, path: string, title: string): Promise<void> {
    await this.#send("/api/filetree/renameDoc", { notebook, path, title });
  }

  /** The copy's id. */
  async duplicateDocument(id: string): Promise<string> {
    const data = await this.#send("/api/filetree/duplicateDoc", { id });
    if (!isJsonObject(data) || typeof data.id !== "string") throw noAnswer("duplicateDoc");
    return data.id;
  }

  /** Of the heading and its section a document with the heading's id, below `targetPath` or behind `previousPath`. */
  async headingToDocument(place: {
    readonly heading: string;
    readonly notebook: string;
    readonly targetPath: string;
    readonly previousPath?: string;
  }): Promise<void> {
    const { heading, notebook, ...path } = place;
    await this.#send("/api/filetree/heading2Doc", { srcHeadingID: heading, targetNoteBook: notebook, ...path });
  }

  /** Of the document a heading with its id, beside a block of another document. */
  async documentToHeading(document: string, targetID: string, after: boolean): Promise<void> {
    await this.#send("/api/filetree/doc2Heading", { srcID: document, targetID, after });
  }

  /** With everything below it. */
  async removeDocument(id: string): Promise<void> {
    await this.#send("/api/filetree/removeDocByID", { id });
  }

  /** With everything below them. SiYuan refuses a path at which no document lies, before it moves anything. */
  async moveDocuments(paths: readonly string[], notebook: string, toPath: string): Promise<void> {
    await this.#send("/api/filetree/moveDocs", { fromPaths: paths, toNotebook: notebook, toPath });
  }

  /** Numbers the documents of one folder 1..n in this order; SiYuan puts those that are left out behind. */
  async orderDocuments(notebook: string, paths: readonly string[]): Promise<void> {
    await this.#send("/api/filetree/changeSort", { notebook, paths });
  }

  /** By storage path, of any notebook; nothing goes when one path is wrong. */
  async removeDocuments(paths: readonly string[]): Promise<void> {
    await this.#send("/api/filetree/removeDocs", { paths });
  }

  /** The new notebook's id. */
  async createNotebook(name: string): Promise<string> {
    const data = await this.#send("/api/notebook/createNotebook", { name });
    const notebook = isJsonObject(data) && isJsonObject(data.notebook) ? data.notebook : undefined;
    if (typeof notebook?.id !== "string") throw noAnswer("createNotebook");
    return notebook.id;
  }

  async renameNotebook(notebook: string, name: string): Promise<void> {
    await this.#send("/api/notebook/renameNotebook", { notebook, name });
  }

  /** The whole configuration as SiYuan says it is now. */
  async setNotebookConf(notebook: string, conf: JsonObject): Promise<JsonObject> {
    const data = await this.#send("/api/notebook/setNotebookConf", { notebook, conf });
    if (!isJsonObject(data)) throw noAnswer("setNotebookConf");
    return data;
  }

  async openNotebook(notebook: string): Promise<void> {
    await this.#send("/api/notebook/openNotebook", { notebook });
  }

  async closeNotebook(notebook: string): Promise<void> {
    await this.#send("/api/notebook/closeNotebook", { notebook });
  }

  async removeNotebook(notebook: string): Promise<void> {
    await this.#send("/api/notebook/removeNotebook", { notebook });
  }

  async setNotebookIcon(notebook: string, icon: string): Promise<void> {
    await this.#send("/api/notebook/setNotebookIcon", { notebook, icon });
  }

  async #blocks(path: string, body: Json): Promise<readonly Echo[]> {
    const data = await this.#send(path, body);
    if (!Array.isArray(data)) throw noAnswer(path);
    return data.reduce<Echo[]>((echoes, transaction) => {
      const operations =
        isJsonObject(transaction) && Array.isArray(transaction.doOperations) ? transaction.doOperations : [];
      return echoes.concat(
        operations.filter(isJsonObject).map((operation) => ({
          id: String(operation.id ?? ""),
          parentID: String(operation.parentID ?? ""),
          dom: typeof operation.data === "string" ? operation.data : "",
        })),
      );
    }, []);
  }

  async #send(path: string, body: Json): Promise<Json> {
    const endpoint = path.slice(path.lastIndexOf("/") + 1);
    let reply: HostReply;
    try {
      reply = await this.#api.request(path, body);
    } catch (thrown) {
      if (thrown instanceof SisyphusError && thrown.code === "host_token_rejected") throw thrown;
      throw new SisyphusError("kernel_unreachable", `SiYuan gave no answer to ${endpoint}`);
    }
    if (reply.status !== 200 || reply.text === "") throw noAnswer(endpoint);
    const { code, msg, data } = answerOf(endpoint, reply);
    if (code !== 0) throw refusedBySiyuan(endpoint, code, msg);
    return data;
  }
}

/** An answer that cannot be read is no refusal: the write may have run, or may still run. */
function answerOf(endpoint: string, reply: HostReply): ReturnType<typeof parseEnvelope> {
  try {
    return parseEnvelope(endpoint, reply);
  } catch (thrown) {
    throw thrown instanceof SisyphusError && thrown.code === "api_error" ? noAnswer(endpoint) : thrown;
  }
}

function noAnswer(endpoint: string): SisyphusError {
  return new SisyphusError("outcome_unknown", `SiYuan's answer to ${endpoint} proves nothing`);
}
