// block.insert: anchors, order of batches, list items, and the places where SiYuan would take content apart.

import { describe, expect, it } from "vitest";
import { useScratch } from "./scratch.js";
import { useTier } from "./tier.js";

const scratch = useScratch(useTier());
const { client, siyuan } = scratch;

const missing = "20200101000000-zzzzzzz";
const markdown = (data: string, anchor: object = {}) => ({ dataType: "markdown", data, ...anchor });
const insert = (data: string, anchor: object) => ({ action: "insert", ...markdown(data, anchor) });
const batch = (blocks: object[], anchor: object = {}) => ({ action: "insert", blocks, ...anchor });
const refused = (call: object) => client.refused("block", { ...call, validateOnly: true });
const texts = async (id: string) => (await siyuan.children(id)).map((block) => block.markdown);
const ids = async (id: string) => (await siyuan.children(id)).map((block) => block.id);

describe("one block", () => {
  it("goes before, behind and to the start, and leaves the others", async () => {
    const { id, blocks } = await scratch.document("a\n\nb");
    const done = await client.write("block", insert("before a\n\ntoo", { nextID: blocks[0] }));
    expect(done).toMatchObject({ count: 2, safety: { transactionState: "committed" } });
    await client.write("block", insert("behind a\n\n- list\n- of two", { previousID: blocks[0] }));
    await client.write("block", insert("start\n\nsecond", { parentID: id }));
    expect(await texts(id)).toEqual(["start", "second", "before a", "too", "a", "behind a", "- list\n- of two", "b"]);
    const after = await ids(id);
    expect(after.filter((block) => blocks.includes(block))).toEqual(blocks);
    expect(done.createdBlockIDs).toEqual(after.slice(2, 4));
  });

  it("goes into quotes, callouts and super blocks", async () => {
    const { blocks } = await scratch.document("> q\n\n{{{row\nx\n\ny\n}}}");
    await client.write("block", insert("first", { parentID: blocks[0] }));
    expect(await texts(blocks[0] ?? "")).toEqual(["first", "q"]);
    const [x] = await ids(blocks[1] ?? "");
    await client.write("block", insert("one\n\ntwo", { previousID: x }));
    await client.write("block", insert("alone", { parentID: blocks[1] }));
    expect(await texts(blocks[1] ?? "")).toEqual(["alone", "x", "one", "two", "y"]);
  });

  it("stands behind the section of a folded heading, and says so", async () => {
    const { id, blocks } = await scratch.document("# head\n\nsection\n\n# next");
    await siyuan.data("/api/block/foldBlock", { id: blocks[0] });
    const done = await client.write("block", insert("new", { previousID: blocks[0] }));
    expect(await texts(id)).toEqual(["# head", "section", "new", "# next"]);
    expect(JSON.stringify(done.notes)).toContain("folded");
  });

  it("replays without a second block", async () => {
    const { id, blocks } = await scratch.document("a");
    const call = insert("once", { previousID: blocks[0] });
    const preflight = await client.preflight("block", call);
    const first = await client.ok("block", { ...call, requestId: preflight.requestId });
    expect(await client.ok("block", { ...call, requestId: preflight.requestId })).toMatchObject({
      id: first.id,
      safety: { replayed: true },
    });
    expect(await texts(id)).toEqual(["a", "once"]);
  });
});

describe("several blocks", () => {
  it("keep the asked order at every kind of anchor", async () => {
    const { id, blocks } = await scratch.document("a\n\nb");
    const [a, b] = blocks;
    const done = await client.write(
      "block",
      batch([
        markdown("s1", { parentID: id }),
        markdown("a1", { previousID: a }),
        markdown("b1", { nextID: b }),
        markdown("a2\n\na3", { previousID: a }),
        markdown("b2", { nextID: b }),
        markdown("s2", { parentID: id }),
      ]),
    );
    expect(await texts(id)).toEqual(["s1", "s2", "a", "a1", "a2", "a3", "b1", "b2", "b"]);
    const all = await siyuan.children(id);
    const textOf = (block: string) => all.find((entry) => entry.id === block)?.markdown;
    expect((done.createdBlockIDs as string[]).map(textOf)).toEqual(["s1", "a1", "b1", "a2", "a3", "b2", "s2"]);
    expect(done.count).toBe(7);
  });

  it("take the anchor of the call where they have none", async () => {
    const { id, blocks } = await scratch.document("a\n\nb");
    await client.write(
      "block",
      batch([markdown("1"), markdown("2"), markdown("end", { previousID: blocks[1] })], { previousID: blocks[0] }),
    );
    expect(await texts(id)).toEqual(["a", "1", "2", "b", "end"]);
  });

  it("are refused whole when one of them is", async () => {
    const { id, blocks } = await scratch.document("a");
    const error = await refused(
      batch([markdown("1", { previousID: blocks[0] }), markdown("2", { previousID: missing })]),
    );
    expect(error).toMatchObject({ code: "block_not_found", fields: [{ path: "blocks.1.previousID" }] });
    const twice = 'x\n{: id="20260101000000-twice00"}';
    expect((await refused(batch([markdown(twice), markdown(twice)], { previousID: blocks[0] }))).code).toBe(
      "content_would_be_lost",
    );
    expect(await texts(id)).toEqual(["a"]);
  });
});

