// A real SiYuan's plugin is replaced while a commit runs: the caller gets its answer, and the id tells the truth.

import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { credentialsOf } from "../contract/modern-client.js";
import { useScratch } from "../contract/scratch.js";
import { useTier } from "../contract/tier.js";

const workspace = process.env.SIYUAN_WORKSPACE;
const folder = join(workspace ?? "", "data/plugins/siyuan-plugins-mcp-sisyphus");

/** By rename, as an update of the plugin arrives. */
async function putKernel(source: string): Promise<void> {
  await writeFile(join(folder, "next.tmp"), source);
  await rename(join(folder, "next.tmp"), join(folder, "kernel.js"));
}

describe.skipIf(workspace === undefined)("the plugin replaced in mid-commit", () => {
  const scratch = useScratch(useTier());
  const { client, siyuan } = scratch;
  let original = "";
  afterAll(async () => {
    if (original === "") return;
    await putKernel(original);
    await served();
  });

  /** Resolves when the new instance answers. */
  async function served(): Promise<void> {
    for (let attempt = 0; attempt < 100; attempt++) {
      if ((await client.request("server/discover")).status === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error("the plugin did not come back");
  }

  it.each([20, 80, 300, 900])(
    "after %i ms: answered within six seconds, executed at most once",
    async (delayMs) => {
      original = original || (await readFile(join(folder, "kernel.js"), "utf8"));
      const { id } = await scratch.document("first");
      const data = Array.from({ length: 300 }, (_, index) => `line ${index} of ${delayMs}`).join("\n\n");
      const append = { action: "append", parentID: id, dataType: "markdown", data };
      const call = { ...append, ...credentialsOf(await client.preflight("block", append)) };
      const started = Date.now();
      const pending = client.request("tools/call", { name: "block", arguments: call });
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      await putKernel(`${original}\n// ${delayMs}\n`);
      await (await pending).text();
      expect(Date.now() - started).toBeLessThan(6_000);
      await served();
      const again = (await client.call("block", call)).structured;
      const blocks = (await siyuan.children(id)).length;
      expect([1, 301]).toContain(blocks);
      if (again.safety) expect(blocks).toBe(301);
      else if (again.error.code === "preflight_lease_invalid") expect(blocks).toBe(1);
      else expect(again.error.code).toBe("outcome_unknown");
    },
    30_000,
  );
});
