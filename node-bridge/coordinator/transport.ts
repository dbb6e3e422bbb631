// One HTTP exchange with SiYuan on node:http: no retry, no redirect, and a failure says whether anything was sent.

import type * as Http from "node:http";
import { bridgeLimits } from "../../shared/limits.js";
import type { SiyuanAddress } from "./address.js";

export interface HttpRequest {
  readonly method: "GET" | "POST";
  /** Path on SiYuan's port, below the address's own prefix. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A connection of its own: a kept one may be dead, and then nobody knows whether the request arrived. */
  readonly freshConnection?: boolean;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Called once the connection stands: from here on the request may have arrived. */
  readonly onSent?: () => void;
}

export interface HttpAnswer {
  readonly status: number;
  readonly location?: string;
  readonly body: string;
}

/** Why there is no answer. `sent` false means that SiYuan cannot have received the request. */
export class TransportFailure extends Error {
  readonly sent: boolean;
  /** System error code such as ECONNREFUSED, or one of TIMEOUT, ABORTED, TOO_LARGE, CLOSED. */
  readonly code: string;

  constructor(sent: boolean, code: string, message: string) {
    super(message);
    this.name = "TransportFailure";
    this.sent = sent;
    this.code = code;
  }
}

export interface Transport {
  /** Rejects only with a `TransportFailure`. */
  exchange(request: HttpRequest): Promise<HttpAnswer>;
  close(): void;
}

export function createTransport(address: SiyuanAddress): Transport {
  let kept: Http.Agent | undefined;
  return {
    async exchange(request) {
      // Loaded on first use, so that a program that sends nothing starts without the network code.
      const http = address.secure ? await import("node:https") : await import("node:http");
      kept ??= new http.Agent({ keepAlive: true });
      return exchangeOnce(
        http.request as typeof Http.request,
        request.freshConnection ? false : kept,
        address,
        request,
      );
    },
    close: () => kept?.destroy(),
  };
}

function exchangeOnce(
  open: typeof Http.request,
  agent: Http.Agent | false,
  address: SiyuanAddress,
  request: HttpRequest,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const timeoutMs = request.timeoutMs ?? bridgeLimits.requestTimeoutMs;
    let sent = false;
    const body = request.body === undefined ? undefined : Buffer.from(request.body, "utf8");
    const outgoing = open({
      agent,
      hostname: address.hostname,
      port: address.port,
      method: request.method,
      path: address.basePath + request.path,
      headers: { ...request.headers, ...(body && { "content-length": String(body.length) }) },
    });

    const fail = (code: string, message: string) => {
      settle();
      reject(new TransportFailure(sent, code, message));
      outgoing.destroy();
    };
    const abort = () => fail("ABORTED", "the call was cancelled");
    const timer = setTimeout(() => fail("TIMEOUT", `no answer within ${timeoutMs / 1000} s`), timeoutMs);
    const settle = () => {
      clearTimeout(timer);
      request.signal?.removeEventListener("abort", abort);
    };
    const markSent = () => {
      if (sent) return;
      sent = true;
      request.onSent?.();
    };

    outgoing.on("socket", (socket) => {
      if (socket.connecting) socket.once(address.secure ? "secureConnect" : "connect", markSent);
      else markSent();
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) =>
      fail(error.code ?? "FAILED", error.message || (error.code ?? "failed")),
    );
    outgoing.on("response", (incoming) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > bridgeLimits.maxAnswerBytes)
          fail("TOO_LARGE", `the answer is larger than ${bridgeLimits.maxAnswerBytes} bytes`);
        else chunks.push(chunk);
      });
      incoming.on("error", (error: NodeJS.ErrnoException) => fail(error.code ?? "FAILED", error.message));
      incoming.on("close", () => {
        if (!incoming.complete) fail("CLOSED", "the connection ended in the middle of the answer");
      });
      incoming.on("end", () => {
        if (!incoming.complete) return;
        settle();
        const { location } = incoming.headers;
        resolve({
          status: incoming.statusCode ?? 0,
          body: Buffer.concat(chunks).toString("utf8"),
          ...(location && { location }),
        });
      });
    });

    request.signal?.addEventListener("abort", abort, { once: true });
    if (request.signal?.aborted) abort();
    else outgoing.end(body);
  });
}
