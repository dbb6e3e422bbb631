// The place a contract test runs against: sandbox, engine or a live SiYuan. A test only ever sees these three values.

import { cp, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { routeBase, routes } from "../../shared/wire/plugin.js";
import { buildEngine, startEngine } from "../goja/engine.js";
import { pluginFolder } from "../package-folder.js";
import { startSandbox } from "../sandbox/sandbox.js";

export type TierName = "sandbox" | "engine" | "live";

export interface Tier {
  readonly apiUrl: string;
  readonly token: string;
  readonly mcpUrl: string;
}

export interface OpenTier extends Tier {
  /** Puts another kernel.js in place by rename, as an update of the plugin does. Not on the live tier. */
  replaceKernel(source: string): Promise<void>;
  stop(): Promise<void>;
}

export const tierName: TierName = (process.env.SISYPHUS_TIER as TierName | undefined) ?? "sandbox";

export interface TierOptions {
  readonly accessAuthCode?: string;
  /** Another kernel.js than the built one. */
  readonly kernelSource?: string;
}

/** Starts the tier named by SISYPHUS_TIER; for the live one SIYUAN_API_URL and SIYUAN_TOKEN name the SiYuan. */
export async function openTier(options: TierOptions = {}): Promise<OpenTier> {
  if (tierName === "live") return liveTier();
  const { accessAuthCode, kernelSource } = options;
  const plugin = await mkdtemp(join(tmpdir(), "plugin-"));
  await cp(pluginFolder, plugin, { recursive: true });
  const replaceKernel = async (source: string) => {
    await writeFile(join(plugin, "next.tmp"), source);
    await rename(join(plugin, "next.tmp"), join(plugin, "kernel.js"));
  };
  if (kernelSource !== undefined) await replaceKernel(kernelSource);
  const onSandbox = tierName === "sandbox";
  const sandbox = await startSandbox({ accessAuthCode, pluginDir: onSandbox ? plugin : null });
  const { token } = sandbox;
  const engine = onSandbox
    ? undefined
    : await startEngineFor(sandbox.apiUrl, token, join(plugin, "kernel.js"), accessAuthCode);
  const { apiUrl, mcpUrl } = engine ?? sandbox;
  return {
    apiUrl,
    token,
    mcpUrl,
    replaceKernel,
    async stop() {
      await engine?.stop();
      await sandbox.stop();
      await rm(plugin, { recursive: true, force: true });
    },
  };
}

async function startEngineFor(
  targetUrl: string,
  token: string,
  kernelFile: string,
  accessAuthCode: string | undefined,
) {
  await buildEngine();
  return startEngine({ targetUrl, token, kernelFile, accessAuthCode });
}

function liveTier(): OpenTier {
  const apiUrl = (process.env.SIYUAN_API_URL ?? "").replace(/\/+$/, "");
  return {
    apiUrl,
    token: process.env.SIYUAN_TOKEN ?? "",
    mcpUrl: apiUrl + routeBase + routes.listen,
    replaceKernel: () => Promise.reject(new Error("the live plugin is not replaced by tests")),
    stop: async () => undefined,
  };
}

/** One tier for all tests of a file. */
export function useTier(options: TierOptions = {}): Tier & Pick<OpenTier, "replaceKernel"> {
  const tier = {
    apiUrl: "",
    token: "",
    mcpUrl: "",
    replaceKernel: (source: string) => (open as OpenTier).replaceKernel(source),
  };
  let open: OpenTier | undefined;
  beforeAll(async () => {
    open = await openTier(options);
    Object.assign(tier, { apiUrl: open.apiUrl, token: open.token, mcpUrl: open.mcpUrl });
  }, 60_000);
  afterAll(() => open?.stop(), 30_000);
  return tier;
}
