// kernel.js itself: how large it is, and how long SiYuan's engine takes to compile and run it at each start.

import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Tier } from "../contract/tier.js";
import { buildEngine, startEngine } from "../goja/engine.js";
import { pluginFolder } from "../package-folder.js";
import { limits } from "./limits.js";
import { type Row, row } from "./measure.js";

export async function* kernelRows(tier: Tier, rounds: number): AsyncGenerator<Row> {
  const kernelFile = join(pluginFolder, "kernel.js");
  const { size } = await stat(kernelFile);
  yield row({ name: "size of kernel.js", unit: "kB", values: [size / 1_000], limit: limits.kernelBytes });
  if ((await buildEngine()) === null) return;
  const values: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const engine = await startEngine({ targetUrl: tier.apiUrl, token: tier.token, kernelFile });
    values.push(engine.loadMs);
    await engine.stop();
  }
  yield row({ name: "load of kernel.js in goja", unit: "ms", values, limit: limits.kernelLoad });
}
