// Turns what came back over HTTP (or did not) into a result or into an error that says what to do.

import { type ErrorCode, type ErrorDetails, isErrorCode, SisyphusError } from "../../shared/errors.js";
import { isJsonObject, type Json, type JsonObject } from "../../shared/wire/json.js";
import type { SiyuanAddress } from "./address.js";
import type { CallPurpose } from "./purpose.js";
import type { HttpAnswer, TransportFailure } from "./transport.js";

export interface AnswerContext {
  readonly address: SiyuanAddress;
  readonly hasToken: boolean;
  readonly purpose: CallPurpose;
}

/** A JSON-RPC error that the endpoint raised about the request itself. */
export class RpcError extends Error {
  readonly rpcCode: number;

  constructor(rpcCode: number, message: string) {
    super(message);
    this.name = "RpcError";
    this.rpcCode = rpcCode;
  }
}

/** The `result` of a JSON-RPC answer. Throws `SisyphusError`, or `RpcError` when the endpoint refused the message as such. */
export function readResult(answer: HttpAnswer, context: AnswerContext): JsonObject {
  const body = parse(answer.body);
  if (isJsonObject(body) && body.jsonrpc === "2.0") {
    if (isJsonObject(body.result)) return body.result;
    if (isJsonObject(body.error)) throw rpcFailure(body.error, context);
  }
  throw refusalBeforePlugin(answer, body, context);
}

/** The error for an answer that no plugin gave: SiYuan itself, or somebody else, refused the request. */
export function refusalBeforePlugin(answer: HttpAnswer, body: Json | undefined, context: AnswerContext): SisyphusError {
  const { status } = answer;
  const at = context.address.display;
  const siyuanSays = isJsonObject(body) && typeof body.msg === "string" ? body.msg : "";
  if (status === 401) return unauthenticated(siyuanSays, context);
  if (status === 429) {
    return new SisyphusError(
      "authentication_failed",
      `SiYuan at ${at} refuses requests after too many wrong credentials`,
      {
        hint: "Correct the token, wait a minute, then try again",
      },
    );
  }
  if (status >= 300 && status < 400 && answer.location?.includes("check-auth")) return unauthenticated("", context);
  if (status === 403) return forbidden(answer, body, context);
  const text = answer.body.trim();
  if (status === 404 && text.startsWith("[plugin:")) {
    return unavailable(
      "plugin_missing",
      `SiYuan answers at ${at}, but the plugin is not installed or not enabled there`,
      context,
    );
  }
  if (status === 503 && text.startsWith("[plugin:")) {
    return unavailable(
      "plugin_not_running",
      `SiYuan answers at ${at} and the plugin is enabled, but its kernel part is not running`,
      context,
    );
  }
  if (status === 200 && isJsonObject(body) && body.code === -1) {
    return new SisyphusError(
      "read_only",
      `SiYuan at ${at} runs in read-only mode${siyuanSays && ` ("${siyuanSays}")`}`,
    );
  }
  const shown = `${at} answered HTTP ${status}, which is not an answer of SiYuan with this plugin`;
  // A proxy in between may have lost the answer to a request that arrived.
  if (context.purpose === "commit" && (status < 300 || status >= 500)) {
    return new SisyphusError("outcome_unknown", `${shown}; whether the write was executed is unknown`);
  }
  return new SisyphusError("unexpected_answer", shown);
}

function unauthenticated(siyuanSays: string, { address, hasToken }: AnswerContext): SisyphusError {
  if (hasToken)
    return new SisyphusError("authentication_failed", `SiYuan at ${address.display} does not accept the API token`);
  const foreign = /non-127\.0\.0\.1/.test(siyuanSays);
  return new SisyphusError(
    "token_required",
    foreign
      ? `SiYuan at ${address.display} answers other machines only with an access code and an API token`
      : `SiYuan at ${address.display} is protected by an access code, and no API token was given`,
  );
}

function forbidden(answer: HttpAnswer, body: Json | undefined, context: AnswerContext): SisyphusError {
  const error = isJsonObject(body) && isJsonObject(body.error) ? body.error : undefined;
  if (error?.code === "untrusted_origin") {
    return new SisyphusError("untrusted_origin", typeof error.message === "string" ? error.message : undefined, {
      hint: "Address SiYuan by 127.0.0.1, a local name or an IP address",
    });
  }
  if (answer.body.trim() === "") {
    return new SisyphusError(
      "publish_port",
      `${context.address.display} is SiYuan's publish service, which serves no plugins`,
    );
  }
  return new SisyphusError("unexpected_answer", `${context.address.display} forbids this request (HTTP 403)`);
}

function rpcFailure(error: JsonObject, context: AnswerContext): SisyphusError | RpcError {
  const message = typeof error.message === "string" ? error.message : "unspecified error";
  const code = isJsonObject(error.data) ? error.data.code : undefined;
  if (isErrorCode(code)) {
    // A plugin that stops cannot tell reads from writes; we can.
    if (code === "outcome_unknown" && context.purpose !== "commit") return new SisyphusError("plugin_stopping");
    return new SisyphusError(code, message);
  }
  return new RpcError(typeof error.code === "number" ? error.code : -32603, message);
}

/** The error for a request without an answer. */
export function lostAnswer(failure: TransportFailure, context: AnswerContext): SisyphusError {
  const at = context.address.display;
  if (!failure.sent) {
    if (failure.code === "ABORTED") return new SisyphusError("request_cancelled");
    return unavailable("kernel_unreachable", `${unreachableBecause(failure.code, at)} (${failure.code})`, context);
  }
  const how = `${failure.message} (${failure.code})`;
  if (context.purpose === "commit") {
    return new SisyphusError("outcome_unknown", `The write was sent to ${at}, but its answer was lost: ${how}`);
  }
  if (failure.code === "ABORTED") return new SisyphusError("request_cancelled");
  return new SisyphusError("answer_lost", `The answer of ${at} was lost: ${how}; the call changed nothing`);
}

function unreachableBecause(code: string, at: string): string {
  if (code === "ECONNREFUSED") return `SiYuan is not running: nothing listens at ${at}`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `The host name in ${at} cannot be resolved`;
  if (/CERT|SELF_SIGNED|VERIFY|^ERR_TLS/.test(code)) return `The certificate of ${at} cannot be verified`;
  return `SiYuan cannot be reached at ${at}`;
}

/** A write without its coordinator has one code, whatever stands in the way; the reason stays readable. */
function unavailable(reason: ErrorCode, message: string, { purpose }: AnswerContext): SisyphusError {
  const hints: Partial<Record<ErrorCode, string>> = {
    kernel_unreachable: "Start SiYuan with the plugin enabled, or correct the address (SIYUAN_API_URL)",
    plugin_missing: "Install and enable the plugin siyuan-plugins-mcp-sisyphus in this SiYuan",
    plugin_not_running: "Try again in a moment; if it stays so, disable and enable the plugin and read SiYuan's log",
  };
  const hint = hints[reason];
  if (purpose === "read") return new SisyphusError(reason, message, hint ? { hint } : {});
  const details: ErrorDetails = { reason, ...(hint && { hint: `${hint}; then preflight again` }) };
  return new SisyphusError("write_coordinator_unavailable", `${message}; nothing was executed`, details);
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
