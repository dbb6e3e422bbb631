// block.transfer_references: who refers to one block refers to another one afterwards, and nothing else changes.

import { afterEach, describe, expect, it } from "vitest";
import { countRequests, setFaults } from "./faults.js";
import { credentialsOf } from "./modern-client.js";
import { useScratch } from "./scratch.js";
import { tierName, useTier } from "./tier.js";
import { type World, world } from "./world.js";

const tier = useTier();
const scratch = useScratch(tier);
const { client, siyuan } = scratch;

const route = "/api/block/transferBlockRef";
const missing = "20200101000000-zzzzzzz";
const transfer = (fromID: string, toID: string, refIDs?: string[]) => ({
  action: "transfer_references",
  fromID,
  toID,
  ...(refIDs ? { refIDs } : {}),
});
const replaced = (before: World, from: string, to: string): unknown =>
  JSON.parse(JSON.stringify(before).split(from).join(to));

/** Two targets, and blocks that refer to the first in every way. */
async function scene() {
  const from = await scratch.paragraph("old target");
  const to = await scratch.paragraph("new target");
  const holders = await scratch.document(
    `fixed ((${from.id} "my words"))\n\nfollowing ((${from.id} 'old target'))\n\n- item ((${from.id} "a")) and ((${from.id} "b")) and ((${to.id} "c"))\n\n| ((${from.id} "cell")) | b |\n| --- | --- |\n| x | y |\n\nno reference ((${to.id} "new"))`,
  );
  const [list] = await siyuan.children(holders.blocks[2] ?? "");
  const [inItem] = await siyuan.children(list?.id ?? "");
  const all = [holders.blocks[0], holders.blocks[1], inItem?.id, holders.blocks[3]] as string[];
  return { from: from.id, to: to.id, document: holders.id, holders: all, blocks: holders.blocks };
}

describe("all references", () => {
  it("of every kind move, written a moment ago, and everything else stays", async () => {
    const { from, to, document, holders } = await scene();
    const before = await world(siyuan);
    const preflight = await client.preflight("block", transfer(from, to));
    expect(preflight).toMatchObject({
      preconditionField: "expectedManifestHash",
      targetCount: 6,
      preview: { references: 5 },
    });
    const shown = (preflight.preview as { blocks: { id: string }[] }).blocks.map(({ id }) => id);
    expect(shown.slice().sort()).toEqual(holders.slice().sort());
    expect(await world(siyuan)).toEqual(before);
    const done = await client.ok("block", { ...transfer(from, to), ...credentialsOf(preflight) });
    expect(done).toMatchObject({
      success: true,
      fromID: from,
      toID: to,
      references: 5,
      left: 0,
      safety: { transactionState: "committed" },
    });
    expect(JSON.stringify(done.notes)).toContain("dynamic anchor text");
    const dom = await siyuan.dom(document);
    expect(dom.split(`data-id="${to}"`)).toHaveLength(8);
    expect(dom).toContain(`data-subtype="d" data-id="${to}">new target<`);
    expect(dom).toContain(`data-id="${to}">my words<`);
    const after = await world(siyuan);
    const expected = replaced(before, `data-id=\\"${from}\\"`, `data-id=\\"${to}\\"`);
    expect(JSON.parse(JSON.stringify(after))).toEqual(
      JSON.parse(
        JSON.stringify(expected)
          .split(`data-subtype=\\"d\\" data-type=\\"block-ref\\">old target`)
          .join(`data-subtype=\\"d\\" data-type=\\"block-ref\\">new target`),
      ),
    );
  });

  it("to a document, from a document, and across documents", async () => {
    const from = await scratch.document("x");
    const to = await scratch.document("y");
    const one = await scratch.paragraph(`see ((${from.id} "doc"))`);
    const two = await scratch.paragraph(`((${from.id} "doc")) **marks** #tag# 日本語 😀`);
    await siyuan.setAttributes(two.id, { name: "n", memo: "m", "custom-a": 'q"<' });
    const before = await world(siyuan);
    const done = await client.write("block", transfer(from.id, to.id));
    expect(done.items).toHaveLength(2);
    expect(done.items).toEqual(expect.arrayContaining([one.id, two.id].map((id) => ({ id, result: "committed" }))));
    expect(await world(siyuan)).toEqual(replaced(before, `data-id=\\"${from.id}\\"`, `data-id=\\"${to.id}\\"`));
  });

  it("where there are none is no change, and nothing is sent", async () => {
    const from = await scratch.paragraph("lonely");
    const to = await scratch.paragraph("other");
    const before = await world(siyuan);
    if (tierName !== "live") await countRequests(tier);
    const done = await client.write("block", transfer(from.id, to.id));
    expect(done).toMatchObject({ references: 0, items: [], safety: { transactionState: "no_change" } });
    if (tierName !== "live") expect((await countRequests(tier))[route]).toBeUndefined();
    expect(await world(siyuan)).toEqual(before);
  });

  it("from 150 blocks, well past the 64 rows of SiYuan's index", async () => {
    const from = await scratch.paragraph("many refer to it");
    const to = await scratch.paragraph("and then to this");
    const lines = Array.from({ length: 150 }, (_, index) => `line ${index} ((${from.id} "r${index}"))`);
    const { id } = await scratch.document(lines.join("\n\n"));
    const done = await client.write("block", transfer(from.id, to.id));
    expect(done).toMatchObject({ references: 150, left: 0 });
    expect((await siyuan.children(id)).map((block) => block.markdown)).toEqual(
      lines.map((line) => line.replace(from.id, to.id)),
    );
  }, 30_000);

  it("keeps a reference to nothing beside them as it is", async () => {
    const from = await scratch.paragraph("from");
    const to = await scratch.paragraph("to");
    const gone = await scratch.document("soon gone");
    const holder = await scratch.paragraph(`a ((${from.id} "x")) b ((${gone.blocks[0]} "y"))`);
    await siyuan.data("/api/filetree/removeDocByID", { id: gone.id });
    await client.write("block", transfer(from.id, to.id));
    const dom = await siyuan.dom(holder.id);
    expect(dom).toContain(`data-id="${to.id}"`);
    expect(dom).toContain(`data-id="${gone.blocks[0]}"`);
  });
});

