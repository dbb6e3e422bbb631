// Command line of the sandbox: tsx tests/sandbox/main.ts [--port N] [--access-code X] [--workspace DIR] [--json] [--no-plugin]
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { startSandbox } from "./sandbox.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string" },
    "access-code": { type: "string" },
    workspace: { type: "string" },
    token: { type: "string" },
    "plugin-dir": { type: "string" },
    json: { type: "boolean", default: false },
    "no-plugin": { type: "boolean", default: false },
  },
});

const defaultPluginDir = resolve(import.meta.dirname, "../../dist");
const pluginDir = values["no-plugin"] ? null : resolve(values["plugin-dir"] ?? defaultPluginDir);
if (pluginDir !== null && !existsSync(resolve(pluginDir, "kernel.js"))) {
  console.error(`No kernel.js in ${pluginDir}: build the plugin first, or pass --no-plugin.`);
  process.exit(2);
}

// A plugin's unhandled rejections vanish in SiYuan; they must not end this process. Our own must.
process.on("unhandledRejection", (reason, promise) => {
  if (promise instanceof Promise) throw reason;
});

const sandbox = await startSandbox({
  port: values.port === undefined ? 0 : Number(values.port),
  pluginDir,
  log: (line) => console.error(line),
  ...(values["access-code"] === undefined ? {} : { accessAuthCode: values["access-code"] }),
  ...(values.workspace === undefined ? {} : { workspace: resolve(values.workspace) }),
  ...(values.token === undefined ? {} : { token: values.token }),
});

const { apiUrl, token, mcpUrl, pid } = sandbox;
if (values.json) {
  console.log(JSON.stringify({ apiUrl, token, mcpUrl, pid }));
} else {
  console.log(`SiYuan sandbox at ${apiUrl}\n  token      ${token}\n  workspace  ${sandbox.workspace}`);
  if (pluginDir !== null) console.log(`  MCP        ${mcpUrl}`);
}

let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    void sandbox.stop().then(() => process.exit(0));
  });
}
