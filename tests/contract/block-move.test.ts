// block.move: blocks stand where asked, in order, once, and unchanged; nothing else moves but what the answer names.

import { afterEach, describe, expect, it } from "vitest";
import { countRequests, type FaultRule, restartPlugin, setFaults } from "./faults.js";
import { LegacyClient } from "./legacy-client.js";
import { credentialsOf, type Fields } from "./modern-client.js";
import { notebookSnapshot } from "./notebook-snapshot.js";
import { useScratch } from "./scratch.js";
import { useSecondNotebook } from "./second-notebook.js";
import { tierName, useTier } from "./tier.js";

const tier = useTier();
const scratch = useScratch(tier);
const { client, siyuan } = scratch;
const legacy = new LegacyClient(tier);
const missing = "20200101000000-zzzzzzz";
let other = "";
useSecondNotebook(scratch, (notebook) => {
  other = notebook;
});

const ids = async (id: string | undefined) => (await siyuan.children(id ?? "")).map((block) => block.id);
const child = async (id: string | undefined, index = 0) => (await ids(id))[index] ?? "";
const texts = async (id: string) => (await siyuan.children(id)).map((block) => block.markdown);
const move = (what: Fields, to: Fields) => ({ action: "move", ...what, ...to });
const commit = async (call: Fields) =>
  legacy.commit("block", { ...call, ...credentialsOf(await client.preflight("block", call)) });
const refused = (call: Fields) => client.refused("block", { ...call, validateOnly: true });

type Tree = { id: string; text: string; blocks: Tree[] };

/** Every block with its own text, through SiYuan's own API; containers that are empty are about to go. */
async function tree(id: string): Promise<Tree[]> {
  const blocks = await siyuan.children(id);
  const leaves = ["p", "h", "c", "m", "t", "tb", "html", "query_embed"];
  return Promise.all(
    blocks.map(async (block) => {
      const isLeaf = leaves.includes(block.type);
      return { id: block.id, text: isLeaf ? (block.markdown ?? "") : "", blocks: isLeaf ? [] : await tree(block.id) };
    }),
  );
}

const flat = (blocks: readonly Tree[]): Tree[] => blocks.flatMap((block) => [block, ...flat(block.blocks)]);
const find = (blocks: readonly Tree[], id: string) => flat(blocks).find((block) => block.id === id) as Tree;

/** Documents of the notebook besides these, complete. */
async function othersThan(...touched: string[]) {
  const all = await notebookSnapshot(siyuan, scratch.notebook);
  return Object.fromEntries(Object.entries(all).filter(([id]) => !touched.includes(id)));
}

