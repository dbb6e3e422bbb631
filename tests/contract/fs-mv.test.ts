// fs.mv: a document goes to another path with everything below it, once, and nothing else in the notebooks changes.

import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { countRequests, type FaultRule, restartPlugin, setFaults } from "./faults.js";
import { LegacyClient } from "./legacy-client.js";
import { credentialsOf, type Fields } from "./modern-client.js";
import { notebookSnapshot } from "./notebook-snapshot.js";
import { useScratch } from "./scratch.js";
import { useSecondNotebook } from "./second-notebook.js";
import { clear, folderChanges, makeFolder, makeNotebook } from "./structure.js";
import { tierName, useTier } from "./tier.js";

const tier = useTier();
const scratch = useScratch(tier);
const { client, siyuan } = scratch;
const legacy = new LegacyClient(tier);
const otherName = `other ${Date.now().toString(36)}`;
let other = "";
let name = "";

useSecondNotebook(
  scratch,
  (notebook) => {
    other = notebook;
  },
  otherName,
);

beforeAll(async () => {
  const conf = await siyuan.data<{ name: string }>("/api/notebook/getNotebookConf", { notebook: scratch.notebook });
  name = conf.name;
}, 30_000);

const snapshot = async () => ({
  ...(await notebookSnapshot(siyuan, scratch.notebook)),
  ...(await notebookSnapshot(siyuan, other)),
});
const create = (path: string, notebook = scratch.notebook) =>
  siyuan.data<string>("/api/filetree/createDocWithMd", { notebook, path, markdown: `text of ${path}` });
const mv = (from: string, to: string) => ({ action: "mv", from, to });
const commit = async (call: Fields) =>
  (await legacy.call("fs", { ...call, ...credentialsOf(await client.preflight("fs", call)), confirm: true }))
    .structured;
const place = (id: string) => siyuan.data<{ notebook: string; path: string }>("/api/filetree/getPathByID", { id });

