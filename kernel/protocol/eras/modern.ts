// MCP 2026-07-28: stateless, every request carries its version and capabilities.

import { type JsonObject, isJsonObject } from "../../../shared/wire/json.js";
import { type Confirmation, confirmationKey } from "../../../shared/wire/safety.js";
import type { ToolCalls } from "../../dispatch/calls.js";
import type { RouteAnswer, RouteRequest } from "../../host/host.js";
import { decodeHeader } from "../headers.js";
import { type RpcRequest, rpcCodes, rpcError, rpcResult } from "../json-rpc.js";
import { callTool, listTools, type MethodOutcome } from "../methods.js";

export const modernVersions: readonly string[] = ["2026-07-28"];
export const versionKey = "io.modelcontextprotocol/protocolVersion";
const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
const logLevelKey = "io.modelcontextprotocol/logLevel";
const serverInfoKey = "io.modelcontextprotocol/serverInfo";
const logLevels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
const namedBy: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

export interface ModernContext {
  readonly calls: ToolCalls;
  readonly serverInfo: JsonObject;
}

/** True when the request claims this era, in its envelope or by its header. */
export function claimsModern(request: RpcRequest, route: RouteRequest): boolean {
  const header = route.headers["mcp-protocol-version"];
  return versionKey in envelope(request) || (header !== undefined && isModernHeader(header.trim()));
}

/** Dates sort as text; anything else that sorts later, such as a draft name, counts as newer. */
function isModernHeader(version: string): boolean {
  return compareCodeUnits(version, modernVersions[0] ?? "") >= 0;
}

function compareCodeUnits(a: string, b: string): number {
  for (let index = 0; index < a.length && index < b.length; index++) {
    const difference = a.charCodeAt(index) - b.charCodeAt(index);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function envelope(request: RpcRequest): JsonObject {
  return isJsonObject(request.params._meta) ? request.params._meta : {};
}

export async function answerModern(
  request: RpcRequest,
  route: RouteRequest,
  context: ModernContext,
): Promise<RouteAnswer> {
  const problem = envelopeProblem(request, route);
  if (problem) return problem;
  const outcome = await run(request, context);
  if (outcome === undefined)
    return rpcError(404, request.id, rpcCodes.methodNotFound, `Method not found: ${request.method}`);
  if ("invalidParams" in outcome) return rpcError(200, request.id, rpcCodes.invalidParams, outcome.invalidParams);
  const result = { ...outcome.result, resultType: "complete", _meta: { [serverInfoKey]: context.serverInfo } };
  return rpcResult(request.id, result, outcome);
}

/** Our own relay and command line say how they confirm; anybody else has to show the dialog. */
function confirmationOf(request: RpcRequest): Confirmation {
  const said = envelope(request)[confirmationKey];
  return said === "command" || said === "convention" ? said : "dialog";
}

const uncached = { ttlMs: 0, cacheScope: "private" };

async function run(request: RpcRequest, { calls }: ModernContext): Promise<MethodOutcome | undefined> {
  switch (request.method) {
    case "server/discover":
      return {
        result: {
          supportedVersions: modernVersions,
          capabilities: { tools: {} },
          instructions: await calls.instructions(),
          ...uncached,
        },
      };
    case "tools/list": {
      const outcome = await listTools(calls, request);
      return "result" in outcome ? { result: { ...outcome.result, ...uncached } } : outcome;
    }
    case "tools/call":
      // A modern client takes a call back by leaving, which an HTTP handler cannot see.
      return callTool(calls, request, confirmationOf(request), () => false);
    default:
      return undefined;
  }
}

/** The order of these checks is the one that the specification and its conformance suite expect. */
function envelopeProblem(request: RpcRequest, route: RouteRequest): RouteAnswer | undefined {
  const { id, method } = request;
  const meta = envelope(request);
  const header = route.headers["mcp-protocol-version"]?.trim();
  const version = meta[versionKey];
  if (version === undefined) {
    return method === "initialize" && !("_meta" in request.params)
      ? rpcError(400, id, rpcCodes.headerMismatch, "initialize does not exist in this protocol version")
      : rpcError(400, id, rpcCodes.invalidParams, `params._meta lacks ${versionKey} and ${capabilitiesKey}`);
  }
  if (typeof version !== "string" || !isJsonObject(meta[capabilitiesKey])) {
    return rpcError(
      400,
      id,
      rpcCodes.invalidParams,
      `params._meta needs ${versionKey} (string) and ${capabilitiesKey} (object)`,
    );
  }
  const level = meta[logLevelKey];
  if (level !== undefined && !(typeof level === "string" && logLevels.includes(level))) {
    return rpcError(400, id, rpcCodes.invalidParams, `${logLevelKey} is not a log level`);
  }
  if (header !== undefined && header !== version) {
    return rpcError(400, id, rpcCodes.headerMismatch, "MCP-Protocol-Version differs from the envelope");
  }
  if (!modernVersions.includes(version)) {
    return rpcError(400, id, rpcCodes.unsupportedVersion, "Unsupported protocol version", {
      supported: modernVersions,
      requested: version,
    });
  }
  if (header === undefined) return rpcError(400, id, rpcCodes.headerMismatch, "MCP-Protocol-Version header is missing");
  if (route.headers["mcp-method"]?.trim() !== method) {
    return rpcError(400, id, rpcCodes.headerMismatch, "Mcp-Method header is missing or differs from the method");
  }
  const field = Object.prototype.hasOwnProperty.call(namedBy, method) ? namedBy[method] : undefined;
  const named = field === undefined ? undefined : request.params[field];
  if (typeof named === "string") {
    const nameHeader = route.headers["mcp-name"]?.trim();
    if (nameHeader === undefined || decodeHeader(nameHeader) !== named) {
      return rpcError(400, id, rpcCodes.headerMismatch, `Mcp-Name header is missing or differs from ${field}`);
    }
  }
  return undefined;
}
