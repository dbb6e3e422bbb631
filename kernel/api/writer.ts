// The typed writes of SiYuan's API. Each is sent once: no retry, no redirect, no second guess.

import { SisyphusError } from "../../shared/errors.js";
import { type Json, isJsonObject } from "../../shared/wire/json.js";
import type { SiyuanApi } from "../host/host.js";
import { parseEnvelope } from "./envelope.js";

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

/**
 * How a dispatch can end without an answer:
 * - `api_error`: SiYuan said no
 * - `host_token_rejected`: never executed
 * - `outcome_unknown`: no usable answer; it may have run, may still run, or not
 */
export class SiyuanWriter {
  readonly #api: SiyuanApi;

  constructor(api: SiyuanApi) {
    this.#api = api;
  }

  appendBlock(parentID: string, content: BlockContent): Promise<readonly Echo[]> {
    return this.#blocks("/api/block/appendBlock", { parentID, ...content });
  }

  updateBlock(id: string, content: BlockContent): Promise<readonly Echo[]> {
    return this.#blocks("/api/block/updateBlock", { id, ...content });
  }

  /** All or nothing when SiYuan refuses an element. */
  updateBlocks(blocks: readonly (BlockContent & { readonly id: string })[]): Promise<readonly Echo[]> {
    return this.#blocks("/api/block/batchUpdateBlock", { blocks: blocks.map((block) => ({ ...block })) });
  }

  /** The new document's id. */
  async createDocument(notebook: string, path: string, markdown: string, id: string): Promise<string> {
    const data = await this.#send("/api/filetree/createDocWithMd", { notebook, path, markdown, id });
    if (typeof data !== "string") throw noAnswer("createDocWithMd");
    return data;
  }

  /** The new notebook's id. */
  async createNotebook(name: string): Promise<string> {
    const data = await this.#send("/api/notebook/createNotebook", { name });
    const notebook = isJsonObject(data) && isJsonObject(data.notebook) ? data.notebook : undefined;
    if (typeof notebook?.id !== "string") throw noAnswer("createNotebook");
    return notebook.id;
  }

  async setNotebookIcon(notebook: string, icon: string): Promise<void> {
    await this.#send("/api/notebook/setNotebookIcon", { notebook, icon });
  }

  async #blocks(path: string, body: Json): Promise<readonly Echo[]> {
    const data = await this.#send(path, body);
    if (!Array.isArray(data)) throw noAnswer(path);
    return data.reduce<Echo[]>((echoes, transaction) => {
      const operations = isJsonObject(transaction) && Array.isArray(transaction.doOperations) ? transaction.doOperations : [];
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
    let reply: Awaited<ReturnType<SiyuanApi["request"]>>;
    try {
      reply = await this.#api.request(path, body);
    } catch (thrown) {
      if (thrown instanceof SisyphusError && thrown.code === "host_token_rejected") throw thrown;
      throw new SisyphusError("outcome_unknown", `SiYuan gave no answer to ${endpoint}`);
    }
    if (reply.status !== 200 || reply.text === "") throw noAnswer(endpoint);
    const { code, msg, data } = parseEnvelope(endpoint, reply);
    if (code !== 0) throw new SisyphusError("api_error", `SiYuan refused ${endpoint} with code ${code}: ${msg.replace(/[\\/][^\s]*[\\/][^\s]*/g, "<path>")}`);
    return data;
  }
}

function noAnswer(endpoint: string): SisyphusError {
  return new SisyphusError("outcome_unknown", `SiYuan's answer to ${endpoint} proves nothing`);
}