describe("fs.mv", () => {
  it("moves, renames and does both, with everything below", async () => {
    const [a, inner, b] = [await create("/a"), await create("/a/inner"), await create("/b")];
    const reader = await scratch.document(`see ((${a} "there"))`);
    const before = await snapshot();
    const at = (id: string, change: object) => ({ [id]: { ...before[id], ...change } });
    const titled = (id: string, title: string) => ({ title, attributes: { ...before[id]?.attributes, title } });

    const call = mv(`/${name}/a`, `/${name}/b/a`);
    const preflight = await client.preflight("fs", call);
    expect(preflight).toMatchObject({
      preconditionField: "expectedStructureHash",
      targetCount: 2,
      preview: { id: a, from: `/${name}/a`, to: `/${name}/b/a`, subDocuments: 1 },
    });
    expect(await snapshot()).toEqual(before);
    const moved = await legacy.commit("fs", { ...call, ...credentialsOf(preflight) });
    expect(moved).toMatchObject({
      success: true,
      path: `/${name}/a`,
      movedTo: `/${name}/b/a`,
      id: a,
      moved: true,
      renamed: false,
      movedSubDocuments: 1,
      safety: { transactionState: "committed" },
    });
    expect(await snapshot()).toEqual({
      ...before,
      ...at(a, { path: `/${b}/${a}.sy`, humanPath: "/b/a" }),
      ...at(inner, { path: `/${b}/${a}/${inner}.sy`, humanPath: "/b/a/inner" }),
    });
    const again = await legacy.ok("fs", { ...call, ...credentialsOf(preflight), confirm: true });
    expect(again).toEqual({ ...moved, safety: expect.objectContaining({ replayed: true, writeExecuted: false }) });

    const title = 'An "odd" <name> é😀 {{x}}';
    // Without the notebook's name: only one readable note may fit.
    const rare = `b ${Date.now().toString(36)}`;
    await siyuan.data("/api/filetree/renameDocByID", { id: b, title: rare });
    expect(await commit(mv(`/${rare}/a`, `/${rare}/${title}`))).toMatchObject({
      path: `/${name}/${rare}/a`,
      movedTo: `/${name}/${rare}/${title}`,
      moved: false,
      renamed: true,
    });
    await siyuan.data("/api/filetree/renameDocByID", { id: b, title: "b" });
    const both = await commit(mv(`/${name}/b/${title}`, `/${otherName}/again`));
    expect(both).toMatchObject({ moved: true, renamed: true, notebook: other, movedSubDocuments: 1 });
    expect(await snapshot()).toEqual({
      ...before,
      ...at(a, { path: `/${a}.sy`, humanPath: "/again", ...titled(a, "again") }),
      ...at(inner, { path: `/${a}/${inner}.sy`, humanPath: "/again/inner" }),
    });
    expect(await place(inner)).toEqual({ notebook: other, path: `/${a}/${inner}.sy` });
    expect(await siyuan.kramdown(reader.blocks[0] ?? "")).toContain(`((${a} "there"))`);
  });

  it("says when it was there already", async () => {
    await create("/a");
    const before = await snapshot();
    // A path of one name could be a notebook or a title.
    const short = await client.refused("fs", { ...mv(`/${name}/a`, "/a/"), validateOnly: true });
    expect(short).toMatchObject({ code: "invalid_path", fields: [{ path: "to" }] });
    const full = await commit(mv(`/${name}/a`, `/${name}/a`));
    expect(full).toMatchObject({
      moved: false,
      renamed: false,
      safety: { transactionState: "no_change", writeAttempted: false, writeExecuted: false },
    });
    expect(await snapshot()).toEqual(before);
  });

  it("a notebook that was renamed since the preflight is not found by its old name", async () => {
    await create("/a", other);
    const call = mv(`/${otherName}/a`, `/${otherName}/b`);
    const credentials = credentialsOf(await client.preflight("fs", call));
    const before = await snapshot();
    await siyuan.data("/api/notebook/renameNotebook", { notebook: other, name: `${otherName} new` });
    const answer = await legacy.call("fs", { ...call, ...credentials, confirm: true });
    await siyuan.data("/api/notebook/renameNotebook", { notebook: other, name: otherName });
    expect(answer.structured.error.code).toBe("state_changed");
    expect(await snapshot()).toEqual(before);
  });

  it("refuses what exists, what is missing, itself, titles that SiYuan would change, and levels that it forbids", async () => {
    await create("/a/inner");
    await create("/b");
    await create("/twin");
    await create("/twin");
    await create("/1/2/3/4/5/6");
    const before = await snapshot();
    const refused = async (from: string, to: string) => {
      const { code, fields } = await client.refused("fs", { ...mv(from, to), validateOnly: true });
      return `${code} ${fields?.[0]?.path}`;
    };
    expect(await refused(`/${name}/a`, `/${name}/b`)).toBe("invalid_arguments to");
    expect(await refused(`/${name}/a`, `/${name}`)).toBe("invalid_path to");
    expect(await refused(`/${name}/a`, "/")).toBe("invalid_path to");
    expect(await refused(`/${name}/a`, `/${name}/none/a`)).toBe("document_not_found to");
    expect(await refused(`/${name}/none`, `/${name}/x`)).toBe("document_not_found from");
    expect(await refused(`/${name}/twin`, `/${name}/x`)).toBe("ambiguous_path from");
    expect(await refused(`/${name}/a`, `/${name}/twin/a`)).toBe("ambiguous_path to");
    expect(await refused(`/${name}`, `/${name}/x`)).toBe("invalid_path from");
    expect(await refused("/", `/${name}/x`)).toBe("invalid_path from");
    expect(await refused("/AGENTS.md", `/${name}/x`)).toBe("invalid_path from");
    expect(await refused(`/${name}/a`, "/USER_RULES.md")).toBe("invalid_path to");
    expect(await refused(`/${name}/a`, `/${name}/a/inner/a`)).toBe("invalid_arguments to");
    expect(await refused(`/${name}/a`, `/${name}/a/x`)).toBe("invalid_arguments to");
    expect(await refused(`/${name}/a`, `/${name}/x.sy`)).toBe("content_would_be_lost to");
    expect(await refused(`/${name}/a`, `/${name}/x\u200b`)).toBe("content_would_be_lost to");
    expect(await refused(`/${name}/a`, `/${name}/1/2/3/4/5/6/a`)).toBe("invalid_arguments to");
    expect(await refused(`/${name}/a`, `/${name}/../x`)).toBe("invalid_path to");
    for (const fields of [
      { from: "/a" },
      { to: "/a" },
      { from: "", to: "/x" },
      { from: "/a", to: 1 },
      { ...mv("/a", "/x"), force: true },
    ])
      expect((await client.refused("fs", { action: "mv", ...fields, validateOnly: true })).code).toBe(
        "invalid_arguments",
      );
    expect(await snapshot()).toEqual(before);
  });

  it("asks for a confirmation", async () => {
    const a = await create("/a");
    const call = mv(`/${name}/a`, `/${name}/x`);
    const credentials = credentialsOf(await client.preflight("fs", call));
    expect((await legacy.call("fs", { ...call, ...credentials })).structured.error.code).toBe(
      "dangerous_action_requires_confirmation",
    );
    expect(await siyuan.data("/api/filetree/getHPathByID", { id: a })).toBe("/a");
  });

  describe.each(["source", "target"] as const)("behind the preflight, in the %s", (side) => {
    it.each(folderChanges)("%s stops the move", async (_name, change) => {
      const source = await makeFolder(scratch, ["a", "b"]);
      const target = await makeFolder(scratch, ["x", "y"]);
      const call = mv(`/${name}${source.base}/a`, `/${name}${target.base}/new`);
      const credentials = credentialsOf(await client.preflight("fs", call));
      await change(siyuan, scratch.notebook, side === "source" ? source : target);
      const before = await snapshot();
      const { structured } = await legacy.call("fs", { ...call, ...credentials, confirm: true });
      expect(structured.error.code).toBe("state_changed");
      expect(await snapshot()).toEqual(before);
    });
  });

  it("stops when the new path was taken meanwhile, and needs rights on both sides", async () => {
    const a = await create("/a");
    const call = mv(`/${name}/a`, `/${otherName}/a`);
    const credentials = credentialsOf(await client.preflight("fs", call));
    await create("/a", other);
    const late = (given: Fields) => legacy.call("fs", { ...call, ...given, confirm: true });
    expect((await late(credentials)).structured.error.code).toBe("state_changed");
    await clear(siyuan, other);
    for (const side of [scratch.notebook, other]) {
      const fresh = credentialsOf(await client.preflight("fs", call));
      await scratch.setPermission(side, "r");
      expect((await late(fresh)).structured.error).toMatchObject({ code: "permission_denied", notebook: side });
      await scratch.setPermission(side, "rw");
    }
    expect(await place(a)).toEqual({ notebook: scratch.notebook, path: `/${a}.sy` });
  });
});

