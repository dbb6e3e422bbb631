// The plugin's routes: the MCP endpoint under both names, health, and the probe of the host's path lock.

import { errorTable } from "../../shared/errors.js";
import { hostLimits, sessionLimits, sizeLimits } from "../../shared/limits.js";
import {
  pluginName,
  pluginTitle,
  processCookie,
  processMarkPattern,
  routeBase,
  routes,
} from "../../shared/wire/plugin.js";
import type { HealthReport } from "../../shared/wire/safety.js";
import type { ToolCalls } from "../dispatch/calls.js";
import type { Host, RouteAnswer, RouteRequest, Routes } from "../host/host.js";
import { answerLegacy, LegacyCalls, noticeLegacy, sessionProblem } from "./eras/legacy.js";
import { answerModern, claimsModern } from "./eras/modern.js";
import { originProblem } from "./gates.js";
import { accepted, jsonAnswer, readMessage, rpcCodes, rpcError } from "./json-rpc.js";
import { Sessions } from "./sessions.js";

export interface EndpointParts {
  readonly host: Host;
  readonly calls: ToolCalls;
  health(): HealthReport;
}

export function createEndpoint({ host, calls, health }: EndpointParts): Routes {
  const sessions = new Sessions();
  const inFlight = new LegacyCalls();
  const serverInfo = { name: pluginName, title: pluginTitle, version: host.plugin.version };
  let sessionCount = 0;

  /** Without entropy a counter and the time still make ids distinct; an id authorises nothing. */
  const randomHex = () =>
    host.entropy.bytes(12).then(
      (bytes) => Array.from(bytes, (byte) => (byte < 16 ? "0" : "") + byte.toString(16)).join(""),
      () => host.clock.nowMs().toString(16).padStart(12, "0") + (++sessionCount).toString(16).padStart(8, "0"),
    );

  async function post(route: RouteRequest): Promise<RouteAnswer> {
    const type = (route.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
    if (type !== "application/json")
      return rpcError(415, undefined, rpcCodes.invalidRequest, "Content-Type must be application/json");
    if (route.bodyBytes > sizeLimits.maxRequestBodyBytes) {
      return rpcError(
        413,
        undefined,
        rpcCodes.invalidRequest,
        `${errorTable.request_too_large.cause}: at most ${sizeLimits.maxRequestBodyBytes} bytes`,
      );
    }
    const message = readMessage(route.body);
    if (message.kind === "refusal") return message.answer;
    if (message.kind === "response") return accepted;
    if (message.kind === "notification") return noticeLegacy(message.notification, route, inFlight);
    if (claimsModern(message.request, route)) return answerModern(message.request, route, { calls, serverInfo });
    return answerLegacy(message.request, route, { calls, serverInfo, sessions, randomHex }, inFlight);
  }

  function end(route: RouteRequest): RouteAnswer {
    const refusal = sessionProblem(route, sessions, undefined);
    if (refusal) return refusal;
    sessions.end(route.headers["mcp-session-id"] ?? "");
    return { status: 204 };
  }

  async function mcp(route: RouteRequest): Promise<RouteAnswer> {
    if (route.method === "POST") return post(route);
    if (route.method === "DELETE") return end(route);
    return { ...jsonAnswer(405, { error: "method not allowed" }), headers: { Allow: "POST, DELETE" } };
  }

  async function answer(route: RouteRequest): Promise<RouteAnswer> {
    const problem = originProblem(route);
    if (problem)
      return jsonAnswer(403, {
        error: { code: "untrusted_origin", message: `${errorTable.untrusted_origin.cause}: ${problem}` },
      });
    switch (route.path) {
      case routes.mcp:
      case routes.listen:
        return mcp(route);
      case routes.health:
        return jsonAnswer(200, { ...health() });
      case routes.probe: {
        const given = route.processCookie ?? "";
        const isKnown = processMarkPattern.test(given);
        const mark = isKnown ? given : await randomHex();
        return jsonAnswer(
          200,
          { process: mark, isKnown, instance: health().instance },
          { "Set-Cookie": `${processCookie}=${mark}; Path=${routeBase}; HttpOnly` },
        );
      }
      case routes.lockedProbe:
        await host.clock.sleep(hostLimits.lockProbeHoldMs);
        return jsonAnswer(200, { ok: true });
      default:
        return jsonAnswer(404, { error: `no such route: use ${routes.listen}` });
    }
  }

  return {
    answer,
    // Nothing is announced on a stream yet. One event with a huge retry keeps clients from reconnecting in a loop,
    // and a finite answer keeps the host's path lock free.
    stream: () => ({ events: [{ event: "end", data: "no stream", retryMs: sessionLimits.streamRetryMs }] }),
    interrupted(route) {
      const message = route.method === "POST" ? readMessage(route.body) : undefined;
      if (message?.kind !== "request") return jsonAnswer(503, { error: errorTable.plugin_stopping.cause });
      const { cause } = errorTable.plugin_stopping;
      return rpcError(
        200,
        message.request.id,
        rpcCodes.internal,
        `${cause}; the outcome of a started write is unknown`,
        {
          code: "outcome_unknown",
        },
      );
    },
  };
}
