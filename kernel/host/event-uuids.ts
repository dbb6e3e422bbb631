// Version 4 UUIDs of host events: the only strong randomness that the host hands out besides the template route.

import type { Clock } from "./host.js";

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const waitMs = 1_000;

export interface EventUuids {
  /** A UUID that nobody has seen before, 122 random bits; undefined when the host sends no event in time. */
  next(): Promise<string | undefined>;
}

/** Listens to the host's events and provokes one for each request. */
export function listenForUuids(clock: Clock): EventUuids {
  const waiting: ((uuid: string) => void)[] = [];
  siyuan.event.handler = (event) => {
    const id = String(event.id);
    if (uuidPattern.test(id)) waiting.shift()?.(id);
  };
  return {
    next: () =>
      new Promise((resolve) => {
        const stop = clock.after(waitMs, () => resolve(undefined));
        waiting.push((uuid) => {
          stop();
          resolve(uuid);
        });
        try {
          siyuan.event.emit("runtime", { purpose: "entropy" });
        } catch {
          resolve(undefined);
        }
      }),
  };
}
