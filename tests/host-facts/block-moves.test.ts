// Facts: moves of blocks in one transaction: order, all or nothing, folded sections, and containers that become empty.
import { describe, expect, test } from "vitest";
import { missing } from "./host.ts";
import { useHost } from "./use-host.ts";

let notebook: string;

const { api } = useHost((made) => {
  notebook = made;
});

type Move = { id?: string; previousID?: string; parentID?: string };
const move = (...moves: Move[]) =>
  api.call("transactions", {
    transactions: [{ doOperations: moves.map((fields) => ({ action: "move", ...fields })) }],
    reqId: 1,
  });

const ids = async (id: string) => (await api.children(id)).map((child) => child.id);
const texts = async (id: string) => (await api.children(id)).map((child) => child.markdown);
async function document(markdown: string): Promise<{ id: string; blocks: string[] }> {
  const id = await api.document(notebook, markdown);
  return { id, blocks: await ids(id) };
}
const child = async (id: string | undefined, index = 0) => (await ids(id ?? ""))[index] ?? "";

/** SiYuan drops one level of empty containers at each load: two writes are enough for these documents. */
async function settle(id: string): Promise<void> {
  for (const text of ["one", "two"]) {
    await api.data("block/appendBlock", { parentID: id, dataType: "markdown", data: text });
    await api.dom(id);
  }
}

describe("moves in one transaction", { timeout: 30_000 }, () => {
  test("a chain keeps its order, in a document, into a container and to another document", async () => {
    const { id, blocks } = await document("a\n\nb\n\nc\n\n> q");
    const [a, b, c, quote] = blocks;
    expect(await move({ id: a, previousID: c }, { id: b, previousID: a })).toMatchObject({ code: 0 });
    expect(await texts(id)).toEqual(["c", "a", "b", "> q"]);
    await move({ id: b, parentID: quote }, { id: c, previousID: b });
    expect(await texts(quote ?? "")).toEqual(["b", "c", "q"]);
    const other = await document("x\n\ny");
    await move({ id: a, previousID: other.blocks[0] }, { id: b, previousID: a });
    expect(await texts(other.id)).toEqual(["x", "a", "b", "y"]);
    expect(await ids(id)).toEqual([quote]);
    for (const moved of [a, b]) {
      const { path } = await api.data<{ path: string }>("filetree/getPathByID", { id: moved });
      expect(path).toBe(`/${other.id}.sy`);
    }
  });

  test("one that fails undoes all, with code 0", async () => {
    const { id, blocks } = await document("a\n\nb\n\nc");
    const [a, , c] = blocks;
    expect(await move({ id: a, previousID: c }, { id: missing, previousID: a })).toMatchObject({ code: 0 });
    expect(await ids(id)).toEqual(blocks);
  });

  test("an emptied container is a good anchor until the transaction is over, then it goes", async () => {
    const { id, blocks } = await document("> a\n\nx");
    const [quote, x] = blocks;
    const a = await child(quote);
    await move({ id: a, previousID: quote }, { id: x, previousID: a });
    await settle(id);
    expect(await texts(id)).toEqual(["a", "x", "one", "two"]);
  });

  test("lists, items, quotes and super blocks go with their last block, callouts stay", async () => {
    const { id, blocks } = await document("- a\n- b\n\n> > c\n\n> [!NOTE]\n> d\n\n{{{row\ne\n\nf\n\n}}}\n\nlast");
    const [list, quote, callout, superBlock, last] = blocks;
    const a = await child(await child(list));
    const c = await child(await child(quote));
    const d = await child(callout);
    const [e, f] = await ids(superBlock ?? "");
    await move(...[a, c, d, e].map((block) => ({ id: block, previousID: last })));
    await settle(id);
    expect(await ids(list ?? "")).toHaveLength(1);
    expect(await ids(superBlock ?? "")).toEqual([f]);
    expect((await ids(id)).slice(0, 8)).toEqual([list, callout, superBlock, last, e, d, c, a]);
    await move({ id: f, previousID: last });
    await settle(id);
    expect(await ids(id)).not.toContain(superBlock);
    expect(await ids(id)).toContain(callout);
  });

  test("a document that loses its last block gets an empty paragraph", async () => {
    const { id, blocks } = await document("only");
    const other = await document("x");
    await move({ id: blocks[0], previousID: other.blocks[0] });
    const [left, ...more] = await api.children(id);
    expect([left?.markdown ?? "", more.length]).toEqual(["", 0]);
    expect(left?.id).not.toBe(blocks[0]);
  });

  test("a folded heading takes its section along, and what goes behind it goes behind the section", async () => {
    const { id, blocks } = await document("# h\n\ns\n\n# g\n\nend");
    const [h, s, g, end] = blocks;
    await api.data("block/foldBlock", { id: h });
    await move({ id: end, previousID: h });
    expect(await ids(id)).toEqual([h, s, end, g]);
    await move({ id: h, previousID: g });
    expect(await ids(id)).toEqual([end, g, h, s]);
    expect(await api.dom(s ?? "")).toContain('heading-fold="1"');
    // A hidden block stays hidden wherever it goes.
    await move({ id: s, previousID: end });
    expect(await ids(id)).toEqual([end, s, g, h]);
    expect(await api.dom(s ?? "")).toContain('heading-fold="1"');
  });

  test("first in a list item, a task item, a callout and a super block", async () => {
    const { blocks } = await document("- a\n\n- [ ] t\n\n> [!NOTE]\n> d\n\n{{{row\ne\n\nf\n\n}}}\n\nw\n\nx\n\ny\n\nz");
    const [list, tasks, callout, superBlock, ...moved] = blocks;
    const targets = [await child(list), await child(tasks), callout ?? "", superBlock ?? ""];
    for (const [index, parentID] of targets.entries()) {
      await move({ id: moved[index], parentID });
      expect(await child(parentID)).toBe(moved[index]);
    }
  });

  test("into itself or its own inside: code 0, nothing done; unchecked: anything into a list", async () => {
    const { id, blocks } = await document("> a\n\n- i\n\nx");
    const [quote, list, x] = blocks;
    expect(await move({ id: quote, parentID: quote })).toMatchObject({ code: 0 });
    expect(await move({ id: quote, previousID: await child(quote) })).toMatchObject({ code: 0 });
    expect(await ids(id)).toEqual(blocks);
    await move({ id: x, previousID: await child(list) });
    expect((await api.children(list ?? "")).map(({ type }) => type)).toEqual(["i", "p"]);
  });
});
