// `npm run sim`: the coordinator under random trouble, or under each fault at each of its host calls.
//   --seeds N [--first S]   N seeds from S on (default 1,000 from 1)
//   --seed S [--trace]      one seed again, with the lines that concern its violation, or with all of them
//   --grid                  every action, every host call, every kind of fault

import { parseArgs } from "node:util";
import { gridText, runGrid } from "./grid/grid.js";
import { isKnown } from "./known-gaps.js";
import { failureText, summaryText } from "./report.js";
import { runSeed } from "./run-seed.js";
import { runSeeds } from "./run-seeds.js";

process.env.TZ = "UTC";
const shownFailures = 5;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1000" },
    first: { type: "string", default: "1" },
    seed: { type: "string" },
    trace: { type: "boolean", default: false },
    grid: { type: "boolean", default: false },
  },
});

if (values.grid) await showGrid();
else if (values.seed !== undefined) await showSeed(Number(values.seed));
else await showSeeds(Number(values.first), Number(values.seeds));

async function showSeeds(first: number, count: number): Promise<void> {
  const result = await runSeeds(first, count);
  const failed = result.failed.filter(({ violations }) => !violations.every(isKnown));
  for (const { seed, violations } of failed.slice(0, shownFailures)) {
    const again = await runSeed(seed, true);
    const violation = violations.find((one) => !isKnown(one));
    if (violation) console.log(`${failureText(again, violation)}\n`);
  }
  console.log(summaryText(result));
  if (failed.length > 0) console.log(`failing seeds         ${failed.map(({ seed }) => seed).join(" ")}`);
  process.exitCode = failed.length > 0 || result.unequal.length > 0 ? 1 : 0;
}

async function showSeed(seed: number): Promise<void> {
  const result = await runSeed(seed, true);
  const again = await runSeed(seed);
  const [violation] = result.violations.filter((one) => !isKnown(one)).concat(result.violations);
  if (values.trace || !violation)
    for (const line of result.trace) if (values.trace || line.includes("##")) console.log(line);
  if (violation) console.log(failureText(result, violation));
  console.log(
    `trace ${result.traceHash}${again.traceHash === result.traceHash ? "" : `, and ${again.traceHash} the second time`}`,
  );
  process.exitCode = result.violations.length > 0 || again.traceHash !== result.traceHash ? 1 : 0;
}

async function showGrid(): Promise<void> {
  const rows = await runGrid();
  console.log(gridText(rows));
  process.exitCode = rows.some((row) => row.failures.length > 0) ? 1 : 0;
}
