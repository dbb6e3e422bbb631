// Watches one run: collects the evidence and applies the checks at the moments they are for.

import { safetyLimits } from "../../../shared/limits.js";
import { deviceFolder } from "../../../shared/wire/plugin.js";
import { permissionsPath } from "../../../kernel/config/config-reader.js";
import { type JsonObject, isJsonObject } from "../../../shared/wire/json.js";
import type { Notes, State } from "../siyuan/notes.js";
import type { CallRecord } from "../world/call-record.js";
import type { Disk } from "../world/disk.js";
import type { Fault } from "../world/faults.js";
import type { HostRequest } from "../world/request.js";
import type { VirtualTime } from "../world/virtual-time.js";
import { checkAnswer } from "./answer-checks.js";
import { type CheckParts, checkDispatch } from "./dispatch-checks.js";
import { checkEffect, markOvertaken, rebase } from "./effect-checks.js";
import { Evidence, type Intent } from "./evidence.js";
import { LaneChecks } from "./lane-checks.js";
import { Owners } from "./owners.js";
import { PermissionHistory } from "./permission-history.js";
import { Violations } from "./violations.js";

/** Stands in every text that a scenario writes, and in nothing else. */
export const wordMark = "Xword";

const ledgerFolder = `${deviceFolder}/ledger/`;

export class Oracle {
  readonly evidence = new Evidence();
  readonly violations: Violations;
  readonly lanes: LaneChecks;
  readonly owners = new Owners();
  readonly permissions: PermissionHistory;
  readonly #parts: CheckParts;
  readonly #time: VirtualTime;
  readonly #notes: Notes;
  #before: State = new Map();

  constructor(
    time: VirtualTime,
    notes: Notes,
    disk: Disk,
    life: () => number,
    /** True once two runs were alive at one time. */
    readonly hadTwoRuns: () => boolean,
    endOf: CheckParts["endOf"],
    trace: (line: string) => void,
  ) {
    this.#time = time;
    this.#notes = notes;
    this.violations = new Violations(() => time.elapsedMs, trace);
    this.lanes = new LaneChecks(this.violations, time);
    this.permissions = new PermissionHistory(disk);
    const { evidence, violations, owners, permissions } = this;
    this.#parts = { time, notes, evidence, violations, owners, permissions, life, endOf };
  }

  /** The host lies about a file of this request's call. */
  recordMayBeLost({ call }: HostRequest): void {
    const intent = call && this.evidence.intentOf(call);
    if (intent) intent.recordMayBeLost = true;
  }

  /** A preflight has answered. */
  issued(call: CallRecord, args: JsonObject): void {
    const requestId = String(call.requestId);
    if (this.evidence.ambiguous.has(requestId)) return;
    const earlier = this.evidence.intents.get(requestId);
    if (earlier) {
      const why = earlier.recordMayBeLost
        ? ", and a power cut came between"
        : this.hadTwoRuns()
          ? ", where two runs were alive at one time"
          : "";
      this.violations.add("I-14", `the id was issued before${why}`, requestId);
      this.evidence.intents.delete(requestId);
      this.evidence.ambiguous.add(requestId);
      return;
    }
    const { scenario, run, seen, states } = call;
    this.evidence.intents.set(requestId, {
      requestId,
      scenario,
      args,
      run,
      seen,
      states,
      issuedWallMs: Number(call.answer?.requestIdExpiresAt) - safetyLimits.leaseTtlMs,
      issuedAtMs: this.#time.elapsedMs,
      dispatches: [],
      calls: [],
      recordedStages: new Set(),
      held: false,
      tookEffect: false,
      toldUnchanged: false,
      effectIsMissing: false,
      recordMayBeLost: false,
    });
  }

  began(call: CallRecord): void {
    this.evidence.intentOf(call)?.calls.push(call);
  }

