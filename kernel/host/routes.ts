// Serves the plugin's routes. A request always settles with a complete answer object: anything else hangs the client
// or ends SiYuan's process.

import { processCookie } from "../../shared/wire/plugin.js";
import { sessionLimits, sizeLimits } from "../../shared/limits.js";
import { describe } from "./clock.js";
import type { Clock, Log, RouteAnswer, RouteRequest, Routes, StreamAnswer } from "./host.js";

export interface RouteServer {
  /** Answers every pending request with what the routes say of an interruption, and refuses new ones. */
  settle(): void;
}

export function serveRoutes(routes: Routes, clock: Clock, log: Log): RouteServer {
  const pending = new Set<(stopped: true) => void>();
  let stopped = false;

  async function answer(raw: HostHttpRequest): Promise<RouteAnswer> {
    const request = await copyRequest(raw);
    if (stopped) return routes.interrupted(request);
    return new Promise((resolve) => {
      const interrupt = () => finish(routes.interrupted(request));
      const finish = (result: RouteAnswer) => {
        pending.delete(interrupt);
        resolve(result);
      };
      pending.add(interrupt);
      routes.answer(request).then(finish, (thrown) => {
        log.warn(`route ${request.path}: ${describe(thrown)}`);
        finish(failure);
      });
    });
  }

  siyuan.server.private.http.handler = async (raw) => {
    try {
      return toHost(await answer(raw));
    } catch (thrown) {
      log.warn(`request: ${describe(thrown)}`);
      return toHost(failure);
    }
  };

  siyuan.server.private.es.handler = (raw) => {
    const port = raw.port;
    if (!port) return {};
    const stream = openStream(port, clock);
    copyRequest(raw)
      .then(async (request): Promise<StreamAnswer> => {
        if (request.method === "GET") return routes.stream(request);
        // A POST that accepts nothing but an event stream gets its one answer as an event.
        const reply = await answer(raw);
        return { events: [{ event: "message", data: reply.body ?? "" }] };
      })
      .then(
        (result) => {
          for (const event of result.events) stream.send(event);
        },
        (thrown) => log.warn(`stream: ${describe(thrown)}`),
      )
      .then(() => stream.end());
    return {};
  };

  return {
    settle() {
      stopped = true;
      for (const interrupt of Array.from(pending)) interrupt(true);
    },
  };
}

const failure: RouteAnswer = { status: 500, contentType: "application/json", body: '{"error":"internal"}' };

/** All sends go through `open`: the 17th send after a close would freeze the plugin for good. */
function openStream(port: HostEventPort, clock: Clock) {
  let open = true;
  let sends = 0;
  port.onclose = () => {
    open = false;
  };
  return {
    send(event: StreamAnswer["events"][number]) {
      if (!open || ++sends > sessionLimits.maxSendsAfterOpen) return;
      const message: { data: string; event?: string; retry?: number } = { data: event.data };
      if (event.event !== undefined) message.event = event.event;
      if (event.retryMs !== undefined) message.retry = event.retryMs;
      port.send(message);
    },
    end() {
      if (!open) return;
      open = false;
      // A close in the same turn would lose the events.
      clock.after(sessionLimits.streamCloseDelayMs, () => port.close());
    },
  };
}

/** A plain copy: the host's own object is Go-backed and must not be kept or changed. */
async function copyRequest(raw: HostHttpRequest): Promise<RouteRequest> {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(raw.request.headers))
    headers[name.toLowerCase()] = String(raw.request.headers[name]?.[0] ?? "");
  const query: Record<string, string> = {};
  if (raw.url.query)
    for (const name of Object.keys(raw.url.query)) query[name] = String(raw.url.query[name]?.[0] ?? "");
  const mark = raw.request.cookies?.[processCookie]?.[0];
  const declaredBytes = Number(raw.request.contentLength);
  const tooLarge = declaredBytes > sizeLimits.maxRequestBodyBytes;
  const data = raw.request.body?.data;
  const body = tooLarge || !data ? "" : String(await data.text());
  return {
    method: String(raw.request.method),
    path: String(raw.context.path),
    query,
    headers,
    ...(mark === undefined ? {} : { processCookie: String(mark) }),
    host: String(raw.url.host),
    body,
    bodyBytes: tooLarge ? declaredBytes : body.length,
  };
}

function toHost(answer: RouteAnswer): HostHttpResponse {
  const headers: Record<string, string[]> = {};
  for (const name of Object.keys(answer.headers ?? {})) headers[name] = [String(answer.headers?.[name])];
  const response: HostHttpResponse = { statusCode: answer.status, headers };
  if (answer.body !== undefined) {
    response.body = {
      raw: { contentType: answer.contentType ?? "application/json; charset=utf-8", data: answer.body },
    };
  }
  return response;
}
