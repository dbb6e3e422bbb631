// `npm run lint`: Biome's rules and format, and our own table of which folder may import which. All run, so that all is reported.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const biome = fileURLToPath(new URL("../node_modules/@biomejs/biome/bin/biome", import.meta.url));

const checks = [[biome, "lint", "--error-on-warnings"], [biome, "format"], ["scripts/check-imports.mjs"]];
const failed = checks.filter((args) => spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" }).status !== 0);
process.exit(failed.length > 0 ? 1 : 0);
