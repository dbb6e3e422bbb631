// The lanes: order, concurrency, admission, deadlines, cancellation and the stop.

import { describe, expect, it } from "vitest";
import { SisyphusError } from "../../shared/errors.js";
import { callLimits } from "../../shared/limits.js";
import { settle, SimulatedClock } from "../host/testing/simulated-host.js";
import type { CallControl } from "../safety/call-control.js";
import { Dispatcher, type Lane } from "./dispatcher.js";

const never = () => new Promise<never>(() => {});
const notCancelled = () => false;

/** Work that ends when the test says so. */
class Job {
  started = false;
  control: CallControl | undefined;
  #end: (value: string) => void = () => {};

  readonly work = (control: CallControl): Promise<string> => {
    this.started = true;
    this.control = control;
    return new Promise((resolve) => {
      this.#end = resolve;
    });
  };

  async end(value = "done"): Promise<void> {
    this.#end(value);
    await settle();
  }
}

function setup() {
  const clock = new SimulatedClock(1_000_000);
  const dispatcher = new Dispatcher(clock);
  /** How a call ended, and whether it has. */
  const track = (lane: Lane, work: (control: CallControl) => Promise<unknown>, isCancelled = notCancelled) => {
    const call = { end: "open" };
    dispatcher.run(lane, isCancelled, work).then(
      (value) => {
        call.end = String(value);
      },
      (thrown: unknown) => {
        call.end = thrown instanceof SisyphusError ? thrown.code : String(thrown);
      },
    );
    return call;
  };
  return { clock, dispatcher, track };
}

describe("lanes", () => {
  it("writes run one at a time in the order of their admission (I-25, I-26)", async () => {
    const { track } = setup();
    const order: string[] = [];
    const jobs = Array.from({ length: 20 }, () => new Job());
    jobs.forEach((job, index) => {
      track("write", (control) => {
        order.push(`start ${index}`);
        return job.work(control).finally(() => order.push(`end ${index}`));
      });
    });
    for (const job of jobs) {
      await settle();
      expect(jobs.filter((other) => other.started).length).toBe(jobs.indexOf(job) + 1);
      await job.end();
    }
    expect(order).toEqual(jobs.flatMap((_, index) => [`start ${index}`, `end ${index}`]));
  });

  it("four reads run at once, the fifth when one ends", async () => {
    const { track, dispatcher } = setup();
    const jobs = Array.from({ length: 6 }, () => new Job());
    for (const job of jobs) track("read", job.work);
    await settle();
    expect(jobs.map((job) => job.started)).toEqual([true, true, true, true, false, false]);
    expect(dispatcher.report).toMatchObject({ inFlight: 6, readsRunning: 4, exclusiveRunning: 0, queued: 2 });
    await jobs[2]?.end();
    expect(jobs[4]?.started).toBe(true);
    expect(jobs[5]?.started).toBe(false);
  });

  it("any number of slow reads does not delay a write (I-28)", async () => {
    const { track } = setup();
    for (let index = 0; index < callLimits.maxCallsInFlight - 1; index++) track("read", never);
    const write = track("write", async () => "written");
    await settle();
    expect(write.end).toBe("written");
  });

  it("a slow write does not delay reads", async () => {
    const { track } = setup();
    track("write", never);
    const read = track("read", async () => "read");
    await settle();
    expect(read.end).toBe("read");
  });

  it.each([
    ["rejects", () => Promise.reject(new SisyphusError("state_changed")), "state_changed"],
    [
      "throws at once",
      () => {
        throw new SisyphusError("several_blocks");
      },
      "several_blocks",
    ],
    [
      "throws something else",
      () => {
        throw new TypeError("defect");
      },
      "TypeError: defect",
    ],
  ] satisfies [string, () => Promise<never>, string][])("work that %s releases its lane", async (_name, work, end) => {
    const { track, dispatcher, clock } = setup();
    for (const lane of ["read", "write"] as const) {
      const failing = track(lane, work);
      const next = track(lane, async () => "next");
      await settle();
      expect([failing.end, next.end]).toEqual([end, "next"]);
    }
    expect(dispatcher.report).toMatchObject({ inFlight: 0, queued: 0 });
    expect(clock.pendingTimers).toBe(0);
  });
});

