// The client of the coordinator inside SiYuan: one POST per call, never sent twice unless it cannot have arrived.

import { setTimeout as delay } from "node:timers/promises";
import { SisyphusError } from "../../shared/errors.js";
import { bridgeLimits } from "../../shared/limits.js";
import { isJsonObject, type Json, type JsonObject } from "../../shared/wire/json.js";
import type { Confirmation } from "../../shared/wire/safety.js";
import { routeBase, routes } from "../../shared/wire/plugin.js";
import type { SiyuanAddress } from "./address.js";
import { type AnswerContext, lostAnswer, readResult } from "./answers.js";
import { type ClientIdentity, encodeCall, type RpcCall } from "./envelope.js";
import { TokenHealer } from "./heal.js";
import type { CallPurpose } from "./purpose.js";
import { createTransport, type HttpAnswer, type HttpRequest, type Transport, TransportFailure } from "./transport.js";

export interface CoordinatorOptions {
  readonly address: SiyuanAddress;
  /** SiYuan's API token; absent where SiYuan asks for none. */
  readonly token?: string;
  readonly client: ClientIdentity;
  /** How often a call is repeated that SiYuan cannot have received. */
  readonly connectRetries: number;
  /** Tells the owner something that is no answer, for example that the plugin was enabled again. */
  readonly notify: (message: string) => void;
}

export interface CallControls {
  readonly purpose: CallPurpose;
  /** How a dangerous commit was confirmed; a dialog unless said otherwise. */
  readonly confirmation?: Confirmation;
  readonly client?: ClientIdentity;
  readonly signal?: AbortSignal;
  /** Called once the request may have reached SiYuan. */
  readonly onSent?: () => void;
}

/** A tool's answer: the MCP result as it came, and its structured part. */
export interface ToolAnswer {
  readonly result: JsonObject;
  readonly structured: JsonObject;
  readonly isError: boolean;
}

interface SendLimits {
  readonly connectRetries: number;
  readonly timeoutMs: number;
}

export class CoordinatorClient {
  readonly #options: CoordinatorOptions;
  readonly #transport: Transport;
  readonly #healer: TokenHealer | undefined;
  #lastId = 0;

  constructor(options: CoordinatorOptions) {
    this.#options = options;
    this.#transport = createTransport(options.address);
    this.#healer =
      options.token === undefined
        ? undefined
        : new TokenHealer(
            (request) => this.#transport.exchange({ ...request, headers: this.#headers(request.headers) }),
            options.notify,
          );
  }

  /** Calls a tool. Throws `SisyphusError`, or `RpcError`; a refusal by the coordinator is an answer with `isError`. */
  async call(tool: string, args: JsonObject, controls: CallControls): Promise<ToolAnswer> {
    const rpc: RpcCall = { method: "tools/call", params: { name: tool, arguments: args } };
    const answer = toolAnswer(await this.#send(rpc, controls), controls.purpose);
    // The refused call was not executed, so it may be sent again once the plugin has a living token.
    if (!isDeadToken(answer) || !(await this.#healer?.heal())) return answer;
    return toolAnswer(await this.#send(rpc, controls), controls.purpose);
  }

  /** The tools that are enabled in this SiYuan, as tools/list entries. */
  async listTools(controls: Omit<CallControls, "purpose"> = {}): Promise<readonly Json[]> {
    // Clients ask at their start and wait: whoever has a list of its own should learn quickly that SiYuan is down.
    const limits = { connectRetries: 0, timeoutMs: bridgeLimits.listTimeoutMs };
    const result = await this.#send({ method: "tools/list", params: {} }, { ...controls, purpose: "read" }, limits);
    if (!Array.isArray(result.tools))
      throw new SisyphusError("unexpected_answer", "The list of tools is missing in the answer");
    return result.tools as readonly Json[];
  }

  close(): void {
    this.#transport.close();
  }

  async #send(rpc: RpcCall, controls: CallControls, limits: Partial<SendLimits> = {}): Promise<JsonObject> {
    const { address, token } = this.#options;
    const { connectRetries = this.#options.connectRetries, timeoutMs = bridgeLimits.requestTimeoutMs } = limits;
    const context: AnswerContext = { address, hasToken: token !== undefined, purpose: controls.purpose };
    const { body, headers } = encodeCall(
      rpc,
      ++this.#lastId,
      controls.client ?? this.#options.client,
      controls.confirmation ?? "dialog",
    );
    const answer = await this.#exchange(
      {
        method: "POST",
        path: routeBase + routes.listen,
        headers: this.#headers(headers),
        body,
        freshConnection: controls.purpose === "commit",
        timeoutMs,
        ...(controls.signal && { signal: controls.signal }),
        ...(controls.onSent && { onSent: controls.onSent }),
      },
      context,
      connectRetries,
    );
    return readResult(answer, context);
  }

  async #exchange(request: HttpRequest, context: AnswerContext, retries: number): Promise<HttpAnswer> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#transport.exchange(request);
      } catch (failure) {
        if (!(failure instanceof TransportFailure)) throw failure;
        const neverArrived = !failure.sent && failure.code === "ECONNREFUSED";
        if (!neverArrived || attempt >= retries) throw lostAnswer(failure, context);
      }
      const pauseMs = bridgeLimits.connectRetryDelayMs * 2 ** attempt;
      await delay(pauseMs, undefined, { signal: request.signal }).catch(() => {
        throw new SisyphusError("request_cancelled");
      });
    }
  }

  #headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    const { client, token } = this.#options;
    return {
      ...headers,
      "user-agent": `${client.name}/${client.version}`,
      ...(token !== undefined && { authorization: `Token ${token}` }),
    };
  }
}

function toolAnswer(result: JsonObject, purpose: CallPurpose): ToolAnswer {
  if (!isJsonObject(result.structuredContent)) {
    const problem = "The answer has no structured content";
    throw new SisyphusError(purpose === "commit" ? "outcome_unknown" : "unexpected_answer", problem);
  }
  return { result, structured: result.structuredContent, isError: result.isError === true };
}

function isDeadToken({ structured, isError }: ToolAnswer): boolean {
  return isError && isJsonObject(structured.error) && structured.error.code === "host_token_rejected";
}
