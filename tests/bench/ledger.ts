// A write while the ledger holds 20,000 records of the days before. Needs the workspace folder, into which they are laid.

import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { utcDay } from "../../kernel/host/stamps.js";
import { safetyLimits } from "../../shared/limits.js";
import { deviceFolder } from "../../shared/wire/plugin.js";
import { compare, type Contender, type Row } from "./measure.js";
import type { Scene } from "./scene.js";

const records = 20_000;
const dayMs = 86_400_000;

export async function* ledgerRows(scene: Scene, workspace: string): AsyncGenerator<Row> {
  const { client, siyuan, rounds } = scene;
  const id = (await siyuan.children(await scene.document("/ledger", "first")))[0]?.id ?? "";
  const update = (data: string) => ({ action: "update", id, dataType: "markdown", data });
  const ledger = new FilledLedger(workspace);
  await ledger.fill();
  const seen = (name: string, full: boolean, work: (round: number) => Promise<() => Promise<unknown>>): Contender => ({
    name,
    async prepare(round) {
      const ready = await work(round);
      await ledger.show(full);
      return ready;
    },
  });
  const preflight = async (round: number) => () => client.preflight("block", update(`p${round}`));
  const commit = (seed: string) => (round: number) => client.prepared("block", update(`${seed}${round}`));
  try {
    yield await compare(
      seen("an empty ledger", false, preflight),
      seen("preflight beside 20,000 records", true, preflight),
      rounds,
    );
    yield await compare(
      seen("an empty ledger", false, commit("a")),
      seen("commit beside 20,000 records", true, commit("b")),
      rounds,
    );
  } finally {
    await ledger.remove();
  }
}

/** Day folders full of records, which are moved into the ledger and out of it in no time. */
class FilledLedger {
  readonly #ledger: string;
  readonly #beside: string;
  readonly #days: readonly string[];
  #shown = false;

  constructor(workspace: string) {
    const folder = join(workspace, deviceFolder);
    this.#ledger = join(folder, "ledger");
    this.#beside = join(folder, `bench-${process.pid}`);
    this.#days = Array.from({ length: safetyLimits.ledgerRetentionDays }, (_, index) =>
      utcDay(Date.now() - (index + 1) * dayMs),
    );
  }

  async fill(): Promise<void> {
    const text = JSON.stringify({ checksum: "bench", record: { version: 1, note: "x".repeat(500) } });
    for (const [index, day] of this.#days.entries()) {
      await mkdir(join(this.#beside, day), { recursive: true });
      for (let record = index; record < records; record += this.#days.length)
        await writeFile(join(this.#beside, day, `bench-${record}.json`), text);
    }
    await mkdir(this.#ledger, { recursive: true });
  }

  async show(shown: boolean): Promise<void> {
    if (this.#shown === shown) return;
    const [from, to] = shown ? [this.#beside, this.#ledger] : [this.#ledger, this.#beside];
    // A day that the ledger holds already makes this fail: the bench needs a workspace without older writes.
    for (const day of this.#days) await rename(join(from, day), join(to, day));
    this.#shown = shown;
  }

  async remove(): Promise<void> {
    await this.show(false);
    await rm(this.#beside, { recursive: true, force: true });
  }
}