describe.skipIf(tierName === "live")("faults", () => {
  afterEach(() => setFaults(siyuan, []));
  const movePath = "/api/filetree/moveDocs";
  const renamePath = "/api/filetree/renameDocByID";

  let count = 0;

  /** In a notebook of its own: a write that stays unknown closes it. */
  async function prepared() {
    const own = `faults ${++count}`;
    const notebook = await makeNotebook(scratch, own);
    const [a, b] = [await create("/a", notebook), await create("/b", notebook)];
    const call = mv(`/${own}/a`, `/${own}/b/new`);
    return { a, b, call: { ...call, ...credentialsOf(await client.preflight("fs", call)), confirm: true } };
  }
  const human = (id: string) => siyuan.data<string>("/api/filetree/getHPathByID", { id });

  const lies: [string, FaultRule["kind"], string, string][] = [
    [movePath, "lost-answer", "outcome_unknown", "/b/new"],
    [movePath, "no-effect", "readback_mismatch", "/new"],
    [renamePath, "lost-answer", "outcome_unknown", "/b/new"],
    [renamePath, "no-effect", "readback_mismatch", "/b/a"],
    [renamePath, "code-1", "outcome_unknown", "/b/a"],
  ];
  it.each(lies)(
    "%s with %s is unknown until the notes tell, no step is sent twice, and the document is whole",
    async (path, kind, code, where) => {
      const { a, call } = await prepared();
      await setFaults(siyuan, [{ path, kind, times: 1 }]);
      await countRequests(tier);
      const { structured } = await legacy.call("fs", call);
      expect(structured).toMatchObject({ transactionState: "unknown", error: { code } });
      await legacy.call("fs", call);
      const sent = await countRequests(tier);
      expect([sent[movePath], sent[renamePath] ?? 1]).toEqual([1, 1]);
      expect(await human(a)).toBe(where);
      expect(await siyuan.exported(a)).toContain("text of");
    },
  );

  it("a refused move is not unknown, and nothing is renamed", async () => {
    const { a, call } = await prepared();
    await setFaults(siyuan, [{ path: movePath, kind: "code-1", times: 1 }]);
    expect((await legacy.call("fs", call)).structured).toMatchObject({ transactionState: "rejected" });
    expect(await human(a)).toBe("/a");
  });

  it("finds its receipt after a restart, though the path is gone", async () => {
    const { call } = await prepared();
    await legacy.ok("fs", call);
    await restartPlugin(siyuan);
    expect((await legacy.ok("fs", call)).safety).toMatchObject({ replayed: true, transactionState: "committed" });
  });
});
