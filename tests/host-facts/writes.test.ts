// Facts: how writes become visible, and which answers of code 0 mean nothing.
import { describe, expect, test } from "vitest";
import { firstOperation, missing, pause, timed, type WriteAnswer } from "./host.ts";
import { useHost } from "./use-host.ts";

let notebook: string;

const { api, host } = useHost((made) => {
  notebook = made;
});

const markdown = (data: string) => ({ dataType: "markdown", data });

async function paragraph(doc: string, text: string): Promise<string> {
  return firstOperation(await api.call<WriteAnswer[]>("block/appendBlock", { ...markdown(text), parentID: doc })).id;
}

describe("the 50 ms transaction queue", { timeout: 30_000 }, () => {
  test("a waiting write takes a tick and is readable when it answers", async () => {
    const doc = await api.document(notebook, "x");
    const { value: id, ms } = await timed(() => paragraph(doc, "written"));
    expect(ms).toBeGreaterThanOrEqual(45);
    expect(await api.kramdown(id)).toContain("written");
  });

  test("parallel writes to one route run one tick after the other", async () => {
    const doc = await api.document(notebook, "x");
    const { ms } = await timed(() => Promise.all(["a", "b", "c", "d"].map((text) => paragraph(doc, text))));
    expect(ms).toBeGreaterThanOrEqual(190);
    expect(await api.children(doc)).toHaveLength(5);
  });

  test("deleteBlock answers early: the block is readable until the next tick, getDocInfo drains", async () => {
    const doc = await api.document(notebook, "first\n\nsecond");
    const second = (await api.children(doc))[1]?.id as string;
    let readableAfterAnswer = 0;
    for (let round = 0; round < 5; round++) {
      const id = await paragraph(doc, `round ${round}`);
      const { ms } = await timed(() => api.data("block/deleteBlock", { id }));
      if (ms < 30 && (await api.kramdown(id)) !== "") readableAfterAnswer++;
      await api.data("block/getDocInfo", { id: doc });
      expect(await api.kramdown(id)).toBe("");
    }
    expect(readableAfterAnswer).toBeGreaterThan(0);
    expect(await api.kramdown(second)).toContain("second");
  });

  test("an update sent right behind a delete of the block is lost with code 0", async () => {
    const doc = await api.document(notebook, "first");
    const id = await paragraph(doc, "victim");
    await api.data("block/deleteBlock", { id });
    const answer = await api.call("block/updateBlock", { ...markdown("revived"), id });
    await api.data("block/getDocInfo", { id: doc });
    // Where the tick came in between, the block was already gone and the answer says so.
    expect([0, -1]).toContain(answer.code);
    expect(await api.kramdown(id)).toBe("");
  });

  test("a request abandoned by its client still runs", async () => {
    const doc = await api.document(notebook, "x");
    const controller = new AbortController();
    const request = fetch(`${host.apiUrl}/api/block/appendBlock`, {
      method: "POST",
      headers: { Authorization: `Token ${host.token}` },
      body: JSON.stringify({ ...markdown("abandoned"), parentID: doc }),
      signal: controller.signal,
    }).catch(() => undefined);
    await pause(25);
    controller.abort();
    await request;
    await pause(200);
    expect(await api.kramdown(doc)).toContain("abandoned");
  });
});

describe("the SQL index", { timeout: 30_000 }, () => {
  const rows = (statement: string) => api.data<Record<string, unknown>[]>("query/sql", { stmt: statement });

  test("lags behind the tree and follows a flush at once", async () => {
    const doc = await api.document(notebook, "lag");
    // SiYuan's own flush, every three seconds, may fall between write and read: then try again.
    let id = "";
    await expect
      .poll(async () => {
        await api.data("sqlite/flushTransaction");
        id = await paragraph(doc, "late");
        return rows(`SELECT id FROM blocks WHERE id = '${id}'`);
      })
      .toEqual([]);
    await api.data("sqlite/flushTransaction");
    expect(await rows(`SELECT id, content FROM blocks WHERE id = '${id}'`)).toEqual([{ id, content: "late" }]);
  });

  test("catches up by itself within a few seconds", async () => {
    const doc = await api.document(notebook, "x");
    const id = await paragraph(doc, "by itself");
    await pause(5000);
    expect(await rows(`SELECT id FROM blocks WHERE id = '${id}'`)).toEqual([{ id }]);
  });

  test("gives at most 64 rows without saying so, unless a LIMIT stands anywhere", async () => {
    const doc = await api.document(notebook, Array.from({ length: 80 }, (_, index) => `p${index}`).join("\n\n"));
    await api.data("sqlite/flushTransaction");
    expect(await rows(`SELECT id FROM blocks WHERE root_id = '${doc}'`)).toHaveLength(64);
    expect(await rows(`SELECT id FROM blocks WHERE root_id = '${doc}' LIMIT 1000`)).toHaveLength(81);
  });

  test("refuses bad statements with code 1 and answers failures while running with no rows", async () => {
    expect(await api.call("query/sql", { stmt: "select * from nope" })).toMatchObject({ code: 1, data: null });
    expect(await api.call("query/sql", { stmt: "select abs(-9223372036854775808)" })).toMatchObject({
      code: 0,
      data: [],
    });
    expect(await api.call("query/sql", {})).toMatchObject({ code: -1, msg: "Field [stmt] is required" });
  });
});

