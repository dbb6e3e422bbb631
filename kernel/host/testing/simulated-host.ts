// A Host for unit tests: virtual time, files in memory, seeded randomness, a scripted SiYuan, and one journal of it all.

// biome-ignore lint/correctness/noNodejsModules: runs in tests only, never in the kernel bundle
import { createHash } from "node:crypto";
import { SisyphusError } from "../../../shared/errors.js";
import type { Json } from "../../../shared/wire/json.js";
import type { Clock, Digest, Digester, Entropy, Files, Host, HostReply, Log, SiyuanApi } from "../host.js";

/** What left the kernel, in order: a request to SiYuan or a file operation. */
export interface JournalEntry {
  readonly kind: "request" | "read" | "write" | "list";
  readonly path: string;
  readonly body?: Json;
  readonly text?: string;
}

/** Lets every promise that can settle without time passing settle. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => resolve());
  });
}

/** Wall clock and timers apart: a step moves only the wall clock, passing time moves both. */
export class SimulatedClock implements Clock {
  #wallMs: number;
  #elapsedMs = 0;
  /** Pending timers in the order they were set. */
  readonly #timers = new Set<{ readonly dueMs: number; readonly task: () => void }>();

  constructor(startMs: number) {
    this.#wallMs = startMs;
  }

  nowMs(): number {
    return this.#wallMs;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve);
    });
  }

  after(ms: number, task: () => void): () => void {
    const timer = { dueMs: this.#elapsedMs + ms, task };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** Sets the wall clock forward or back; no timer notices. */
  step(ms: number): void {
    this.#wallMs += ms;
  }

  /** Lets time pass: due timers run in order, and what they cause settles before the next. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#elapsedMs + ms;
    await settle();
    for (let next = this.#next(endMs); next; next = this.#next(endMs)) {
      this.#timers.delete(next);
      this.#pass(Math.max(0, next.dueMs - this.#elapsedMs));
      next.task();
      await settle();
    }
    this.#pass(endMs - this.#elapsedMs);
    await settle();
  }

  /** The process is gone: its timers never fire. */
  dropTimers(): void {
    this.#timers.clear();
  }

  get pendingTimers(): number {
    return this.#timers.size;
  }

  #pass(ms: number): void {
    this.#elapsedMs += ms;
    this.#wallMs += ms;
  }

  #next(endMs: number) {
    return Array.from(this.#timers)
      .filter((timer) => timer.dueMs <= endMs)
      .sort((a, b) => a.dueMs - b.dueMs)[0];
  }
}

export interface FileFault {
  readonly kind: "read" | "write" | "list";
  /** Part of the path. */
  readonly path: string;
  /** Matching operations that still succeed; 0 without it. */
  readonly skip?: number;
  /** Operations that fail; all without it. */
  readonly times?: number;
  /** True when the operation takes effect and only its answer is lost. */
  readonly answerLost?: boolean;
}

/** Files in memory. Operations on one path keep their order, as on the real host. */
export class SimulatedFiles implements Files {
  /** What is durable, by path. Shared with the host of the next run. */
  readonly disk: Map<string, string>;
  readonly #journal: JournalEntry[];
  #faults: { fault: FileFault; matched: number }[] = [];
  #tails = new Map<string, Promise<unknown>>();

  constructor(journal: JournalEntry[], disk: Map<string, string>) {
    this.#journal = journal;
    this.disk = disk;
  }

  fail(fault: FileFault): void {
    this.#faults.push({ fault, matched: 0 });
  }

  heal(): void {
    this.#faults = [];
  }

  /** Removes everything below a folder, as SiYuan's help tells people to do with temp/. */
  empty(folder: string): void {
    for (const path of Array.from(this.disk.keys())) if (path.startsWith(`${folder}/`)) this.disk.delete(path);
  }

  read(path: string): Promise<string | undefined> {
    return this.#ordered({ kind: "read", path }, () => this.disk.get(path));
  }

  write(path: string, text: string): Promise<void> {
    return this.#ordered({ kind: "write", path, text }, () => {
      this.disk.set(path, text);
    });
  }

  removeLedgerDay(path: string): Promise<void> {
    return this.#ordered({ kind: "write", path }, () => this.empty(path));
  }

  list(path: string): Promise<readonly string[]> {
    return this.#ordered({ kind: "list", path }, () => {
      const below = Array.from(this.disk.keys()).filter((name) => name.startsWith(`${path}/`));
      return Array.from(new Set(below.map((name) => name.slice(path.length + 1).split("/")[0] ?? ""))).sort();
    });
  }

  async newest(path: string, count: number): Promise<readonly string[]> {
    const names = new Set(await this.list(path));
    const written = Array.from(this.disk.keys()).map((file) => file.slice(path.length + 1));
    return written
      .filter((name) => names.has(name))
      .reverse()
      .slice(0, count);
  }

  #ordered<Value>(entry: JournalEntry & { kind: FileFault["kind"] }, work: () => Value): Promise<Value> {
    const before = this.#tails.get(entry.path) ?? Promise.resolve();
    const run = before.then(async () => {
      // A turn of its own, so that callers really interleave.
      await settle();
      this.#journal.push(entry);
      const fault = this.#faultOf(entry);
      if (fault && !fault.answerLost) throw failure(entry.kind);
      const value = work();
      if (fault) throw failure(entry.kind);
      return value;
    });
    this.#tails.set(
      entry.path,
      run.catch(() => undefined),
    );
    return run;
  }

  #faultOf({ kind, path }: { kind: FileFault["kind"]; path: string }): FileFault | undefined {
    return this.#faults.find((entry) => {
      const { fault } = entry;
      if (fault.kind !== kind || !path.includes(fault.path)) return false;
      entry.matched++;
      const failing = entry.matched - (fault.skip ?? 0);
      return failing > 0 && failing <= (fault.times ?? Number.POSITIVE_INFINITY);
    })?.fault;
  }
}

