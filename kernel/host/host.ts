// Everything the product needs from outside, and nothing else. Only kernel/host implements it over `siyuan.*`.

import type { Json } from "../../shared/wire/json.js";

/** 64 lower-case hex digits. */
export type Digest = string;

export interface Clock {
  /** Epoch milliseconds; may step in either direction. */
  nowMs(): number;
  sleep(ms: number): Promise<void>;
  /** Calls `task` once after `ms`; the result stops it. */
  after(ms: number, task: () => void): () => void;
}

/** SiYuan's answer to one request: the HTTP status and the body as text. */
export interface HostReply {
  readonly status: number;
  readonly text: string;
}

/** SiYuan's HTTP API, as the plugin sees it. One attempt a call; rejects with `kernel_unreachable` on a transport error. */
export interface SiyuanApi {
  /** POST of a JSON body. */
  request(path: string, body: Json): Promise<HostReply>;
}

/** Text files of the workspace, by absolute workspace path. Operations on one path keep their order. */
export interface Files {
  /** The text, or undefined when there is no such file. */
  read(path: string): Promise<string | undefined>;
  /** Resolves when the content is durable (fsync and rename). */
  write(path: string, text: string): Promise<void>;
  /** Names in a folder; empty when it does not exist. */
  list(path: string): Promise<readonly string[]>;
  /** At most so many names in a folder, last written first. */
  newest(path: string, count: number): Promise<readonly string[]>;
  /** Removes a folder of the ledger with all it holds; nothing else can be removed. */
  removeLedgerDay(path: string): Promise<void>;
}

export interface Entropy {
  /** Bytes nobody can guess. Rejects with `entropy_unavailable`. */
  bytes(count: number): Promise<Uint8Array>;
  readonly source: "template-route" | "host-event" | "none" | "unknown";
}

export interface Digester {
  /** SHA-256 of the UTF-8 form of each text, in order. Lone surrogates count as U+FFFD. */
  sha256(texts: readonly string[]): Promise<readonly Digest[]>;
  readonly source: "web-crypto" | "template-route" | "js" | "unknown";
}

export interface Log {
  info(message: string): void;
  warn(message: string): void;
}

/** An HTTP request as it reaches the plugin. Header names are lower case. */
export interface RouteRequest {
  readonly method: string;
  /** Path below the plugin's base, for example `/mcp/listen`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Our own process cookie, when the client sent one. Others, which may hold secrets, are not passed on. */
  readonly processCookie?: string;
  /** `host:port` that the client addressed. */
  readonly host: string;
  readonly body: string;
  readonly bodyBytes: number;
}

export interface RouteAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text of `contentType`; absent for an empty body. */
  readonly body?: string;
  readonly contentType?: string;
}

/** One finite event stream: the events to send, after which the host closes it. */
export interface StreamAnswer {
  readonly events: readonly { readonly event?: string; readonly data: string; readonly retryMs?: number }[];
}

export interface Routes {
  answer(request: RouteRequest): Promise<RouteAnswer>;
  /** A GET that accepts exactly `text/event-stream`. */
  stream(request: RouteRequest): StreamAnswer;
  /** What to answer a request that is still pending when the plugin stops. */
  interrupted(request: RouteRequest): RouteAnswer;
}

export interface Host {
  readonly clock: Clock;
  readonly siyuan: SiyuanApi;
  readonly files: Files;
  readonly entropy: Entropy;
  readonly digest: Digester;
  readonly log: Log;
  /** Names the kernel process: the same after a reload of the plugin, another after a restart. Undefined when unknown. */
  processMark(): Promise<string | undefined>;
  /** True when no instance of the plugin asked for that name before us; undefined when unknown. */
  isFirstInProcess(): Promise<boolean | undefined>;
  /** The instance of the plugin that SiYuan runs now; another one than ours when we are an orphan. Undefined when unknown. */
  servingInstance(): Promise<string | undefined>;
  readonly plugin: { readonly name: string; readonly version: string };
  /** How the plugin authenticates, and whether the same-path lock is there; as `/health` reports them. */
  readonly status: {
    readonly token: "plugin" | "secret" | "rejected" | "unknown";
    readonly pathLock: "present" | "absent" | "unknown";
  };
}