describe("block.move", () => {
  it("moves one block behind another or first into a container, and changes nothing else", async () => {
    const { id, blocks } = await scratch.document('a\n\n**b** `x` ((20200101000000-zzzzzzz "y"))\n\nc\n\n> q');
    const [a = "", b = "", c = "", quote = ""] = blocks;
    await siyuan.setAttributes(b, { memo: "kept", "custom-k": "v", name: "n" });
    await scratch.document(`see ((${b} "b"))`);
    const before = await tree(id);
    const rest = await othersThan(id);
    const call = move({ id: b }, { previousID: c });
    const preflight = await client.preflight("block", call);
    expect(preflight).toMatchObject({
      preconditionField: "expectedStructureHash",
      targetCount: 2,
      preview: { blocks: 1, moved: [{ id: b, type: "NodeParagraph" }], toParent: id, behind: c },
    });
    expect(await tree(id)).toEqual(before);
    const form = await siyuan.kramdown(b);
    const done = await legacy.commit("block", { ...call, ...credentialsOf(preflight) });
    expect(done).toMatchObject({
      success: true,
      id: b,
      ids: [b],
      count: 1,
      parentID: id,
      finalOrder: [b],
      safety: { transactionState: "committed" },
    });
    expect(await tree(id)).toEqual([a, c, b, quote].map((block) => find(before, block)));
    expect(await othersThan(id)).toEqual(rest);
    const attributes = (text: string) =>
      (text.match(/[\w-]+="[^"]*"/g) ?? []).filter((one) => !one.startsWith("updated")).sort();
    expect(attributes(await siyuan.kramdown(b))).toEqual(attributes(form));
    const again = await legacy.ok("block", { ...call, ...credentialsOf(preflight), confirm: true });
    expect(again).toMatchObject({ id: b, safety: { replayed: true, transactionState: "committed" } });

    expect(await commit(move({ id: a }, { parentID: quote }))).toMatchObject({ parentID: quote, finalOrder: [a] });
    const inner = find(before, quote).blocks;
    expect(await tree(id)).toEqual([
      find(before, c),
      find(before, b),
      { ...find(before, quote), blocks: [find(before, a), ...inner] },
    ]);
    expect(await commit(move({ id: c }, { parentID: id }))).toMatchObject({
      safety: { transactionState: "no_change" },
    });
    expect(await commit(move({ id: b }, { previousID: c, parentID: id }))).toMatchObject({
      safety: { transactionState: "no_change" },
    });
    expect(await othersThan(id)).toEqual(rest);
  });

  it("moves a group in the given order, within a document, to another one and to another notebook", async () => {
    const { id, blocks } = await scratch.document("a\n\nb\n\n> c\n> \n> d\n\n- e\n- f\n\nlast");
    const [a = "", b = "", c = "", e = "", last = ""] = blocks;
    const before = await tree(id);
    const all = (...wanted: string[]) => wanted.map((block) => find(before, block));
    const order = [e, a, c];
    const done = await commit(move({ ids: order }, { previousID: last }));
    expect(done).toMatchObject({ ids: order, count: 3, finalOrder: order, safety: { transactionState: "committed" } });
    expect(done.id).toBeUndefined();
    expect(await tree(id)).toEqual(all(b, last, e, a, c));
    const target = await scratch.document("x\n\ny");
    const rest = await othersThan(id, target.id);
    await commit(move({ ids: [c, b] }, { previousID: target.blocks[0] }));
    expect((await ids(target.id)).slice(0, 3)).toEqual([target.blocks[0], c, b]);
    expect(await tree(id)).toEqual(all(last, e, a));
    expect(find(await tree(target.id), c)).toEqual(find(before, c));
    const far = await siyuan.data<string>("/api/filetree/createDocWithMd", {
      notebook: other,
      path: "/far",
      markdown: "z",
    });
    const [z = ""] = await ids(far);
    const away = await commit(move({ ids: [a, e, last] }, { parentID: far }));
    expect(away.notes).toEqual([expect.stringContaining("another document")]);
    expect(await ids(far)).toEqual([a, e, last, z]);
    expect(away.createdBlockIDs).toEqual(await ids(id));
    expect(await texts(id)).toHaveLength(1);
    for (const block of [a, e, last]) {
      const { notebook, path } = await siyuan.data<{ notebook: string; path: string }>("/api/filetree/getPathByID", {
        id: block,
      });
      expect([notebook, path]).toEqual([other, `/${far}.sy`]);
    }
    expect(await othersThan(id, target.id)).toEqual(rest);
  });

  it("names the containers that go with their last block, and leaves callouts", async () => {
    const { id, blocks } = await scratch.document("> > a\n\n- b\n- c\n\n> [!NOTE]\n> d\n\nlast");
    const [quote = "", list = "", callout = "", last = ""] = blocks;
    const inner = await child(quote);
    const a = await child(inner);
    const item = await child(list);
    const b = await child(item);
    const d = await child(callout);
    const call = move({ ids: [a, b, d] }, { previousID: last });
    const preflight = await client.preflight("block", call);
    const removed = expect.arrayContaining([inner, quote, item]);
    expect(preflight.preview).toMatchObject({ alsoRemoved: removed });
    const done = await legacy.commit("block", { ...call, ...credentialsOf(preflight) });
    expect(done).toMatchObject({
      finalOrder: [a, b, d],
      alsoRemoved: removed,
      notes: [expect.stringContaining("drops")],
    });
    expect(done.alsoRemoved).toHaveLength(3);
    // SiYuan drops one level at each load of the document.
    for (const text of ["one", "two"]) {
      await siyuan.data("/api/block/appendBlock", { parentID: id, dataType: "markdown", data: text });
      await siyuan.dom(id);
    }
    expect((await ids(id)).slice(0, 6)).toEqual([list, callout, last, a, b, d]);
    expect(await ids(list)).toHaveLength(1);
    expect(await ids(callout)).toEqual([]);
  });

  it("unwraps a quote: its only block goes behind it, and others behind that one", async () => {
    const { id, blocks } = await scratch.document("> a\n\nx\n\nlast");
    const [quote = "", x = "", last = ""] = blocks;
    const a = await child(quote);
    expect(await commit(move({ ids: [a, last] }, { previousID: quote }))).toMatchObject({ alsoRemoved: [quote] });
    expect((await ids(id)).filter((block) => block !== quote)).toEqual([a, last, x]);
  });

  it("moves list items among lists of their kind, and nested ones with their list", async () => {
    const { blocks } = await scratch.document("- a\n  - a1\n- b\n\ntext\n\n- c\n\ntext\n\n1. one\n2. two\n3. three");
    const [first = "", , second = "", , ordered = ""] = blocks;
    const [a = "", b = ""] = await ids(first);
    const nested = await child(a, 1);
    const a1 = await child(nested);
    const c = await child(second);
    expect(await commit(move({ ids: [a1, b] }, { previousID: c }))).toMatchObject({ alsoRemoved: [nested] });
    expect(await ids(second)).toEqual([c, a1, b]);
    expect(await commit(move({ id: b }, { parentID: second }))).toMatchObject({ finalOrder: [b] });
    expect(await ids(second)).toEqual([b, c, a1]);
    const [one = "", two = "", three = ""] = await ids(ordered);
    await commit(move({ ids: [three, one] }, { parentID: ordered }));
    expect(await ids(ordered)).toEqual([three, one, two]);
    expect(await texts(three)).toEqual(["three"]);
  });

  it("an open heading goes alone, a folded one with its section, and behind a folded one means behind its section", async () => {
    const { id, blocks } = await scratch.document("# h\n\ns\n\n> t\n\n# g\n\nend");
    const [h = "", s = "", t = "", g = "", end = ""] = blocks;
    const open = await commit(move({ id: h }, { previousID: end }));
    expect(open.notes).toEqual([expect.stringContaining("alone")]);
    expect(await ids(id)).toEqual([s, t, g, end, h]);
    await commit(move({ id: h }, { parentID: id }));
    await siyuan.data("/api/block/foldBlock", { id: h });
    expect(await commit(move({ id: h }, { parentID: id }))).toMatchObject({
      safety: { transactionState: "no_change" },
    });
    const folded = await commit(move({ ids: [h, g] }, { previousID: end }));
    expect(folded).toMatchObject({ finalOrder: [h, g], alsoMoved: [s, t] });
    expect(folded.notes).toEqual(expect.arrayContaining([expect.stringContaining("takes its section")]));
    expect(await ids(id)).toEqual([end, h, s, t, g]);
    const behind = await commit(move({ id: end }, { previousID: h }));
    expect(behind.notes).toEqual([expect.stringContaining("behind its section")]);
    expect(await ids(id)).toEqual([h, s, t, end, g]);
    expect((await refused(move({ id: s }, { previousID: g }))).message).toContain("folded section");
    expect((await refused(move({ id: g }, { previousID: s }))).message).toContain("folded section");
    expect((await refused(move({ id: g }, { parentID: t }))).message).toContain("folded section");
    expect(await ids(id)).toEqual([h, s, t, end, g]);
  });

  it("moves a hundred blocks at once, in order", async () => {
    const { id, blocks } = await scratch.document(
      Array.from({ length: 101 }, (_value, index) => `p${index}`).join("\n\n"),
    );
    const [first = "", ...rest] = blocks;
    const wanted = rest.map((_id, index) => rest[(index * 37 + 11) % 100] ?? "");
    expect(await commit(move({ ids: wanted }, { previousID: first }))).toMatchObject({
      count: 100,
      finalOrder: wanted,
    });
    expect(await ids(id)).toEqual([first, ...wanted]);
  });

  it("refuses what would break a note, and names the argument", async () => {
    const { id, blocks } = await scratch.document("> a\n\n- b\n- c\n\nx\n\n# h\n\n1. n\n\n- [ ] t");
    const [quote = "", list = "", x = "", h = "", ordered = "", tasks = ""] = blocks;
    const a = await child(quote);
    const [b = "", c = ""] = await ids(list);
    const n = await child(ordered);
    const t = await child(tasks);
    const before = await tree(id);
    const cases: [string, Fields, Fields, string][] = [
      ["invalid_arguments", { id: quote }, { parentID: quote }, "parentID"],
      ["invalid_arguments", { id: quote }, { previousID: a }, "previousID"],
      ["invalid_arguments", { id: quote }, { previousID: quote }, "previousID"],
      ["invalid_arguments", { ids: [x, h] }, { previousID: h }, "previousID"],
      ["invalid_arguments", { ids: [quote, a] }, { previousID: x }, "ids.1"],
      ["invalid_arguments", { ids: [x, x] }, { previousID: h }, "ids"],
      ["invalid_arguments", { id: x }, { parentID: h }, "parentID"],
      ["invalid_arguments", { id: h }, { parentID: x }, "parentID"],
      ["invalid_arguments", { id: x }, { previousID: a, parentID: id }, "parentID"],
      ["invalid_arguments", { id: x }, {}, "previousID"],
      ["content_would_be_lost", { id: b }, { previousID: x }, "id"],
      ["content_would_be_lost", { id: b }, { parentID: id }, "id"],
      ["content_would_be_lost", { id: x }, { previousID: b }, "id"],
      ["content_would_be_lost", { ids: [c, x] }, { parentID: list }, "ids.1"],
      ["content_would_be_lost", { id: n }, { previousID: b }, "id"],
      ["content_would_be_lost", { id: t }, { parentID: list }, "id"],
      ["not_a_block", { id }, { previousID: x }, "id"],
      ["not_a_block", { ids: [x, id] }, { parentID: quote }, "ids.1"],
      ["not_a_block", { id: x }, { previousID: id }, "previousID"],
      ["block_not_found", { id: missing }, { previousID: x }, "id"],
      ["block_not_found", { ids: [x, missing] }, { previousID: a }, "ids.1"],
      ["block_not_found", { id: x }, { previousID: missing }, "previousID"],
      ["block_not_found", { id: x }, { parentID: missing }, "parentID"],
      ["block_not_found", { id: x }, { parentID: scratch.notebook }, "parentID"],
      ["invalid_arguments", { id: "zz" }, { previousID: x }, "id"],
      ["invalid_arguments", { id: x }, { previousID: "" }, "previousID"],
      ["invalid_arguments", { ids: [] }, { previousID: x }, "ids"],
      ["invalid_arguments", { id: x, ids: [x] }, { previousID: a }, "ids"],
      ["invalid_arguments", { id: x }, { nextID: a }, "nextID"],
    ];
    for (const [code, what, to, field] of cases) {
      const error = await refused(move(what, to));
      expect([error.code, error.fields?.[0]?.path, what, to]).toEqual([code, field, what, to]);
    }
    expect(await tree(id)).toEqual(before);
    const deep = await scratch.document(`${">".repeat(95)} d\n\n${">".repeat(10)} e`);
    let innermost = deep.blocks[0] ?? "";
    for (let level = 1; level < 95; level++) innermost = await child(innermost);
    expect(await refused(move({ id: deep.blocks[1] }, { parentID: innermost }))).toMatchObject({
      code: "nesting_too_deep",
    });
  });

  it("asks for a confirmation", async () => {
    const { id, blocks } = await scratch.document("a\n\nb");
    const call = move({ id: blocks[0] }, { previousID: blocks[1] });
    const credentials = credentialsOf(await client.preflight("block", call));
    expect((await legacy.call("block", { ...call, ...credentials })).structured.error.code).toBe(
      "dangerous_action_requires_confirmation",
    );
    expect(await ids(id)).toEqual(blocks);
  });

  type Scene = { source: string; target: string; a: string; b: string; x: string; y: string };
  const insert = (previousID: string) =>
    siyuan.data("/api/block/insertBlock", { previousID, dataType: "markdown", data: "theirs" });
  const remove = async (block: string, document: string) => {
    await siyuan.data("/api/block/deleteBlock", { id: block });
    await siyuan.data("/api/block/getDocInfo", { id: document });
  };
  const changes: [string, (scene: Scene) => Promise<unknown>][] = [
    ["an edit of the block", ({ a }) => siyuan.update(a, "theirs")],
    ["an attribute of the block", ({ a }) => siyuan.setAttributes(a, { memo: "theirs" })],
    ["a new block beside it", ({ b }) => insert(b)],
    ["a block beside it gone", ({ b, source }) => remove(b, source)],
    ["another order beside it", ({ a, b }) => siyuan.data("/api/block/moveBlock", { id: a, previousID: b })],
    ["a new block in the target", ({ y }) => insert(y)],
    ["the anchor gone", ({ x, target }) => remove(x, target)],
    ["another order in the target", ({ x, y }) => siyuan.data("/api/block/moveBlock", { id: x, previousID: y })],
    ["the block gone", ({ a, source }) => remove(a, source)],
    ["the target's document gone", ({ target }) => siyuan.data("/api/filetree/removeDocByID", { id: target })],
  ];
  it.each(changes)("stops after %s behind the preflight", async (_name, change) => {
    const from = await scratch.document("a\n\nb\n\nc");
    const to = await scratch.document("x\n\ny\n\nz");
    const [a = "", b = ""] = from.blocks;
    const [x = "", y = ""] = to.blocks;
    const call = move({ id: a }, { previousID: x });
    const credentials = credentialsOf(await client.preflight("block", call));
    await change({ source: from.id, target: to.id, a, b, x, y });
    const before = await notebookSnapshot(siyuan, scratch.notebook);
    const { structured } = await legacy.call("block", { ...call, ...credentials, confirm: true });
    expect(structured.error.code).toBe("state_changed");
    expect(await notebookSnapshot(siyuan, scratch.notebook)).toEqual(before);
  });

  it("does not mind edits elsewhere in the documents", async () => {
    const { id, blocks } = await scratch.document("a\n\nb\n\n> q");
    const [a = "", b = "", quote = ""] = blocks;
    const call = move({ id: a }, { previousID: b });
    const credentials = credentialsOf(await client.preflight("block", call));
    await siyuan.update(await child(quote), "theirs");
    expect((await legacy.commit("block", { ...call, ...credentials })).safety.transactionState).toBe("committed");
    expect(await ids(id)).toEqual([b, a, quote]);
  });

  it("needs the right to write on both sides, when it starts", async () => {
    const { id, blocks } = await scratch.document("a\n\nb");
    const far = await siyuan.data<string>("/api/filetree/createDocWithMd", {
      notebook: other,
      path: "/far",
      markdown: "z",
    });
    const call = move({ id: blocks[0] }, { parentID: far });
    for (const side of [scratch.notebook, other]) {
      const credentials = credentialsOf(await client.preflight("block", call));
      await scratch.setPermission(side, "r");
      const { structured } = await legacy.call("block", { ...call, ...credentials, confirm: true });
      expect(structured.error).toMatchObject({ code: "permission_denied", notebook: side, requiredPermission: "rw" });
      await scratch.setPermission(side, "rw");
    }
    expect(await ids(id)).toEqual(blocks);
  });
});

describe.skipIf(tierName === "live")("faults", () => {
  afterEach(() => setFaults(siyuan, []));
  const movePath = "/api/transactions";

  async function prepared() {
    const { id, blocks } = await scratch.document("a\n\nb\n\nc");
    const [a = "", b = "", c = ""] = blocks;
    const call = move({ ids: [b, a] }, { previousID: c });
    return { id, a, b, c, call: { ...call, ...credentialsOf(await client.preflight("block", call)), confirm: true } };
  }

  const lies: [FaultRule["kind"], string, boolean][] = [
    ["lost-answer", "outcome_unknown", true],
    ["no-effect", "readback_mismatch", false],
  ];
  it.each(lies)("%s is unknown until the notes tell, and nothing is sent again", async (kind, code, isMoved) => {
    const { id, a, b, c, call } = await prepared();
    await setFaults(siyuan, [{ path: movePath, kind, times: 1 }]);
    await countRequests(tier);
    const { structured } = await legacy.call("block", call);
    expect(structured).toMatchObject({ transactionState: "unknown", error: { code } });
    const again = (await legacy.call("block", call)).structured;
    expect((await countRequests(tier))[movePath]).toBe(1);
    if (isMoved)
      expect(again).toMatchObject({
        ids: [b, a],
        finalOrder: [b, a],
        safety: { transactionState: "committed", reconciled: true },
      });
    else expect(again.error.code).toBe("state_unchanged");
    expect(await ids(id)).toEqual(isMoved ? [c, b, a] : [a, b, c]);
  });

  it("a lost answer of a move between documents is settled where the old one holds the blocks no more", async () => {
    const [from, to] = [await scratch.document("a\n\nb"), await scratch.document("c")];
    const [a = "", b = ""] = from.blocks;
    const args = move({ ids: [a, b] }, { previousID: to.blocks[0] ?? "" });
    const call = { ...args, ...credentialsOf(await client.preflight("block", args)), confirm: true };
    await setFaults(siyuan, [{ path: movePath, kind: "lost-answer", times: 1 }]);
    expect((await legacy.call("block", call)).structured.error.code).toBe("outcome_unknown");
    await setFaults(siyuan, []);
    expect((await legacy.call("block", call)).structured).toMatchObject({
      finalOrder: [a, b],
      safety: { transactionState: "committed", reconciled: true },
    });
    expect(await ids(to.id)).toEqual([...to.blocks, a, b]);
    expect(await ids(from.id)).not.toContain(a);
  });

  it("a lost answer stays unknown when somebody changed the place since", async () => {
    const { id, a, b, c, call } = await prepared();
    await setFaults(siyuan, [{ path: movePath, kind: "lost-answer", times: 1 }]);
    await legacy.call("block", call);
    await siyuan.data("/api/block/moveBlock", { id: b, previousID: a });
    expect((await legacy.call("block", call)).structured.error.code).toBe("outcome_unknown");
    expect(await ids(id)).toEqual([c, a, b]);
  });

  it("a refusal that moved nothing is not unknown", async () => {
    const { id, a, b, c, call } = await prepared();
    await setFaults(siyuan, [{ path: movePath, kind: "code-1", times: 1 }]);
    expect((await legacy.call("block", call)).structured).toMatchObject({ transactionState: "rejected" });
    expect(await ids(id)).toEqual([a, b, c]);
  });

  it("finds its receipt after a restart", async () => {
    const { call } = await prepared();
    await legacy.ok("block", call);
    await restartPlugin(siyuan);
    expect((await legacy.ok("block", call)).safety).toMatchObject({ replayed: true, transactionState: "committed" });
  });
});