describe("named references", () => {
  it("move, the others stay, and the answer says how many", async () => {
    const { from, to, holders } = await scene();
    const done = await client.write("block", transfer(from, to, [holders[0] as string]));
    expect(done).toMatchObject({ references: 1, items: [{ id: holders[0], result: "committed" }], left: 3 });
    expect(JSON.stringify(done.notes)).toContain("3 other blocks");
    expect(await siyuan.kramdown(holders[0] ?? "")).toContain(`((${to} "my words"))`);
    for (const id of holders.slice(1)) expect(await siyuan.dom(id)).toContain(`data-id="${from}"`);
  });

  it("are refused where a block holds none itself", async () => {
    const { from, to, blocks } = await scene();
    const before = await world(siyuan);
    for (const id of [blocks[4], blocks[2], missing] as string[]) {
      const error = await client.refused("block", {
        ...transfer(from, to, [blocks[0] as string, id]),
        validateOnly: true,
      });
      expect(error).toMatchObject({ code: "invalid_arguments", fields: [{ path: "refIDs.1" }] });
    }
    expect(await world(siyuan)).toEqual(before);
  });
});

describe("refuses and writes nothing", () => {
  const bad: [string, (ids: { from: string; to: string }) => object, string, string][] = [
    ["a missing old target", () => ({ fromID: missing }), "block_not_found", "fromID"],
    ["a missing new target", () => ({ toID: missing }), "block_not_found", "toID"],
    ["the same twice", ({ from }) => ({ toID: from }), "invalid_arguments", "toID"],
    ["a word as id", () => ({ fromID: "x" }), "invalid_arguments", "fromID"],
    ["no new target", () => ({ toID: undefined }), "invalid_arguments", "toID"],
    ["an empty list", () => ({ refIDs: [] }), "invalid_arguments", "refIDs"],
    ["a text as list", () => ({ refIDs: missing }), "invalid_arguments", "refIDs"],
    ["an unknown field", () => ({ all: true }), "invalid_arguments", "all"],
  ];
  it.each(bad)("%s", async (_name, change, code, field) => {
    const { from, to, document } = await scene();
    const before = await siyuan.dom(document);
    const args = { ...transfer(from, to), validateOnly: true, ...change({ from, to }) };
    expect(await client.refused("block", args)).toMatchObject({ code, fields: [{ path: field }] });
    expect((await siyuan.dom(document)).length).toBe(before.length);
  });

  it("without rw on every side", async () => {
    const { from, to, document } = await scene();
    const other = (await siyuan.data<{ notebook: { id: string } }>("/api/notebook/createNotebook", { name: "holders" }))
      .notebook.id;
    try {
      const holder = await siyuan.data<string>("/api/filetree/createDocWithMd", {
        notebook: other,
        path: "/H",
        markdown: `here too ((${from} "x"))`,
      });
      await scratch.setPermission(other, "rw");
      const call = transfer(from, to);
      const credentials = credentialsOf(await client.preflight("block", call));
      await scratch.setPermission(other, "r");
      expect((await client.refused("block", { ...call, validateOnly: true })).code).toBe("permission_denied");
      expect((await client.refused("block", { ...call, ...credentials })).code).toBe("permission_denied");
      for (const id of [document, holder]) expect(await siyuan.dom(id)).toContain(`data-id="${from}"`);
    } finally {
      await siyuan.call("/api/notebook/removeNotebook", { notebook: other });
    }
  }, 30_000);
});

