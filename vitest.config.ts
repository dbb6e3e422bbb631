// The test tiers as vitest projects. `npm test` runs all but the live one, which needs a SiYuan and its own command.

import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { TierReporter } from "./tests/tiers/tier-reporter.js";

const isLive = process.env.SISYPHUS_TIER === "live";
const isCi = process.env.CI === "true";
const hasGo = spawnSync("go", ["version"], { stdio: "ignore" }).status === 0;

// A SiYuan that the shell happens to name is somebody's notes; only the live command may reach it.
if (!isLive) {
  for (const name of Object.keys(process.env).filter((key) => key.startsWith("SIYUAN_"))) delete process.env[name];
}

const unit = {
  name: "unit",
  include: [
    "{shared,kernel,node-bridge,cli,console,scripts,tests/sandbox,tests/simulation,tests/invariants}/**/*.test.ts",
  ],
  // Some try thousands of cases, beside other tests on a busy machine.
  testTimeout: 30_000,
};
const lint = { name: "lint", include: ["tests/lint/*.test.ts"], testTimeout: 120_000 };
const contract = (tier: "sandbox" | "engine", globalSetup: string[] = []) => ({
  name: `contract-${tier}`,
  include: ["tests/contract/**/*.test.ts"],
  env: { SISYPHUS_TIER: tier },
  testTimeout: 30_000,
  globalSetup,
});
const hostFacts = { name: "host-facts", include: ["tests/host-facts/**/*.test.ts"], testTimeout: 30_000 };
const live = {
  name: "live",
  include: ["tests/{contract,host-facts,live}/**/*.test.ts"],
  testTimeout: 60_000,
  // One SiYuan for all, and some tests restart it.
  fileParallelism: false,
  globalSetup: ["tests/live/global-setup.ts"],
};

const engine = hasGo || isCi ? [contract("engine", ["tests/tiers/engine-setup.ts"])] : [];
const everyRun = [unit, lint, contract("sandbox"), ...engine, hostFacts];

export default defineConfig({
  test: {
    // Contract tests wait for SiYuan's queue and for cached settings most of their time.
    maxWorkers: Math.max(4, availableParallelism()),
    projects: (isLive ? [live] : everyRun).map((test) => ({ test })),
    reporters: ["default", new TierReporter({ engineIsMissing: engine.length === 0 && !isLive })],
  },
});
