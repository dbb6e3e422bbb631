// A modern MCP client over plain HTTP, as small as the protocol allows, so that tests see exactly what the wire holds.

import type { Tier } from "./tier.js";

export type Fields = Record<string, unknown>;

export interface Answer {
  readonly structured: Answered;
  readonly isError: boolean;
  readonly text: string;
}

/** The fields tests look at; what an answer lacks is undefined. */
export interface Answered extends Fields {
  readonly requestId: string;
  readonly expectedStateHash?: string;
  readonly preconditionField?: string;
  readonly safety: {
    requestId: string;
    transactionState: string;
    replayed: boolean;
    previousHash?: string;
    resultHash?: string;
    writeExecuted: boolean;
  };
  readonly error: {
    code: string;
    type: string;
    message: string;
    next: string;
    fields?: { path: string; message: string }[];
  } & Fields;
}

const version = "2026-07-28";
const meta = {
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientCapabilities": {},
};

export class ModernClient {
  readonly #tier: Tier;
  #id = 0;

  constructor(tier: Tier) {
    this.#tier = tier;
  }

  /** The raw HTTP answer of one JSON-RPC request. */
  request(method: string, params: Fields = {}, headers: Record<string, string> = {}): Promise<Response> {
    const name = typeof params.name === "string" ? { "Mcp-Name": params.name } : undefined;
    return fetch(this.#tier.mcpUrl, {
      method: "POST",
      headers: {
        Authorization: `Token ${this.#tier.token}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": version,
        "Mcp-Method": method,
        ...name,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: ++this.#id, method, params: { ...params, _meta: meta } }),
    });
  }

  async call(tool: string, args: Fields): Promise<Answer> {
    const response = await this.request("tools/call", { name: tool, arguments: args });
    const body = (await response.json()) as {
      result?: { structuredContent: Answered; isError?: boolean; content: { text: string }[] };
      error?: unknown;
    };
    if (!body.result) throw new Error(`no result: ${JSON.stringify(body)}`);
    return {
      structured: body.result.structuredContent,
      isError: body.result.isError === true,
      text: body.result.content[0]?.text ?? "",
    };
  }

  /** The structured answer of a call that must succeed. */
  async ok(tool: string, args: Fields): Promise<Answered> {
    const answer = await this.call(tool, args);
    if (answer.isError) throw new Error(answer.text);
    return answer.structured;
  }

  /** The error of a call that must fail. */
  async refused(tool: string, args: Fields): Promise<Answered["error"]> {
    const answer = await this.call(tool, args);
    if (!answer.isError) throw new Error(`not refused: ${answer.text}`);
    return answer.structured.error;
  }

  preflight(tool: string, args: Fields): Promise<Answered> {
    return this.ok(tool, { ...args, validateOnly: true });
  }

  /** Preflight and commit. */
  async write(tool: string, args: Fields): Promise<Answered> {
    return this.ok(tool, { ...args, ...credentialsOf(await this.preflight(tool, args)) });
  }
}

/** What a commit copies from its preflight. */
export function credentialsOf(preflight: Answered): Fields {
  const field = preflight.preconditionField;
  return { requestId: preflight.requestId, ...(field === undefined ? {} : { [field]: preflight[field] }) };
}
