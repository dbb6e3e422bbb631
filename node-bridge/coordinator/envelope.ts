// Requests of MCP 2026-07-28 over HTTP: the body's envelope and the headers that repeat it.

import type { JsonObject } from "../../shared/wire/json.js";
import { type Confirmation, confirmationKey } from "../../shared/wire/safety.js";

const protocolVersion = "2026-07-28";

export interface ClientIdentity {
  readonly name: string;
  readonly version: string;
}

export interface RpcCall {
  readonly method: "tools/list" | "tools/call";
  readonly params: JsonObject;
}

export function encodeCall(
  call: RpcCall,
  id: number,
  client: ClientIdentity,
  confirmation: Confirmation,
): { body: string; headers: Record<string, string> } {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": protocolVersion,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: client.name, version: client.version },
    [confirmationKey]: confirmation,
  };
  const name = call.params.name;
  return {
    body: JSON.stringify({ jsonrpc: "2.0", id, method: call.method, params: { ...call.params, _meta: meta } }),
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": protocolVersion,
      "mcp-method": call.method,
      ...(typeof name === "string" && { "mcp-name": headerValue(name) }),
    },
  };
}

/** Plain ASCII stays; anything else, and what looks encoded already, is sent as Base64. */
function headerValue(text: string): string {
  const plain = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return plain ? text : `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}
