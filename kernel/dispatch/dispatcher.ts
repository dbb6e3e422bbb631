// Admits tool calls and runs them in two lanes: reads four at a time, everything else one at a time in order.

import PQueue from "p-queue";
import { SisyphusError } from "../../shared/errors.js";
import { callLimits } from "../../shared/limits.js";
import type { HealthReport } from "../../shared/wire/safety.js";
import type { Clock } from "../host/host.js";
import type { CallControl } from "../safety/call-control.js";

export type Lane = "read" | "write";

/** A moment at which whatever still waits is rejected. */
class Deadline {
  readonly #waiting = new Set<() => void>();
  #passed = false;

  pass(): void {
    this.#passed = true;
    this.#waiting.forEach((reject) => {
      reject();
    });
  }

  race<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const expire = () => reject(new SisyphusError("kernel_unreachable", "SiYuan did not answer in time"));
      const done = () => {
        this.#waiting.delete(expire);
      };
      this.#waiting.add(expire);
      work.then(resolve, reject).then(done);
      if (this.#passed) expire();
    });
  }
}

export class Dispatcher {
  readonly #clock: Clock;
  readonly #lanes: Readonly<Record<Lane, PQueue>>;
  /** Admitted and not answered; never above the cap. */
  #inFlight = 0;
  #stopping = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lanes = {
      read: new PQueue({ concurrency: callLimits.readConcurrency }),
      write: new PQueue({ concurrency: callLimits.writeConcurrency }),
    };
  }

  /** Runs `work` in its lane. Rejects unexecuted when the cap is reached, the call was cancelled or waited too long. */
  run<Value>(lane: Lane, isCancelled: () => boolean, work: (control: CallControl) => Promise<Value>): Promise<Value> {
    if (this.#stopping) return Promise.reject(new SisyphusError("plugin_stopping"));
    if (this.#inFlight >= callLimits.maxCallsInFlight) return Promise.reject(new SisyphusError("queue_full"));
    this.#inFlight++;
    let started = false;
    let crossed = false;
    let refused: SisyphusError | undefined;

    const check = () => {
      if (this.#stopping && !crossed) refused = refused ?? new SisyphusError("plugin_stopping");
      if (isCancelled() && !crossed) refused = refused ?? new SisyphusError("request_cancelled");
      if (refused) throw refused;
    };
    const deadline = new Deadline();
    const control: CallControl = {
      crossBarrier: () => {
        check();
        crossed = true;
      },
      withinDeadline: (work) => deadline.race(work),
    };

    return new Promise<Value>((resolve, reject) => {
      const stopTimers = [
        this.#clock.after(callLimits.barrierDeadlineMs, () => {
          // A running read may still finish; a call that has not started, or a write before its barrier, never runs.
          if (crossed || (started && lane === "read")) return;
          refused = new SisyphusError("deadline_exceeded");
          reject(refused);
        }),
        this.#clock.after(callLimits.answerDeadlineMs, () => {
          deadline.pass();
          reject(new SisyphusError(crossed ? "outcome_unknown" : "deadline_exceeded"));
        }),
      ];
      this.#lanes[lane]
        .add(async () => {
          started = true;
          check();
          return this.#released(work(control));
        })
        .then(resolve, reject)
        .then(() => {
          this.#inFlight--;
          for (const stop of stopTimers) stop();
        });
    });
  }

  /** The work, or its end by force: a handler that never settles must not hold its lane for good. */
  #released<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const stop = this.#clock.after(callLimits.laneReleaseMs, () => reject(new SisyphusError("outcome_unknown")));
      work.then(resolve, reject).then(stop);
    });
  }

  /** Refuses what has not crossed its barrier and resolves when the running write is done. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#lanes.write.onIdle();
  }

  get report(): HealthReport["queue"] {
    return {
      maxInFlight: callLimits.maxCallsInFlight,
      inFlight: this.#inFlight,
      readConcurrency: callLimits.readConcurrency,
      readsRunning: this.#lanes.read.pending,
      exclusiveRunning: this.#lanes.write.pending,
      queued: this.#lanes.read.size + this.#lanes.write.size,
    };
  }
}
