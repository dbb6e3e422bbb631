// The real Host, over the global `siyuan`.

import { createClock } from "./clock.js";
import { createDigester } from "./digest.js";
import { createEntropy } from "./entropy.js";
import { listenForSeed } from "./event-seed.js";
import { createFiles } from "./files.js";
import type { Host, Log } from "./host.js";
import { probePathLock } from "./path-lock.js";
import { createProbe } from "./process-mark.js";
import { createSiyuanFetch } from "./siyuan-fetch.js";

export interface SiyuanHost extends Host {
  /** Probes what the host can do. Never rejects; what cannot be learnt stays unknown. */
  probe(): Promise<void>;
}

export function createSiyuanHost(): SiyuanHost {
  const log: Log = {
    info: (message) => siyuan.logger.info(message),
    warn: (message) => siyuan.logger.warn(message),
  };
  const clock = createClock(log);
  const client = createSiyuanFetch(clock, log);
  const digest = createDigester(client, clock);
  const entropy = createEntropy(client, listenForSeed());
  const probe = createProbe(client, log);
  let pathLock: Host["status"]["pathLock"] = "unknown";
  return {
    clock,
    digest,
    entropy,
    log,
    files: createFiles(client),
    plugin: { name: siyuan.plugin.name, version: siyuan.plugin.version },
    siyuan: { request: (path, body) => client.post(path, JSON.stringify(body), "application/json") },
    processMark: probe.processMark,
    isFirstInProcess: probe.isFirstInProcess,
    servingInstance: probe.servingInstance,
    status: {
      get token() {
        return client.token;
      },
      get pathLock() {
        return pathLock;
      },
    },
    async probe() {
      const ignore = () => undefined;
      await digest.sha256(["probe"]).catch(ignore);
      await entropy.bytes(1).catch(ignore);
      pathLock = await probePathLock(client, clock);
    },
  };
}
