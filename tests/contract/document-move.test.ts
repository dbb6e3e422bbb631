// document.move: documents arrive with everything below them, once, in order; nothing else in the notebooks moves.

import { afterEach, describe, expect, it } from "vitest";
import { countRequests, type FaultRule, restartPlugin, setFaults } from "./faults.js";
import { LegacyClient } from "./legacy-client.js";
import { credentialsOf, type Fields } from "./modern-client.js";
import { type DocumentSnapshot, notebookSnapshot } from "./notebook-snapshot.js";
import { useScratch } from "./scratch.js";
import { useSecondNotebook } from "./second-notebook.js";
import { folderChanges, makeFolder, makeNotebook, setSortMode, visible } from "./structure.js";
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

type Snapshot = Record<string, DocumentSnapshot & { notebook: string }>;

/** Both notebooks. */
async function snapshot(): Promise<Snapshot> {
  const all: Snapshot = {};
  for (const notebook of [scratch.notebook, other])
    for (const [id, document] of Object.entries(await notebookSnapshot(siyuan, notebook)))
      all[id] = { ...document, notebook };
  return all;
}

/** The snapshot with a document at another place, and all below it with it. */
function moved(before: Snapshot, id: string, to: { notebook?: string; folder: string; humanFolder: string }): Snapshot {
  const own = before[id] as Snapshot[string];
  const folder = own.path.replace(/\.sy$/, "");
  const after = { ...before };
  for (const [key, document] of Object.entries(before)) {
    if (document.notebook !== own.notebook || (key !== id && !document.path.startsWith(`${folder}/`))) continue;
    after[key] = {
      ...document,
      notebook: to.notebook ?? document.notebook,
      path: `${to.folder}/${id}${document.path.slice(folder.length)}`,
      humanPath: `${to.humanFolder}/${own.title}${document.humanPath.slice(own.humanPath.length)}`,
    };
  }
  return after;
}

const family = async (titles = ["a", "b", "c"]) => {
  const made = await makeFolder(scratch, titles);
  const [a = "", b = "", c = ""] = made.children;
  return { ...made, a, b, c };
};
const move = (fromIDs: readonly string[], toID: string) => ({ action: "move", fromIDs, toID });
const commit = async (call: Fields) => {
  const preflight = await client.preflight("document", call);
  return legacy.call("document", { ...call, ...credentialsOf(preflight), confirm: true });
};
const pathOf = async (id: string) => (await siyuan.data<{ path: string }>("/api/filetree/getPathByID", { id })).path;
const create = (path: string, notebook = scratch.notebook) =>
  siyuan.data<string>("/api/filetree/createDocWithMd", { notebook, path, markdown: `text of ${path}` });

