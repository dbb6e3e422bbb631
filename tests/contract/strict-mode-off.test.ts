// Strict writes switched off by the owner: one call writes, without credentials; what is promised shrinks, what is checked does not.

import { beforeAll, expect, it } from "vitest";
import { credentialsOf, ModernClient } from "./modern-client.js";
import { useScratch } from "./scratch.js";
import { useOwnerSettings } from "./settings.js";
import { useTier } from "./tier.js";

const tier = useTier();
const scratch = useScratch(tier);
const { client, siyuan } = scratch;
const settings = useOwnerSettings(siyuan);

beforeAll(async () => {
  await settings.set({ writeSafety: { strictMode: false } });
}, 30_000);

const update = (id: string, data: string) => ({ action: "update", id, dataType: "markdown", data });

it("a write is one call, read back, and says that nothing is guaranteed", async () => {
  const { id } = await scratch.paragraph();
  const answer = await client.ok("block", update(id, "written at once"));
  expect(answer).toMatchObject({
    success: true,
    id,
    safety: { writeSafetyMode: "legacy", writeSafetyGuaranteed: false, transactionState: "committed" },
  });
  expect(answer.safety).not.toHaveProperty("requestId");
  expect(await siyuan.kramdown(id)).toContain("written at once");
});

it("a preflight is refused and executes nothing", async () => {
  const { id } = await scratch.paragraph();
  const error = await client.refused("block", { ...update(id, "never"), validateOnly: true });
  expect(error.code).toBe("strict_mode_disabled");
  expect(await siyuan.kramdown(id)).toContain("first words");
});

it("damage is refused as ever", async () => {
  const { id } = await scratch.paragraph();
  expect((await client.refused("block", update(id, "one\n\ntwo"))).code).toBe("several_blocks");
  expect((await client.refused("block", update("20200101000000-zzzzzzz", "x"))).code).toBe("block_not_found");
  expect(await siyuan.kramdown(id)).toContain("first words");
});

it("permissions and confirmation hold", async () => {
  const { id } = await scratch.paragraph();
  await scratch.setPermission(scratch.notebook, "r");
  expect((await client.refused("block", update(id, "x"))).code).toBe("permission_denied");
  await scratch.setPermission(scratch.notebook, "rw");
  await settings.set({ writeSafety: { strictMode: false }, block: { actions: { delete: true } } });
  await scratch.setPermission(scratch.notebook, "rwd");
  expect((await client.refused("block", { action: "delete", id })).code).toBe("confirmation_unavailable");
  await scratch.setPermission(scratch.notebook, "rw");
  expect(await siyuan.kramdown(id)).toContain("first words");
}, 30_000);

it("the tool list has no credential fields, and the instructions speak of one call", async () => {
  const fresh = new ModernClient(tier);
  const { result } = (await (await fresh.request("tools/list")).json()) as { result: { tools: unknown[] } };
  expect(JSON.stringify(result.tools)).not.toMatch(/validateOnly|requestId|expectedStateHash/);
  const discovered = JSON.stringify(await (await fresh.request("server/discover")).json());
  expect(discovered).toContain("switched off");
  expect(discovered).not.toContain("Writing takes two calls");
});

it("switched on again, a write needs its preflight", async () => {
  await settings.set({});
  const { id } = await scratch.paragraph();
  expect((await client.refused("block", update(id, "x"))).code).toBe("precondition_required");
  const args = update(id, "strictly");
  const answer = await client.ok("block", { ...args, ...credentialsOf(await client.preflight("block", args)) });
  expect(answer.safety).toMatchObject({ writeSafetyMode: "strict", writeSafetyGuaranteed: true });
}, 20_000);