  answered(call: CallRecord): void {
    checkAnswer(this.#parts, call);
  }

  sent(request: HostRequest, fault: Fault | undefined): void {
    // A stage may also write a file of ours; the ledger's records are written between the stages.
    const isStageFile = request.stage !== undefined && request.path === "/api/file/putFile";
    if (request.isWrite || isStageFile) checkDispatch(this.#parts, request, fault?.kind === "late effect");
  }

  dropped(request: HostRequest): void {
    const dispatch = this.evidence.dispatchOf(request);
    if (dispatch) dispatch.fate = "dropped";
  }

  applying(): void {
    this.#before = this.#notes.state();
  }

  applied(request: HostRequest): void {
    const dispatch = this.evidence.dispatchOf(request);
    if (!dispatch) return;
    dispatch.fate = "applied";
    checkEffect(this.#parts, dispatch, this.#before, this.#notes.state());
    markOvertaken(this.#parts, dispatch);
    const own = dispatch.call.scenario.observed?.(this.#notes, dispatch.call.args);
    if (own !== undefined) dispatch.call.base = own;
    const intent = this.evidence.intentOf(dispatch.call);
    if (!intent || intent.tookEffect) return;
    // Others may have worked on it since the commit looked.
    const { scenario, args } = intent;
    intent.tookEffect = this.#isAsAsked(intent) || scenario.holds(this.#notes, args, this.#before);
  }

  /** Somebody else, or the end of the process, changed the notes. */
  changedByOthers(): void {
    rebase(this.#parts);
  }

  /** A read of a call was executed. */
  read({ call }: HostRequest): void {
    if (!call) return;
    const { scenario, args } = call;
    const intent = call.kind === "commit" ? this.evidence.intentOf(call) : undefined;
    const dispatches = intent?.dispatches ?? [];
    const isBefore = !dispatches.some((dispatch) => dispatch.call === call);
    if (isBefore) call.states.add(this.#notes.state());
    if (isBefore && intent) {
      call.wasAsAsked = call.wasAsAsked || scenario.holds(this.#notes, args, undefined);
    }
    if (isBefore && scenario.observed) {
      const observed = scenario.observed(this.#notes, args);
      call.seen.add(observed);
      if (call.overtakenBy === undefined) call.base = observed;
    }
    if (!intent || intent.held || dispatches.length === 0) return;
    intent.held = this.#isAsAsked(intent);
  }

  #isAsAsked({ dispatches, scenario, args, states }: Intent): boolean {
    const earlier = Array.from(dispatches[0]?.call.states ?? []).concat(Array.from(states));
    return earlier.some((before) => scenario.holds(this.#notes, args, before));
  }

  fileWritten(request: HostRequest, path: string, text: string): void {
    if (path.startsWith(ledgerFolder)) this.#ledgerWritten(request, path, text);
    else if (path === `${deviceFolder}/instance.json`) this.owners.fenceNames(request.run, this.#time.elapsedMs);
    else if (path === permissionsPath) this.permissions.look(this.#time.elapsedMs);
    const dispatch = this.evidence.dispatchOf(request);
    if (dispatch) dispatch.fate = "applied";
  }

  #ledgerWritten({ call }: HostRequest, path: string, text: string): void {
    const requestId = path.slice(path.lastIndexOf("/") + 1, -".json".length);
    if (text.includes(wordMark)) this.violations.add("I-23", "words of a note in the ledger", requestId);
    const stored: unknown = JSON.parse(text);
    const record = isJsonObject(stored) && isJsonObject(stored.record) ? stored.record : {};
    const intent = this.evidence.intents.get(requestId);
    if (!intent) return;
    if (record.state === "executing" && Array.isArray(record.stages))
      for (const stage of record.stages) intent.recordedStages.add(String(stage));
    if (record.state !== "committed" || intent.held || intent.effectIsMissing) return;
    const isOwn = intent.dispatches.some((dispatch) => dispatch.call === call);
    // A lost outcome may be settled by a trace of the effect, even when others have worked on it since.
    if (!isOwn && (intent.tookEffect || call?.wasAsAsked)) return;
    intent.effectIsMissing = true;
    const nothing = intent.dispatches.every((dispatch) => dispatch.fate !== "applied");
    const what = nothing ? "nothing had taken effect" : "the asked effect was never there";
    this.violations.add("I-20", `${isOwn ? "recorded" : "reconciled"} as committed, and ${what}`, requestId);
  }
}
