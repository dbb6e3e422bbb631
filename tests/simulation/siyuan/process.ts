// SiYuan's process: takes requests, serialises them by path, executes them in ticks, writes files, answers, and dies.

import type { Json, JsonObject } from "../../../shared/wire/json.js";
import { routeBase, routes } from "../../../shared/wire/plugin.js";
import type { Disk } from "../world/disk.js";
import type { Fault, FaultPlan, Station } from "../world/faults.js";
import { PathLocks } from "../world/path-locks.js";
import type { Random } from "../world/random.js";
import type { HostRequest, Outcome } from "../world/request.js";
import type { VirtualTime } from "../world/virtual-time.js";
import { allRoutes } from "./all-routes.js";
import { drainingReads } from "./block-reads.js";
import { filePaths, parseUpload, readFile, readFolder } from "./file-routes.js";
import type { Notes } from "./notes.js";
import { type Loss, Refusal, type Write } from "./route.js";

/** The plugin's own route that tells one kernel process from another. */
const probePath = routeBase + routes.probe;

/** SiYuan's queue of block operations wakes this often. */
const tickMs = 50;

/** What the process tells of itself. All of it synchronous. */
export interface ProcessEvents {
  /** A request leaves the plugin. */
  sent(request: HostRequest, fault: Fault | undefined): void;
  /** SiYuan said no, or never got it: it will not be executed any more. */
  dropped(request: HostRequest): void;
  /** Around the execution of a write. */
  applying(request: HostRequest): void;
  applied(request: HostRequest): void;
  /** A read was executed. */
  read(request: HostRequest): void;
  fileWritten(request: HostRequest, path: string, text: string): void;
  /** Something else may happen here. */
  station(request: HostRequest, station: Station): void;
  /** The fault wants the process to end. */
  exit(): void;
}

export interface ProcessParts {
  readonly time: VirtualTime;
  readonly disk: Disk;
  readonly notes: Notes;
  readonly random: Random;
  readonly faults: FaultPlan;
  readonly bargingChance: number;
  readonly events: ProcessEvents;
  /** The instance of the plugin that answers its routes. */
  serving(): string | undefined;
}

export class SiyuanProcess {
  readonly #parts: ProcessParts;
  #locks: PathLocks;
  /** Counts the processes: work of an earlier one goes no further. */
  #life = 0;
  /** Writes that were accepted and not yet executed; some reads wait for them. */
  readonly #queue = new Set<Promise<void>>();
  isUp = true;
  /** True once the plugins' cookie jar, which ends with the process, holds its mark. */
  #isMarked = false;

  constructor(parts: ProcessParts) {
    this.#parts = parts;
    this.#locks = new PathLocks(parts.random, parts.bargingChance);
  }

  get life(): number {
    return this.#life;
  }

  /** Everything in memory and under way is gone. */
  end(): void {
    this.#life++;
    this.isUp = false;
    this.#queue.clear();
    this.#isMarked = false;
    this.#locks = new PathLocks(this.#parts.random, this.#parts.bargingChance);
  }

  begin(): void {
    this.#parts.notes.load();
    this.isUp = true;
  }