function failure(kind: FileFault["kind"]): SisyphusError {
  return kind === "write"
    ? new SisyphusError("write_ledger_unavailable", "simulated: putFile failed")
    : new SisyphusError("api_error", `simulated: ${kind} failed`);
}

/** Pseudo-random bytes from a seed, or none at all. */
export class SimulatedEntropy implements Entropy {
  #state: number;
  absent = false;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  get source(): Entropy["source"] {
    return this.absent ? "none" : "template-route";
  }

  async bytes(count: number): Promise<Uint8Array> {
    if (this.absent) throw new SisyphusError("entropy_unavailable");
    return Uint8Array.from({ length: count }, () => this.#next() & 0xff);
  }

  /** Mulberry32. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let value = this.#state;
    value = Math.imul(value ^ (value >>> 15), value | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return (value ^ (value >>> 14)) >>> 0;
  }
}

export function sha256(text: string): Digest {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

export class SimulatedDigester implements Digester {
  readonly source = "template-route";
  /** Replaces digests, to make two states collide in their first digits. */
  forge: (text: string, digest: Digest) => Digest = (_text, digest) => digest;

  async sha256(texts: readonly string[]): Promise<readonly Digest[]> {
    return texts.map((text) => this.forge(text, sha256(text)));
  }
}

/** SiYuan's form of an answer. */
export function envelope(data: Json, code = 0, msg = ""): HostReply {
  return { status: 200, text: JSON.stringify({ code, msg, data }) };
}

export type Answerer = (body: Json) => HostReply | Promise<HostReply>;

/** A SiYuan of scripted routes. A request to any other is a defect of the test or of the product, and rejects. */
export class SimulatedSiyuan implements SiyuanApi {
  readonly #journal: JournalEntry[];
  readonly #routes: Map<string, Answerer>;

  constructor(journal: JournalEntry[], routes: Map<string, Answerer>) {
    this.#journal = journal;
    this.#routes = routes;
  }

  /** Sets the answer of a route; the earlier one comes back. */
  on(path: string, answer: Answerer): Answerer | undefined {
    const before = this.#routes.get(path);
    this.#routes.set(path, answer);
    return before;
  }

  async request(path: string, body: Json): Promise<HostReply> {
    await settle();
    this.#journal.push({ kind: "request", path, body });
    const answer = this.#routes.get(path);
    if (!answer) throw new Error(`unscripted request: ${path}`);
    return answer(body);
  }
}

interface Shared {
  readonly clock: SimulatedClock;
  readonly disk: Map<string, string>;
  readonly routes: Map<string, Answerer>;
  readonly journal: JournalEntry[];
  readonly seed: number;
  /** How often the kernel process was started anew. */
  readonly process: number;
  /** Processes that an instance has asked for their mark. */
  readonly marked: Set<number>;
}

export class SimulatedHost implements Host {
  readonly clock: SimulatedClock;
  readonly files: SimulatedFiles;
  readonly siyuan: SimulatedSiyuan;
  readonly entropy: SimulatedEntropy;
  readonly digest = new SimulatedDigester();
  /** Everything that left the kernel, across restarts. */
  readonly journal: JournalEntry[];
  readonly logged: string[] = [];
  readonly log: Log;
  readonly plugin = { name: "siyuan-plugins-mcp-sisyphus", version: "0.0.0" };
  readonly status = { token: "plugin", pathLock: "present" } as const;
  readonly #shared: Shared;

  constructor(
    shared: Shared = {
      clock: new SimulatedClock(Date.UTC(2026, 7, 12, 12)),
      disk: new Map(),
      routes: new Map(),
      journal: [],
      seed: 1,
      process: 1,
      marked: new Set(),
    },
  ) {
    this.#shared = shared;
    this.clock = shared.clock;
    this.journal = shared.journal;
    this.files = new SimulatedFiles(shared.journal, shared.disk);
    this.siyuan = new SimulatedSiyuan(shared.journal, shared.routes);
    this.entropy = new SimulatedEntropy(shared.seed);
    this.log = { info: (message) => this.logged.push(message), warn: (message) => this.logged.push(message) };
  }

  #isFirst: boolean | undefined;

  async isFirstInProcess(): Promise<boolean | undefined> {
    const { marked, process } = this.#shared;
    this.#isFirst = this.#isFirst ?? !marked.has(process);
    marked.add(process);
    return this.#isFirst;
  }

  async processMark(): Promise<string | undefined> {
    return this.#shared.process.toString(16).padStart(16, "0");
  }

  /** Who answers the plugin's routes, where a test says so. */
  serving: string | undefined = undefined;

  async servingInstance(): Promise<string | undefined> {
    return this.serving;
  }

  /** The host of the next run in the same kernel process: a reload of the plugin. */
  reloaded(): SimulatedHost {
    return new SimulatedHost({ ...this.#shared, seed: this.#shared.seed + 1 });
  }

  /** The host of the next run: same files, same SiYuan, same time, no timers, other randomness. */
  restarted(): SimulatedHost {
    this.clock.dropTimers();
    return new SimulatedHost({ ...this.#shared, seed: this.#shared.seed + 1, process: this.#shared.process + 1 });
  }

  /** Paths of the requests to SiYuan, in order. */
  get requests(): readonly string[] {
    return this.journal.filter((entry) => entry.kind === "request").map((entry) => entry.path);
  }
}
