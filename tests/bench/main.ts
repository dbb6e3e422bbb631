// Measures what writes, reads and starts cost, mostly as ratios to SiYuan's own calls in the same run.

import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { promisify } from "node:util";
import { Siyuan } from "../contract/siyuan.js";
import type { Tier } from "../contract/tier.js";
import { pluginFolder } from "../package-folder.js";
import { startSandbox } from "../sandbox/sandbox.js";
import { routeBase, routes } from "../../shared/wire/plugin.js";
import { kernelRows } from "./kernel-file.js";
import { ledgerRows } from "./ledger.js";
import { longRows } from "./long.js";
import { printed, type Row } from "./measure.js";
import { programRows } from "./programs.js";
import { readRows } from "./reads.js";
import { requestRows } from "./requests.js";
import { withScene } from "./scene.js";
import { writeRows } from "./writes.js";

const { SIYUAN_API_URL: apiUrl, SIYUAN_TOKEN: token, SIYUAN_WORKSPACE: workspace } = process.env;
const isLive = apiUrl !== undefined;
const rounds = isLive ? 30 : 3;
/** `npm run bench reads programs` measures those groups only. */
const groups = process.argv.slice(2);
const rows: Row[] = [];

/** The sandbox is there in any case: it counts requests, and serves the engine. */
const sandbox = await startSandbox({ pluginDir: pluginFolder });
try {
  const tier = isLive ? liveTier(apiUrl.replace(/\/+$/, "")) : sandbox;
  const version = await new Siyuan(tier).data<string>("/api/system/version", {});
  console.log(isLive ? `SiYuan ${version} at ${tier.apiUrl}` : "No SIYUAN_API_URL: a smoke test on the sandbox.");
  await withScene({ tier, isLive, rounds }, async (scene) => {
    // Writes first: SiYuan indexes the documents that the reads need for a while, on the same processors.
    await take("writes", writeRows(scene));
    await take("reads", readRows(scene));
    await take("long", longRows(scene));
    await take("programs", programRows(scene));
    if (workspace !== undefined) await take("ledger", ledgerRows(scene, workspace));
  });
  await withScene({ tier: sandbox, isLive: false, rounds: 1 }, (scene) => take("requests", requestRows(scene)));
  await take("kernel", kernelRows(sandbox, isLive ? 5 : 1));
  await keep(version);
} finally {
  await sandbox.stop();
}
const limited = rows.filter((row) => row.limit);
const held = limited.filter((row) => row.holds);
if (isLive) {
  console.log(`${held.length} of ${limited.length} limits hold`);
  if (held.length < limited.length) process.exitCode = 1;
} else {
  console.log("The sandbox is another engine and another SiYuan: its times say nothing about either.");
}

function liveTier(base: string): Tier {
  return { apiUrl: base, token: token ?? "", mcpUrl: base + routeBase + routes.listen };
}

async function take(group: string, measured: AsyncGenerator<Row>): Promise<void> {
  if (groups.length > 0 && !groups.includes(group)) return;
  for await (const row of measured) {
    rows.push(row);
    console.log(printed(row));
  }
}

async function keep(siyuan: string): Promise<void> {
  const startedAt = new Date().toISOString();
  const result = {
    kind: isLive ? "live" : "sandbox",
    startedAt,
    siyuan,
    node: process.version,
    processors: cpus().map((cpu) => cpu.model),
    commit: await git("rev-parse", "HEAD"),
    dirty: (await git("status", "--porcelain")) !== "",
    rounds,
    rows,
  };
  await mkdir("bench-results", { recursive: true });
  const file = `bench-results/${result.kind}-${startedAt.replace(/[:.]/g, "-")}.json`;
  await writeFile(file, `${JSON.stringify(result, undefined, 2)}\n`);
  console.log(`Written to ${file}`);
}

/** What git says; null outside of a checkout. */
async function git(...args: string[]): Promise<string | null> {
  return promisify(execFile)("git", args).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  );
}
