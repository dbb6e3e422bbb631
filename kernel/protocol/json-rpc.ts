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
  if (!isJsonObject(message) || message.jsonrpc !== "2.0") {
    return refuse(400, rpcCodes.invalidRequest, "Invalid Request: one JSON-RPC 2.0 object is expected");
  }
  if (typeof message.method !== "string") {
    const isResponse = "result" in message || "error" in message;
    return isResponse ? { kind: "response" } : refuse(400, rpcCodes.invalidRequest, "Invalid Request: method is missing");
  }
  const params = message.params === undefined ? {} : message.params;
  if (!("id" in message)) {
    return { kind: "notification", notification: { method: message.method, params: isJsonObject(params) ? params : {} } };
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

function refuse(status: number, code: number, message: string): RpcMessage {
  return { kind: "refusal", answer: rpcError(status, undefined, code, message) };
}

export function rpcResult(id: RpcId, result: Json, headers?: Readonly<Record<string, string>>): RouteAnswer {
  return jsonAnswer(200, { jsonrpc: "2.0", id, result }, headers);
}

/** `id` is left out when it could not be read. */
export function rpcError(status: number, id: RpcId | undefined, code: number, message: string, data?: Json): RouteAnswer {
  const error: JsonObject = data === undefined ? { code, message } : { code, message, data };
  return jsonAnswer(status, id === undefined ? { jsonrpc: "2.0", error } : { jsonrpc: "2.0", id, error });
}

export function jsonAnswer(status: number, body: Json, headers?: Readonly<Record<string, string>>): RouteAnswer {
  return { status, contentType: "application/json; charset=utf-8", body: JSON.stringify(body), headers };
}

export const accepted: RouteAnswer = { status: 202 };