  /** Takes a request; `reply` is called at most once, and never after the process ended. */
  receive(request: HostRequest, form: string, reply: (outcome: Outcome) => void): void {
    const fault = this.#parts.faults.decide(request);
    this.#serve(request, form, fault, reply).catch((thrown) => {
      if (thrown !== gone) throw thrown;
    });
  }

  async #serve(
    request: HostRequest,
    form: string,
    fault: Fault | undefined,
    reply: (outcome: Outcome) => void,
  ): Promise<void> {
    const { time, random, events } = this.#parts;
    const life = this.#life;
    const alive = () => {
      if (this.#life !== life) throw gone;
    };
    const pause = async (ms: number) => {
      await time.wait(ms);
      alive();
    };
    const at = (station: Station) => {
      if (fault?.kind === "process exit" && fault.at === station) events.exit();
      else events.station(request, station);
      alive();
    };

    if (fault?.kind === "refused before send" || !this.isUp) {
      await time.wait(1);
      return reply("broken");
    }
    events.sent(request, fault);
    if (fault?.kind === "lost before apply") {
      events.dropped(request);
      await pause(random.delay(1, 200));
      return fault.breaks ? reply("broken") : undefined;
    }
    await pause(random.delay(1, 8));
    at("queued");
    if (fault?.kind === "slow" && !fault.holdsLock) await pause(fault.ms);
    const release = await this.#locks.take(request.path);
    let outcome: Outcome | undefined;
    try {
      alive();
      if (fault?.kind === "slow" && fault.holdsLock) await pause(fault.ms);
      at("parsed");
      outcome = await this.#execute(request, form, fault, { pause, at, reply });
    } finally {
      release();
    }
    if (outcome === undefined) return;
    at("answered");
    await pause(random.delay(1, 5));
    if (fault?.kind === "answer lost") outcome = "broken";
    if (fault?.kind === "answer lost" && !fault.breaks) return;
    reply(outcome);
  }

  /** Undefined when the request has been answered already. */
  async #execute(
    request: HostRequest,
    form: string,
    fault: Fault | undefined,
    steps: {
      readonly pause: (ms: number) => Promise<void>;
      readonly at: (station: Station) => void;
      readonly reply: (outcome: Outcome) => void;
    },
  ): Promise<Outcome | undefined> {
    const { notes, disk, random, events, time } = this.#parts;
    const refused = refusalOf(fault, request.path);
    if (refused && !appliesAnyway(fault)) {
      events.dropped(request);
      return refused;
    }
    if (filePaths.has(request.path)) {
      if (request.path === "/api/file/removeFile") {
        disk.empty(String(request.body.path), time.elapsedMs);
        return refused ?? success(null);
      }
      if (request.path !== "/api/file/putFile") {
        events.read(request);
        const answer = request.path.endsWith("getFile")
          ? readFile(disk, request.body)
          : readFolder(disk, notes, request.body);
        return refused ?? answer;
      }
      return (await this.#upload(request, form, fault, steps)) ?? refused ?? success(null);
    }
    if (request.path === probePath) {
      const process = this.#life.toString(16).padStart(16, "a");
      const answer = { process, isKnown: this.#isMarked, instance: this.#parts.serving() };
      this.#isMarked = true;
      return refused ?? { status: 200, text: JSON.stringify(answer) };
    }
    const read = allRoutes.reads[request.path];
    if (read) {
      if (drainingReads.has(request.path)) {
        await steps.pause(tickMs - (time.elapsedMs % tickMs));
        await Promise.all(Array.from(this.#queue));
        await steps.pause(0);
      }
      events.read(request);
      return fault?.kind === "code 0, data null" ? success(null) : answerOf(() => read(notes, request.body));
    }
    const route = allRoutes.writes[request.path];
    if (!route) throw new Error(`the simulated SiYuan has no ${request.path}`);
    let write: Write;
    try {
      write = route(notes, request.body);
    } catch (thrown) {
      events.dropped(request);
      return failure(thrown);
    }
    // A refusal with an effect is a failure half-way through, so the effect is there before the answer.
    if (refused && write.answersFirst) {
      events.dropped(request);
      return refused;
    }
    const answer = refused ?? success(fault?.kind === "code 0, data null" ? null : write.data);
    if (write.answersFirst || fault?.kind === "late effect") {
      steps.at("answered");
      const work = this.#queued(request, write, fault, steps, fault?.kind === "late effect" ? fault.ms : 0);
      work.catch((thrown) => {
        if (thrown !== gone) throw thrown;
      });
      await steps.pause(random.delay(1, 5));
      if (fault?.kind !== "answer lost") steps.reply(answer);
      else if (fault.breaks) steps.reply("broken");
      return undefined;
    }
    await this.#queued(request, write, fault, steps, 0);
    return answer;
  }

  #queued(
    request: HostRequest,
    write: Write,
    fault: Fault | undefined,
    steps: { readonly pause: (ms: number) => Promise<void>; readonly at: (station: Station) => void },
    lateMs: number,
  ): Promise<void> {
    const running = this.#apply(request, write, fault, steps, lateMs);
    const entry = running.catch(() => undefined);
    this.#queue.add(entry);
    entry.then(() => this.#queue.delete(entry));
    return running;
  }

  async #apply(
    request: HostRequest,
    write: Write,
    fault: Fault | undefined,
    { pause, at }: { readonly pause: (ms: number) => Promise<void>; readonly at: (station: Station) => void },
    lateMs: number,
  ): Promise<void> {
    const { notes, random, events, time } = this.#parts;
    if (lateMs > 0) await pause(lateMs);
    await pause(tickMs - (time.elapsedMs % tickMs));
    events.applying(request);
    write.apply(notes, lossOf(fault));
    events.applied(request);
    const dirty = notes.takeDirty();
    at("applied");
    await pause(random.delay(1, 20));
    notes.save(dirty);
    at("written");
  }

  /** The answer when the disk is full. */
  async #upload(
    request: HostRequest,
    form: string,
    fault: Fault | undefined,
    { pause, at }: { readonly pause: (ms: number) => Promise<void>; readonly at: (station: Station) => void },
  ): Promise<Outcome | undefined> {
    const { disk, random, events, time } = this.#parts;
    const { path, text } = parseUpload(form);
    if (disk.isFull) {
      events.dropped(request);
      return envelope(-1, "no space left on device", null);
    }
    await pause(random.delay(1, 15));
    at("applied");
    if (fault?.kind === "code 0, nothing applied") {
      events.dropped(request);
      return undefined;
    }
    disk.write(path, text, time.elapsedMs);
    events.fileWritten(request, path, text);
    if (fault?.kind === "torn") {
      disk.tear(path, fault.border, time.elapsedMs);
      events.exit();
      throw gone;
    }
    if (fault?.kind === "vanishes") disk.vanishLater(path);
    at("written");
    return undefined;
  }
}

/** Thrown inside the work of a process that is gone. */
const gone = new Error("the process is gone");

function refusalOf(fault: Fault | undefined, path: string): Outcome | undefined {
  switch (fault?.kind) {
    case "token rejected":
      return { status: 401, text: "" };
    case "http 500":
      return { status: 500, text: "Internal Server Error" };
    case "code not 0":
      return path === "/api/file/getFile"
        ? { status: 202, text: JSON.stringify({ code: -1, msg: "simulated refusal", data: null }) }
        : envelope(-1, "simulated refusal", null);
    default:
      return undefined;
  }
}

function appliesAnyway(fault: Fault | undefined): boolean {
  return (fault?.kind === "http 500" || fault?.kind === "code not 0") && fault.applied;
}

function lossOf(fault: Fault | undefined): Loss {
  if (fault?.kind === "code 0, nothing applied") return "nothing";
  return fault?.kind === "loses part" ? fault.loss : "none";
}

function answerOf(read: () => Json): Outcome {
  try {
    return success(read());
  } catch (thrown) {
    return failure(thrown);
  }
}

function failure(thrown: unknown): Outcome {
  if (thrown instanceof Refusal) return envelope(thrown.code, thrown.message, thrown.data);
  throw thrown;
}

function success(data: Json): Outcome {
  return envelope(0, "", data);
}

function envelope(code: number, msg: string, data: Json): Outcome {
  return { status: 200, text: JSON.stringify({ code, msg, data } as JsonObject) };
}
