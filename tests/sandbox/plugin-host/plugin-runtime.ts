// One running plugin: its script in an own realm with goja's globals only, its hooks, handlers and timers.
import vm from "node:vm";
import type { Exchange } from "../http/server.ts";
import { EventStream } from "./event-stream.ts";
import { gojaGlobalsSource } from "./goja-globals.ts";
import type { FetchDone } from "./plugin-client.ts";
import { EmptyFilePart, pluginRequestParts } from "./plugin-request.ts";
import { BadPluginResponse, goJson, readPluginResponse } from "./plugin-response.ts";
import type { PluginStorage } from "./plugin-storage.ts";

export type PluginState = "ready" | "loading" | "running" | "stopping" | "stopped" | "error";

export interface PluginIdentity {
  name: string;
  version: string;
  displayName: string;
  platform: string;
  i18n: unknown;
}

/** What the runtime needs from outside. */
export interface RuntimeServices {
  identity: PluginIdentity;
  storage: PluginStorage;
  fetch(
    call: { path: string; method: string; headers: Record<string, string>; body: string | Uint8Array | null },
    done: FetchDone,
  ): void;
  resolve(kind: "secrets" | "vars", template: unknown): string;
  log(level: string, text: string): void;
}

/** The functions made inside the plugin's realm. */
interface Realm {
  isPromise(value: unknown): boolean;
  then(promise: unknown, resolved: (value: unknown) => void, rejected: (reason: unknown) => void): void;
  hook(name: string): unknown;
  emit(id: string, type: string): void;
  handler(kind: "http" | "es"): unknown;
  call(kind: "http" | "es", request: unknown): unknown;
  request(text: string, files: unknown, bytes: Uint8Array | null, port: unknown): unknown;
  portEvent(port: object, name: string): void;
}

function isPrimitive(value: unknown): boolean {
  return (typeof value !== "object" && typeof value !== "function") || value === null;
}

export class PluginRuntime {
  state: PluginState = "ready";
  #realm: Realm | undefined;
  readonly #timers = new Map<object, NodeJS.Timeout>();
  readonly #streams = new Set<EventStream>();

  constructor(
    readonly services: RuntimeServices,
    readonly source: string,
  ) {}

  get name(): string {
    return this.services.identity.name;
  }