describe("list items", () => {
  it("stand beside items of their kind, by Markdown and by DOM", async () => {
    const { blocks } = await scratch.document("- a\n- b\n\n> between\n\n1. one\n2. two\n\n> between\n\n- [ ] open");
    const [list, , ordered, , tasks] = blocks as [string, string, string, string, string];
    const [a] = await ids(list);
    await client.write("block", insert("- new **item**\n\n  with more", { previousID: a }));
    await client.write("block", insert("- first", { nextID: a }));
    expect((await texts(list)).map((text) => text.split("\n")[0])).toEqual(["- first", "- a", "- new **item**", "- b"]);
    const [one] = await ids(ordered);
    await client.write("block", insert("1. half", { previousID: one }));
    expect(
      await siyuan.exported((await scratch.client.ok("block", { action: "info", id: ordered })).rootID as string),
    ).toMatch(/1\. one[\s\S]*half[\s\S]*two/);
    const [open] = await ids(tasks);
    await client.write("block", batch([markdown("- [x] done"), markdown("- [ ] later")], { previousID: open }));
    expect(
      (await Promise.all((await ids(tasks)).map((item) => siyuan.dom(item)))).map(
        (dom) => />(open|done|later)</.exec(dom)?.[1],
      ),
    ).toEqual(["open", "done", "later"]);
    const dom = (await siyuan.dom(a ?? "")).replace(
      /data-node-id="[^"]*"/g,
      (_match, offset) => `data-node-id="20260101000000-${String(offset).padStart(7, "0")}"`,
    );
    await client.write("block", { action: "insert", dataType: "dom", data: dom, previousID: a });
    expect(await ids(list)).toHaveLength(5);
  });

  it("take nothing else beside them", async () => {
    const { id, blocks } = await scratch.document("- a\n- b");
    const [a] = await ids(blocks[0] ?? "");
    const before = await siyuan.dom(id);
    expect((await refused(insert("plain", { previousID: a }))).code).toBe("content_would_be_lost");
    expect((await refused(insert("- one\n- two", { previousID: a }))).code).toBe("several_blocks");
    expect((await refused(insert("1. ordered", { previousID: a }))).code).toBe("content_would_be_lost");
    expect(await siyuan.dom(id)).toBe(before);
  });
});

describe("refusals", () => {
  it("of places where nothing can stand", async () => {
    const { id, blocks } = await scratch.document("- item\n\n# head\n\nleaf\n\n{{{row\nx\n\ny\n}}}\n\n- [ ] task");
    const [list, head, leaf, superBlock, tasks] = blocks;
    for (const parentID of [list, head, leaf])
      expect(await refused(insert("x", { parentID }))).toMatchObject({
        code: "invalid_arguments",
        fields: [{ path: "parentID" }],
      });
    expect((await refused(insert("x\n\ny", { parentID: superBlock }))).code).toBe("several_blocks");
    expect((await refused(insert("x\n\ny", { parentID: (await ids(tasks ?? ""))[0] }))).code).toBe("several_blocks");
    expect(await refused(insert("x", { previousID: id }))).toMatchObject({
      code: "not_a_block",
      fields: [{ path: "previousID" }],
    });
    for (const kind of ["nextID", "previousID", "parentID"])
      expect((await refused(insert("x", { [kind]: missing }))).code).toBe("block_not_found");
    expect(await ids(id)).toEqual(blocks);
  });

  it("of no anchor, two anchors, malformed anchors and an empty list", async () => {
    const { id, blocks } = await scratch.document("a");
    for (const call of [
      insert("x", {}),
      batch([markdown("x")]),
      insert("x", { nextID: blocks[0], previousID: blocks[0] }),
      insert("x", { previousID: "zz" }),
      insert("x", { previousID: "" }),
      batch([], { previousID: blocks[0] }),
    ]) {
      expect((await refused(call)).code).toBe("invalid_arguments");
    }
    expect(await ids(id)).toEqual(blocks);
  });

  it("of an anchor that has gone since the preflight", async () => {
    const { id, blocks } = await scratch.document("a\n\nb");
    const call = insert("x", { previousID: blocks[1] });
    const preflight = await client.preflight("block", call);
    await siyuan.data("/api/block/deleteBlock", { id: blocks[1] });
    await siyuan.data("/api/block/getDocInfo", { id });
    expect((await client.refused("block", { ...call, requestId: preflight.requestId })).code).toBe("state_changed");
    expect(await texts(id)).toEqual(["a"]);
  });
});

describe("odd content", () => {
  it("is refused where SiYuan would strip a binding", async () => {
    const { id, blocks } = await scratch.document("a");
    const data = 'x\n{: custom-riff-decks="20200101000000-zzzzzzz"}';
    expect((await refused(insert(data, { previousID: blocks[0] }))).code).toBe("content_would_be_lost");
    expect(await ids(id)).toEqual(blocks);
  });

  it("sent at once to one anchor arrives once each, the last executed nearest", async () => {
    const { id, blocks } = await scratch.document("a\n\nb");
    const calls = [];
    for (let index = 0; index < 10; index++) {
      const call = insert(`line ${index}`, { previousID: blocks[0] });
      calls.push({ ...call, requestId: (await client.preflight("block", call)).requestId });
    }
    await Promise.all(calls.map((call) => client.ok("block", call)));
    const after = await texts(id);
    expect(after).toHaveLength(12);
    expect(after.slice(1, 11).sort()).toEqual(calls.map((call) => call.data).sort());
  });
});
