// One tool call of a client, with everything that the checks want to know of it.

import type { JsonObject } from "../../../shared/wire/json.js";
import type { Scenario } from "../scenarios/scenario.js";
import type { State } from "../siyuan/notes.js";

export interface CallRecord {
  readonly number: number;
  readonly client: number;
  readonly run: number;
  readonly scenario: Scenario;
  readonly args: JsonObject;
  readonly kind: "preflight" | "commit";
  /** Of a commit: what it carries. Of a preflight: what it answered. */
  requestId: string | undefined;
  readonly startedAtMs: number;
  admittedAtMs?: number;
  /** When its turn in the lane came. */
  workAtMs?: number;
  /** When it crossed the barrier. */
  barrierAtMs?: number;
  barrierWallMs?: number;
  /** True when timers of its run stood still at some moment since the lease's issue. */
  timersFroze?: boolean;
  workEndedAtMs?: number;
  answeredAtMs?: number;
  answer?: JsonObject;
  /** Error code of the answer. */
  code?: string;
  cancelledAtMs?: number;
  /** Values of what the precondition covers, at each of its reads before it dispatched. */
  readonly seen: Set<string>;
  /** True once the notes were as asked at one of its reads, before it sent anything. */
  wasAsAsked?: boolean;
  /** All of the notes, at each of these reads. */
  readonly states: Set<State>;
  /** The last of them, or what others made of it since. */
  base?: string;
  /** Another write of ours that changed it since. */
  overtakenBy?: string;
}
