// SiYuan's lock per URL path. Who waited longest usually comes next, and sometimes somebody else does.

import { isExempt } from "../../sandbox/http/path-lock.js";
import type { Random } from "./random.js";

export class PathLocks {
  /** Waiters by path; a path in the map is held. */
  readonly #held = new Map<string, (() => void)[]>();
  readonly #random: Random;
  readonly #bargingChance: number;

  constructor(random: Random, bargingChance: number) {
    this.#random = random;
    this.#bargingChance = bargingChance;
  }

  /** Resolves with what releases the lock. */
  async take(path: string): Promise<() => void> {
    if (isExempt(path)) return () => undefined;
    const waiters = this.#held.get(path);
    if (waiters) await new Promise<void>((resolve) => waiters.push(resolve));
    else this.#held.set(path, []);
    return () => this.#release(path);
  }

  #release(path: string): void {
    const waiters = this.#held.get(path) ?? [];
    const index = this.#random.chance(this.#bargingChance) ? this.#random.between(0, waiters.length - 1) : 0;
    const [next] = waiters.splice(Math.max(0, index), 1);
    if (next) next();
    else this.#held.delete(path);
  }
}
