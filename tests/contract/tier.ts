// The place a contract test runs against: sandbox, engine or a live SiYuan. A test only ever sees these three values.

import { afterAll, beforeAll } from "vitest";
import { routeBase, routes } from "../../shared/wire/plugin.js";
import { buildEngine, startEngine } from "../goja/engine.js";
import { kernelFile, pluginFolder } from "../package-folder.js";
import { startSandbox } from "../sandbox/sandbox.js";

export type TierName = "sandbox" | "engine" | "live";

export interface Tier {
  readonly apiUrl: string;
  readonly token: string;
  readonly mcpUrl: string;
}

export interface OpenTier extends Tier {
  stop(): Promise<void>;
}

export const tierName: TierName = (process.env.SISYPHUS_TIER as TierName | undefined) ?? "sandbox";

export interface TierOptions {
  readonly accessAuthCode?: string;
}

/** Starts the tier named by SISYPHUS_TIER; for the live one SIYUAN_API_URL and SIYUAN_TOKEN name the SiYuan. */
export async function openTier(options: TierOptions = {}): Promise<OpenTier> {
  if (tierName === "live") {
    const apiUrl = (process.env.SIYUAN_API_URL ?? "").replace(/\/+$/, "");
    return { apiUrl, token: process.env.SIYUAN_TOKEN ?? "", mcpUrl: apiUrl + routeBase + routes.listen, stop: async () => undefined };
  }
  const onSandbox = tierName === "sandbox";
  const sandbox = await startSandbox({ ...options, pluginDir: onSandbox ? pluginFolder : null });
  if (onSandbox) return { apiUrl: sandbox.apiUrl, token: sandbox.token, mcpUrl: sandbox.mcpUrl, stop: () => sandbox.stop() };
  await buildEngine();
  const engine = await startEngine({ targetUrl: sandbox.apiUrl, token: sandbox.token, kernelFile, ...options });
  return {
    apiUrl: engine.apiUrl,
    token: sandbox.token,
    mcpUrl: engine.mcpUrl,
    async stop() {
      await engine.stop();
      await sandbox.stop();
    },
  };
}

/** One tier for all tests of a file. */
export function useTier(options: TierOptions = {}): Tier {
  const tier = { apiUrl: "", token: "", mcpUrl: "" };
  let open: OpenTier | undefined;
  beforeAll(async () => {
    open = await openTier(options);
    Object.assign(tier, { apiUrl: open.apiUrl, token: open.token, mcpUrl: open.mcpUrl });
  }, 60_000);
  afterAll(() => open?.stop(), 30_000);
  return tier;
}
