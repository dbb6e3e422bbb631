// The SiYuan process under test: killed and started again by the command that SIYUAN_RESTART names.

import { exec } from "node:child_process";
import { promisify } from "node:util";
import { restartPlugin } from "../contract/faults.js";
import type { ModernClient } from "../contract/modern-client.js";
import type { Siyuan } from "../contract/siyuan.js";

export const restartCommand = process.env.SIYUAN_RESTART;
export const hasAccessCode = process.env.SIYUAN_ACCESS_CODE !== undefined;

/** The plugin's own token dies about a second after boot when there is an access code. */
const tokenDeathMs = 2_500;

/** Kills SiYuan with SIGKILL and starts it again; resolves when its API answers. */
export async function killAndStart(siyuan: Siyuan): Promise<void> {
  await promisify(exec)(restartCommand ?? "false");
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await siyuan
      .call("/api/plugin/getLoadedPlugin", { name: "siyuan-plugins-mcp-sisyphus" })
      .catch(() => undefined);
    if ((answer?.data as { state?: string } | null | undefined)?.state === "running") return;
    await pause(100);
  }
  throw new Error("SiYuan did not come back");
}

/** As `killAndStart`, and the plugin can write again. */
export async function restart(siyuan: Siyuan, client: ModernClient): Promise<void> {
  await killAndStart(siyuan);
  if (hasAccessCode) {
    await pause(tokenDeathMs);
    await restartPlugin(siyuan);
  }
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await client.call("notebook", { action: "list" }).catch(() => undefined);
    if (answer && !answer.isError) return;
    await pause(100);
  }
  throw new Error("the plugin did not come back");
}

export async function waitForTokenDeath(): Promise<void> {
  await pause(tokenDeathMs);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