describe("document.move", () => {
  it("moves a document with everything below it and touches nothing else", async () => {
    const { base, parent, a, b } = await family();
    const inner = await create(`${base}/a/inner`);
    const reader = await scratch.document(`see ((${a} "a")) and ((${inner} 'inner'))`);
    await siyuan.setAttributes(a, { memo: "kept", icon: "1f4d4", "custom-k": "v" });
    const before = await snapshot();
    const call = move([a], b);
    const preflight = await client.preflight("document", call);
    expect(preflight).toMatchObject({
      preconditionField: "expectedStructureHash",
      targetCount: 2,
      preview: { documents: [{ id: a, title: "a", subDocuments: 1 }], toNotebook: scratch.notebook },
    });
    expect(await snapshot()).toEqual(before);
    const done = await legacy.commit("document", { ...call, ...credentialsOf(preflight) });
    expect(done).toMatchObject({
      success: true,
      ids: [a],
      count: 1,
      toNotebook: scratch.notebook,
      toID: b,
      movedSubDocuments: 1,
      order: [a],
      safety: { transactionState: "committed" },
    });
    expect(await snapshot()).toEqual(moved(before, a, { folder: `/${parent}/${b}`, humanFolder: `${base}/b` }));
    expect(await siyuan.kramdown(reader.blocks[0] ?? "")).toContain(`((${a} "a"))`);
    const again = await legacy.ok("document", { ...call, ...credentialsOf(preflight), confirm: true });
    expect(again).toMatchObject({ ids: [a], toID: b, safety: { replayed: true, transactionState: "committed" } });
  });

  it("moves to a notebook's root, to another notebook, and by storage paths", async () => {
    const { base, a, b, c } = await family();
    await create(`${base}/a/deep/deeper`);
    const target = await create("/target", other);
    const before = await snapshot();
    expect((await commit(move([a], scratch.notebook))).isError).toBe(false);
    const first = moved(before, a, { folder: "", humanFolder: "" });
    expect(await snapshot()).toEqual(first);
    const call = {
      action: "move",
      fromPaths: [`/${a}.sy`, await pathOf(c)],
      toNotebook: other,
      toPath: `/${target}.sy`,
    };
    const { structured, isError } = await commit(call);
    expect(isError).toBe(false);
    expect(structured).toMatchObject({
      ids: [a, c],
      toNotebook: other,
      toID: target,
      movedSubDocuments: 2,
      order: [a, c],
    });
    const to = { notebook: other, folder: `/${target}`, humanFolder: "/target" };
    const second = moved(moved(first, a, to), c, to);
    expect(await snapshot()).toEqual(second);
    const root = { action: "move", fromPaths: [await pathOf(b)], toNotebook: other, toPath: "/" };
    expect((await commit(root)).structured).toMatchObject({ ids: [b], toID: other, toPath: "/" });
    expect(await snapshot()).toEqual(moved(second, b, { notebook: other, folder: "", humanFolder: "" }));
  });

  it("lets a group stand in the asked order, and numbers the target anew only then", async () => {
    const source = await family();
    const target = await family(["x", "y"]);
    const { a, b, c } = source;
    const before = await snapshot();
    const done = await commit(move([c, a, b], target.parent));
    expect(done.structured).toMatchObject({
      ids: [c, a, b],
      order: [c, a, b],
      notes: [expect.stringContaining("numbered")],
      safety: { transactionState: "committed" },
    });
    // The group takes the places that its documents carry along: 1 and 2 are shared with x and y.
    const order = await visible(siyuan, scratch.notebook, target.path);
    expect(order.filter((id) => [a, b, c].includes(id))).toEqual([c, a, b]);
    expect(order.filter((id) => target.children.includes(id))).toEqual(target.children);
    const after = await snapshot();
    const to = { folder: `/${target.parent}`, humanFolder: target.base };
    const expected = moved(moved(moved(before, a, to), b, to), c, to);
    const withoutPlaces = (all: Snapshot) =>
      Object.fromEntries(Object.entries(all).map(([id, { sort: _sort, ...rest }]) => [id, rest]));
    expect(withoutPlaces(after)).toEqual(withoutPlaces(expected));
    const untouched = Object.keys(before).filter((id) => ![a, b, c].concat(target.children).includes(id));
    for (const id of untouched) expect(after[id]).toEqual(before[id]);
    const rest = await family(["d", "e"]);
    const plain = await commit(move([rest.a, rest.b], target.parent));
    expect(plain.structured.notes).toBeUndefined();
  });

  it("in another sort mode leaves the order to SiYuan and says so", async () => {
    const notebook = await makeNotebook(scratch, "by name, descending");
    try {
      const target = await makeFolder({ siyuan, notebook }, ["m"]);
      await setSortMode(siyuan, notebook, 1);
      const { a, b } = await family();
      const done = await commit(move([a, b], target.parent));
      expect(done.structured).toMatchObject({ order: [b, a], notes: [expect.stringContaining("sort mode")] });
      expect(await visible(siyuan, notebook, target.path)).toEqual([target.children[0], b, a]);
    } finally {
      await siyuan.call("/api/notebook/removeNotebook", { notebook });
    }
  });

  it("says when all are there already, and moves only those that are not", async () => {
    const { base, parent, a, b } = await family();
    const before = await snapshot();
    const same = (await commit(move([a, b], parent))).structured;
    expect(same).toMatchObject({ order: [a, b], safety: { transactionState: "no_change" } });
    expect(same.safety.resultHash).toBe(same.safety.previousHash);
    expect(await snapshot()).toEqual(before);
    const { id } = await scratch.document("comes");
    const fresh = await snapshot();
    const [comes] = [await commit(move([id, a], parent))];
    expect(comes?.structured).toMatchObject({ ids: [id, a], order: [id, a] });
    const after = await snapshot();
    expect(after[id]?.path).toBe(`/${parent}/${id}.sy`);
    expect(after[id]?.humanPath).toBe(`${base}/${fresh[id]?.title}`);
    expect(await visible(siyuan, scratch.notebook, `/${parent}.sy`)).toHaveLength(4);
  });

  it("names documents of the target with the same title, and takes unusual names and hidden documents", async () => {
    const source = await family(['a "b" <c> é😀', "x"]);
    const target = await family(["x"]);
    const [odd = "", twin = ""] = source.children;
    await siyuan.setAttributes(odd, { "custom-hidden": "true" });
    const before = await snapshot();
    const preflight = await client.preflight("document", move([odd, twin], target.parent));
    expect(preflight.preview).toMatchObject({ sameTitle: target.children });
    const { structured } = await commit(move([odd, twin], target.parent));
    expect(structured).toMatchObject({ sameTitle: target.children, notes: [expect.stringContaining("same title")] });
    expect(await pathOf(odd)).toBe(`/${target.parent}/${odd}.sy`);
    expect(await siyuan.exported(odd)).toContain("text of");
    // The snapshot does not list hidden documents.
    const to = { folder: `/${target.parent}`, humanFolder: target.base };
    expect(await snapshot()).toEqual(moved(before, twin, to));
  });

  it("moves one of a hundred documents, and a hundred at once", async () => {
    const notebook = await makeNotebook(scratch, "many");
    try {
      const many = await makeFolder(
        { siyuan, notebook },
        Array.from({ length: 100 }, (_value, index) => `n${index}`),
      );
      const { id } = await scratch.document("one more");
      expect((await commit(move([id], many.parent))).isError).toBe(false);
      expect((await visible(siyuan, notebook, many.path)).sort()).toEqual(many.children.concat(id).sort());
      const target = await create("/target", notebook);
      const all = await commit(move(many.children.slice().reverse(), target));
      expect(all.structured).toMatchObject({ count: 100, order: many.children.slice().reverse() });
      expect(await visible(siyuan, notebook, `/${target}.sy`)).toEqual(many.children.slice().reverse());
      expect(await visible(siyuan, notebook, many.path)).toEqual([id]);
    } finally {
      await siyuan.call("/api/notebook/removeNotebook", { notebook });
    }
  }, 180_000);

  it("refuses moves into itself, below itself, of one below another, and too deep ones", async () => {
    const { base, parent, a, b } = await family();
    const inner = await create(`${base}/a/inner`);
    const deep = await create(`${base}/b/3/4/5/6`);
    const before = await snapshot();
    const refused = (fromIDs: readonly string[], toID: string) =>
      client.refused("document", { ...move(fromIDs, toID), validateOnly: true });
    expect(await refused([a], a)).toMatchObject({ code: "invalid_arguments", fields: [{ path: "toID" }] });
    expect(await refused([parent], inner)).toMatchObject({ code: "invalid_arguments", fields: [{ path: "toID" }] });
    expect(await refused([b, a], b)).toMatchObject({ code: "invalid_arguments", fields: [{ path: "toID" }] });
    expect(await refused([inner, a], b)).toMatchObject({ code: "invalid_arguments", fields: [{ path: "fromIDs.0" }] });
    expect(await refused([a, a], b)).toMatchObject({ code: "invalid_arguments", fields: [{ path: "fromIDs" }] });
    const tooDeep = await refused([a], deep);
    expect(tooDeep).toMatchObject({ code: "invalid_arguments", fields: [{ path: "toID" }] });
    expect(tooDeep.message).toContain("7 levels");
    expect(await snapshot()).toEqual(before);
    expect((await commit(move([inner], deep))).isError).toBe(false);
    expect((await pathOf(inner)).split("/")).toHaveLength(8);
  });

  it("refuses blocks, missing and closed places, storage paths that are none, and mixed or lacking arguments", async () => {
    const { parent, a, b } = await family();
    const { id: block } = await scratch.paragraph();
    const before = await snapshot();
    const refused = (fields: Fields) => client.refused("document", { action: "move", validateOnly: true, ...fields });
    expect((await refused({ fromIDs: [block], toID: b })).code).toBe("not_a_document");
    expect((await refused({ fromIDs: [a], toID: block })).code).toBe("not_a_document");
    expect(await refused({ fromIDs: [a, missing], toID: b })).toMatchObject({
      code: "document_not_found",
      fields: [{ path: "fromIDs.1" }],
    });
    expect((await refused({ fromIDs: [a], toID: missing })).code).toBe("document_not_found");
    expect((await refused({ fromIDs: [other], toID: b })).code).toBe("document_not_found");
    const paths = { fromPaths: [`/${parent}/${a}.sy`], toNotebook: scratch.notebook, toPath: "/" };
    expect((await refused({ ...paths, fromPaths: [`/${a}.sy`] })).code).toBe("document_not_found");
    expect((await refused({ ...paths, fromPaths: ["/folder/a"] })).code).toBe("invalid_path");
    expect((await refused({ ...paths, toPath: `/${b}.sy` })).code).toBe("document_not_found");
    expect((await refused({ ...paths, toPath: "/folder" })).code).toBe("invalid_path");
    expect((await refused({ ...paths, toNotebook: missing })).code).toBe("notebook_not_found");
    const bad: Fields[] = [
      { fromIDs: [], toID: b },
      { fromIDs: [a] },
      { toID: b },
      { fromIDs: ["zz"], toID: b },
      { fromIDs: a, toID: b },
      { fromPaths: paths.fromPaths, toPath: "/" },
      { ...paths, fromIDs: [a], toID: b },
      { fromIDs: Array.from({ length: 101 }, () => a), toID: b },
      { fromIDs: [a], toID: b, position: 1 },
    ];
    for (const fields of bad) expect((await refused(fields)).code).toBe("invalid_arguments");
    const closed = await makeNotebook(scratch, "closed");
    await siyuan.data("/api/notebook/closeNotebook", { notebook: closed });
    expect((await refused({ fromIDs: [a], toID: closed })).code).toBe("notebook_closed");
    expect((await refused({ ...paths, toNotebook: closed })).code).toBe("notebook_closed");
    await siyuan.call("/api/notebook/removeNotebook", { notebook: closed });
    expect(await snapshot()).toEqual(before);
  });

  it("asks for a confirmation", async () => {
    const { a, b } = await family();
    const call = move([a], b);
    const credentials = credentialsOf(await client.preflight("document", call));
    expect((await legacy.call("document", { ...call, ...credentials })).structured.error.code).toBe(
      "dangerous_action_requires_confirmation",
    );
    expect(await pathOf(a)).not.toContain(b);
  });

  describe.each(["source", "target"] as const)("behind the preflight, in the %s", (side) => {
    it.each(folderChanges)("%s stops the move", async (_name, change) => {
      const source = await family();
      const target = await family(["x", "y"]);
      const call = move([source.a], target.parent);
      const credentials = credentialsOf(await client.preflight("document", call));
      await change(siyuan, scratch.notebook, side === "source" ? source : target);
      const before = await snapshot();
      const { structured } = await legacy.call("document", { ...call, ...credentials, confirm: true });
      expect(structured.error.code).toBe("state_changed");
      expect(await snapshot()).toEqual(before);
    });
  });

  it("stops when the document itself was edited, moved or got a document below it", async () => {
    const edits: ((made: Awaited<ReturnType<typeof family>>) => Promise<unknown>)[] = [
      async ({ a }) => siyuan.update((await siyuan.children(a))[0]?.id ?? "", "theirs"),
      ({ a }) => siyuan.setAttributes(a, { memo: "theirs" }),
      ({ base }) => create(`${base}/a/theirs`),
      ({ a, c }) => siyuan.data("/api/filetree/moveDocsByID", { fromIDs: [a], toID: c }),
      ({ a }) => siyuan.data("/api/filetree/removeDocByID", { id: a }),
      ({ b }) => siyuan.data("/api/filetree/removeDocByID", { id: b }),
    ];
    for (const edit of edits) {
      const made = await family();
      const call = move([made.a], made.b);
      const credentials = credentialsOf(await client.preflight("document", call));
      await edit(made);
      const before = await snapshot();
      const { structured } = await legacy.call("document", { ...call, ...credentials, confirm: true });
      expect(structured.error.code).toBe("state_changed");
      expect(await snapshot()).toEqual(before);
    }
  });

  it("needs the right to write on both sides, when it starts", async () => {
    const { a } = await family();
    const target = await create("/rights", other);
    const call = move([a], target);
    for (const side of [scratch.notebook, other]) {
      const credentials = credentialsOf(await client.preflight("document", call));
      await scratch.setPermission(side, "r");
      const { structured } = await legacy.call("document", { ...call, ...credentials, confirm: true });
      expect(structured.error).toMatchObject({ code: "permission_denied", notebook: side, requiredPermission: "rw" });
      await scratch.setPermission(side, "none");
      expect((await client.refused("document", { ...call, validateOnly: true })).code).toBe("permission_denied");
      await scratch.setPermission(side, "rw");
    }
    expect(await pathOf(a)).not.toContain(target);
  });
});

