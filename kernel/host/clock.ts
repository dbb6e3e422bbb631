// The real clock and timers. A callback's exception is logged: the engine would swallow it without a trace.

import type { Clock, Log } from "./host.js";

export function createClock(log: Log): Clock {
  const guarded = (task: () => void) => () => {
    try {
      task();
    } catch (thrown) {
      log.warn(`timer: ${describe(thrown)}`);
    }
  };
  return {
    nowMs: () => Date.now(),
    sleep: (ms) => new Promise((resolve) => setTimeout(guarded(resolve), ms)),
    after: (ms, task) => {
      const timer = setTimeout(guarded(task), ms);
      return () => clearTimeout(timer);
    },
  };
}

/** A thrown value as one log line. Never used for what a client sees. */
export function describe(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.stack || thrown.message;
  try {
    return String(thrown);
  } catch {
    return "unprintable value";
  }
}
