// document.reorder and fs.reorder: exactly the asked order, for everybody to see, and nothing else moved.

import { afterEach, describe, expect, it } from "vitest";
import { countRequests, type FaultRule, restartPlugin, setFaults } from "./faults.js";
import { credentialsOf, type Fields } from "./modern-client.js";
import { notebookSnapshot } from "./notebook-snapshot.js";
import { useScratch } from "./scratch.js";
import {
  clear,
  type FolderWithChildren,
  folderChanges,
  makeFolder,
  makeNotebook,
  setSortMode,
  sortModeOf,
  visible,
} from "./structure.js";
import { tierName, useTier } from "./tier.js";

const tier = useTier();
const scratch = useScratch(tier);
const { client, siyuan } = scratch;
const missing = "20200101000000-zzzzzzz";
const snapshot = (notebook = scratch.notebook) => notebookSnapshot(siyuan, notebook);
const folder = (titles = ["a", "b", "c"]) => makeFolder(scratch, titles);
afterEach(() => clear(siyuan, scratch.notebook));
const order = (parentID: string, orderedIDs: readonly string[]) => ({ action: "reorder", parentID, orderedIDs });
const seen = ({ path }: FolderWithChildren) => visible(siyuan, scratch.notebook, path);

/** The snapshot with these places in the manual order. */
function placed(before: Awaited<ReturnType<typeof snapshot>>, ids: readonly string[]) {
  const after = { ...before };
  ids.forEach((id, index) => {
    after[id] = { ...(before[id] as (typeof before)[string]), sort: index + 1 };
  });
  return after;
}

