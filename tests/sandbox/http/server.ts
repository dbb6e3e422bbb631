// The HTTP face of the sandbox: lock, authentication, faults, JSON routes, raw files, plugin routes.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Kernel } from "../kernel.ts";
import { LutePanic } from "../lute/lute-engine.ts";
import type { PluginHost } from "../plugin-host/plugin-host.ts";
import { allRoutes } from "../routes/all-routes.ts";
import { readRawFile, storeUpload } from "../routes/files.ts";
import { publicRoutes } from "../routes/system.ts";
import { type Envelope, HandlerPanic, Refusal, success } from "./answer.ts";
import { type JsonObject, RequestArguments } from "./arguments.ts";
import { authenticationFailure } from "./authentication.ts";
import { type FaultRule, FaultRules } from "./faults.ts";
import { parseMultipart } from "./multipart.ts";
import { PathLocks } from "./path-lock.ts";
import type { PluginTokens } from "./plugin-token.ts";

const corsHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Credentials": "true",
  "Access-Control-Allow-Headers": "origin, Content-Length, Content-Type, Authorization",
  "Access-Control-Allow-Private-Network": "false",
  "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE, CONNECT, OPTIONS, TRACE",
};
const readableByGet = new Set(["system/version", "system/bootProgress", "plugin"]);
const pluginPrefix = "/plugin/private/";

export interface LoggedRequest {
  path: string;
  at: number;
  from: "plugin" | "outside";
}

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  /** The decoded path. */
  path: string;
  body: Buffer;
}

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function answerJson(response: ServerResponse, status: number, value: unknown): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, { "Content-Type": "application/json; charset=utf-8" });
  response.end(JSON.stringify(value));
}

/** Clients that accept gzip see 200 and nothing, the others a plain 404. */
function answerUnknownRoute({ request, response }: Exchange): void {
  const gzip = String(request.headers["accept-encoding"] ?? "").includes("gzip");
  response.writeHead(gzip ? 200 : 404, { "Content-Type": "text/plain" });
  response.end(gzip ? "" : "404 page not found");
}

function parseArguments(exchange: Exchange): RequestArguments {
  const text = exchange.body.toString("utf8");
  const fail = (reason: string) => new Refusal(-1, `Parses request [${exchange.path}] failed: ${reason}`);
  if (text === "") throw fail("the request body is empty or truncated (EOF)");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw fail("invalid character");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw fail(`json: cannot unmarshal ${typeof value} into Go value of type map[string]interface {}`);
  }
  return new RequestArguments(value as JsonObject);
}

export class SandboxServer {
  readonly #server: Server;
  readonly #locks = new PathLocks();
  readonly #faults = new FaultRules();
  #requests: LoggedRequest[] = [];

