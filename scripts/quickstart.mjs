// `npm run quickstart` on a fresh clone: installs what is missing, builds, and runs the main job once. Plain Node, no dependencies.

import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** npm's install record; it is written last, so its time is the time of a finished install. */
const installRecord = `${root}/node_modules/.package-lock.json`;

function isInstalled() {
  return existsSync(installRecord) && statSync(installRecord).mtimeMs >= statSync(`${root}/package-lock.json`).mtimeMs;
}

function run(command, args) {
  // npm and npx are scripts on Windows, which only a shell starts there.
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (error) console.error(`${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

if (!isInstalled()) {
  console.log("Installing the dependencies (once)");
  run("npm", ["ci", "--no-audit", "--no-fund"]);
}
run("node", ["build.mjs"]);
run("npx", ["tsx", "tests/quickstart/main.ts"]);