describe.skipIf(tierName === "live")("faults", () => {
  afterEach(() => setFaults(siyuan, []));
  const movePath = "/api/filetree/moveDocs";

  async function prepared(count = 1) {
    const source = await family();
    const target = await family(["x"]);
    const ids = [source.c, source.b].slice(0, count);
    const call = move(ids, target.parent);
    return {
      source,
      target,
      call: { ...call, ...credentialsOf(await client.preflight("document", call)), confirm: true },
    };
  }

  const lies: [FaultRule["kind"], string, boolean][] = [
    ["lost-answer", "outcome_unknown", true],
    ["no-effect", "readback_mismatch", false],
  ];
  it.each(lies)("%s is unknown until the notes tell, and the move is never sent again", async (kind, code, isMoved) => {
    const { source, target, call } = await prepared();
    await setFaults(siyuan, [{ path: movePath, kind, times: 1 }]);
    await countRequests(tier);
    const { structured } = await legacy.call("document", call);
    expect(structured).toMatchObject({ transactionState: "unknown", error: { code } });
    const again = (await legacy.call("document", call)).structured;
    expect((await countRequests(tier))[movePath]).toBe(1);
    if (isMoved)
      expect(again).toMatchObject({
        ids: [source.c],
        toID: target.parent,
        safety: { transactionState: "committed", reconciled: true },
      });
    else expect(again.error.code).toBe("state_unchanged");
    expect(await pathOf(source.c)).toBe(`/${isMoved ? target.parent : source.parent}/${source.c}.sy`);
  });

  it("a refusal that moved nothing is not unknown", async () => {
    const { source, call } = await prepared();
    await setFaults(siyuan, [{ path: movePath, kind: "code-1", times: 1 }]);
    expect((await legacy.call("document", call)).structured).toMatchObject({ transactionState: "rejected" });
    expect(await pathOf(source.c)).toBe(`/${source.parent}/${source.c}.sy`);
  });

  it("an order that SiYuan only says it set is no success", async () => {
    const { target, source, call } = await prepared(2);
    await setFaults(siyuan, [{ path: "/api/filetree/changeSort", kind: "no-effect", times: 1 }]);
    expect((await legacy.call("document", call)).structured).toMatchObject({
      transactionState: "unknown",
      error: { code: "readback_mismatch" },
    });
    expect(await pathOf(source.c)).toBe(`/${target.parent}/${source.c}.sy`);
    expect((await legacy.call("document", call)).structured.error.code).toBe("outcome_unknown");
  });

  it("a lost answer stays unknown while a copy of the document lies elsewhere", async () => {
    const { source, target, call } = await prepared();
    await setFaults(siyuan, [{ path: movePath, kind: "lost-answer", times: 1 }]);
    await legacy.call("document", call);
    const text = await siyuan.readFile(`/data/${scratch.notebook}/${target.parent}/${source.c}.sy`);
    const stray = `/data/${scratch.notebook}/${source.parent}/${source.c}.sy`;
    await siyuan.writeFile(stray, text ?? "");
    expect((await legacy.call("document", call)).structured.error.code).toBe("outcome_unknown");
    await siyuan.removeFile(stray);
    expect((await legacy.call("document", call)).structured.safety).toMatchObject({ reconciled: true });
  });

  it("finds its receipt after a restart, though the document is elsewhere", async () => {
    const { call } = await prepared();
    await legacy.ok("document", call);
    await restartPlugin(siyuan);
    expect((await legacy.ok("document", call)).safety).toMatchObject({ replayed: true, transactionState: "committed" });
  });
});