describe("admission (I-29)", () => {
  it("above the cap a call is refused before any of its code runs", async () => {
    const { track, dispatcher } = setup();
    const jobs = Array.from({ length: callLimits.maxCallsInFlight }, () => new Job());
    for (const [index, job] of jobs.entries()) track(index % 2 ? "read" : "write", job.work);
    const job = new Job();
    const refused = (["read", "write"] as const).map((lane) => track(lane, job.work));
    await settle();
    expect(refused.map((call) => call.end)).toEqual(["queue_full", "queue_full"]);
    expect(job.started).toBe(false);
    expect(dispatcher.report.inFlight).toBe(callLimits.maxCallsInFlight);
    await jobs[0]?.end();
    const admitted = new Job();
    track("read", admitted.work);
    expect(dispatcher.report.inFlight).toBe(callLimits.maxCallsInFlight);
  });

  it("a refused call never runs later", async () => {
    const { track } = setup();
    const jobs = Array.from({ length: callLimits.maxCallsInFlight }, () => new Job());
    for (const job of jobs) track("write", job.work);
    const job = new Job();
    track("write", job.work);
    for (const other of jobs) {
      await settle();
      await other.end();
    }
    await settle();
    expect(job.started).toBe(false);
  });
});

describe("cancellation (I-31)", () => {
  it("of a queued call: it never runs", async () => {
    const { track } = setup();
    const running = new Job();
    track("write", running.work);
    let cancelled = false;
    const queued = new Job();
    const call = track("write", queued.work, () => cancelled);
    cancelled = true;
    await settle();
    await running.end();
    expect([call.end, queued.started]).toEqual(["request_cancelled", false]);
  });

  it("before the barrier: the barrier throws", async () => {
    const { track } = setup();
    let cancelled = false;
    const call = track(
      "write",
      async (control) => {
        cancelled = true;
        control.crossBarrier();
        return "executed";
      },
      () => cancelled,
    );
    await settle();
    expect(call.end).toBe("request_cancelled");
  });

  it("after the barrier: the outcome is still told", async () => {
    const { track } = setup();
    let cancelled = false;
    const call = track(
      "write",
      async (control) => {
        control.crossBarrier();
        cancelled = true;
        await settle();
        return "executed";
      },
      () => cancelled,
    );
    await settle();
    await settle();
    expect(call.end).toBe("executed");
  });

  it("a refusal at the barrier stays one", async () => {
    const { track } = setup();
    let cancelled = false;
    const ends: string[] = [];
    const attempt = (control: CallControl) => {
      try {
        control.crossBarrier();
        ends.push("crossed");
      } catch {
        ends.push("refused");
      }
    };
    const work = async (control: CallControl) => {
      cancelled = true;
      attempt(control);
      cancelled = false;
      attempt(control);
    };
    track("write", work, () => cancelled);
    await settle();
    expect(ends).toEqual(["refused", "refused"]);
  });
});

