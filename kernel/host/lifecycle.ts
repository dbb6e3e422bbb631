// Binds the plugin's life to SiYuan's hooks. A hook never settles with a primitive: that would hang SiYuan's exit.

import { callLimits } from "../../shared/limits.js";
import { describe } from "./clock.js";
import type { Routes } from "./host.js";
import { serveRoutes } from "./routes.js";
import type { SiyuanHost } from "./siyuan-host.js";

export interface Service {
  readonly routes: Routes;
  /** Called once the plugin's routes answer. */
  start(): Promise<void>;
  /** Refuses queued calls and resolves when the dispatched write has its record. */
  stop(): Promise<void>;
}

export function bindLifecycle(host: SiyuanHost, service: Service): void {
  const server = serveRoutes(service.routes, host.clock, host.log);
  const guarded = (work: () => Promise<void>) => async () => {
    try {
      await work();
    } catch (thrown) {
      host.log.warn(`lifecycle: ${describe(thrown)}`);
    }
  };
  siyuan.plugin.lifecycle.onload = guarded(async () => undefined);
  siyuan.plugin.lifecycle.onrunning = guarded(async () => {
    // Not awaited: a start-up that waits for a SiYuan answer would delay SiYuan's own start.
    guarded(() => service.start())();
    guarded(() => host.probe())();
  });
  siyuan.plugin.lifecycle.onunload = guarded(async () => {
    await Promise.race([service.stop(), host.clock.sleep(callLimits.unloadDrainMs)]);
    server.settle();
    await host.clock.sleep(callLimits.unloadFlushMs);
  });
}