  #alive(): boolean {
    return this.state !== "stopped" && this.state !== "error";
  }

  /** Callbacks into the plugin end with its life: after the stop nothing settles any more. */
  #whileAlive<A extends unknown[]>(callback: (...values: A) => void): (...values: A) => void {
    return (...values) => {
      if (this.#alive()) callback(...values);
    };
  }

  #hostObject(): object {
    const { services } = this;
    const start = (make: (run: () => void, ms: number) => NodeJS.Timeout, repeats: boolean) => {
      return (handle: object, callback: () => void, ms: number) => {
        const run = this.#whileAlive(() => {
          if (!repeats) this.#timers.delete(handle);
          callback();
        });
        this.#timers.set(handle, make(run, Math.max(repeats ? 1 : 0, ms)));
      };
    };
    return {
      identity: JSON.stringify(services.identity),
      URL,
      URLSearchParams,
      startTimeout: start(setTimeout, false),
      startInterval: start(setInterval, true),
      clearTimer: (handle: object) => {
        clearTimeout(this.#timers.get(handle));
        this.#timers.delete(handle);
      },
      log: (level: string, text: string) => services.log(level, text),
      decodeUtf8: (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"),
      encodeUtf8: (text: string) => Buffer.from(text, "utf8"),
      decodeText: (text: string, encoding: string) => Buffer.from(text, encoding === "hex" ? "hex" : "base64"),
      encodeBytes: (bytes: Uint8Array, encoding: string) =>
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
          encoding === "base64Url" ? "base64url" : (encoding as "hex" | "base64"),
        ),
      sortedJson: (text: string) => goJson(JSON.parse(text)),
      fetch: (path: unknown, method: string, headers: string, body: string | Uint8Array | null, done: FetchDone) => {
        if (typeof path !== "string") return done("path must be a string", null);
        services.fetch(
          { path, method, headers: JSON.parse(headers) as Record<string, string>, body },
          this.#whileAlive(done),
        );
      },
      storageGet: (path: unknown, done: (message: string | null, value: Uint8Array | null) => void) =>
        services.storage.get(path, this.#whileAlive(done)),
      storagePut: (path: unknown, content: string, done: (message: string | null, value: undefined | null) => void) =>
        services.storage.put(path, content, this.#whileAlive(done)),
      storageRemove: (path: unknown, done: (message: string | null, value: undefined | null) => void) =>
        services.storage.remove(path, this.#whileAlive(done)),
      storageList: (path: unknown, done: (message: string | null, value: string | null) => void) =>
        services.storage.list(path, this.#whileAlive(done)),
      resolve: (kind: "secrets" | "vars", template: unknown) => services.resolve(kind, template),
    };
  }

  /** Runs the script and the first two hooks. A script that throws leaves the state "error". */
  async start(): Promise<void> {
    this.state = "loading";
    try {
      const context = vm.createContext(Object.create(null) as object, { name: `plugin ${this.name}` });
      const bootstrap = vm.runInContext(gojaGlobalsSource, context, { filename: "goja-globals.js" }) as (
        host: object,
      ) => Realm;
      this.#realm = bootstrap(this.#hostObject());
      new vm.Script(this.source, { filename: `${this.name}/kernel.js` }).runInContext(context);
    } catch (error) {
      this.state = "error";
      this.services.log("error", `script failed: ${error instanceof Error ? error.stack : String(error)}`);
      this.#clearTimers();
      return;
    }
    // Timers set by the script itself run out before the hooks; an interval would hold the start for ever.
    while (this.#timers.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await this.#hook("onload");
    this.state = "running";
    await this.#hook("onrunning");
    this.#realm.emit(crypto.randomUUID(), "start");
  }

  /** Awaits the hook. A primitive outcome would hang a real host; here it is reported and counts as done. */
  #hook(name: "onload" | "onrunning" | "onunload"): Promise<void> {
    return new Promise((resolve) => {
      const realm = this.#realm;
      if (!realm) return resolve();
      let result: unknown;
      try {
        result = realm.hook(name);
      } catch (error) {
        this.services.log("error", `${name} failed: ${String(error)}`);
        return resolve();
      }
      if (!realm.isPromise(result)) return resolve();
      const settled = (value: unknown, failed: boolean) => {
        if (isPrimitive(value) && value !== undefined) {
          this.services.log("error", `${name} settled with a primitive: a real host would hang here for ever`);
        }
        if (failed) this.services.log("error", `${name} failed: ${String(value)}`);
        resolve();
      };
      realm.then(
        result,
        (value) => settled(value, false),
        (reason) => settled(reason, true),
      );
    });
  }

  async stop(): Promise<void> {
    if (this.state === "running" || this.state === "loading") {
      this.#realm?.emit(crypto.randomUUID(), "stop");
      this.state = "stopping";
      await this.#hook("onunload");
    }
    this.state = "stopped";
    for (const stream of [...this.#streams]) stream.close();
    this.#clearTimers();
  }

  #clearTimers(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  /** True when the answer is still open and the path lock must stay until the client leaves. */
  async serve(exchange: Exchange): Promise<boolean> {
    const realm = this.#realm;
    if (!realm) return false;
    const kind = (exchange.request.headers.accept ?? "").trim() === "text/event-stream" ? "es" : "http";
    if (typeof realm.handler(kind) !== "function") {
      this.#fail(exchange, `${kind === "es" ? "SSE" : "HTTP"} request handler is not set`);
      return false;
    }
    try {
      if (kind === "es") return this.#serveStream(exchange, realm);
      return await this.#serveRequest(exchange, realm);
    } catch (error) {
      if (!(error instanceof EmptyFilePart)) throw error;
      exchange.response.writeHead(400);
      exchange.response.end();
      return false;
    }
  }

  #fail({ response }: Exchange, reason: string): void {
    if (response.destroyed || response.headersSent) return;
    const text = `[plugin:${this.name}] Error occurred while handling HTTP request: ${reason}`;
    this.services.log("warn", text);
    response.writeHead(500, { "Content-Type": "text/plain; charset=utf-8" });
    response.end(text);
  }

  async #serveRequest(exchange: Exchange, realm: Realm): Promise<boolean> {
    const { text, files, bytes } = pluginRequestParts(exchange, this.name);
    const startedAt = performance.now();
    let result: unknown;
    try {
      result = realm.call("http", realm.request(text, files, bytes, null));
    } catch (error) {
      this.#fail(exchange, error instanceof Error ? String(error.stack) : describeThrown(error));
      return false;
    }
    if (!realm.isPromise(result)) {
      this.#answer(exchange, result);
      return false;
    }
    const outcome = await new Promise<{ value: unknown; failed: boolean } | undefined>((resolve) => {
      realm.then(
        result,
        this.#whileAlive((value: unknown) => resolve({ value, failed: false })),
        this.#whileAlive((reason: unknown) => resolve({ value: reason, failed: true })),
      );
      exchange.response.once("close", () => resolve(undefined));
    });
    if (!outcome) return false;
    // Settled without a turn of the loop: null and undefined are still a plain 500; every other primitive hangs.
    const early =
      performance.now() - startedAt < 1 && (outcome.value === undefined || outcome.value === null) && !outcome.failed;
    if (isPrimitive(outcome.value) && !early) {
      this.services.log("error", "an async handler settled with a primitive: a real host hangs (or dies) here");
      return true;
    }
    if (outcome.failed) this.#fail(exchange, "promise rejected: <nil>");
    else this.#answer(exchange, outcome.value);
    return false;
  }

  #answer(exchange: Exchange, value: unknown): void {
    const { response } = exchange;
    if (response.destroyed) return;
    try {
      const answer = readPluginResponse(value);
      if (answer.contentType !== undefined && answer.body.length >= 0)
        response.setHeader("Content-Type", answer.contentType);
      for (const [name, text] of answer.headers) {
        if (text === "") response.removeHeader(name);
        else response.setHeader(name, text);
      }
      for (const line of answer.cookies) response.appendHeader("Set-Cookie", line);
      response.writeHead(answer.status);
      response.end([204, 304].includes(answer.status) ? undefined : answer.body);
    } catch (error) {
      if (!(error instanceof BadPluginResponse)) throw error;
      this.#fail(exchange, error.message);
    }
  }

  #serveStream(exchange: Exchange, realm: Realm): boolean {
    const { text, files, bytes } = pluginRequestParts(exchange, this.name);
    let opened = false;
    const stream = new EventStream(exchange.response, (port) => {
      this.#streams.delete(stream);
      if (opened && port && this.#alive()) realm.portEvent(port, "close");
    });
    this.#streams.add(stream);
    const open = () => {
      opened = true;
      if (stream.port) realm.portEvent(stream.port, "open");
    };
    const prefix = `[plugin:${this.name}] Error occurred while handling SSE request: `;
    let result: unknown;
    try {
      result = realm.call("es", realm.request(text, files, bytes, stream));
    } catch (error) {
      stream.fail(prefix + String(error));
      return false;
    }
    if (!realm.isPromise(result)) open();
    else {
      realm.then(
        result,
        this.#whileAlive((value: unknown) => {
          if (value === undefined || !isPrimitive(value)) open();
        }),
        this.#whileAlive(() => stream.fail(`${prefix}promise rejected: <nil>`)),
      );
    }
    return true;
  }
}

function describeThrown(value: unknown): string {
  return typeof value === "object" && value !== null && "stack" in value ? String(value.stack) : String(value);
}
