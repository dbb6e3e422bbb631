// block.delete: off by default, confirmed, drained, and honest about what goes with the block.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storageFolder } from "../../shared/wire/plugin.js";
import { LegacyClient } from "./legacy-client.js";
import { credentialsOf } from "./modern-client.js";
import { useScratch } from "./scratch.js";
import { useTier } from "./tier.js";

const tier = useTier();
const scratch = useScratch(tier);
const { client, siyuan } = scratch;
const legacy = new LegacyClient(tier);

const switches = `${storageFolder}/mcpToolsConfig`;
const missing = "20200101000000-zzzzzzz";
const remove = (id: string) => ({ action: "delete", id });
const ids = async (id: string) => (await siyuan.children(id)).map((block) => block.id);
const texts = async (id: string) => (await siyuan.children(id)).map((block) => block.markdown);
let before: string | undefined;

beforeAll(async () => {
  before = await siyuan.readFile(switches);
  await scratch.setPermission(scratch.notebook, "rwd");
}, 30_000);
afterAll(async () => {
  if (before === undefined) await siyuan.removeFile(switches);
  else await siyuan.writeFile(switches, before);
}, 30_000);

async function enable(): Promise<void> {
  await siyuan.writeFile(switches, JSON.stringify({ block: { actions: { delete: true } } }));
  await new Promise((resolve) => setTimeout(resolve, 1_100));
}

describe("block.delete", () => {
  it("is switched off until the owner switches it on", async () => {
    const { id } = await scratch.paragraph();
    expect((await client.refused("block", { ...remove(id), validateOnly: true })).code).toBe("action_disabled");
    await enable();
    expect(await client.preflight("block", remove(id))).toMatchObject({
      preview: { type: "NodeParagraph", blocks: 1, diff: "- first words" },
    });
  });

  it("deletes exactly the block", async () => {
    const { id, blocks } = await scratch.document("a\n\n> quote\n> \n> of two\n\nc");
    const done = await legacy.confirmed("block", remove(blocks[1] ?? ""));
    expect(done).toMatchObject({ id: blocks[1], deletedBlocks: 3, safety: { transactionState: "committed" } });
    expect(await ids(id)).toEqual([blocks[0], blocks[2]]);
  });

  it("deletes a heading alone", async () => {
    const { id, blocks } = await scratch.document("# head\n\nsection");
    await legacy.confirmed("block", remove(blocks[0] ?? ""));
    expect(await ids(id)).toEqual([blocks[1]]);
  });

  it("names the containers that go with their last child", async () => {
    const { id, blocks } = await scratch.document("a\n\n> quote\n\n- item");
    const [quoted] = await ids(blocks[1] ?? "");
    const [item] = await ids(blocks[2] ?? "");
    expect(await legacy.confirmed("block", remove(quoted ?? ""))).toMatchObject({ alsoRemoved: [blocks[1]] });
    expect(await legacy.confirmed("block", remove(item ?? ""))).toMatchObject({ alsoRemoved: [blocks[2]] });
    expect(await texts(id)).toEqual(["a"]);
  });

  it("names the empty paragraph that a document or list item gets", async () => {
    const { id, blocks } = await scratch.document("- item");
    const [item] = await ids(blocks[0] ?? "");
    const [text] = await ids(item ?? "");
    const done = await legacy.confirmed("block", remove(text ?? ""));
    expect(done.createdBlockIDs).toEqual(await ids(item ?? ""));
    const all = await legacy.confirmed("block", remove(blocks[0] ?? ""));
    expect(all.createdBlockIDs).toEqual(await ids(id));
    expect(await ids(id)).toHaveLength(1);
  });

  it("finds its receipt again instead of a missing block", async () => {
    const { blocks } = await scratch.document("a\n\nb");
    const call = {
      ...remove(blocks[1] ?? ""),
      ...credentialsOf(await legacy.ok("block", { ...remove(blocks[1] ?? ""), validateOnly: true })),
      confirm: true,
    };
    await legacy.ok("block", call);
    expect(await legacy.ok("block", call)).toMatchObject({ id: blocks[1], safety: { replayed: true } });
  });

  it("refuses documents, missing blocks, folded headings and changed blocks", async () => {
    const { id, blocks } = await scratch.document("# head\n\nsection\n\n# other\n\nlast");
    await siyuan.data("/api/block/foldBlock", { id: blocks[0] });
    expect((await client.refused("block", { ...remove(id), validateOnly: true })).code).toBe("not_a_block");
    expect((await client.refused("block", { ...remove(missing), validateOnly: true })).code).toBe("block_not_found");
    expect((await client.refused("block", { ...remove("zz"), validateOnly: true })).code).toBe("invalid_arguments");
    expect((await client.refused("block", { ...remove(blocks[0] ?? ""), validateOnly: true })).code).toBe(
      "invalid_arguments",
    );
    const credentials = credentialsOf(await legacy.ok("block", { ...remove(blocks[3] ?? ""), validateOnly: true }));
    await siyuan.update(blocks[3] ?? "", "changed");
    expect(
      (await legacy.call("block", { ...remove(blocks[3] ?? ""), ...credentials, confirm: true })).structured.error.code,
    ).toBe("state_changed");
    expect(await ids(id)).toEqual(blocks);
  });

  it("is over before an update of the same block can start", async () => {
    const { id, blocks } = await scratch.document("a\n\nb");
    const update = { action: "update", id: blocks[1], dataType: "markdown", data: "late" };
    const credentials = credentialsOf(await client.preflight("block", update));
    const prepared = {
      ...remove(blocks[1] ?? ""),
      ...credentialsOf(await legacy.ok("block", { ...remove(blocks[1] ?? ""), validateOnly: true })),
      confirm: true,
    };
    const [deleted, updated] = await Promise.all([
      legacy.call("block", prepared),
      client.call("block", { ...update, ...credentials }),
    ]);
    // Whichever came first, the other one sees its effect and refuses.
    expect([deleted.isError, updated.isError].sort()).toEqual([false, true]);
    expect((deleted.isError ? deleted : updated).structured.error.code).toBe("state_changed");
    expect(await texts(id)).toEqual(deleted.isError ? ["a", "late"] : ["a"]);
  });

  it("needs the right to delete, and a confirmation", async () => {
    const { id, document } = await scratch.paragraph();
    const credentials = credentialsOf(await legacy.ok("block", { ...remove(id), validateOnly: true }));
    expect((await legacy.call("block", { ...remove(id), ...credentials })).structured.error.code).toBe(
      "dangerous_action_requires_confirmation",
    );
    await scratch.setPermission(scratch.notebook, "rw");
    expect((await client.refused("block", { ...remove(id), validateOnly: true })).code).toBe("permission_denied");
    await scratch.setPermission(scratch.notebook, "rwd");
    expect(await ids(document)).toEqual([id]);
  });
});
