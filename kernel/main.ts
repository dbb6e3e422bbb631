// Composition root: builds the whole kernel part from one Host and binds it to SiYuan.

import { SiyuanReader } from "./api/reader.js";
import { SiyuanWriter } from "./api/writer.js";
import { ConfigReader } from "./config/config-reader.js";
import { ConfigWriter } from "./config/config-writer.js";
import { Dispatcher } from "./dispatch/dispatcher.js";
import { createToolService } from "./dispatch/tool-service.js";
import { bindLifecycle } from "./host/lifecycle.js";
import { createSiyuanHost } from "./host/siyuan-host.js";
import { createEndpoint } from "./protocol/endpoint.js";
import { AliasPool } from "./safety/alias-pool.js";
import { Coordinator } from "./safety/coordinator.js";
import { Fence } from "./safety/fence.js";
import { Ledger } from "./safety/ledger.js";
import { OpenWrites } from "./safety/open-writes.js";
import { Preflights } from "./safety/preflights.js";
import { RequestIds } from "./safety/request-ids.js";
import { implementations } from "./tools/implementations.js";

const host = createSiyuanHost();
const reader = new SiyuanReader(host.siyuan, host.clock);
const config = new ConfigReader(host.files, host.clock);
const readTools = { reader, config };
/** Names this run of the plugin in the fence file and the ledger; distinct by its start time. */
const instance = `${host.plugin.version}-${host.clock.nowMs().toString(36)}`;
const fence = new Fence(host, instance);
const ledger = new Ledger(host);
const openWrites = new OpenWrites(host, ledger, () => fence.takeOver());
const coordinator = new Coordinator({
  host,
  instance,
  readTools,
  writeTools: { writer: new SiyuanWriter(host.siyuan), config: new ConfigWriter(host.files, config) },
  aliases: new AliasPool(),
  preflights: new Preflights(host.clock),
  requestIds: new RequestIds(
    host,
    () => reader.systemId(),
    () => fence.check(),
  ),
  ledger,
  fence,
  openWrites,
});
const dispatcher = new Dispatcher(host.clock);
const calls = createToolService({ dispatcher, coordinator, readTools, config, implementations, log: host.log });
const routes = createEndpoint({
  host,
  calls,
  health: () => ({
    ok: host.status.token !== "rejected",
    plugin: host.plugin.name,
    version: host.plugin.version,
    instance,
    hostToken: host.status.token,
    levers: { digest: host.digest.source, entropy: host.entropy.source, pathLock: host.status.pathLock },
    queue: dispatcher.report,
  }),
});

bindLifecycle(host, {
  routes,
  async start() {
    await fence.claim();
    await openWrites.load();
  },
  async stop() {
    // Both at once: the host waits a few seconds only, and the second is for the case that the first does not end.
    await Promise.all([dispatcher.stop(), coordinator.stop()]);
  },
});
