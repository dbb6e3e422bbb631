// One run of the plugin: the real parts, composed as kernel/main.ts does, over a host of virtual time and requests.

import { createHash } from "node:crypto";
import { SiyuanReader } from "../../../kernel/api/reader.js";
import { SiyuanWriter } from "../../../kernel/api/writer.js";
import { ConfigReader } from "../../../kernel/config/config-reader.js";
import { ConfigWriter } from "../../../kernel/config/config-writer.js";
import type { ToolCalls } from "../../../kernel/dispatch/calls.js";
import { createToolService } from "../../../kernel/dispatch/tool-service.js";
import { createFiles } from "../../../kernel/host/files.js";
import { createProbe } from "../../../kernel/host/process-mark.js";
import type { Clock, Host, HostReply } from "../../../kernel/host/host.js";
import type { SiyuanFetch } from "../../../kernel/host/siyuan-fetch.js";
import { AliasPool } from "../../../kernel/safety/alias-pool.js";
import { Coordinator } from "../../../kernel/safety/coordinator.js";
import { Fence } from "../../../kernel/safety/fence.js";
import { Ledger } from "../../../kernel/safety/ledger.js";
import { OpenWrites } from "../../../kernel/safety/open-writes.js";
import { Preflights } from "../../../kernel/safety/preflights.js";
import { RequestIds } from "../../../kernel/safety/request-ids.js";
import { implementations } from "../../../kernel/tools/implementations.js";
import { SisyphusError } from "../../../shared/errors.js";
import { callLimits, hostLimits } from "../../../shared/limits.js";
import type { Json, JsonObject } from "../../../shared/wire/json.js";
import { pluginName } from "../../../shared/wire/plugin.js";
import { allRoutes } from "../siyuan/all-routes.js";
import { filePaths } from "../siyuan/file-routes.js";
import type { SiyuanProcess } from "../siyuan/process.js";
import { currentCall, inCall, type LaneEvents, ObservedDispatcher, withStageNames } from "./call-context.js";
import type { CallRecord } from "./call-record.js";
import type { Random } from "./random.js";
import type { VirtualTime } from "./virtual-time.js";

const actions = withStageNames(implementations);

export interface PluginParts {
  readonly run: number;
  readonly time: VirtualTime;
  readonly process: SiyuanProcess;
  readonly random: Random;
  readonly nextRequest: () => number;
  readonly lanes: LaneEvents;
  readonly log: (message: string) => void;
}

/** How a call ended for its client: an answer, or a lost connection. */
export type CallEnd = { readonly structured: JsonObject; readonly isError: boolean } | undefined;

export class SimulatedPlugin {
  readonly run: number;
  readonly instance: string;
  readonly #parts: PluginParts;
  readonly #dispatcher: ObservedDispatcher;
  readonly #coordinator: Coordinator;
  readonly #calls: ToolCalls;
  readonly #fence: Fence;
  readonly #openWrites: OpenWrites;
  /** Tells clients that wait that the connection is lost. */
  readonly #waiting = new Set<() => void>();
  /** False once the engine is gone: nothing of this run executes any more. */
  isAlive = true;
  /** False once its routes do not answer any more. */
  isServing = true;
  /** Timers do not fire before this moment of the machine's time. */
  frozenUntilMs = 0;

