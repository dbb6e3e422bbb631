// Revives the plugin's own token: SiYuan with an access code invalidates it at boot, and enabling the plugin again renews it.

import { routeBase, routes } from "../shared/wire/plugin.js";
import type { HealthReport } from "../shared/wire/safety.js";

export type Repair = "not-needed" | "repaired" | "failed";

/** The window's own session authenticates every request. */
export type Request = (path: string, init?: RequestInit) => Promise<Response>;

/** Enables the plugin again when its token is dead. Rejects only when SiYuan cannot be reached. */
export async function repairToken(request: Request, packageName: string, app: string): Promise<Repair> {
  if ((await hostToken(request)) !== "rejected") return "not-needed";
  const reply = await request("/api/petal/setPetalEnabled", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ packageName, enabled: true, app }),
  });
  // The reply comes when the kernel part runs again, but it does not say whether that went well.
  const { code } = (await reply.json()) as { code?: unknown };
  return code === 0 && (await hostToken(request)) !== "rejected" ? "repaired" : "failed";
}

/** Undefined while the kernel part does not run: then there is nothing to repair. */
async function hostToken(request: Request): Promise<HealthReport["hostToken"] | undefined> {
  const answer = await request(routeBase + routes.health, { headers: { accept: "application/json" } });
  if (!answer.ok) return undefined;
  const report = (await answer.json().catch(() => ({}))) as Partial<HealthReport>;
  return report.hostToken;
}
