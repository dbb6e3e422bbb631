// Makes the sandbox misbehave on purpose, and counts what it was asked. The engine tier passes these calls through.

import type { Siyuan } from "./siyuan.js";
import type { Tier } from "./tier.js";

export interface FaultRule {
  readonly path: string;
  readonly kind: "lost-answer" | "no-effect" | "http-500" | "code-1" | "delay" | "hang" | "absent" | "null-data";
  readonly times?: number;
  readonly delayMs?: number;
  readonly match?: string;
}

export async function setFaults(siyuan: Siyuan, rules: readonly FaultRule[]): Promise<void> {
  await siyuan.call("/sandbox/faults", { rules });
}

/** How often SiYuan was asked for each path since the last count. */
export async function countRequests(tier: Tier): Promise<Record<string, number>> {
  const response = await fetch(`${tier.apiUrl}/sandbox/requests?reset=1`, {
    headers: { Authorization: `Token ${tier.token}` },
  });
  const body = (await response.json()) as { path: string }[] | { data: { path: string }[] };
  const counts: Record<string, number> = {};
  for (const { path } of Array.isArray(body) ? body : body.data) counts[path] = (counts[path] ?? 0) + 1;
  return counts;
}

/** Restarts the plugin, as its owner does by disabling and enabling it. */
export async function restartPlugin(siyuan: Siyuan): Promise<void> {
  await siyuan.call("/api/petal/setPetalEnabled", { packageName: "siyuan-plugins-mcp-sisyphus", enabled: true });
}