describe("document.reorder", () => {
  it("puts the documents in the asked order and changes nothing else", async () => {
    const made = await folder();
    const [a = "", b = "", c = ""] = made.children;
    const before = await snapshot();
    const call = order(made.parent, [c, a, b]);
    const preflight = await client.preflight("document", call);
    expect(preflight).toMatchObject({
      preconditionField: "expectedStructureHash",
      preview: { documents: 3, orderChanged: true, sortModeChanged: false, from: ["a", "b", "c"], to: ["c", "a", "b"] },
    });
    expect(await snapshot()).toEqual(before);
    const done = await client.ok("document", { ...call, ...credentialsOf(preflight) });
    expect(done).toMatchObject({
      success: true,
      parentID: made.parent,
      notebook: scratch.notebook,
      changed: true,
      orderChanged: true,
      sortModeChanged: false,
      previousOrder: [a, b, c],
      order: [c, a, b],
      safety: { transactionState: "committed" },
    });
    expect(await seen(made)).toEqual([c, a, b]);
    expect(await snapshot()).toEqual(placed(before, [c, a, b]));
    const again = await client.ok("document", { ...call, ...credentialsOf(preflight) });
    expect(again).toMatchObject({ order: [c, a, b], safety: { replayed: true, transactionState: "committed" } });
  });

  it("says when the order was so already, and sends nothing", async () => {
    const made = await folder();
    const before = await snapshot();
    const same = await client.write("document", order(made.parent, made.children));
    expect(same).toMatchObject({ changed: false, orderChanged: false, safety: { transactionState: "no_change" } });
    expect(same.safety.resultHash).toBe(same.safety.previousHash);
    expect(await snapshot()).toEqual(before);
  });

  it("switches a notebook in another order to the manual one, and says so", async () => {
    const notebook = await makeNotebook(scratch, "by name");
    try {
      const made = await makeFolder({ siyuan, notebook }, ["a", "b"]);
      const other = await makeFolder({ siyuan, notebook }, ["y", "x"]);
      await setSortMode(siyuan, notebook, 1);
      const [a = "", b = ""] = made.children;
      expect(await visible(siyuan, notebook, made.path)).toEqual([b, a]);
      const before = await snapshot(notebook);
      const call = order(made.parent, [a, b]);
      const preflight = await client.preflight("document", call);
      expect(preflight.preview).toMatchObject({ sortModeChanged: true, note: expect.stringContaining("notebook") });
      expect(await sortModeOf(siyuan, notebook)).toBe(1);
      const done = await client.ok("document", { ...call, ...credentialsOf(preflight) });
      expect(done).toMatchObject({
        changed: true,
        sortModeChanged: true,
        orderChanged: true,
        previousOrder: [b, a],
        order: [a, b],
        notes: [expect.stringContaining("other folders")],
      });
      expect(await sortModeOf(siyuan, notebook)).toBe(6);
      expect(await visible(siyuan, notebook, made.path)).toEqual([a, b]);
      expect(await visible(siyuan, notebook, other.path)).toEqual(other.children);
      expect(await snapshot(notebook)).toEqual(placed(before, [a, b]));
    } finally {
      await siyuan.call("/api/notebook/removeNotebook", { notebook });
    }
  });

  it("orders the root of a notebook, unusual titles and a hundred documents", async () => {
    const notebook = await makeNotebook(scratch, "root");
    try {
      const titles = ['a "b" <c>&', "((x)) {{y}} #z#", "é😀 👩‍🚀", ".", "日記", "  inner  space"];
      const ids: string[] = [];
      for (const title of titles)
        ids.push(await siyuan.data("/api/filetree/createDocWithMd", { notebook, path: `/${title}`, markdown: "x" }));
      const wanted = [3, 0, 5, 1, 4, 2].map((index) => ids[index] ?? "");
      const before = await snapshot(notebook);
      expect(await client.write("document", order(notebook, wanted))).toMatchObject({
        parentID: notebook,
        order: wanted,
      });
      expect(await visible(siyuan, notebook)).toEqual(wanted);
      expect(await snapshot(notebook)).toEqual(placed(before, wanted));
      const many = await makeFolder(
        { siyuan, notebook },
        Array.from({ length: 100 }, (_value, index) => `n${index}`),
      );
      const shuffled = many.children.map((_id, index) => many.children[(index * 37 + 11) % 100] ?? "");
      const all = await snapshot(notebook);
      expect((await client.write("document", order(many.parent, shuffled))).order).toEqual(shuffled);
      expect(await visible(siyuan, notebook, many.path)).toEqual(shuffled);
      expect(await snapshot(notebook)).toEqual(placed(all, shuffled));
    } finally {
      await siyuan.call("/api/notebook/removeNotebook", { notebook });
    }
  }, 120_000);

  it("leaves hidden documents hidden, in their own order behind the others", async () => {
    const made = await folder(["a", "h1", "b", "h2"]);
    const [a = "", h1 = "", b = "", h2 = ""] = made.children;
    await siyuan.setAttributes(h1, { "custom-hidden": "true" });
    await siyuan.setAttributes(h2, { "custom-hidden": "true" });
    await client.write("document", order(made.parent, [b, a]));
    expect(await seen(made)).toEqual([b, a]);
    const { files } = await siyuan.data<{ files: { id: string }[] }>("/api/filetree/listDocsByPath", {
      notebook: scratch.notebook,
      path: made.path,
      sort: 6,
      showHidden: true,
      maxListCount: -1,
    });
    expect(files.map(({ id }) => id)).toEqual([b, a, h1, h2]);
  });

  it("refuses lists that are not exactly the folder, and names what is wrong", async () => {
    const made = await folder();
    const [a = "", b = "", c = ""] = made.children;
    const { id: elsewhere } = await scratch.document("x");
    const before = await snapshot();
    const wrong: [readonly string[], string[]][] = [
      [
        [a, b],
        ["missing", c],
      ],
      [
        [a, b, c, a],
        ["given twice", a],
      ],
      [
        [a, b, c, elsewhere],
        ["not directly in this folder", elsewhere],
      ],
      [
        [a, b, missing],
        ["not directly in this folder", missing, "missing", c],
      ],
    ];
    for (const [ids, words] of wrong) {
      const error = await client.refused("document", { ...order(made.parent, ids), validateOnly: true });
      expect(error).toMatchObject({ code: "invalid_arguments", fields: [{ path: "orderedIDs" }] });
      for (const word of words) expect(error.message).toContain(word);
    }
    expect(await snapshot()).toEqual(before);
  });

  it("refuses blocks, missing and closed parents, and bad arguments", async () => {
    const made = await folder();
    const { id } = await scratch.paragraph();
    const call = { ...order(made.parent, made.children), validateOnly: true };
    const code = async (fields: Fields) => (await client.refused("document", { ...call, ...fields })).code;
    expect(await code({ parentID: id })).toBe("not_a_document");
    expect(await code({ parentID: missing })).toBe("document_not_found");
    expect(await code({ parentID: "zz" })).toBe("invalid_arguments");
    expect(await code({ parentID: undefined })).toBe("invalid_arguments");
    expect(await code({ orderedIDs: [] })).toBe("invalid_arguments");
    expect(await code({ orderedIDs: "a" })).toBe("invalid_arguments");
    expect(await code({ orderedIDs: ["zz"] })).toBe("invalid_arguments");
    expect(await code({ sortMode: 6 })).toBe("invalid_arguments");
    const closed = await makeNotebook(scratch, "closed");
    await siyuan.data("/api/notebook/closeNotebook", { notebook: closed });
    expect(await code({ parentID: closed })).toBe("notebook_closed");
    await siyuan.call("/api/notebook/removeNotebook", { notebook: closed });
  });

  it.each(folderChanges)("refuses after %s behind the preflight (I-07)", async (_name, change) => {
    const made = await folder();
    const call = order(made.parent, made.children.slice().reverse());
    const credentials = credentialsOf(await client.preflight("document", call));
    await change(siyuan, scratch.notebook, made);
    const before = await snapshot();
    expect(await client.refused("document", { ...call, ...credentials })).toMatchObject({
      code: "state_changed",
      expectedField: "expectedStructureHash",
    });
    expect(await snapshot()).toEqual(before);
  });

  it("refuses after another sort mode behind the preflight, and without the right to write", async () => {
    const notebook = await makeNotebook(scratch, "mode");
    try {
      const made = await makeFolder({ siyuan, notebook }, ["a", "b"]);
      const call = order(made.parent, made.children.slice().reverse());
      const credentials = credentialsOf(await client.preflight("document", call));
      await setSortMode(siyuan, notebook, 1);
      expect((await client.refused("document", { ...call, ...credentials })).code).toBe("state_changed");
      const later = credentialsOf(await client.preflight("document", call));
      await scratch.setPermission(notebook, "r");
      expect(await client.refused("document", { ...call, ...later })).toMatchObject({
        code: "permission_denied",
        requiredPermission: "rw",
      });
      expect(await sortModeOf(siyuan, notebook)).toBe(1);
    } finally {
      await siyuan.call("/api/notebook/removeNotebook", { notebook });
    }
  });

  it("needs the structure hash of its own preflight", async () => {
    const made = await folder();
    const call = order(made.parent, made.children.slice().reverse());
    const { requestId, ...hash } = credentialsOf(await client.preflight("document", call));
    expect((await client.refused("document", { ...call, requestId })).code).toBe("precondition_required");
    expect(
      (await client.refused("document", { ...call, requestId, expectedStateHash: hash.expectedStructureHash })).code,
    ).toBe("precondition_required");
    expect((await client.refused("document", { ...call, requestId, expectedStructureHash: "0000" })).code).toBe(
      "preflight_lease_invalid",
    );
    expect(await seen(made)).toEqual(made.children);
  });
});

