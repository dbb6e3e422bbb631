// What a strict write costs, against SiYuan's own call for the same change.

import { limits } from "./limits.js";
import { compare, plain, type Row } from "./measure.js";
import type { Scene } from "./scene.js";

const textOf = (bytes: number, seed: string) => `${seed} ${"word ".repeat(bytes / 5)}`;

export async function* writeRows(scene: Scene): AsyncGenerator<Row> {
  const { client, siyuan, rounds } = scene;
  const document = await scene.document("/single", "first");
  const id = (await siyuan.children(document))[0]?.id ?? "";
  const update = (data: string) => ({ action: "update", id, dataType: "markdown", data });
  const raw = (data: string) => client.data("/api/block/updateBlock", { id, dataType: "markdown", data });
  const rawOf = (bytes: number) => plain("updateBlock", (round) => raw(textOf(bytes, `raw${round}`)));

  for (const [label, bytes, commitLimit, preflightLimit] of [
    ["4 KiB", 4_096, limits.commit4KiB, limits.preflight4KiB],
    ["64 KiB", 65_536, limits.commit64KiB, undefined],
  ] as const) {
    const commit = {
      name: `commit of a ${label} block`,
      prepare: (round: number) => client.prepared("block", update(textOf(bytes, `own${round}`))),
    };
    yield await compare(rawOf(bytes), commit, rounds, commitLimit);
    const preflight = plain(`preflight of a ${label} block`, (round) =>
      client.preflight("block", update(textOf(bytes, `own${round}`))),
    );
    yield await compare(rawOf(bytes), preflight, rounds, preflightLimit);
  }
  const same = textOf(4_096, "same");
  yield await compare(
    plain("updateBlock", () => raw(same)),
    { name: "commit without a change", prepare: () => client.prepared("block", update(same)) },
    rounds,
    limits.commitUnchanged,
  );
  yield await hundredBlocks(scene);
}

async function hundredBlocks({ client, siyuan, rounds, document }: Scene): Promise<Row> {
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
  const blocks = await siyuan.children(await document("/hundred", lines.join("\n\n")));
  const items = (seed: string) =>
    blocks.map(({ id }, index) => ({ id, dataType: "markdown", data: `${seed} ${index}` }));
  return compare(
    plain("batchUpdateBlock", (round) => client.data("/api/block/batchUpdateBlock", { blocks: items(`raw${round}`) })),
    {
      name: "commit of 100 blocks in one call",
      prepare: (round) => client.prepared("block", { action: "update", items: items(`own${round}`) }),
    },
    rounds,
    limits.commitHundred,
  );
}
