// Facts: a document's body replaced by its id, many blocks in one transaction, references moved by name, an index that catches up.
import { describe, expect, test } from "vitest";
import { missing, type WriteAnswer } from "./host.ts";
import { useHost } from "./use-host.ts";

let notebook: string;

const { api } = useHost((made) => {
  notebook = made;
});

const texts = async (id: string) => (await api.children(id)).map((block) => block.markdown ?? "");
const lines = (word: string, count: number) => Array.from({ length: count }, (_, index) => `${word} ${index}`);

describe("updateBlock of a document", { timeout: 30_000 }, () => {
  test("replaces the whole body, keeps the root's attributes, and echoes the new blocks last", async () => {
    const id = await api.document(notebook, "one\n\ntwo");
    await api.data("attr/setBlockAttrs", { id, attrs: { icon: "1f4d4", "custom-a": "1" } });
    const data = 'new\n\n- list\n{: id="20260101000000-overwri"}';
    const answer = await api.data<WriteAnswer[]>("block/updateBlock", { id, dataType: "markdown", data });
    const operations = answer[0]?.doOperations ?? [];
    expect(operations.map(({ action }) => action)).toEqual(["delete", "delete", "insert"]);
    expect(operations[2]?.parentID).toBe(id);
    expect(operations[2]?.data.match(/data-node-index/g)?.length).toBe(2);
    expect(await texts(id)).toEqual(["new", "- list"]);
    expect((await api.children(id))[1]?.id).toBe("20260101000000-overwri");
    const { ial } = await api.data<{ ial: Record<string, string> }>("block/getDocInfo", { id });
    expect(ial).toMatchObject({ icon: "1f4d4", "custom-a": "1", title: "Facts" });
  });

  test("is seen whole or not at all, and leaves one empty paragraph for no text", async () => {
    const id = await api.document(notebook, lines("old", 120).join("\n\n"));
    const seen = new Set<number>();
    let running = true;
    const watch = (async () => {
      while (running) seen.add((await api.children(id)).length);
    })();
    await api.data("block/updateBlock", { id, dataType: "markdown", data: lines("new", 90).join("\n\n") });
    running = false;
    await watch;
    expect([...seen].filter((length) => length !== 120 && length !== 90)).toEqual([]);
    expect(await texts(id)).toEqual(lines("new", 90));
    await api.data("block/updateBlock", { id, dataType: "markdown", data: "" });
    expect(await texts(id)).toEqual([""]);
  });

  test("empties a reference to a block of the old body", async () => {
    const id = await api.document(notebook, "old");
    const [old] = await api.children(id);
    await api.data("block/updateBlock", { id, dataType: "markdown", data: `((${old?.id} "x")) ((${id} "y"))` });
    const dom = await api.dom(id);
    expect(dom).toContain('data-id="">x<');
    expect(dom).toContain(`data-id="${id}">y<`);
  });
});

describe("many updates in one transaction", { timeout: 30_000 }, () => {
  const update = async (id: string, change: (dom: string) => string) => ({
    action: "update",
    id,
    data: change(await api.dom(id)),
  });

  test("are written together, stamped anew without a stamp, and literal text stays text", async () => {
    const id = await api.document(notebook, "one\n\ntwo\n\nthree");
    const ids = (await api.children(id)).map((block) => block.id);
    const old = ' updated="20200101000000"';
    const doOperations = [
      await update(ids[0] as string, (dom) =>
        dom.replace(/ updated="\d*"/, "").replace(">one<", ">**1** #t# [a](b) $x$ &lt;u&gt;<"),
      ),
      await update(ids[1] as string, (dom) => dom.replace(/ updated="\d*"/, old).replace(">two<", ">2<")),
    ];
    await api.data("transactions", { transactions: [{ doOperations, undoOperations: [] }], reqId: 1 });
    const dom = await api.dom(id);
    expect(dom).toContain(">**1** #t# [a](b) $x$ &lt;u&gt;<");
    expect(dom).toContain(">2<");
    expect(dom).toContain(old);
    expect(dom.match(/ updated="\d{14}"/g)).toHaveLength(3);
    expect((await api.children(id)).map((block) => block.id)).toEqual(ids);
  });

  test("are written not at all where one has no target, with code 0", async () => {
    const id = await api.document(notebook, "one");
    const [block] = await api.children(id);
    const good = await update(block?.id ?? "", (dom) => dom.replace(">one<", ">1<"));
    const doOperations = [good, { ...good, id: missing }];
    await api.data("transactions", { transactions: [{ doOperations, undoOperations: [] }], reqId: 1 });
    expect(await texts(id)).toEqual(["one"]);
  });
});

describe("references", { timeout: 30_000 }, () => {
  const holders = async (target: string) =>
    (
      await api.data<{ block_id: string }[]>("query/sql", {
        stmt: `SELECT DISTINCT block_id FROM refs WHERE def_block_id = '${target}' LIMIT 1000`,
        mode: "readonly",
      })
    ).map((row) => row.block_id);

  test("written a moment ago are in the index once flushTransaction answered", async () => {
    const target = await api.document(notebook, "target");
    for (let round = 0; round < 5; round++) {
      const id = await api.document(notebook, `((${target} "x"))`);
      const [block] = await api.children(id);
      await api.data("sqlite/flushTransaction");
      expect(await holders(target)).toContain(block?.id);
    }
    const many = await api.document(notebook, lines(`((${target} "y"))`, 80).join("\n\n"));
    await api.data("sqlite/flushTransaction");
    // A LIMIT lifts the default of 64 rows.
    expect((await holders(target)).length).toBe(85);
    expect((await api.children(many)).length).toBe(80);
  });

  test("move in named blocks, indexed or not; the text of their own stays, the other follows", async () => {
    const [from, to] = [await api.document(notebook, "from", "/From"), await api.document(notebook, "to", "/To")];
    const id = await api.document(notebook, `((${from} "mine"))\n\n((${from} 'From'))\n\n((${from} "left"))`);
    const refIDs = (await api.children(id)).map((block) => block.id).slice(0, 2);
    await api.data("block/transferBlockRef", { fromID: from, toID: to, refIDs });
    const dom = await api.dom(id);
    expect(dom).toContain(`data-id="${to}">mine<`);
    expect(dom).toContain(`data-subtype="d" data-id="${to}">To<`);
    expect(dom).toContain(`data-id="${from}">left<`);
  });

  test("are missed without names while the index lags; a missing new target is refused", async () => {
    const [from, to] = [await api.document(notebook, "from"), await api.document(notebook, "to")];
    await api.data("sqlite/flushTransaction");
    const id = await api.document(notebook, `((${from} "x"))`);
    await api.data("block/transferBlockRef", { fromID: from, toID: to });
    expect(await api.dom(id)).toContain(`data-id="${from}"`);
    expect((await api.call("block/transferBlockRef", { fromID: from, toID: missing })).code).toBe(-1);
    expect((await api.call("block/transferBlockRef", { fromID: missing, toID: to })).code).toBe(0);
  });
});