describe("fs.reorder", () => {
  let name = "";
  const nameOf = async () => {
    const { name: found } = await siyuan.data<{ name: string }>("/api/notebook/getNotebookConf", {
      notebook: scratch.notebook,
    });
    name = found;
    return found;
  };
  const call = (path: string, orderedPaths: readonly string[]) => ({ action: "reorder", path, orderedPaths });

  it("takes workspace paths, with and without the notebook's name", async () => {
    await nameOf();
    const made = await folder(["a", 'b "x" <y> 😀', "c"]);
    const [a = "", b = "", c = ""] = made.children;
    const path = `/${name}${made.base}`;
    const before = await snapshot();
    const done = await client.write("fs", call(path, [`${path}/c`, `${path}/a/`, `/${path}/b "x" <y> 😀`]));
    expect(done).toMatchObject({
      success: true,
      path,
      parentID: made.parent,
      notebook: scratch.notebook,
      changed: true,
      orderChanged: true,
      sortModeChanged: false,
      previousOrder: [a, b, c],
      order: [c, a, b],
    });
    expect(await seen(made)).toEqual([c, a, b]);
    expect(await snapshot()).toEqual(placed(before, [c, a, b]));
    const short = await client.write(
      "fs",
      call(made.base, [`${made.base}/a`, `${path}/c`, `${made.base}/b "x" <y> 😀`]),
    );
    expect(short).toMatchObject({ path, order: [a, c, b] });
    expect(await seen(made)).toEqual([a, c, b]);
  });

  it("orders the root of a notebook", async () => {
    const notebook = await makeNotebook(scratch, "fs root 1");
    try {
      const make = (path: string) =>
        siyuan.data<string>("/api/filetree/createDocWithMd", { notebook, path, markdown: "x" });
      const [a, b] = [await make("/a"), await make("/...")];
      expect(await client.write("fs", call("/fs root 1", ["/fs root 1/a", "/fs root 1/..."]))).toMatchObject({
        parentID: notebook,
        order: [a, b],
      });
      expect(await visible(siyuan, notebook)).toEqual([a, b]);
    } finally {
      await siyuan.call("/api/notebook/removeNotebook", { notebook });
    }
  });

  it("refuses paths that are missing, twice, elsewhere or ambiguous, and folders that are none", async () => {
    await nameOf();
    const made = await folder(["a", "b", "b"]);
    const [a = "", b = ""] = made.children;
    const path = `/${name}${made.base}`;
    const before = await snapshot();
    const refused = (where: string, paths: readonly string[]) =>
      client.refused("fs", { ...call(where, paths), validateOnly: true });
    expect(await refused(path, [`${path}/a`, `${path}/b`, `${path}/b`])).toMatchObject({ code: "ambiguous_path" });
    await siyuan.data("/api/filetree/renameDocByID", { id: b, title: "d" });
    expect(await refused(path, [`${path}/a`, `${path}/x`, `${path}/d`])).toMatchObject({
      code: "document_not_found",
      fields: [{ path: "orderedPaths.1" }],
    });
    expect(await refused(path, [`${path}/a`, `/${name}/a`, `${path}/d`])).toMatchObject({
      code: "document_not_found",
      fields: [{ path: "orderedPaths.1" }],
    });
    const twice = await refused(path, [`${path}/a`, `${path}/a`, `${path}/d`]);
    expect(twice).toMatchObject({ code: "invalid_arguments", fields: [{ path: "orderedPaths" }] });
    expect(twice.message).toContain(a);
    expect((await refused("/", ["/x"])).code).toBe("invalid_path");
    expect((await refused("/AGENTS.md", ["/x"])).code).toBe("invalid_path");
    expect((await refused(`/${name}/no such`, ["/x"])).code).toBe("document_not_found");
    expect((await refused(path, [])).code).toBe("invalid_arguments");
    await siyuan.data("/api/filetree/renameDocByID", { id: b, title: "b" });
    expect(await snapshot()).toEqual(before);
  });

  it.each(folderChanges)("refuses after %s behind the preflight (I-07)", async (_name, change) => {
    await nameOf();
    const made = await folder();
    const path = `/${name}${made.base}`;
    const reversed = call(
      path,
      ["c", "b", "a"].map((title) => `${path}/${title}`),
    );
    const credentials = credentialsOf(await client.preflight("fs", reversed));
    await change(siyuan, scratch.notebook, made);
    const before = await snapshot();
    const { code } = await client.refused("fs", { ...reversed, ...credentials });
    // A path that no longer names a document of the folder is a target that is gone.
    expect(code).toBe("state_changed");
    expect(await snapshot()).toEqual(before);
  });
});

