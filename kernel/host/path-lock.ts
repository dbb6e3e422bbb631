// Measures whether the host serialises requests to one path: two calls at once to a route that holds each for a while.

import { hostLimits } from "../../shared/limits.js";
import { routeBase, routes } from "../../shared/wire/plugin.js";
import type { Clock } from "./host.js";
import type { SiyuanFetch } from "./siyuan-fetch.js";

export async function probePathLock(client: SiyuanFetch, clock: Clock): Promise<"present" | "absent" | "unknown"> {
  const started = clock.nowMs();
  const call = () => client.post(routeBase + routes.lockedProbe, "{}", "application/json");
  try {
    const replies = await Promise.all([call(), call()]);
    if (replies.some((reply) => reply.status !== 200)) return "unknown";
  } catch {
    return "unknown";
  }
  return clock.nowMs() - started >= hostLimits.lockProbeHoldMs * 1.8 ? "present" : "absent";
}
