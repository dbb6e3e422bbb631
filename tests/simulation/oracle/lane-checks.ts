// Checks of the lanes: one writer at a time, in order of admission, and not held up by reads.

import type { Lane } from "../../../kernel/dispatch/dispatcher.js";
import { callLimits } from "../../../shared/limits.js";
import type { CallRecord } from "../world/call-record.js";
import type { VirtualTime } from "../world/virtual-time.js";
import type { Violations } from "./violations.js";

interface WriteLane {
  /** Admitted and not started, oldest first. */
  readonly waiting: { readonly call: CallRecord; readonly admittedAtMs: number; readonly wasIdle: boolean }[];
  running: CallRecord | undefined;
  /** Between barrier and end. */
  pastBarrier: CallRecord | undefined;
}

export class LaneChecks {
  readonly #lanes = new Map<number, WriteLane>();
  readonly #violations: Violations;
  readonly #time: VirtualTime;

  constructor(violations: Violations, time: VirtualTime) {
    this.#violations = violations;
    this.#time = time;
  }

  admitted(call: CallRecord, lane: Lane): void {
    if (lane === "read") return;
    if (call.kind === "preflight") this.#violations.add("I-28", "a preflight waits in the lane of the writes");
    const own = this.#laneOf(call.run);
    const wasIdle = own.running === undefined && own.waiting.length === 0;
    own.waiting.push({ call, admittedAtMs: this.#time.elapsedMs, wasIdle });
  }

  started(call: CallRecord, lane: Lane): void {
    if (lane === "read") return;
    const own = this.#laneOf(call.run);
    const index = own.waiting.findIndex((entry) => entry.call === call);
    const [entry] = own.waiting.splice(index, 1);
    // Calls that were cancelled or refused while they waited leave without a start.
    const overtaken = own.waiting
      .slice(0, Math.max(0, index))
      .filter((other) => this.#time.elapsedMs - other.admittedAtMs < callLimits.barrierDeadlineMs)
      .find((other) => other.call.answeredAtMs === undefined && other.call.cancelledAtMs === undefined);
    if (overtaken)
      this.#violations.add("I-26", `started before call ${overtaken.call.number}, which came first`, call.requestId);
    for (const other of own.waiting.slice(0, index)) own.waiting.splice(own.waiting.indexOf(other), 1);
    if (entry?.wasIdle && this.#time.elapsedMs > entry.admittedAtMs)
      this.#violations.add("I-28", "waited although the write lane was idle", call.requestId);
    own.running = call;
  }

  crossed(call: CallRecord): void {
    const own = this.#laneOf(call.run);
    const other = own.pastBarrier;
    if (other && other.answeredAtMs === undefined)
      this.#violations.add("I-25", `crossed the barrier while call ${other.number} was past its own`, call.requestId);
    own.pastBarrier = call;
  }

  ended(call: CallRecord, lane: Lane): void {
    if (lane === "read") return;
    const own = this.#laneOf(call.run);
    if (own.running === call) own.running = undefined;
    if (own.pastBarrier === call) own.pastBarrier = undefined;
  }

  #laneOf(run: number): WriteLane {
    const known = this.#lanes.get(run);
    if (known) return known;
    const made: WriteLane = { waiting: [], running: undefined, pastBarrier: undefined };
    this.#lanes.set(run, made);
    return made;
  }
}
