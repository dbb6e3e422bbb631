// Asks the plugin's own probe route who and where it is. The cookie jar of the plugins' HTTP client lives as long as the
// kernel process: it survives a reload of the plugin and not a restart of SiYuan. And the route is answered by the
// instance that SiYuan runs now, whichever instance asks.

import { processMarkPattern, routeBase, routes } from "../../shared/wire/plugin.js";
import type { Log } from "./host.js";
import type { SiyuanFetch } from "./siyuan-fetch.js";

/** The mark that the own probe route keeps in the jar; undefined when the route cannot be asked. */
export async function readProcessMark(client: SiyuanFetch, log: Log): Promise<string | undefined> {
  const { process: mark } = await probe(client, log);
  return typeof mark === "string" && processMarkPattern.test(mark) ? mark : undefined;
}

/** The instance that answers the plugin's routes; undefined when they cannot be asked. */
export async function readServingInstance(client: SiyuanFetch, log: Log): Promise<string | undefined> {
  const { instance } = await probe(client, log);
  return typeof instance === "string" ? instance : undefined;
}

async function probe(
  client: SiyuanFetch,
  log: Log,
): Promise<{ readonly process?: unknown; readonly instance?: unknown }> {
  try {
    const reply = await client.post(routeBase + routes.probe, "{}", "application/json");
    return reply.status === 200 ? JSON.parse(reply.text) : {};
  } catch {
    log.warn("the plugin's own probe route did not answer");
    return {};
  }
}