describe("code 0 for writes that changed nothing", { timeout: 30_000 }, () => {
  test("inserting beside an unknown block or without an anchor: id is empty, nothing written", async () => {
    for (const anchor of [{ previousID: missing }, { nextID: missing }, {}]) {
      const answer = await api.call<WriteAnswer[]>("block/insertBlock", { ...markdown("**nowhere**"), ...anchor });
      expect(answer.code).toBe(0);
      expect(firstOperation(answer).id).toBe("");
      expect(firstOperation(answer).data).toContain('<span data-type="strong">nowhere</span>');
    }
  });

  test("inserting behind a document: an id that does not exist", async () => {
    const doc = await api.document(notebook, "x");
    const answer = await api.call<WriteAnswer[]>("block/insertBlock", { ...markdown("y"), previousID: doc });
    expect(answer.code).toBe(0);
    expect(firstOperation(answer).id).not.toBe("");
    expect(await api.kramdown(firstOperation(answer).id)).toBe("");
    expect(await api.children(doc)).toHaveLength(1);
  });

  test("missing required fields of old routes", async () => {
    for (const [route, body] of [
      ["block/updateBlock", { id: missing }],
      ["block/insertBlock", { data: "x" }],
      ["block/deleteBlock", {}],
      ["filetree/renameDocByID", { id: missing }],
      ["filetree/removeDocByID", {}],
      ["filetree/createDocWithMd", { notebook }],
      ["attr/setBlockAttrs", { id: missing }],
    ] as const) {
      expect(await api.call(route, body), route).toEqual({ code: 0, msg: "", data: null });
    }
  });

  test("deleting what is not there, or a document", async () => {
    const doc = await api.document(notebook, "stays");
    expect(await api.call("block/deleteBlock", { id: missing })).toMatchObject({ code: 0 });
    expect(await api.call("block/deleteBlock", { id: doc })).toMatchObject({ code: 0 });
    await api.data("block/getDocInfo", { id: doc });
    expect(await api.kramdown(doc)).toContain("stays");
  });

  test("a bad id in an attribute line", async () => {
    const doc = await api.document(notebook, "x");
    const answer = await api.call("block/appendBlock", { ...markdown('y\n{: id="bad"}'), parentID: doc });
    expect(answer).toMatchObject({ code: 0, data: null });
    expect(await api.children(doc)).toHaveLength(1);
  });

  test("transactions with a failing operation: the whole transaction is discarded", async () => {
    const doc = await api.document(notebook, "before");
    const id = (await api.children(doc))[0]?.id as string;
    const data = (await api.dom(id)).replace("before", "after");
    const operations = [
      { action: "update", id, data },
      { action: "update", id: missing, data },
    ];
    const answer = await api.call("transactions", { reqId: 1, transactions: [{ doOperations: operations }] });
    expect(answer.code).toBe(0);
    expect(await api.kramdown(id)).toContain("before");
    expect(await api.call("transactions", { transactions: [{ doOperations: [] }] })).toMatchObject({
      code: -1,
      msg: "Field [reqId] is required",
    });
    expect(await api.call("transactions", { reqId: 1, transactions: [] })).toMatchObject({ code: -1 });
  });

  test("updateAttrs in a transaction is ignored, setAttrs with text works", async () => {
    const doc = await api.document(notebook, "x");
    const id = (await api.children(doc))[0]?.id as string;
    const run = (action: string) => {
      const operation = { action, id, data: JSON.stringify({ memo: action }) };
      return api.call("transactions", { reqId: 1, transactions: [{ doOperations: [operation] }] });
    };
    expect(await run("updateAttrs")).toMatchObject({ code: 0 });
    expect(await api.kramdown(id)).not.toContain("memo");
    expect(await run("setAttrs")).toMatchObject({ code: 0 });
    expect(await api.kramdown(id)).toContain('memo="setAttrs"');
  });

  test("moving a document to where it already is, or below itself", async () => {
    const parent = await api.document(notebook, "x", "/Mover");
    const child = await api.document(notebook, "x", "/Mover/Child");
    const before = await api.data("filetree/getPathByID", { id: child });
    expect(await api.call("filetree/moveDocsByID", { fromIDs: [child], toID: parent })).toMatchObject({ code: 0 });
    expect(await api.call("filetree/moveDocsByID", { fromIDs: [parent], toID: child })).toMatchObject({ code: 0 });
    expect(await api.data("filetree/getPathByID", { id: child })).toEqual(before);
  });
});

describe("updateBlock of an unknown block", { timeout: 30_000 }, () => {
  test("fails after a second", async () => {
    const { value, ms } = await timed(() => api.call("block/updateBlock", { ...markdown("x"), id: missing }));
    expect(value).toMatchObject({ code: -1, msg: "get block failed: tree not found" });
    expect(ms).toBeGreaterThanOrEqual(900);
  });
});
