// Where the built plugin lies.

import { fileURLToPath } from "node:url";

export const pluginFolder = fileURLToPath(new URL("../dist", import.meta.url));
export const kernelFile = fileURLToPath(new URL("../dist/kernel.js", import.meta.url));
export const cliFile = fileURLToPath(new URL("../dist/cli.mjs", import.meta.url));
export const relayFile = fileURLToPath(new URL("../dist/mcp-stdio.mjs", import.meta.url));
