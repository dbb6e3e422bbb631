// The notes that the rows work on, in a notebook of their own that goes away with the run.

import { setTimeout as sleep } from "node:timers/promises";
import { ModernClient } from "../contract/modern-client.js";
import { Siyuan } from "../contract/siyuan.js";
import type { Tier } from "../contract/tier.js";
import { BenchClient } from "./client.js";

export interface Scene {
  readonly tier: Tier;
  readonly isLive: boolean;
  readonly client: BenchClient;
  readonly siyuan: Siyuan;
  readonly notebook: string;
  /** Its name, as the first part of workspace paths. */
  readonly name: string;
  readonly rounds: number;
  /** Makes a document at a human path and answers its id. */
  document(path: string, markdown: string): Promise<string>;
  /** Waits until SiYuan has indexed what was written: until then it works on the same processors. */
  settled(): Promise<void>;
}

const indexingMs = 3_000;

export async function withScene(
  { tier, isLive, rounds }: Pick<Scene, "tier" | "isLive" | "rounds">,
  work: (scene: Scene) => Promise<void>,
): Promise<void> {
  const client = new BenchClient(tier);
  const siyuan = new Siyuan(tier);
  const name = `bench ${Date.now().toString(36)}`;
  const created = await new ModernClient(tier).write("notebook", { action: "create", name });
  const notebook = String(created.notebook);
  const document = (path: string, markdown: string) =>
    siyuan.data<string>("/api/filetree/createDocWithMd", { notebook, path, markdown });
  const settled = async () => {
    await siyuan.data("/api/sqlite/flushTransaction", {});
    if (isLive) await sleep(indexingMs);
  };
  try {
    await work({ tier, isLive, client, siyuan, notebook, name, rounds, document, settled });
  } finally {
    await siyuan.call("/api/notebook/removeNotebook", { notebook });
    client.close();
  }
}
