// Preflight records: lease and request id in one, in memory only, ten minutes, one dispatch each.

import { safetyLimits } from "../../shared/limits.js";
import type { Clock, Digest } from "../host/host.js";

export interface Preflight {
  readonly requestId: string;
  readonly tool: string;
  readonly action: string;
  readonly argumentsDigest: Digest;
  /** Sorted. */
  readonly targetIds: readonly string[];
  /** Absent for additive actions. */
  readonly stateDigest?: Digest;
  /** Block ids that the write will use, so that their presence proves it. */
  readonly reservedIds: readonly string[];
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

export class Preflights {
  readonly #clock: Clock;
  /** Oldest first. */
  readonly #live = new Map<string, Preflight>();
  /** The time last seen; never above the clock after a look at it. */
  #seenMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(preflight: Preflight): void {
    this.#look();
    this.#live.set(preflight.requestId, preflight);
    // The timer kills it even when the wall clock was set back.
    this.#clock.after(safetyLimits.leaseTtlMs, () => this.#live.delete(preflight.requestId));
    while (this.#live.size > safetyLimits.maxPreflights) {
      const oldest = this.#live.keys().next();
      if (oldest.done) break;
      this.#live.delete(oldest.value);
    }
  }

  /** The live record of an id. It dies at its expiry, by its timer, or when the clock was seen to step back. */
  find(requestId: string): Preflight | undefined {
    const now = this.#look();
    const preflight = this.#live.get(requestId);
    if (!preflight) return undefined;
    if (now < preflight.expiresAtMs && now >= preflight.issuedAtMs) return preflight;
    this.#live.delete(requestId);
    return undefined;
  }

  /** After a step back nobody can tell how old the records are: none of them lives on. */
  #look(): number {
    const now = this.#clock.nowMs();
    if (now < this.#seenMs) this.#live.clear();
    this.#seenMs = now;
    return now;
  }

  /** Takes the record out of circulation: one dispatch each. */
  consume(requestId: string): void {
    this.#live.delete(requestId);
  }
}