describe("between preflight and commit", () => {
  const changes: [string, (ids: { from: string; to: string; holders: string[] }) => Promise<unknown>][] = [
    ["one more reference", ({ from }) => scratch.paragraph(`new ((${from} "x"))`)],
    ["one less", ({ holders }) => siyuan.update(holders[0] ?? "", "none")],
    ["an edit of a holder", ({ holders, from }) => siyuan.update(holders[0] ?? "", `edited ((${from} "x"))`)],
    ["an attribute of a holder", ({ holders }) => siyuan.setAttributes(holders[0] ?? "", { memo: "fresh" })],
  ];
  it.each(changes)("%s is state_changed", async (_name, change) => {
    const ids = await scene();
    const call = transfer(ids.from, ids.to);
    const credentials = credentialsOf(await client.preflight("block", call));
    await change(ids);
    const before = await world(siyuan);
    expect((await client.refused("block", { ...call, ...credentials })).code).toBe("state_changed");
    expect(await world(siyuan)).toEqual(before);
  });

  it("a new target that is gone is state_changed", async () => {
    const { from, document } = await scene();
    const to = await scratch.document("soon gone");
    const call = transfer(from, to.id);
    const credentials = credentialsOf(await client.preflight("block", call));
    await siyuan.data("/api/filetree/removeDocByID", { id: to.id });
    expect((await client.refused("block", { ...call, ...credentials })).code).toBe("state_changed");
    expect(await siyuan.dom(document)).toContain(`data-id="${from}"`);
  });

  it("replays without sending again", async () => {
    const { from, to } = await scene();
    const call = transfer(from, to);
    const credentials = credentialsOf(await client.preflight("block", call));
    await client.ok("block", { ...call, ...credentials });
    const back = await scratch.paragraph(`again ((${from} "x"))`);
    expect(await client.ok("block", { ...call, ...credentials })).toMatchObject({
      references: 5,
      safety: { replayed: true },
    });
    expect(await siyuan.dom(back.id)).toContain(`data-id="${from}"`);
  });
});

describe.skipIf(tierName === "live")("faults", () => {
  afterEach(() => setFaults(siyuan, []));

  const lies: ["lost-answer" | "http-500" | "no-effect", string, "from" | "to"][] = [
    ["lost-answer", "outcome_unknown", "to"],
    ["http-500", "outcome_unknown", "from"],
    ["no-effect", "readback_mismatch", "from"],
  ];
  it.each(lies)("%s is unknown, and never sent again", async (kind, code, end) => {
    const ids = await scene();
    const call = transfer(ids.from, ids.to);
    const credentials = credentialsOf(await client.preflight("block", call));
    await setFaults(siyuan, [{ path: route, kind, times: 1 }]);
    await countRequests(tier);
    expect((await client.refused("block", { ...call, ...credentials })).code).toBe(code);
    const again = await client.call("block", { ...call, ...credentials });
    // What the notes hold settles it.
    if (kind === "lost-answer")
      expect(again.structured.safety).toMatchObject({ transactionState: "committed", reconciled: true });
    expect((await countRequests(tier))[route]).toBe(1);
    expect(await siyuan.kramdown(ids.holders[0] ?? "")).toContain(`((${ids[end]} "my words"))`);
  });
});
