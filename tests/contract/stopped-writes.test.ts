// Writes of several steps that stop between them: a retry runs the steps that never started, or says how far it got.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { storageFolder } from "../../shared/wire/plugin.js";
import { countRequests, restartPlugin, setFaults } from "./faults.js";
import { LegacyClient } from "./legacy-client.js";
import { credentialsOf, type Fields } from "./modern-client.js";
import { notebookSnapshot } from "./notebook-snapshot.js";
import { useScratch } from "./scratch.js";
import { makeNotebook, setSortMode, visible } from "./structure.js";
import { tierName, useTier } from "./tier.js";

const movePath = "/api/filetree/moveDocs";
const renamePath = "/api/filetree/renameDocByID";
const orderPath = "/api/filetree/changeSort";
const convertPath = "/api/filetree/heading2Doc";
const titlePath = "/api/filetree/renameDoc";
const createPath = "/api/notebook/createNotebook";
const iconPath = "/api/notebook/setNotebookIcon";

describe.skipIf(tierName === "live")("a write that stopped between its steps", () => {
  const tier = useTier();
  const scratch = useScratch(tier);
  const { client, siyuan } = scratch;
  const legacy = new LegacyClient(tier);
  let count = 0;
  let name = "";
  let notebook = "";

  // A write that stays unknown closes its notebook, so each test has its own.
  beforeEach(async () => {
    name = `stopped ${Date.now().toString(36)} ${++count}`;
    notebook = await makeNotebook(scratch, name);
  }, 20_000);
  afterEach(async () => {
    await setFaults(siyuan, []);
    await siyuan.call("/api/notebook/removeNotebook", { notebook });
  });

  const create = (path: string, markdown = `text of ${path}\n\n* a **b**`) =>
    siyuan.data<string>("/api/filetree/createDocWithMd", { notebook, path, markdown });
  const prepared = async (tool: string, call: Fields) => ({
    ...call,
    ...credentialsOf(await client.preflight(tool, call)),
    confirm: true,
  });
  /** The first attempt, with the answer of one request lost. */
  async function lost(tool: string, call: Fields, path: string): Promise<Fields> {
    const commit = await prepared(tool, call);
    await setFaults(siyuan, [{ path, kind: "lost-answer", times: 1 }]);
    await countRequests(tier);
    const { structured } = await legacy.call(tool, commit);
    expect(structured).toMatchObject({ transactionState: "unknown", error: { code: "outcome_unknown" } });
    return commit;
  }
  const resumed = { transactionState: "committed", replayed: false, resumed: true, writeExecuted: true };

  /** A document below another one, on its way to a third place and another title. */
  async function lostMv(): Promise<{ a: string; b: string; inner: string; commit: Fields }> {
    const [a, inner, b] = [await create("/a"), await create("/a/inner"), await create("/b")];
    const commit = await lost("fs", { action: "mv", from: `/${name}/a`, to: `/${name}/b/new` }, movePath);
    return { a, b, inner, commit };
  }

  it("fs.mv: the document that arrived gets its title, and the retry after that sends nothing", async () => {
    const { a, b, inner, commit } = await lostMv();
    const before = await notebookSnapshot(siyuan, notebook);
    expect(before[a]).toMatchObject({ path: `/${b}/${a}.sy`, humanPath: "/b/a" });
    const done = await legacy.ok("fs", commit);
    expect(done).toMatchObject({
      success: true,
      path: `/${name}/a`,
      movedTo: `/${name}/b/new`,
      id: a,
      moved: true,
      renamed: true,
      movedSubDocuments: 1,
      safety: resumed,
    });
    const after = await notebookSnapshot(siyuan, notebook);
    expect(after).toEqual({
      ...before,
      [a]: { ...before[a], title: "new", humanPath: "/b/new", attributes: { ...before[a]?.attributes, title: "new" } },
      [inner]: { ...before[inner], humanPath: "/b/new/inner" },
    });
    expect(await legacy.ok("fs", commit)).toMatchObject({
      id: a,
      safety: { transactionState: "committed", replayed: true, resumed: true },
    });
    expect(await countRequests(tier)).toMatchObject({ [movePath]: 1, [renamePath]: 1 });
    expect(await notebookSnapshot(siyuan, notebook)).toEqual(after);
    const next = { action: "mv", from: `/${name}/b`, to: `/${name}/c` };
    expect(await legacy.ok("fs", await prepared("fs", next))).toMatchObject({
      safety: { transactionState: "committed" },
    });
  });

  it("over a reload of the plugin", async () => {
    const { a, commit } = await lostMv();
    await restartPlugin(siyuan);
    expect((await legacy.call("fs", { ...commit, to: `/${name}/b/other` })).structured.error.code).toBe(
      "idempotency_conflict",
    );
    expect(await legacy.ok("fs", commit)).toMatchObject({ id: a, safety: resumed });
    expect(await countRequests(tier)).toMatchObject({ [movePath]: 1, [renamePath]: 1 });
    expect(await siyuan.data("/api/filetree/getHPathByID", { id: a })).toBe("/b/new");
  });

  const changes: [string, (a: string, b: string) => Promise<unknown>][] = [
    ["the document was edited", async (a) => siyuan.update((await siyuan.children(a))[0]?.id ?? "", "other words")],
    ["the document was renamed", (a) => siyuan.data(renamePath, { id: a, title: "by hand" })],
    ["a document below it came", () => create("/b/a/late")],
    ["the title is taken", () => create("/b/new")],
  ];
  it.each(changes)("fs.mv: nothing is sent when %s meanwhile, and what is left is told", async (_what, change) => {
    const { a, b, commit } = await lostMv();
    await change(a, b);
    const before = await notebookSnapshot(siyuan, notebook);
    await countRequests(tier);
    for (let attempt = 0; attempt < 2; attempt++) {
      expect((await legacy.call("fs", commit)).structured).toMatchObject({
        transactionState: "unknown",
        error: {
          code: "outcome_unknown",
          steps: [
            { name: "move", state: "done" },
            { name: "rename", state: "never sent" },
          ],
        },
      });
    }
    const sent = await countRequests(tier);
    expect([sent[movePath], sent[renamePath]]).toEqual([undefined, undefined]);
    expect(await notebookSnapshot(siyuan, notebook)).toEqual(before);
    // The move has run, so that nothing can come late: the notebook is open.
    const next = { action: "mv", from: `/${name}/b`, to: `/${name}/c` };
    expect(await legacy.ok("fs", await prepared("fs", next))).toMatchObject({
      safety: { transactionState: "committed" },
    });
  });

  it("fs.mv: a step that was refused is not sent again, and the report names it", async () => {
    const a = await create("/a");
    await create("/b");
    const commit = await prepared("fs", { action: "mv", from: `/${name}/a`, to: `/${name}/b/new` });
    await setFaults(siyuan, [{ path: renamePath, kind: "code-1", times: 1 }]);
    await legacy.call("fs", commit);
    await countRequests(tier);
    expect((await legacy.call("fs", commit)).structured.error).toMatchObject({
      code: "outcome_unknown",
      steps: [
        { name: "move", state: "done" },
        { name: "rename", state: "absent" },
      ],
    });
    expect((await countRequests(tier))[renamePath]).toBeUndefined();
    expect(await siyuan.data("/api/filetree/getHPathByID", { id: a })).toBe("/b/a");
  });

  it("a revoke since the first attempt wins", async () => {
    const { a, commit } = await lostMv();
    await scratch.setPermission(notebook, "r");
    expect((await legacy.call("fs", commit)).structured.error.code).toBe("permission_denied");
    expect(await siyuan.data("/api/filetree/getHPathByID", { id: a })).toBe("/b/a");
    await scratch.setPermission(notebook, "rw");
    expect(await legacy.ok("fs", commit)).toMatchObject({ safety: resumed });
  });

  it("two retries at once: the step is sent once", async () => {
    const { a, commit } = await lostMv();
    const ends = await Promise.all(Array.from({ length: 5 }, () => legacy.ok("fs", commit)));
    expect(ends.filter(({ safety }) => !safety.replayed)).toHaveLength(1);
    expect(await countRequests(tier)).toMatchObject({ [movePath]: 1, [renamePath]: 1 });
    expect(await siyuan.data("/api/filetree/getHPathByID", { id: a })).toBe("/b/new");
  });

  it("document.move: the documents that arrived get the asked order, the others keep theirs", async () => {
    await setSortMode(siyuan, notebook, 6);
    const parent = await create("/parent");
    const [one, two] = [await create("/parent/one"), await create("/parent/two")];
    const [a, b, c] = [await create("/a"), await create("/b"), await create("/c")];
    const fromIDs = [a, b, c];
    const call = { action: "move", fromIDs, toID: parent };
    const order = async () => visible(siyuan, notebook, `/${parent}.sy`);
    const others = await order();
    const commit = await lost("document", call, movePath);
    expect((await order()).filter((id) => fromIDs.includes(id))).not.toEqual(fromIDs);
    // The order is compared by itself; its numbers are SiYuan's.
    const content = async () => {
      const snapshot = await notebookSnapshot(siyuan, notebook);
      return Object.fromEntries(Object.entries(snapshot).map(([id, entry]) => [id, { ...entry, sort: 0 }]));
    };
    const before = await content();
    const done = await legacy.ok("document", commit);
    expect(done).toMatchObject({ ids: fromIDs, order: fromIDs, movedSubDocuments: 0, safety: resumed });
    const now = await order();
    expect(now.filter((id) => fromIDs.includes(id))).toEqual(fromIDs);
    expect(now.filter((id) => [one, two].includes(id))).toEqual(others);
    expect(await content()).toEqual(before);
    expect(await countRequests(tier)).toMatchObject({ [movePath]: 1, [orderPath]: 1 });
  });

  it("document.heading_to_doc: the document that came gets its whole title", async () => {
    const source = await create("/source", 'before\n\n# Q&A <b> "x" é😀\n\nx *y*\n\n## in\n\nz');
    const [, heading = ""] = (await siyuan.children(source)).map(({ id }) => id);
    const call = { action: "heading_to_doc", headingID: heading, targetNotebook: notebook };
    const commit = await lost("document", call, convertPath);
    const before = await notebookSnapshot(siyuan, notebook);
    const title = 'Q&A <b> "x" é😀';
    expect(before[heading]?.title).not.toBe(title);
    expect(await legacy.ok("document", commit)).toMatchObject({ id: heading, title, safety: resumed });
    const after = await notebookSnapshot(siyuan, notebook);
    expect(after).toEqual({
      ...before,
      [heading]: {
        ...before[heading],
        title,
        humanPath: `/${title}`,
        attributes: { ...before[heading]?.attributes, title },
      },
    });
    expect(await countRequests(tier)).toMatchObject({ [convertPath]: 1, [titlePath]: 1 });
  });

  it("document.heading_to_doc: an edited document keeps the title it has", async () => {
    const source = await create("/source", "before\n\n# Q&A\n\nx");
    const [, heading = ""] = (await siyuan.children(source)).map(({ id }) => id);
    const call = { action: "heading_to_doc", headingID: heading, targetNotebook: notebook };
    const commit = await lost("document", call, convertPath);
    await siyuan.update((await siyuan.children(heading))[0]?.id ?? "", "others");
    await countRequests(tier);
    expect((await legacy.call("document", commit)).structured.error).toMatchObject({
      code: "outcome_unknown",
      steps: [
        { name: "convert", state: "done" },
        { name: "title", state: "never sent" },
      ],
    });
    expect((await countRequests(tier))[titlePath]).toBeUndefined();
  });

  describe("notebook.create", () => {
    const levels = async () => JSON.parse((await siyuan.readFile(`${storageFolder}/notebookPermissions`)) ?? "{}");
    const named = async (wanted: string) => {
      const { notebooks } = await siyuan.data<{ notebooks: { id: string; name: string; icon: string }[] }>(
        "/api/notebook/lsNotebooks",
        {},
      );
      return notebooks.filter((entry) => entry.name === wanted);
    };

    it("a notebook without its level gets it", async () => {
      const call = { action: "create", name: `${name} made`, icon: "1f600" };
      const commit = await lost("notebook", call, iconPath);
      const [made] = await named(call.name);
      expect((await levels())[made?.id ?? ""]).toBeUndefined();
      expect(await legacy.ok("notebook", commit)).toMatchObject({
        notebook: made?.id,
        permission: "rw",
        safety: resumed,
      });
      expect((await levels())[made?.id ?? ""]).toBe("rw");
      expect(await named(call.name)).toEqual([made]);
      expect(await countRequests(tier)).toMatchObject({ [createPath]: 1, [iconPath]: 1 });
      await siyuan.call("/api/notebook/removeNotebook", { notebook: made?.id });
    });

    it("a level that its owner set meanwhile stays", async () => {
      const call = { action: "create", name: `${name} made`, icon: "1f600" };
      const commit = await lost("notebook", call, iconPath);
      const [made] = await named(call.name);
      await scratch.setPermission(made?.id ?? "", "none");
      expect((await legacy.call("notebook", commit)).structured.error).toMatchObject({
        code: "outcome_unknown",
        createdIds: [made?.id],
        steps: [
          { name: "create", state: "done" },
          { name: "icon", state: "done" },
          { name: "permission", state: "never sent" },
        ],
      });
      expect((await levels())[made?.id ?? ""]).toBe("none");
      await siyuan.call("/api/notebook/removeNotebook", { notebook: made?.id });
    });

    it("while its creation may still run, a notebook of the name is not taken for its own", async () => {
      const call = { action: "create", name: `${name} made` };
      const commit = await lost("notebook", call, createPath);
      expect((await legacy.call("notebook", commit)).structured.error.code).toBe("outcome_unknown");
      const [made] = await named(call.name);
      expect((await levels())[made?.id ?? ""]).toBeUndefined();
      expect((await countRequests(tier))[createPath]).toBe(1);
      await siyuan.call("/api/notebook/removeNotebook", { notebook: made?.id });
    });
  });
});
