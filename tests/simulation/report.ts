// What a run of the simulation prints.

import { isKnown, knownGaps } from "./known-gaps.js";
import type { Violation } from "./oracle/violations.js";
import type { SeedResult } from "./run-seed.js";
import type { SeedsResult } from "./run-seeds.js";
import { count } from "./world/counts.js";

/** Longer traces and lines are cut. */
const maxLines = 60;
const maxLineChars = 240;

/** The seed, its first violation and the lines that concern it. */
export function failureText({ seed, trace }: SeedResult, violation: Violation): string {
  const { invariant, message, requestId } = violation;
  const end = trace.findIndex((line) => line.includes(`VIOLATION ${invariant}: ${message}`));
  const before = end < 0 ? trace : trace.slice(0, end + 1);
  const named: readonly string[] = message.match(/\b[0-9a-f]{4}\b/g) ?? [];
  const keys = named.concat(requestId ?? []);
  const concerned = before.filter(
    (line) => line.includes("##") || line.includes("VIOLATION") || keys.some((key) => mentions(line, key)),
  );
  return [
    `seed ${seed} breaks ${invariant}: ${message}${requestId === undefined ? "" : ` (request id ${requestId})`}`,
    ...concerned.slice(-maxLines).map((line) => `  ${line.slice(0, maxLineChars)}`),
    `again: npm run sim -- --seed ${seed}`,
  ].join("\n");
}

function mentions(line: string, requestId: string): boolean {
  return (
    line.includes(` ${requestId}`) || line.includes(`/${requestId}.json`) || line.includes(`"requestId":"${requestId}"`)
  );
}

function figures(tally: Readonly<Record<string, number>>): string {
  return Object.keys(tally)
    .sort()
    .map((name) => `${name} ${tally[name]}`)
    .join(", ");
}

export function summaryText({ counts, failed, twice, unequal, seconds }: SeedsResult): string {
  const byInvariant: Record<string, number> = {};
  const known: Record<string, number> = {};
  for (const { violations } of failed)
    for (const violation of violations) count(isKnown(violation) ? known : byInvariant, violation.invariant);
  const rows: [string, string | number][] = [
    ["seeds", counts.seeds],
    ["writes by the plugin", counts.dispatches],
    ["writes by others", counts.otherWrites],
    [
      "commits",
      `${counts.commits} (${counts.committed} executed, ${counts.replays} replayed, ${counts.refusals} refused)`,
    ],
    ["answers of commits", figures(counts.codes)],
    ["crashes", counts.crashes],
    ["reloads", counts.reloads],
    ["faults", figures(counts.faults)],
    ["lost answers", counts.lostAnswers],
    ["unknown outcomes", counts.unknown],
    ["reconciliations", counts.reconciled],
    ["run twice, all equal", unequal.length === 0 ? twice : `NOT EQUAL: ${unequal.join(", ")}`],
    ["violations", Object.keys(byInvariant).length === 0 ? 0 : figures(byInvariant)],
    ["known gaps met", Object.keys(known).length === 0 ? `0 of ${knownGaps.length}` : figures(known)],
    ["seconds", seconds.toFixed(1)],
  ];
  return rows.map(([name, value]) => `${name.padEnd(22)}${value}`).join("\n");
}
