// `npm run sandbox -- [flags]`: starts the sandbox SiYuan with the built plugin, which it builds first when there is none.

import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

if (!existsSync(`${root}/dist/kernel.js`)) {
  // What the build prints belongs on stderr: with --json the first line on stdout is the sandbox's.
  const { status } = spawnSync(process.execPath, ["build.mjs"], { cwd: root, stdio: ["ignore", 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}

const child = spawn(process.execPath, ["--import", "tsx", `${root}/tests/sandbox/main.ts`, ...process.argv.slice(2)], {
  stdio: "inherit",
});
// A signal to this process alone must end the sandbox too; one to the group reaches it anyway.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 1 : 130)));
