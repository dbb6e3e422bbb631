// A process that runs the seeds it is sent, for two cores.

import { runSeed, type SeedResult } from "./run-seed.js";

/** Every so many seeds one runs twice, and both runs must be the same. */
export const twiceEvery = 50;

export interface Chunk {
  readonly from: number;
  readonly to: number;
}

export interface ChunkResult {
  readonly results: readonly SeedResult[];
  readonly twice: number;
  /** Seeds whose second run was another one. */
  readonly unequal: readonly number[];
}

export async function runChunk({ from, to }: Chunk): Promise<ChunkResult> {
  const results: SeedResult[] = [];
  const unequal: number[] = [];
  let twice = 0;
  for (let seed = from; seed <= to; seed++) {
    const result = await runSeed(seed);
    results.push(result);
    if (seed % twiceEvery !== 0) continue;
    twice++;
    if ((await runSeed(seed)).traceHash !== result.traceHash) unequal.push(seed);
  }
  return { results, twice, unequal };
}

process.on("message", (chunk: Chunk) => {
  runChunk(chunk).then((result) => process.send?.(result));
});
