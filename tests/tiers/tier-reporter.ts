// Prints the counts per tier, and as the last line the total. Fails the run when sandbox and engine ran different contract tests.

import type { Reporter, TestCase, TestModule } from "vitest/node";

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export interface TierReporterOptions {
  /** The engine tier was left out because Go is not installed. */
  readonly engineIsMissing: boolean;
}

const sandboxTier = "contract-sandbox";
const engineTier = "contract-engine";

export class TierReporter implements Reporter {
  readonly #engineIsMissing: boolean;
  #summary: string[] = [];
  /** Set when the run has ended. */
  #total: Counts | undefined;

  constructor({ engineIsMissing }: TierReporterOptions) {
    this.#engineIsMissing = engineIsMissing;
    // Other reporters and teardowns still print; the total must be the last line.
    process.once("exit", (code) => this.#print(code));
  }

  #print(exitCode: number): void {
    if (!this.#total) return;
    // A setup that failed leaves no test that did; the total must not look like a success.
    if (exitCode !== 0 && this.#total.failed === 0) this.#total.failed = 1;
    process.stdout.write(`\n${[...this.#summary, text(this.#total)].join("\n")}\n`);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tiers = new Map<string, Counts>();
    const contract = new Map<string, Set<string>>();
    for (const module of modules) {
      const tier = module.project.name;
      const counts = tiers.get(tier) ?? { passed: 0, failed: 0, skipped: 0 };
      tiers.set(tier, counts);
      const names = contract.get(tier) ?? new Set();
      contract.set(tier, names);
      for (const test of module.children.allTests()) {
        counts[stateOf(test)]++;
        names.add(`${module.relativeModuleId} > ${test.fullName} (${test.result().state})`);
      }
      // A file that could not be loaded, or a failed hook, has no test that failed.
      if (module.state() === "failed" && module.errors().length > 0) counts.failed++;
    }
    const sandbox = contract.get(sandboxTier);
    if (this.#engineIsMissing && sandbox) {
      tiers.set(engineTier, { passed: 0, failed: 0, skipped: sandbox.size });
    }
    this.#summary = [...tiers].sort().map(([tier, counts]) => `${tier.padEnd(18)}${text(counts)}`);
    if (this.#engineIsMissing && sandbox) this.#summary.push(`${engineTier} was skipped: Go is not installed`);
    const total = sum([...tiers.values()]);
    total.failed += unhandledErrors.length;
    const difference = differences(sandbox, contract.get(engineTier));
    if (difference.length > 0) {
      this.#summary.push("The contract suite differs between sandbox and engine:", ...difference);
      total.failed++;
      process.exitCode = 1;
    }
    this.#total = total;
  }
}

function stateOf(test: TestCase): keyof Counts {
  const { state } = test.result();
  // A test that was never reached because the run broke off has not passed.
  return state === "pending" ? "failed" : state;
}

function differences(sandbox: ReadonlySet<string> | undefined, engine: ReadonlySet<string> | undefined): string[] {
  if (!sandbox || !engine) return [];
  const only = (here: ReadonlySet<string>, there: ReadonlySet<string>, tier: string) =>
    [...here].filter((name) => !there.has(name)).map((name) => `  only on ${tier}: ${name}`);
  return [...only(sandbox, engine, sandboxTier), ...only(engine, sandbox, engineTier)];
}

function sum(all: readonly Counts[]): Counts {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const counts of all) for (const state of ["passed", "failed", "skipped"] as const) total[state] += counts[state];
  return total;
}

const text = ({ passed, failed, skipped }: Counts) => `${passed} passed, ${failed} failed, ${skipped} skipped`;