  constructor(parts: PluginParts) {
    this.#parts = parts;
    this.run = parts.run;
    const clock = this.#clock();
    const post = (path: string, body: string) => this.#post(path, body, clock);
    const siyuan = { request: (path: string, body: Json) => post(path, JSON.stringify(body)) };
    const client: SiyuanFetch = { token: "plugin", post };
    const log = { info: parts.log, warn: parts.log };
    const probe = createProbe(client, log);
    const host: Host = {
      clock,
      siyuan,
      files: createFiles(client),
      entropy: { bytes: (count) => this.#bytes(count), source: "template-route" },
      digest: { sha256: (texts) => this.#digests(texts), source: "template-route" },
      log,
      processMark: probe.processMark,
      isFirstInProcess: probe.isFirstInProcess,
      servingInstance: probe.servingInstance,
      plugin: { name: pluginName, version: "0.0.0" },
      status: { token: "plugin", pathLock: "present" },
    };
    const reader = new SiyuanReader(siyuan, clock);
    const config = new ConfigReader(host.files, clock);
    const readTools = { reader, config };
    this.instance = `${host.plugin.version}-${clock.nowMs().toString(36)}`;
    this.#fence = new Fence(host, this.instance);
    const ledger = new Ledger(host);
    this.#openWrites = new OpenWrites(host, ledger, () => this.#fence.takeOver());
    this.#coordinator = new Coordinator({
      host,
      instance: this.instance,
      readTools,
      writeTools: { writer: new SiyuanWriter(siyuan), config: new ConfigWriter(host.files, config) },
      aliases: new AliasPool(),
      preflights: new Preflights(clock),
      requestIds: new RequestIds(
        host,
        () => reader.systemId(),
        () => this.#fence.check(),
      ),
      ledger,
      fence: this.#fence,
      openWrites: this.#openWrites,
    });
    this.#dispatcher = new ObservedDispatcher(clock, parts.lanes);
    this.#calls = createToolService({
      dispatcher: this.#dispatcher,
      coordinator: this.#coordinator,
      readTools,
      config,
      implementations: actions,
      log: host.log,
    });
  }

  /** What the start hook does. */
  start(): void {
    this.#fence
      .claim()
      .then(() => this.#openWrites.load())
      .catch(() => undefined);
  }

  /** What the unload hook does; the run is over afterwards. */
  async unload(): Promise<void> {
    const { time } = this.#parts;
    const stopped = Promise.all([this.#dispatcher.stop(), this.#coordinator.stop()]);
    await Promise.race([stopped.catch(() => undefined), time.wait(callLimits.unloadDrainMs)]);
    this.isServing = false;
    this.#loseClients();
    await time.wait(callLimits.unloadFlushMs);
    this.kill();
  }

  /** The engine is gone, between two instructions. What it sent goes on without it. */
  kill(): void {
    this.isAlive = false;
    this.isServing = false;
    this.#loseClients();
  }

  call(record: CallRecord): Promise<CallEnd> {
    const { scenario, args } = record;
    return new Promise((resolve) => {
      if (!this.isServing) return resolve(undefined);
      const lost = () => resolve(undefined);
      this.#waiting.add(lost);
      const answer = inCall(record, () =>
        this.#calls.call({
          tool: scenario.tool,
          args,
          confirmation: "command",
          isCancelled: () => record.cancelledAtMs !== undefined,
        }),
      );
      answer.then((end) => {
        this.#waiting.delete(lost);
        if (this.isServing) resolve(end);
      });
    });
  }

  #loseClients(): void {
    for (const lost of this.#waiting) lost();
    this.#waiting.clear();
  }

  #clock(): Clock {
    const { time } = this.#parts;
    const after = (ms: number, task: () => void) => {
      let stopped = false;
      const fire = () => {
        if (stopped || !this.isAlive) return;
        if (this.frozenUntilMs > time.elapsedMs) return time.at(this.frozenUntilMs - time.elapsedMs, fire);
        task();
      };
      time.at(ms, fire);
      return () => {
        stopped = true;
      };
    };
    return { nowMs: () => time.wallMs, after, sleep: (ms) => new Promise((resolve) => after(ms, resolve)) };
  }

  /** One attempt, with the deadline of the plugin's own client. Nothing settles in a run that is over. */
  #post(path: string, text: string, clock: Clock): Promise<HostReply> {
    const { process, time, nextRequest, run } = this.#parts;
    return new Promise((resolve, reject) => {
      if (!this.isAlive) return;
      const unreachable = () => reject(new SisyphusError("kernel_unreachable", `SiYuan did not answer ${path}`));
      const stop = clock.after(hostLimits.requestTimeoutMs, unreachable);
      const isUpload = path === "/api/file/putFile";
      const request = {
        number: nextRequest(),
        path,
        body: isUpload ? {} : (JSON.parse(text) as JsonObject),
        isWrite: path in allRoutes.writes,
        isFile: filePaths.has(path),
        call: currentCall()?.call,
        stage: currentCall()?.stage,
        run,
        sentAtMs: time.elapsedMs,
      };
      process.receive(request, text, (outcome) => {
        if (!this.isAlive) return;
        stop();
        if (outcome === "broken") unreachable();
        else if (outcome.status === 401) reject(new SisyphusError("host_token_rejected"));
        else resolve(outcome);
      });
    });
  }

  async #bytes(count: number): Promise<Uint8Array> {
    await this.#alive(1);
    return Uint8Array.from({ length: count }, () => this.#parts.random.between(0, 255));
  }

  async #digests(texts: readonly string[]): Promise<readonly string[]> {
    await this.#alive(1);
    return texts.map((text) => createHash("sha256").update(text, "utf8").digest("hex"));
  }

  /** Passes a little time; never resolves in a run that is over. */
  #alive(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#parts.time.at(ms, () => {
        if (this.isAlive) resolve();
      });
    });
  }
}
