// JSON-RPC 2.0 messages: how one is read, and how answers are built.

import type { Json, JsonObject } from "../../shared/wire/json.js";
import { isJsonObject } from "../../shared/wire/json.js";
import type { RouteAnswer } from "../host/host.js";

export type RpcId = string | number;

export interface RpcRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: JsonObject;
}

export interface RpcNotification {
  readonly method: string;
  readonly params: JsonObject;
}

export const rpcCodes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  sessionNotFound: -32001,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

/** What a POST body holds. `refusal` is the answer to a body that is none of these. */
export type RpcMessage =
  | { readonly kind: "request"; readonly request: RpcRequest }
  | { readonly kind: "notification"; readonly notification: RpcNotification }
  | { readonly kind: "response" }
  | { readonly kind: "refusal"; readonly answer: RouteAnswer };

export function readMessage(body: string): RpcMessage {
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch {
    return refuse(400, rpcCodes.parse, "Parse error: the body is not JSON");
  }
  if (hasLoneSurrogateEscape(body)) {
    return refuse(
      400,
      rpcCodes.invalidParams,
      "A text holds half of a character pair (a lone surrogate escape), which SiYuan would replace",
    );
  }
  if (!isJsonObject(message) || message.jsonrpc !== "2.0") {
    return refuse(400, rpcCodes.invalidRequest, "Invalid Request: one JSON-RPC 2.0 object is expected");
  }
  if (typeof message.method !== "string") {
    const isResponse = "result" in message || "error" in message;
    return isResponse
      ? { kind: "response" }
      : refuse(400, rpcCodes.invalidRequest, "Invalid Request: method is missing");
  }
  const params = message.params === undefined ? {} : message.params;
  if (!("id" in message)) {
    return {
      kind: "notification",
      notification: { method: message.method, params: isJsonObject(params) ? params : {} },
    };
  }
  const id = message.id;
  if (typeof id !== "string" && !(typeof id === "number" && Number.isInteger(id))) {
    return refuse(400, rpcCodes.invalidRequest, "Invalid Request: id must be a string or an integer");
  }
  if (!isJsonObject(params)) {
    return { kind: "refusal", answer: rpcError(400, id, rpcCodes.invalidParams, "params must be an object") };
  }
  return { kind: "request", request: { id, method: message.method, params } };
}

/** This engine's JSON.parse replaces such escapes without a word, so they are found in the source. */
function hasLoneSurrogateEscape(body: string): boolean {
  if (!body.includes("\\ud") && !body.includes("\\uD")) return false;
  const escapes = /\\(?:u([0-9a-fA-F]{4})|[^u])/g;
  /** Where a low surrogate must begin, after a high one. */
  let lowDue = -1;
  for (let match = escapes.exec(body); match; match = escapes.exec(body)) {
    const unit = match[1] === undefined ? -1 : Number.parseInt(match[1], 16);
    const isLow = unit >= 0xdc00 && unit <= 0xdfff;
    if (isLow !== (lowDue === match.index) || (lowDue >= 0 && lowDue !== match.index)) return true;
    lowDue = unit >= 0xd800 && unit <= 0xdbff ? match.index + match[0].length : -1;
  }
  return lowDue >= 0;
}

function refuse(status: number, code: number, message: string): RpcMessage {
  return { kind: "refusal", answer: rpcError(status, undefined, code, message) };
}

export interface RpcResultParts {
  readonly headers?: Readonly<Record<string, string>>;
  /** Becomes `structuredContent` of the result. It comes as JSON, so that a long answer is not written twice. */
  readonly structuredJson?: string;
}

export function rpcResult(id: RpcId, result: JsonObject, parts: RpcResultParts = {}): RouteAnswer {
  const { headers, structuredJson } = parts;
  const answer = jsonAnswer(200, { jsonrpc: "2.0", id, result }, headers);
  if (structuredJson === undefined) return answer;
  const separator = Object.keys(result).length > 0 ? "," : "";
  return { ...answer, body: `${answer.body?.slice(0, -2)}${separator}"structuredContent":${structuredJson}}}` };
}

/** `id` is left out when it could not be read. */
export function rpcError(
  status: number,
  id: RpcId | undefined,
  code: number,
  message: string,
  data?: Json,
): RouteAnswer {
  const error: JsonObject = data === undefined ? { code, message } : { code, message, data };
  return jsonAnswer(status, id === undefined ? { jsonrpc: "2.0", error } : { jsonrpc: "2.0", id, error });
}

export function jsonAnswer(status: number, body: Json, headers?: Readonly<Record<string, string>>): RouteAnswer {
  return { status, contentType: "application/json; charset=utf-8", body: JSON.stringify(body), headers };
}

export const accepted: RouteAnswer = { status: 202 };
