// Asks the plugin's own probe route who and where it is. The cookie jar of the plugins' HTTP client lives as long as the
// kernel process: it survives a reload of the plugin and not a restart of SiYuan. And the route is answered by the
// instance that SiYuan runs now, whichever instance asks.

import { processMarkPattern, routeBase, routes } from "../../shared/wire/plugin.js";
import type { Log } from "./host.js";
import type { SiyuanFetch } from "./siyuan-fetch.js";

export interface Probe {
  /** The mark that the own probe route keeps in the jar; undefined when the route cannot be asked. */
  processMark(): Promise<string | undefined>;
  /** True when no instance had asked in this process before; undefined when that cannot be told. */
  isFirstInProcess(): Promise<boolean | undefined>;
  /** The instance that answers the plugin's routes; undefined when they cannot be asked. */
  servingInstance(): Promise<string | undefined>;
}

export function createProbe(client: SiyuanFetch, log: Log): Probe {
  /** Once told it is certain: an instance of the plugin never outlives its process. */
  let mark: string | undefined;
  let isFirst: boolean | undefined;
  let asking: Promise<unknown> | undefined;

  async function ask(): Promise<string | undefined> {
    const { process, isKnown, instance } = await answerOf(client, log);
    if (typeof process === "string" && processMarkPattern.test(process) && mark === undefined) {
      mark = process;
      isFirst = isKnown === false;
    }
    return typeof instance === "string" ? instance : undefined;
  }

  async function askOnce(): Promise<void> {
    if (mark !== undefined) return;
    // Whoever asks at the same time shares one request.
    asking = asking ?? ask();
    await asking;
    asking = undefined;
  }

  return {
    async processMark() {
      await askOnce();
      return mark;
    },
    async isFirstInProcess() {
      await askOnce();
      return isFirst;
    },
    servingInstance: ask,
  };
}

async function answerOf(
  client: SiyuanFetch,
  log: Log,
): Promise<{ readonly process?: unknown; readonly isKnown?: unknown; readonly instance?: unknown }> {
  try {
    const reply = await client.post(routeBase + routes.probe, "{}", "application/json");
    return reply.status === 200 ? JSON.parse(reply.text) : {};
  } catch {
    log.warn("the plugin's own probe route did not answer");
    return {};
  }
}