describe("deadlines", () => {
  it("a write still queued after 30 s is refused and never runs", async () => {
    const { track, clock } = setup();
    const running = new Job();
    track("write", running.work);
    const queued = new Job();
    const call = track("write", queued.work);
    await clock.advance(callLimits.barrierDeadlineMs - 1);
    expect(call.end).toBe("open");
    await clock.advance(1);
    expect(call.end).toBe("deadline_exceeded");
    await running.end();
    await settle();
    expect(queued.started).toBe(false);
  });

  it("a write before its barrier after 30 s is refused and cannot cross it later", async () => {
    const { track, clock } = setup();
    const job = new Job();
    const call = track("write", job.work);
    await clock.advance(callLimits.barrierDeadlineMs);
    expect(call.end).toBe("deadline_exceeded");
    expect(() => job.control?.crossBarrier()).toThrow(SisyphusError);
    await job.end();
    expect(call.end).toBe("deadline_exceeded");
  });

  it("a write behind its barrier gets its outcome, or unknown after 50 s", async () => {
    const { track, clock } = setup();
    const first = new Job();
    const call = track("write", first.work);
    await settle();
    first.control?.crossBarrier();
    await clock.advance(callLimits.answerDeadlineMs - 1);
    expect(call.end).toBe("open");
    await clock.advance(1);
    expect(call.end).toBe("outcome_unknown");
  });

  it("a running read may take longer than 30 s, but no longer than 50 s", async () => {
    const { track, clock } = setup();
    const slow = new Job();
    const [ended, lost] = [track("read", slow.work), track("read", never)];
    await clock.advance(callLimits.barrierDeadlineMs);
    await slow.end("late");
    expect(ended.end).toBe("late");
    await clock.advance(callLimits.answerDeadlineMs - callLimits.barrierDeadlineMs);
    expect(lost.end).toBe("deadline_exceeded");
  });

  it("a read still queued after 30 s is refused", async () => {
    const { track, clock } = setup();
    for (let index = 0; index < callLimits.readConcurrency; index++) track("read", never);
    const queued = new Job();
    const call = track("read", queued.work);
    await clock.advance(callLimits.barrierDeadlineMs);
    expect([call.end, queued.started]).toEqual(["deadline_exceeded", false]);
  });

  it("no timer of an answered call is left", async () => {
    const { track, clock } = setup();
    const jobs = Array.from({ length: 3 }, () => new Job());
    for (const job of jobs) track("write", job.work);
    for (const job of jobs) {
      await settle();
      await job.end();
    }
    expect(clock.pendingTimers).toBe(0);
  });

  it("a write that ends after its answer left releases the lane and the slot", async () => {
    const { track, clock, dispatcher } = setup();
    const job = new Job();
    track("write", job.work);
    await settle();
    job.control?.crossBarrier();
    await clock.advance(callLimits.answerDeadlineMs);
    expect(dispatcher.report).toMatchObject({ inFlight: 1, exclusiveRunning: 1 });
    await job.end();
    const next = track("write", async () => "next");
    await settle();
    expect(next.end).toBe("next");
    expect(dispatcher.report).toMatchObject({ inFlight: 0, exclusiveRunning: 0 });
  });

  it("a write that never settles gives its lane free within its deadline (I-30)", async () => {
    const { track, clock, dispatcher } = setup();
    const stuck = track("write", async (control) => {
      control.crossBarrier();
      return never();
    });
    await clock.advance(callLimits.answerDeadlineMs);
    expect(stuck.end).toBe("outcome_unknown");
    const next = track("write", async () => "next");
    const read = track("read", async () => "read");
    await settle();
    expect([next.end, read.end]).toEqual(["open", "read"]);
    expect(dispatcher.report.exclusiveRunning).toBe(1);
    await clock.advance(callLimits.laneReleaseMs - callLimits.answerDeadlineMs);
    expect(next.end).toBe("next");
    expect(dispatcher.report).toMatchObject({ exclusiveRunning: 0, inFlight: 0 });
  });

  it("what a write waits for is ended when its answer is due, and goes on by itself", async () => {
    const { track, clock } = setup();
    const seen: string[] = [];
    const stuck = track("write", async (control) => {
      control.crossBarrier();
      await control.withinDeadline(never()).catch((thrown) => seen.push(thrown.code));
      await control.withinDeadline(never()).catch((thrown) => seen.push(thrown.code));
      return control.withinDeadline(Promise.resolve("late"));
    });
    await clock.advance(callLimits.answerDeadlineMs);
    expect(stuck.end).toBe("outcome_unknown");
    expect(seen).toEqual(["kernel_unreachable", "kernel_unreachable"]);
  });
});

describe("stop", () => {
  it("refuses new and queued calls and waits for the write behind its barrier", async () => {
    const { track, dispatcher } = setup();
    const running = new Job();
    const first = track("write", running.work);
    const queued = new Job();
    const second = track("write", queued.work);
    await settle();
    running.control?.crossBarrier();
    let stopped = false;
    dispatcher.stop().then(() => {
      stopped = true;
    });
    const late = track("read", async () => "late");
    await settle();
    expect([late.end, stopped]).toEqual(["plugin_stopping", false]);
    await running.end();
    await settle();
    expect([first.end, second.end, queued.started, stopped]).toEqual(["done", "plugin_stopping", false, true]);
  });

  it("stops the running write before its barrier", async () => {
    const { track, dispatcher } = setup();
    const job = new Job();
    const call = track("write", async (control) => {
      await job.work(control);
      control.crossBarrier();
      return "executed";
    });
    await settle();
    const stopped = dispatcher.stop();
    await job.end();
    await stopped;
    await settle();
    expect(call.end).toBe("plugin_stopping");
  });

  it("resolves at once when nothing runs, and may be called twice", async () => {
    const { dispatcher } = setup();
    await dispatcher.stop();
    await dispatcher.stop();
  });
});