describe.skipIf(tierName === "live")("faults", () => {
  afterEach(() => setFaults(siyuan, []));
  const sortPath = "/api/filetree/changeSort";
  const confPath = "/api/notebook/setNotebookConf";

  async function prepared(sortMode = 15, others = false) {
    const notebook = await makeNotebook(scratch, "faults");
    const made = await makeFolder({ siyuan, notebook }, ["a", "b"]);
    await setSortMode(siyuan, notebook, sortMode);
    const wanted = made.children.slice().reverse();
    const call = order(made.parent, sortMode === 1 && !others ? made.children : wanted);
    return { notebook, made, call: { ...call, ...credentialsOf(await client.preflight("document", call)) } };
  }

  const lies: [FaultRule["kind"], string][] = [
    ["lost-answer", "outcome_unknown"],
    ["no-effect", "readback_mismatch"],
  ];
  it.each(lies)("%s of the order is unknown until the notes tell, and is never sent again", async (kind, code) => {
    const { call, made } = await prepared();
    await setFaults(siyuan, [{ path: sortPath, kind, times: 1 }]);
    await countRequests(tier);
    const answer = await client.call("document", call);
    expect(answer.structured).toMatchObject({ transactionState: "unknown", error: { code } });
    const again = (await client.call("document", call)).structured;
    expect((await countRequests(tier))[sortPath]).toBe(1);
    if (kind === "lost-answer")
      expect(again).toMatchObject({
        parentID: made.parent,
        order: made.children.slice().reverse(),
        safety: { transactionState: "committed", reconciled: true },
      });
    else expect(again.error.code).toBe("state_unchanged");
  });

  it("a sort mode that SiYuan only says it set is no success", async () => {
    const { notebook, call } = await prepared(1);
    await setFaults(siyuan, [{ path: confPath, kind: "no-effect", times: 1 }]);
    expect((await client.call("document", call)).structured).toMatchObject({
      transactionState: "unknown",
      error: { code: "readback_mismatch" },
    });
    expect(await sortModeOf(siyuan, notebook)).toBe(1);
    // The places were right already, so nothing has changed at all.
    expect((await client.refused("document", call)).code).toBe("state_unchanged");
  });

  it("a refused sort mode after the places leaves the visible order, and is unknown", async () => {
    const { notebook, made, call } = await prepared(1, true);
    const before = await visible(siyuan, notebook, made.path);
    await setFaults(siyuan, [{ path: confPath, kind: "code-1", times: 1 }]);
    expect((await client.call("document", call)).structured).toMatchObject({ transactionState: "unknown" });
    expect(await visible(siyuan, notebook, made.path)).toEqual(before);
    expect((await client.refused("document", call)).code).toBe("outcome_unknown");
    await setSortMode(siyuan, notebook, 6);
    expect((await client.ok("document", call)).safety).toMatchObject({ reconciled: true });
  });

  it("a refused order that changed nothing is not unknown", async () => {
    const { made, notebook, call } = await prepared();
    await setFaults(siyuan, [{ path: sortPath, kind: "code-1", times: 1 }]);
    expect((await client.call("document", call)).structured).toMatchObject({ transactionState: "rejected" });
    expect(await visible(siyuan, notebook, made.path)).toEqual(made.children);
  });

  it("finds its receipt after a restart", async () => {
    const { call } = await prepared();
    await client.ok("document", call);
    await restartPlugin(siyuan);
    expect((await client.ok("document", call)).safety).toMatchObject({ replayed: true, transactionState: "committed" });
  });
});
