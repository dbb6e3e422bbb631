// A notebook of a test's own, made through the product and removed through SiYuan, with the settings put back.

import { afterAll, beforeAll } from "vitest";
import { storageFolder } from "../../shared/wire/plugin.js";
import { ModernClient } from "./modern-client.js";
import { Siyuan } from "./siyuan.js";
import type { Tier } from "./tier.js";

const permissionsFile = `${storageFolder}/notebookPermissions`;

export interface Scratch {
  readonly client: ModernClient;
  readonly siyuan: Siyuan;
  notebook: string;
  /** A new document with these blocks; its id and theirs. */
  document(markdown: string): Promise<{ id: string; blocks: string[] }>;
  /** A new paragraph in a document of its own. */
  paragraph(text?: string): Promise<{ id: string; document: string }>;
  setPermission(notebook: string, level: string): Promise<void>;
}

export function useScratch(tier: Tier): Scratch {
  const client = new ModernClient(tier);
  const siyuan = new Siyuan(tier);
  let permissionsBefore: string | undefined;
  let count = 0;
  const scratch: Scratch = {
    client,
    siyuan,
    notebook: "",
    async document(markdown) {
      // Made through SiYuan itself, so that a test of one action does not hang on another.
      const id = await siyuan.data<string>("/api/filetree/createDocWithMd", {
        notebook: scratch.notebook,
        path: `/doc ${++count}`,
        markdown,
      });
      return { id, blocks: (await siyuan.children(id)).map((block) => block.id) };
    },
    async paragraph(text = "first words") {
      const { id, blocks } = await scratch.document(text);
      return { id: blocks[0] ?? "", document: id };
    },
    async setPermission(notebook, level) {
      const levels = JSON.parse((await siyuan.readFile(permissionsFile)) ?? "{}");
      await siyuan.writeFile(permissionsFile, JSON.stringify({ ...levels, [notebook]: level }));
      // Settings are at most one second old.
      await new Promise((resolve) => setTimeout(resolve, 1_100));
    },
  };
  beforeAll(async () => {
    permissionsBefore = await siyuan.readFile(permissionsFile);
    const made = await client.write("notebook", { action: "create", name: `contract ${Date.now().toString(36)}` });
    scratch.notebook = String(made.notebook);
  }, 30_000);
  afterAll(async () => {
    await siyuan.call("/api/notebook/removeNotebook", { notebook: scratch.notebook });
    if (permissionsBefore === undefined) await siyuan.removeFile(permissionsFile);
    else await siyuan.writeFile(permissionsFile, permissionsBefore);
  }, 30_000);
  return scratch;
}
