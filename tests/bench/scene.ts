// The notes that the rows work on, in a notebook of their own that goes away with the run.

import { ModernClient } from "../contract/modern-client.js";
import { Siyuan } from "../contract/siyuan.js";
import type { Tier } from "../contract/tier.js";
import { BenchClient } from "./client.js";

export interface Scene {
  readonly tier: Tier;
  readonly client: BenchClient;
  readonly siyuan: Siyuan;
  readonly notebook: string;
  /** Its name, as the first part of workspace paths. */
  readonly name: string;
  readonly rounds: number;
  /** Makes a document at a human path and answers its id. */
  document(path: string, markdown: string): Promise<string>;
}

export async function withScene(tier: Tier, rounds: number, work: (scene: Scene) => Promise<void>): Promise<void> {
  const client = new BenchClient(tier);
  const siyuan = new Siyuan(tier);
  const name = `bench ${Date.now().toString(36)}`;
  const created = await new ModernClient(tier).write("notebook", { action: "create", name });
  const notebook = String(created.notebook);
  const document = (path: string, markdown: string) =>
    siyuan.data<string>("/api/filetree/createDocWithMd", { notebook, path, markdown });
  try {
    await work({ tier, client, siyuan, notebook, name, rounds, document });
  } finally {
    await siyuan.call("/api/notebook/removeNotebook", { notebook });
    client.close();
  }
}
