// The bench's way to SiYuan and to the plugin: POSTs over one kept connection, which scatter less than fetch.

import { Agent, request } from "node:http";
import { credentialsOf, type Fields } from "../contract/modern-client.js";
import type { Tier } from "../contract/tier.js";

const version = "2026-07-28";
const meta = {
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientCapabilities": {},
};

export class BenchClient {
  readonly #tier: Tier;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(tier: Tier) {
    this.#tier = tier;
  }

  close(): void {
    this.#agent.destroy();
  }

  /** SiYuan's answer to one request, as text. */
  post(path: string, body: object, headers: Record<string, string> = {}): Promise<string> {
    const text = JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const sent = request(
        this.#tier.apiUrl + path,
        {
          method: "POST",
          agent: this.#agent,
          headers: {
            Authorization: `Token ${this.#tier.token}`,
            "Content-Type": "application/json",
            "Content-Length": Buffer.byteLength(text),
            ...headers,
          },
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("end", () => resolve(Buffer.concat(parts).toString("utf8")));
        },
      );
      sent.on("error", reject);
      sent.end(text);
    });
  }

  /** SiYuan's data. A refusal rejects: a row must not measure errors. */
  async data<Data>(path: string, body: object): Promise<Data> {
    const { code, msg, data } = JSON.parse(await this.post(path, body));
    if (code !== 0) throw new Error(`${path}: ${code} ${msg}`);
    return data;
  }

  /** The structured answer of a tool. A refusal rejects. */
  async call(tool: string, args: Fields): Promise<Fields> {
    const params = { name: tool, arguments: args, _meta: meta };
    const headers = { "MCP-Protocol-Version": version, "Mcp-Method": "tools/call", "Mcp-Name": tool };
    const path = this.#tier.mcpUrl.slice(this.#tier.apiUrl.length);
    const { result } = JSON.parse(
      await this.post(path, { jsonrpc: "2.0", id: 1, method: "tools/call", params }, headers),
    );
    if (result.isError) throw new Error(result.content[0].text);
    return result.structuredContent;
  }

  preflight(tool: string, args: Fields): Promise<Fields> {
    return this.call(tool, { ...args, validateOnly: true });
  }

  /** A commit that only has to be sent. */
  async prepared(tool: string, args: Fields): Promise<() => Promise<Fields>> {
    const credentials = credentialsOf((await this.preflight(tool, args)) as never);
    return () => this.call(tool, { ...args, ...credentials });
  }
}
