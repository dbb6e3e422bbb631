// A part of the simulation in every test run. `npm run sim` does the same for as many seeds as it is told.

import { describe, expect, it } from "vitest";
import { isKnown } from "./known-gaps.js";
import { regressionSeeds } from "./regression-seeds.js";
import { failureText } from "./report.js";
import { runSeed } from "./run-seed.js";

const firstSeed = 1;
const seeds = 200;
const timeoutMs = 60_000;

/** The story of each seed that broke something unknown. */
async function failures(list: readonly number[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const seed of list) {
    const { violations } = await runSeed(seed);
    const violation = violations.find((one) => !isKnown(one));
    if (violation) found.push(failureText(await runSeed(seed, true), violation));
  }
  return found;
}

describe("simulation", () => {
  it(
    `${seeds} seeds break no invariant`,
    async () => {
      expect(await failures(Array.from({ length: seeds }, (_, index) => firstSeed + index))).toEqual([]);
    },
    timeoutMs,
  );

  it(
    "seeds that broke one in the past",
    async () => {
      expect(await failures(regressionSeeds.map(({ seed }) => seed))).toEqual([]);
    },
    timeoutMs,
  );

  it("one seed tells the same story twice, and another seed another one", async () => {
    const [first, again, other] = [await runSeed(7, true), await runSeed(7, true), await runSeed(8, true)];
    expect(again.trace).toEqual(first.trace);
    expect(again.traceHash).toBe(first.traceHash);
    expect(other.traceHash).not.toBe(first.traceHash);
  });
});
