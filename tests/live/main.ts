// Runs the contract suite, the host facts and the restart tests against a real SiYuan named by the environment.

import { spawnSync } from "node:child_process";

const missing = ["SIYUAN_API_URL", "SIYUAN_TOKEN"].filter((name) => !process.env[name]);
if (missing.length > 0) {
  console.error(
    `test:live needs ${missing.join(" and ")}: the address and API token of a SiYuan for tests, with the plugin enabled.`,
  );
  console.error("Optional: SIYUAN_RESTART, a shell command that kills that SiYuan with SIGKILL and starts it again;");
  console.error("SIYUAN_ACCESS_CODE, when it runs with one; SIYUAN_WORKSPACE, its workspace folder.");
  process.exit(2);
}
const run = spawnSync("npx", ["vitest", "run", "--project", "live", ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...process.env, SISYPHUS_TIER: "live" },
});
process.exit(run.status ?? 1);
