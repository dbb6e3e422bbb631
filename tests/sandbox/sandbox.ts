// startSandbox: one small SiYuan over HTTP with a plugin host, in this process.
import {
  copyFileSync,
  cpSync,
  existsSync,
  type FSWatcher,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PluginTokens } from "./http/plugin-token.ts";
import { SandboxServer } from "./http/server.ts";
import { Kernel } from "./kernel.ts";
import { randomTail } from "./model/identifiers.ts";
import { readJson, Workspace } from "./model/workspace.ts";
import { PluginHost } from "./plugin-host/plugin-host.ts";

export const productPluginName = "siyuan-plugins-mcp-sisyphus";
const keyRotationMs = 1000;

export interface SandboxOptions {
  /** 0 or absent: a random free port. */
  port?: number;
  /** Absent or "": requests from this machine are administrator without a token. */
  accessAuthCode?: string;
  /** A folder that stays; absent: a temporary one, removed at stop. */
  workspace?: string;
  /** The API token, 16 characters; absent: the workspace's own, random at first. */
  token?: string;
  /** A folder with plugin.json, index.js and kernel.js to install and enable. */
  pluginDir?: string | null;
  /** Where log lines go; absent: nowhere. */
  log?: (line: string) => void;
}

export interface Sandbox {
  apiUrl: string;
  token: string;
  mcpUrl: string;
  pid: number;
  workspace: string;
  stop(): Promise<void>;
  /** Deploys kernel.js anew (from the text given, else from pluginDir) and restarts the plugin. */
  reloadPlugin(kernelSource?: string): Promise<void>;
}

const pluginFiles = ["plugin.json", "index.js", "kernel.js"];

/** Renames a complete file into place, so that no reload sees half of it. */
function replaceFile(target: string, write: (temporary: string) => void): void {
  const temporary = `${target}.${randomTail(7)}.tmp`;
  write(temporary);
  renameSync(temporary, target);
}

function installPlugin(pluginDir: string, target: string): void {
  mkdirSync(target, { recursive: true });
  for (const file of pluginFiles) {
    const source = join(pluginDir, file);
    if (!existsSync(source)) throw new Error(`the plugin folder ${pluginDir} has no ${file}`);
    replaceFile(join(target, file), (temporary) => copyFileSync(source, temporary));
  }
  const i18n = join(pluginDir, "i18n");
  if (existsSync(i18n)) cpSync(i18n, join(target, "i18n"), { recursive: true });
}

/** A new build in the source folder is deployed as a developer would do it by hand. */
function followBuilds(pluginDir: string, target: string): FSWatcher {
  let pending: NodeJS.Timeout | undefined;
  return watch(pluginDir, (_event, file) => {
    if (file !== "kernel.js") return;
    clearTimeout(pending);
    pending = setTimeout(() => {
      const source = join(pluginDir, "kernel.js");
      if (!existsSync(source)) return;
      replaceFile(join(target, "kernel.js"), (temporary) => copyFileSync(source, temporary));
    }, 50);
  });
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const temporary = options.workspace === undefined;
  const folder = options.workspace ?? mkdtempSync(join(tmpdir(), "siyuan-sandbox-"));
  const workspace = new Workspace(folder, options.token, options.accessAuthCode);
  const kernel = new Kernel(workspace);
  const tokens = new PluginTokens();
  const plugins = new PluginHost(workspace, tokens, options.log ?? (() => {}));
  const server = new SandboxServer(kernel, plugins, tokens);

  const pluginDir = options.pluginDir ?? null;
  const pluginName =
    pluginDir === null
      ? productPluginName
      : (readJson<{ name: string }>(join(pluginDir, "plugin.json"))?.name ?? productPluginName);
  const installed = plugins.folder(pluginName);
  let follower: FSWatcher | undefined;
  if (pluginDir !== null) {
    installPlugin(pluginDir, installed);
    plugins.enableAtStart(pluginName);
    follower = followBuilds(pluginDir, installed);
  }

  const port = await server.listen(options.port ?? 0);
  const rotation = setTimeout(() => tokens.rotateKey(), keyRotationMs);
  await plugins.startAll(port);
  const apiUrl = `http://127.0.0.1:${port}`;
  return {
    apiUrl,
    token: workspace.conf.api.token,
    mcpUrl: `${apiUrl}/plugin/private/${productPluginName}/mcp/listen`,
    pid: process.pid,
    workspace: folder,
    async stop() {
      clearTimeout(rotation);
      follower?.close();
      await plugins.stopAll();
      await server.close();
      kernel.stop();
      if (temporary) rmSync(folder, { recursive: true, force: true });
    },
    async reloadPlugin(kernelSource?: string) {
      if (kernelSource !== undefined) {
        replaceFile(join(installed, "kernel.js"), (file) => writeFileSync(file, kernelSource));
      } else if (pluginDir !== null) {
        installPlugin(pluginDir, installed);
      }
      await plugins.restart(pluginName);
    },
  };
}
