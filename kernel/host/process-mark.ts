// Tells whether the kernel process is still the one of an earlier run of the plugin. The cookie jar of the plugins' HTTP
// client lives as long as the process: it survives a reload of the plugin and not a restart of SiYuan.

import { processMarkPattern, routeBase, routes } from "../../shared/wire/plugin.js";
import type { Log } from "./host.js";
import type { SiyuanFetch } from "./siyuan-fetch.js";

/** The mark that the own probe route keeps in the jar; undefined when the route cannot be asked. */
export async function readProcessMark(client: SiyuanFetch, log: Log): Promise<string | undefined> {
  try {
    const reply = await client.post(routeBase + routes.probe, "{}", "application/json");
    const mark = reply.status === 200 ? (JSON.parse(reply.text) as { process?: unknown }).process : undefined;
    return typeof mark === "string" && processMarkPattern.test(mark) ? mark : undefined;
  } catch {
    log.warn("the kernel process could not be told apart from an earlier one");
    return undefined;
  }
}
