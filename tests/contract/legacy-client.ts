// A legacy MCP client, for dangerous commits: it confirms by `confirm: true`.

import { type Answered, credentialsOf, type Fields, type ModernClient } from "./modern-client.js";
import type { Tier } from "./tier.js";

export class LegacyClient {
  readonly #tier: Tier;
  #session: Promise<string> | undefined;
  #id = 0;

  constructor(tier: Tier) {
    this.#tier = tier;
  }

  async call(tool: string, args: Fields): Promise<{ readonly structured: Answered; readonly isError: boolean }> {
    this.#session ??= this.#initialize();
    const response = await this.#post(
      { method: "tools/call", params: { name: tool, arguments: args } },
      { "Mcp-Session-Id": await this.#session },
    );
    const { result } = (await response.json()) as {
      result: { structuredContent?: Answered; isError?: boolean; content: { text: string }[] };
    };
    return {
      structured: result.structuredContent ?? (JSON.parse(result.content[0]?.text ?? "{}") as Answered),
      isError: result.isError === true,
    };
  }

  /** Preflight over the modern endpoint, commit with a confirmation over this one. */
  async write(tool: string, args: Fields, modern: ModernClient): Promise<Answered> {
    return this.commit(tool, { ...args, ...credentialsOf(await modern.preflight(tool, args)) });
  }

  async commit(tool: string, args: Fields): Promise<Answered> {
    return this.ok(tool, { ...args, confirm: true });
  }

  /** The structured answer of a call that must succeed. */
  async ok(tool: string, args: Fields): Promise<Answered> {
    const { structured, isError } = await this.call(tool, args);
    if (isError) throw new Error(JSON.stringify(structured));
    return structured;
  }

  /** Preflight and confirmed commit. */
  async confirmed(tool: string, args: Fields): Promise<Answered> {
    return this.commit(tool, { ...args, ...credentialsOf(await this.ok(tool, { ...args, validateOnly: true })) });
  }

  async #initialize(): Promise<string> {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "contract", version: "1" } };
    return (await this.#post({ method: "initialize", params }, {})).headers.get("mcp-session-id") ?? "";
  }

  #post(message: object, headers: Record<string, string>): Promise<Response> {
    return fetch(this.#tier.mcpUrl, {
      method: "POST",
      headers: {
        Authorization: `Token ${this.#tier.token}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: ++this.#id, ...message }),
    });
  }
}
