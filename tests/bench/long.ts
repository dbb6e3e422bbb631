// What an exact edit of a long document costs, and how long other reads wait beside it: the engine does one thing at a time.

import { setTimeout as sleep } from "node:timers/promises";
import { limits } from "./limits.js";
import { row, type Row } from "./measure.js";
import type { Scene } from "./scene.js";

/** Pause of the reader beside it. */
const readerPauseMs = 5;

const texts: readonly [string, (index: number) => string, readonly string[]][] = [
  ["english", (index) => `paragraph ${index} with some words in it`, ["paragraph 77 with", "7 with some"]],
  ["chinese", (index) => `段落 ${index} **文字** 内容`, ["段落 77 "]],
];

export async function* longRows(scene: Scene): AsyncGenerator<Row> {
  const blocks = scene.isLive ? 5_000 : 100;
  const preflights: number[] = [];
  const longest: number[] = [];
  for (const [name, text] of texts)
    await scene.document(`/${name}`, Array.from({ length: blocks }, (_, index) => text(index)).join("\n\n"));
  await scene.settled();
  for (const [name, , olds] of texts) {
    for (const old of olds) {
      for (let round = 0; round < Math.max(1, scene.rounds / 10); round++) {
        const { tookMs, longestReadMs } = await besideReads(scene, () => replacePreflight(scene, name, old));
        preflights.push(tookMs);
        longest.push(longestReadMs);
      }
    }
  }
  const unit = "ms";
  yield row({ name: `preflight of fs.replace, ${blocks} blocks`, unit, values: preflights, limit: limits.replaceLong });
  yield row({
    name: "longest other read beside it",
    unit,
    values: [Math.max(...longest)],
    limit: limits.readBesideLong,
  });
}

function replacePreflight({ client, name }: Scene, document: string, old: string): Promise<unknown> {
  const edit = { old, new: "X", replace_all: true };
  return client.preflight("fs", { action: "replace", path: `/${name}/${document}`, edit });
}

async function besideReads(
  { client }: Scene,
  work: () => Promise<unknown>,
): Promise<{ readonly tookMs: number; readonly longestReadMs: number }> {
  let working = true;
  let longestReadMs = 0;
  const started = performance.now();
  const reading = (async () => {
    while (working) {
      const asked = performance.now();
      await client.call("notebook", { action: "list" });
      longestReadMs = Math.max(longestReadMs, performance.now() - asked);
      await sleep(readerPauseMs);
    }
  })();
  await work();
  const tookMs = performance.now() - started;
  working = false;
  await reading;
  return { tookMs, longestReadMs };
}
