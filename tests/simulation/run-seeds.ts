// Many seeds over two processes, and what they add up to.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { SeedResult } from "./run-seed.js";
import type { ChunkResult } from "./seed-worker.js";
import { addCounts, type Counts, noCounts } from "./world/counts.js";

const chunkSeeds = 50;
const processes = 2;

export interface SeedsResult {
  readonly counts: Counts;
  /** Seeds with violations, in order. */
  readonly failed: readonly SeedResult[];
  readonly twice: number;
  readonly unequal: readonly number[];
  readonly seconds: number;
}

export async function runSeeds(first: number, count: number): Promise<SeedsResult> {
  const startedAtMs = Date.now();
  const counts = noCounts();
  const failed: SeedResult[] = [];
  const unequal: number[] = [];
  let twice = 0;
  let next = first;
  const last = first + count - 1;
  const take = (result: ChunkResult) => {
    for (const one of result.results) {
      addCounts(counts, one.counts);
      if (one.violations.length > 0) failed.push(one);
    }
    twice += result.twice;
    unequal.push(...result.unequal);
  };
  const worker = () =>
    new Promise<void>((resolve, reject) => {
      const child = fork(fileURLToPath(new URL("./seed-worker.ts", import.meta.url)));
      const feed = () => {
        if (next > last) {
          child.disconnect();
          return;
        }
        child.send({ from: next, to: Math.min(last, next + chunkSeeds - 1) });
        next += chunkSeeds;
      };
      child.on("message", (result: ChunkResult) => {
        take(result);
        feed();
      });
      child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))));
      feed();
    });
  await Promise.all(Array.from({ length: Math.min(processes, Math.ceil(count / chunkSeeds)) }, worker));
  failed.sort((left, right) => left.seed - right.seed);
  return { counts, failed, twice, unequal, seconds: (Date.now() - startedAtMs) / 1_000 };
}
