// One simulated machine: SiYuan's process with its notes and disk, the runs of the plugin, and the oracle over all of it.

import { permissionsPath } from "../../../kernel/config/config-reader.js";
import { isErrorCode } from "../../../shared/errors.js";
import { type JsonObject, isJsonObject } from "../../../shared/wire/json.js";
import { deviceFolder, storageFolder } from "../../../shared/wire/plugin.js";
import { Oracle } from "../oracle/oracle.js";
import type { Scenario } from "../scenarios/scenario.js";
import { firstNotes } from "../siyuan/first-notes.js";
import { Notes } from "../siyuan/notes.js";
import { type ProcessEvents, SiyuanProcess } from "../siyuan/process.js";
import { outsideCalls } from "./call-context.js";
import type { CallRecord } from "./call-record.js";
import { count, type Counts, noCounts } from "./counts.js";
import { Disk, journalMs } from "./disk.js";
import type { FaultPlan, Station } from "./faults.js";
import { type CallEnd, SimulatedPlugin } from "./plugin.js";
import { Random } from "./random.js";
import type { HostRequest } from "./request.js";
import { Trace } from "./trace.js";
import { VirtualTime } from "./virtual-time.js";

const leastRunMs = 5;

export interface WorldOptions {
  readonly seed: number;
  readonly startMs: number;
  readonly faults: FaultPlan;
  readonly bargingChance: number;
  readonly keepsTrace: boolean;
  /** Called at the stations of a plugin's request; somebody else may act here. */
  readonly onStation: (world: World, request: HostRequest, station: Station) => void;
}

export class World {
  readonly time: VirtualTime;
  readonly disk = new Disk();
  readonly notes: Notes;
  readonly process: SiyuanProcess;
  readonly oracle: Oracle;
  readonly trace: Trace;
  readonly counts: Counts = noCounts();
  readonly random: Random;
  /** Every run so far; more than one may be alive. */
  readonly plugins: SimulatedPlugin[] = [];
  readonly #options: WorldOptions;
  #requests = 0;
  #calls = 0;
  #words = 0;
  /** True once nothing goes wrong any more. */
  isHealed = false;
  #frozeTimers = false;
  #hadTwoRuns = false;
  #isUnloading = false;
  #startedAtMs = 0;
  /** Runs whose unload hook was called. */
  readonly #unloaded = new Set<number>();

  constructor(options: WorldOptions) {
    this.#options = options;
    this.random = new Random(options.seed);
    this.time = new VirtualTime(options.startMs);
    this.trace = new Trace(options.keepsTrace, () => this.time.elapsedMs);
    this.notes = new Notes(this.disk, this.time, this.random.fork());
    this.#install();
    this.oracle = new Oracle(
      this.time,
      this.notes,
      this.disk,
      () => this.process.life,
      () => this.#hadTwoRuns,
      (run) => this.#endOf(run),
      (line) => this.trace.add(line),
    );
    this.process = new SiyuanProcess({
      time: this.time,
      disk: this.disk,
      notes: this.notes,
      random: this.random.fork(),
      faults: { decide: (request) => (this.isHealed ? undefined : options.faults.decide(request)) },
      bargingChance: options.bargingChance,
      events: this.#events(),
      // A plugin that was unloaded leaves no route, whatever orphan of it still runs.
      serving: () => (this.plugin.isServing ? this.plugin.instance : undefined),
    });
    this.setPermissions(() => "rwd");
    this.startPlugin();
  }

