// While damage inputs and very large ones run, a plain write elsewhere is not held up for more than a second.

import { describe, expect, it } from "vitest";
import { longestHoldUpMs, useDamage } from "./damage.js";
import { refusedTexts, wholeTexts } from "./damage-content.js";
import { makeBed, placesOf } from "./damage-places.js";
import { credentialsOf, type Fields } from "./modern-client.js";
import { tierName, useTier } from "./tier.js";
import { world } from "./world.js";

const damage = useDamage(useTier());
const { client, siyuan } = damage;
const oneMiB = "lorem ipsum dolor sit amet ".repeat(38_837).slice(0, 1_048_576).trim();

/** Probes one write after the other until the work is done; the longest of them. */
async function probedDuring(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const end = work.finally(() => {
    isDone = true;
  });
  let longest = 0;
  while (!isDone) longest = Math.max(longest, await damage.probe());
  await end;
  return longest;
}

describe("a probe write goes on", () => {
  it("while each refused text is sent to every action", async () => {
    const bed = await makeBed(damage);
    const live = (await damage.document("live")).id;
    const places = placesOf(damage, (await world(siyuan))[damage.notebook]?.name ?? "");
    const work = async () => {
      for (const [, text] of refusedTexts)
        for (const place of places) {
          const { tool, args } = place.call(text.replace(/LIVE|CLOSED/g, live), bed);
          await client.call(tool, { ...args, validateOnly: true });
        }
    };
    damage.expectQuick(await probedDuring(work()));
  }, 120_000);

  it("while each whole text is written, preflight and commit", async () => {
    const { id } = await damage.document("first");
    const live = (await damage.document("live")).id;
    const work = async () => {
      for (const { text } of wholeTexts) {
        const args = { action: "append", parentID: id, dataType: "markdown", data: text.replace(/LIVE/g, live) };
        expect((await client.write("block", args)).safety.transactionState).toBe("committed");
      }
    };
    damage.expectQuick(await probedDuring(work()));
  }, 120_000);

  const large: [string, (document: string, block: string) => { tool: string; args: Fields }][] = [
    ["an append", (parentID) => ({ tool: "block", args: { action: "append", parentID } })],
    ["an update", (_document, id) => ({ tool: "block", args: { action: "update", id } })],
    ["an insertion", (_document, previousID) => ({ tool: "block", args: { action: "insert", previousID } })],
  ];
  it.each(large)(
    "while one MiB goes through %s, which is whole",
    async (_name, callOf) => {
      const { id, blocks } = await damage.document("first\n\nlast");
      const { tool, args } = callOf(id, blocks[0] ?? "");
      const before = await damage.shown(id);
      const call = { ...args, dataType: "markdown", data: oneMiB };
      damage.expectQuick(await probedDuring(client.write(tool, call)));
      const after = await damage.shown(id);
      const known = new Set(before.map((block) => block.id));
      const isOld = (block: { id: string }) => known.has(block.id) && block.id !== args.id;
      expect(after.filter((block) => !isOld(block)).map((block) => block.markdown === oneMiB)).toEqual([true]);
      expect(after.filter(isOld)).toEqual(before.filter((block) => block.id !== args.id));
      await siyuan.data("/api/filetree/removeDocByID", { id });
    },
    120_000,
  );

  it("while a document of one MiB is made, which is whole", async () => {
    const args = { action: "create", notebook: damage.notebook, path: `/large ${Date.now()}`, markdown: oneMiB };
    damage.expectQuick(await probedDuring(client.write("document", args)));
    const [id] = await siyuan.data<string[]>("/api/filetree/getIDsByHPath", {
      notebook: args.notebook,
      path: args.path,
    });
    expect((await siyuan.children(id ?? "")).map((block) => block.markdown === oneMiB)).toEqual([true]);
    await siyuan.data("/api/filetree/removeDocByID", { id });
  }, 120_000);

  it("while more than fits into one call is refused", async () => {
    const { id } = await damage.document("first");
    const args = { action: "append", parentID: id, dataType: "markdown", data: "x".repeat(2 * 1024 * 1024 + 1) };
    const work = async () => {
      expect(await client.refused("block", { ...args, validateOnly: true })).toMatchObject({
        code: "invalid_arguments",
        fields: [{ path: "data" }],
      });
    };
    damage.expectQuick(await probedDuring(work()));
    expect(await siyuan.children(id)).toHaveLength(1);
  });

  it("while twenty writes wait, behind at most those", async () => {
    const { id } = await damage.document("first");
    const calls = [];
    for (let index = 0; index < 20; index++) {
      const args = { action: "append", parentID: id, dataType: "markdown", data: `line ${index}` };
      calls.push({ ...args, ...credentialsOf(await client.preflight("block", args)) });
    }
    // The lane is first in, first out: the probe waits for its turn, about 60 ms for each before it.
    const longest = await probedDuring(Promise.all(calls.map((call) => client.ok("block", call))));
    if (tierName === "live") expect(longest).toBeLessThan(3 * longestHoldUpMs);
    expect(await siyuan.children(id)).toHaveLength(21);
  });
});