  constructor(
    readonly kernel: Kernel,
    readonly plugins: PluginHost,
    readonly tokens: PluginTokens,
  ) {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        console.error("[sandbox]", error);
        answerJson(response, 500, { code: -1, msg: String(error), data: null });
      });
    });
    this.#server.keepAliveTimeout = 30_000;
  }

  /** Listens on 127.0.0.1 and gives the port. */
  async listen(port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, "127.0.0.1", resolve);
    });
    const address = this.#server.address();
    if (typeof address !== "object" || address === null) throw new Error("the sandbox has no address");
    return address.port;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = Date.now();
    const url = new URL(request.url ?? "/", `http://${request.headers.host ?? "127.0.0.1"}`);
    const path = decoded(url.pathname);
    // Go reads the body before a handler runs; reading it early also keeps abandoned writes executing.
    const body = await readBody(request).catch(() => Buffer.alloc(0));
    const exchange: Exchange = { request, response, url, path, body };
    if (path.startsWith("/sandbox/")) return this.#control(exchange);
    const from = request.headers["x-auth-token"] === undefined ? "outside" : "plugin";
    this.#requests.push({ path, at, from });
    const release = await this.#locks.acquire(path);
    const ended = new Promise<void>((resolve) => {
      if (response.destroyed) resolve();
      response.once("close", resolve);
    });
    try {
      for (const [name, value] of Object.entries(corsHeaders)) response.setHeader(name, value);
      const waitsForClient = await this.#dispatch(exchange);
      if (waitsForClient) await ended;
    } finally {
      release();
    }
  }

  /** True when the answer is still to come and the lock must be held until the client leaves. */
  async #dispatch(exchange: Exchange): Promise<boolean> {
    const { request, response, path, url } = exchange;
    if (request.method === "OPTIONS") {
      response.writeHead(204);
      response.end();
      return false;
    }
    const route = path.startsWith("/api/") ? path.slice("/api/".length) : "";
    const isPlugin = path.startsWith(pluginPrefix);
    const known = isPlugin || route in allRoutes || ["file/getFile", "file/putFile"].includes(route);
    if (!known) {
      answerUnknownRoute(exchange);
      return false;
    }
    if (!publicRoutes.has(route)) {
      const failure = authenticationFailure(request, url, this.kernel.workspace.conf, this.tokens);
      if (failure !== undefined) {
        answerJson(response, 401, { code: -1, msg: failure });
        return false;
      }
    }
    const fault = this.#faults.take(path, exchange.body.toString("utf8"));
    if (fault) return this.#serveFaulty(exchange, route, fault);
    return this.#execute(exchange, route, false);
  }

  async #serveFaulty(exchange: Exchange, route: string, fault: FaultRule): Promise<boolean> {
    const { response } = exchange;
    switch (fault.kind) {
      case "absent":
        answerUnknownRoute(exchange);
        return false;
      case "http-500":
        answerJson(response, 500, { code: -1, msg: "sandbox fault", data: null });
        return false;
      case "code-1":
        answerJson(response, 200, { code: -1, msg: "sandbox fault", data: null });
        return false;
      case "hang":
        return true;
      case "delay":
        await sleep(fault.delayMs ?? 0);
        return this.#execute(exchange, route, false);
      case "no-effect":
        return this.#execute(exchange, route, true);
      case "null-data":
        await this.#envelope(exchange, route, false);
        answerJson(response, 200, success(null));
        return false;
      case "lost-answer":
        await (route === "file/putFile" ? this.#upload(exchange) : this.#envelope(exchange, route, false));
        response.destroy();
        return false;
    }
  }

  async #execute(exchange: Exchange, route: string, withoutEffect: boolean): Promise<boolean> {
    const { request, response, path } = exchange;
    if (path.startsWith(pluginPrefix)) return this.plugins.serve(exchange);
    if (route === "file/getFile") this.#download(exchange);
    else if (route === "file/putFile")
      answerJson(response, 200, withoutEffect ? success(null) : await this.#upload(exchange));
    else if (request.method === "GET" && !readableByGet.has(route)) answerUnknownRoute(exchange);
    else answerJson(response, 200, await this.#envelope(exchange, route, withoutEffect));
    return false;
  }

  async #envelope(exchange: Exchange, route: string, withoutEffect: boolean): Promise<Envelope> {
    const handler = allRoutes[route];
    if (!handler) return success(null);
    return this.#guarded(async () => {
      const empty = exchange.request.method === "GET" || publicRoutes.has(route) || route === "notebook/lsNotebooks";
      const args = empty && exchange.body.length === 0 ? new RequestArguments({}) : parseArguments(exchange);
      return handler({ kernel: this.kernel, plugins: this.plugins, arguments: args, withoutEffect });
    });
  }

  async #guarded(run: () => Promise<Envelope> | Envelope): Promise<Envelope> {
    try {
      return await run();
    } catch (error) {
      if (error instanceof Refusal) return { code: error.code, msg: error.message, data: error.data };
      if (error instanceof HandlerPanic || error instanceof LutePanic) return success(null);
      throw error;
    }
  }

  #download(exchange: Exchange): void {
    const { response } = exchange;
    try {
      const content = readRawFile(this.kernel.workspace, parseArguments(exchange).requiredText("path"));
      response.writeHead(200, { "Content-Type": "application/octet-stream", "Content-Length": content.length });
      response.end(content);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      answerJson(response, 202, { code: error.code, msg: error.message, data: null });
    }
  }

  #upload(exchange: Exchange): Promise<Envelope> {
    return this.#guarded(() => {
      const form = parseMultipart(exchange.body, exchange.request.headers["content-type"] ?? "");
      if (!form) throw new Refusal(-1, "request Content-Type isn't multipart/form-data");
      return storeUpload(this.kernel.workspace, form);
    });
  }

  /** The tests' own routes: faults and the request log. */
  #control({ request, response, path, url, body }: Exchange): void {
    if (path === "/sandbox/faults" && request.method === "POST") {
      try {
        const { rules } = JSON.parse(body.toString("utf8")) as { rules: FaultRule[] };
        this.#faults.replace(rules);
        answerJson(response, 200, { rules: rules.length });
      } catch (error) {
        answerJson(response, 400, { error: String(error) });
      }
    } else if (path === "/sandbox/requests") {
      const requests = this.#requests;
      if (url.searchParams.has("reset")) this.#requests = [];
      answerJson(response, 200, requests);
    } else {
      answerJson(response, 404, { error: `unknown control route ${path}` });
    }
  }
}