  /** What is on the disk when the machine starts. */
  #install(): void {
    firstNotes(this.notes);
    this.notes.save(this.notes.takeDirty());
    const switches = {
      block: { actions: { delete: true } },
      document: { actions: { remove: true } },
      fs: { actions: { rm: true } },
      notebook: { actions: { remove: true, set_permission: true } },
    };
    this.disk.write(`${storageFolder}/mcpToolsConfig`, JSON.stringify(switches), this.time.elapsedMs);
    this.time.elapsedMs += 2 * journalMs;
  }

  /** The newest run. */
  get plugin(): SimulatedPlugin {
    return this.plugins[this.plugins.length - 1] as SimulatedPlugin;
  }

  readonly words = (): string => `Xword${++this.#words}`;

  /** Nothing goes wrong any more. */
  endFaults(): void {
    this.isHealed = true;
    this.disk.isFull = false;
  }

  startPlugin(): void {
    outsideCalls(() => this.#startPlugin());
  }

  #startPlugin(): void {
    this.#startedAtMs = this.time.elapsedMs;
    const run = this.plugins.length + 1;
    const plugin = new SimulatedPlugin({
      run,
      time: this.time,
      process: this.process,
      random: this.random.fork(),
      nextRequest: () => ++this.#requests,
      lanes: {
        admitted: (call, lane) => {
          call.admittedAtMs = this.time.elapsedMs;
          this.oracle.lanes.admitted(call, lane);
        },
        started: (call, lane) => {
          call.workAtMs = this.time.elapsedMs;
          if (call.kind === "commit") this.oracle.evidence.inWork.add(call);
          this.oracle.lanes.started(call, lane);
        },
        crossed: (call) => {
          call.barrierAtMs = this.time.elapsedMs;
          call.barrierWallMs = this.time.wallMs;
          call.timersFroze = this.#frozeTimers;
          this.oracle.owners.accepted(call.run);
          this.oracle.lanes.crossed(call);
        },
        ended: (call, lane) => {
          call.workEndedAtMs = this.time.elapsedMs;
          this.oracle.evidence.inWork.delete(call);
          this.oracle.lanes.ended(call, lane);
        },
      },
      log: (message) => this.trace.add(`log: ${message.slice(0, 400)}`),
    });
    this.plugins.push(plugin);
    this.trace.add(`## run ${run} starts (${plugin.instance})`);
    plugin.start();
  }

  /** SiYuan's process ends at once, with everything in it. It is up again after `downMs`. */
  crash(why: string, downMs: number): void {
    if (!this.process.isUp) return;
    this.trace.add(`## SiYuan's process ends: ${why}`);
    this.counts.crashes++;
    this.process.end();
    for (const plugin of this.plugins) this.#end(plugin);
    this.disk.endOfProcess();
    this.time.at(downMs, () => this.#boot());
  }

  /** The machine loses power: renames of the last seconds are undone, in order or not. */
  powerCut(isOrdered: boolean, downMs: number): void {
    if (!this.process.isUp) return;
    this.crash(isOrdered ? "power cut, journal in order" : "power cut, journal out of order", downMs);
    const cut = () => this.time.elapsedMs - this.random.between(0, journalMs);
    const one = cut();
    this.disk.powerCut(() => (isOrdered ? one : cut()));
    this.oracle.evidence.recordsMayBeLost();
    this.oracle.permissions.look(this.time.elapsedMs);
    this.lookAtFence();
  }

  /** The fence file may be another one now, or gone. */
  lookAtFence(): void {
    const text = this.disk.read(`${deviceFolder}/instance.json`) ?? "";
    const owner = this.plugins.find((plugin) => text.includes(`"${plugin.instance}"`));
    this.oracle.owners.fenceNames(owner?.run, this.time.elapsedMs);
  }

  #boot(): void {
    this.process.begin();
    this.oracle.changedByOthers();
    this.trace.add("## SiYuan is up again");
    this.startPlugin();
  }

  /** The plugin is replaced while SiYuan runs on. */
  reload(how: "unload" | "abrupt" | "orphan"): void {
    // An instance is named by the millisecond of its start, and SiYuan replaces a plugin one step after another.
    const isTooSoon = this.#isUnloading || this.time.elapsedMs - this.#startedAtMs < leastRunMs;
    if (!this.process.isUp || this.isHealed || isTooSoon) return;
    const before = this.plugin;
    this.trace.add(`## plugin reload: ${how}`);
    this.counts.reloads++;
    if (how === "abrupt") this.#end(before);
    if (how === "orphan") this.#hadTwoRuns = true;
    if (how !== "unload") {
      this.startPlugin();
      return;
    }
    const life = this.process.life;
    this.#unloaded.add(before.run);
    this.#isUnloading = true;
    outsideCalls(() => before.unload()).then(() => {
      this.#end(before);
      this.#isUnloading = false;
      if (this.process.isUp && this.process.life === life) this.startPlugin();
    });
  }

  #endOf(run: number): "still runs" | "was unloaded" | "ended without a word" {
    if (this.plugins[run - 1]?.isAlive) return "still runs";
    return this.#unloaded.has(run) ? "was unloaded" : "ended without a word";
  }

  /** Nothing of this run executes any more; what it sent may. */
  #end(plugin: SimulatedPlugin): void {
    plugin.kill();
    const { inWork } = this.oracle.evidence;
    for (const call of Array.from(inWork).filter(({ run }) => run === plugin.run)) {
      call.workEndedAtMs = this.time.elapsedMs;
      inWork.delete(call);
    }
  }

  emptyTemp(): void {
    this.trace.add("## temp/ is emptied");
    this.disk.empty(deviceFolder, this.time.elapsedMs);
    this.oracle.evidence.recordsMayBeLost();
    this.lookAtFence();
  }

  freezeTimers(ms: number): void {
    this.trace.add(`## timers stand still for ${ms} ms`);
    this.#frozeTimers = true;
    for (const plugin of this.plugins) plugin.frozenUntilMs = this.time.elapsedMs + ms;
  }

  stepWallClock(ms: number): void {
    this.trace.add(`## the wall clock steps by ${ms} ms`);
    this.time.wallMs += ms;
    // A record of another day than the ledger still looks at is as good as gone.
    if (Math.abs(ms) > 86_400_000) this.oracle.evidence.recordsMayBeLost();
  }

  setPermissions(levelOf: (notebook: string) => string): void {
    const levels = Object.fromEntries(Array.from(this.notes.notebooks.keys(), (id) => [id, levelOf(id)]));
    this.disk.write(permissionsPath, JSON.stringify(levels), this.time.elapsedMs);
    this.oracle.permissions.look(this.time.elapsedMs);
    this.trace.add(`## permissions ${JSON.stringify(levels)}`);
  }

  /** Somebody edits the notes in SiYuan itself. */
  editByOthers(what: string, edit: (notes: Notes) => void): void {
    edit(this.notes);
    this.notes.save(this.notes.takeDirty());
    this.counts.otherWrites++;
    this.trace.add(`another writer: ${what}`);
    this.oracle.changedByOthers();
  }

  /** A client's call to one run of the plugin. Resolves with undefined when the connection is lost. */
  async call(
    client: number,
    plugin: SimulatedPlugin,
    scenario: Scenario,
    args: JsonObject,
    onStart: (call: CallRecord) => void = () => undefined,
  ): Promise<CallRecord> {
    const isPreflight = args.validateOnly === true;
    const call: CallRecord = {
      number: ++this.#calls,
      client,
      run: plugin.run,
      scenario,
      args,
      kind: isPreflight ? "preflight" : "commit",
      requestId: isPreflight ? undefined : String(args.requestId ?? ""),
      startedAtMs: this.time.elapsedMs,
      timersFroze: this.#frozeTimers,
      seen: new Set(),
      states: new Set(),
    };
    onStart(call);
    if (!isPreflight) this.counts.commits++;
    this.oracle.began(call);
    const name = `client ${client} call ${call.number} ${scenario.tool}.${scenario.action} ${call.kind} ${call.requestId ?? ""}`;
    this.trace.add(`${name} to run ${plugin.run} ${JSON.stringify(args)}`);
    this.#answered(call, name, await plugin.call(call));
    return call;
  }

  #answered(call: CallRecord, name: string, end: CallEnd): void {
    if (!end) {
      this.counts.lostAnswers++;
      this.trace.add(`${name}: no answer`);
      return;
    }
    call.answeredAtMs = this.time.elapsedMs;
    call.timersFroze = this.#frozeTimers;
    call.answer = end.structured;
    const error = isJsonObject(end.structured.error) ? end.structured.error : undefined;
    if (end.isError) call.code = String(error?.code);
    if (call.kind === "preflight" && !end.isError) {
      call.requestId = String(end.structured.requestId);
      this.oracle.issued(call, call.args);
    }
    this.trace.add(
      `${name}: ${end.isError ? `${call.code}: ${String(error?.message)}` : JSON.stringify(end.structured)}`,
    );
    if (call.kind === "commit") this.#countAnswer(call);
    this.oracle.answered(call);
  }

  #countAnswer({ code, answer = {} }: CallRecord): void {
    const { counts } = this;
    const safety = isJsonObject(answer.safety) ? answer.safety : {};
    count(counts.codes, code ?? String(safety.transactionState));
    if (code === undefined) {
      if (safety.replayed === true) counts.replays++;
      else counts.committed++;
      if (safety.reconciled === true || answer.reconciled === true) counts.reconciled++;
    } else if (isErrorCode(code) && (code === "outcome_unknown" || code === "readback_mismatch")) counts.unknown++;
    else counts.refusals++;
  }

  #events(): ProcessEvents {
    const nameOf = (request: HostRequest) =>
      `request ${request.number} ${request.path} run ${request.run}${request.call?.requestId ? ` ${request.call.requestId}` : ""}`;
    return {
      sent: (request, fault) => {
        if (request.isWrite) this.counts.dispatches++;
        if (fault) count(this.counts.faults, "loss" in fault ? `loses ${fault.loss}` : fault.kind);
        if (fault || request.isWrite)
          this.trace.add(`${nameOf(request)} sent${fault ? ` ${JSON.stringify(fault)}` : ""}`);
        this.oracle.sent(request, fault);
        if (request.isFile && (fault?.kind === "vanishes" || fault?.kind === "code 0, nothing applied"))
          this.oracle.recordMayBeLost(request);
      },
      dropped: (request) => {
        this.trace.add(`${nameOf(request)} dropped`);
        this.oracle.dropped(request);
      },
      applying: () => this.oracle.applying(),
      applied: (request) => {
        this.trace.add(`${nameOf(request)} applied`);
        this.oracle.applied(request);
      },
      read: (request) => this.oracle.read(request),
      fileWritten: (request, path, text) => {
        this.trace.add(
          `${nameOf(request)} wrote ${path} ${text.slice(0, 60)} ${/"state":"[a-z_]+"/.exec(text)?.[0] ?? ""}`,
        );
        this.oracle.fileWritten(request, path, text);
      },
      station: (request, station) => this.#options.onStation(this, request, station),
      exit: () => this.crash("a fault of the seed", 500),
    };
  }
}
