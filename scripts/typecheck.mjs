// `npm run typecheck`: one TypeScript project per runtime, so that a global of another runtime does not compile.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { bakeSchemas } from "./bake-schemas.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const compiler = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));

const compile = (project) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [compiler, "-p", project, "--pretty", "false"], {
      cwd: root,
      stdio: "inherit",
    });
    child.on("exit", (code) => resolve(code ?? 1));
  });

await bakeSchemas(root);
const codes = await Promise.all(
  ["kernel", "node", "console", "tests"].map((runtime) => compile(`tsconfig.${runtime}.json`)),
);
process.exit(Math.max(...codes));
