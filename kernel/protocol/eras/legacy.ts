// MCP 2024-11-05 to 2025-11-25: initialize, sessions, ping, notifications.

import type { JsonObject } from "../../../shared/wire/json.js";
import type { ToolCalls } from "../../dispatch/calls.js";
import type { RouteAnswer, RouteRequest } from "../../host/host.js";
import {
  accepted,
  type RpcId,
  type RpcNotification,
  type RpcRequest,
  rpcCodes,
  rpcError,
  rpcResult,
} from "../json-rpc.js";
import { callTool, listTools, type MethodOutcome } from "../methods.js";
import type { Sessions } from "../sessions.js";

export const legacyVersions: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

export interface LegacyContext {
  readonly calls: ToolCalls;
  readonly serverInfo: JsonObject;
  readonly sessions: Sessions;
  /** At least 16 hex digits that no other session has. */
  randomHex(): Promise<string>;
}

/** Calls in flight by session and id, so that a later notification can take one back. */
export class LegacyCalls {
  readonly #cancelled = new Map<string, boolean>();

  key(session: string, id: RpcId): string {
    return `${session}|${typeof id}|${id}`;
  }
  begin(key: string): void {
    this.#cancelled.set(key, false);
  }
  end(key: string): void {
    this.#cancelled.delete(key);
  }
  cancel(key: string): void {
    if (this.#cancelled.has(key)) this.#cancelled.set(key, true);
  }
  isCancelled(key: string): boolean {
    return this.#cancelled.get(key) === true;
  }
}

export async function answerLegacy(
  request: RpcRequest,
  route: RouteRequest,
  context: LegacyContext,
  inFlight: LegacyCalls,
): Promise<RouteAnswer> {
  if (request.method === "initialize") return initialize(request, context);
  const refusal = sessionProblem(route, context.sessions, request.id);
  if (refusal) return refusal;
  const version = route.headers["mcp-protocol-version"]?.trim();
  if (version !== undefined && !legacyVersions.includes(version)) {
    return rpcError(400, request.id, rpcCodes.invalidRequest, `Unsupported protocol version: ${version}`);
  }
  const key = inFlight.key(route.headers["mcp-session-id"] ?? "", request.id);
  inFlight.begin(key);
  try {
    const outcome = await run(request, context.calls, () => inFlight.isCancelled(key));
    // A late answer to a cancelled call makes clients report an unknown message.
    if (inFlight.isCancelled(key)) return accepted;
    if (outcome === undefined)
      return rpcError(200, request.id, rpcCodes.methodNotFound, `Method not found: ${request.method}`);
    if ("invalidParams" in outcome) return rpcError(200, request.id, rpcCodes.invalidParams, outcome.invalidParams);
    return rpcResult(request.id, outcome.result, outcome);
  } finally {
    inFlight.end(key);
  }
}

async function run(
  request: RpcRequest,
  calls: ToolCalls,
  isCancelled: () => boolean,
): Promise<MethodOutcome | undefined> {
  switch (request.method) {
    case "ping":
      return { result: {} };
    case "tools/list":
      return listTools(calls, request);
    case "tools/call":
      return callTool(calls, request, "convention", isCancelled);
    default:
      return undefined;
  }
}

async function initialize(
  request: RpcRequest,
  { calls, serverInfo, sessions, randomHex }: LegacyContext,
): Promise<RouteAnswer> {
  const asked = request.params.protocolVersion;
  const protocolVersion =
    typeof asked === "string" && legacyVersions.includes(asked) ? asked : (legacyVersions[0] ?? "");
  const session = sessions.create(protocolVersion, await randomHex());
  const result = { protocolVersion, capabilities: { tools: {} }, serverInfo, instructions: await calls.instructions() };
  return rpcResult(request.id, result, { headers: { "Mcp-Session-Id": session } });
}

/** The refusal of a request that names no session or an ended one. */
export function sessionProblem(
  route: RouteRequest,
  sessions: Sessions,
  id: RpcId | undefined,
): RouteAnswer | undefined {
  const session = route.headers["mcp-session-id"];
  if (session === undefined)
    return rpcError(400, id, rpcCodes.invalidRequest, "Mcp-Session-Id is missing: initialize first");
  if (!sessions.accepts(session))
    return rpcError(404, id, rpcCodes.sessionNotFound, "Session not found: initialize again");
  return undefined;
}

export function noticeLegacy(notification: RpcNotification, route: RouteRequest, inFlight: LegacyCalls): RouteAnswer {
  const id = notification.params.requestId;
  if (notification.method === "notifications/cancelled" && (typeof id === "string" || typeof id === "number")) {
    inFlight.cancel(inFlight.key(route.headers["mcp-session-id"] ?? "", id));
  }
  return accepted;
}
