// document.remove in all its forms: one or many, by id or storage path, with everything below; all others stay.

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { storageFolder } from "../../shared/wire/plugin.js";
import { makeFamily } from "./document-family.js";
import { setFaults } from "./faults.js";
import { LegacyClient } from "./legacy-client.js";
import { credentialsOf, type Fields } from "./modern-client.js";
import { notebookSnapshot } from "./notebook-snapshot.js";
import { useScratch } from "./scratch.js";
import { tierName, useTier } from "./tier.js";

const tier = useTier();
const scratch = useScratch(tier);
const { client, siyuan } = scratch;
const legacy = new LegacyClient(tier);
const missing = "20200101000000-zzzzzzz";
const switches = `${storageFolder}/mcpToolsConfig`;
let switchesBefore: string | undefined;

beforeAll(async () => {
  switchesBefore = await siyuan.readFile(switches);
  await siyuan.writeFile(switches, JSON.stringify({ document: { actions: { remove: true } } }));
  await scratch.setPermission(scratch.notebook, "rwd");
}, 20_000);
afterAll(async () => {
  if (switchesBefore === undefined) await siyuan.removeFile(switches);
  else await siyuan.writeFile(switches, switchesBefore);
}, 20_000);

const family = () => makeFamily(scratch);
const snapshot = () => notebookSnapshot(siyuan, scratch.notebook);
const pathOf = async (id: string) => (await siyuan.data<{ path: string }>("/api/filetree/getPathByID", { id })).path;
const remove = (args: Fields) => ({ action: "remove", ...args });
const without = <Value>(before: Record<string, Value>, ids: string[]) =>
  Object.fromEntries(Object.entries(before).filter(([id]) => !ids.includes(id)));
/** Nothing answers for these ids any more: no tree, no path, no file. */
async function expectGone(ids: string[]) {
  expect(await siyuan.data("/api/block/getBlockTreeInfos", { ids })).toEqual({});
  for (const id of ids) {
    expect((await siyuan.call("/api/filetree/getPathByID", { id })).code).not.toBe(0);
    expect(await siyuan.kramdown(id)).toBe("");
  }
}

describe("many documents", () => {
  it("go in one step by ids, with all below them, and nothing else changes", async () => {
    const one = await family();
    const two = await family();
    const reader = await scratch.document(`see ((${one.first} "there"))`);
    // SiYuan's index of references follows within three seconds.
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    const before = await snapshot();
    const call = remove({ ids: [one.first, two.parent] });
    const preflight = await client.preflight("document", call);
    expect(preflight).toMatchObject({
      targetCount: 2,
      preview: {
        count: 2,
        documents: [
          { id: one.first, title: "first", path: `/${one.parent}/${one.first}.sy`, subDocuments: 1 },
          { id: two.parent, subDocuments: 3 },
        ],
        subDocuments: 4,
        subDocumentTitles: expect.arrayContaining(["inner", "first", "second"]),
        referencesFromElsewhere: 1,
      },
    });
    expect(await snapshot()).toEqual(before);
    const confirmed = { ...call, ...credentialsOf(preflight), confirm: true };
    const done = await legacy.ok("document", confirmed);
    expect(done).toMatchObject({
      success: true,
      ids: [one.first, two.parent],
      count: 2,
      removedSubDocuments: 4,
      notes: [expect.stringContaining("1 references elsewhere")],
      safety: { transactionState: "committed" },
    });
    expect([...(done.subDocumentIDs as string[])].sort()).toEqual(
      [one.grandchild, two.first, two.second, two.grandchild].sort(),
    );
    const gone = [one.first, one.grandchild, two.parent, two.first, two.second, two.grandchild];
    expect(await snapshot()).toEqual(without(before, gone));
    await expectGone(gone);
    expect(await siyuan.exported(reader.id)).toContain("there");
    const again = await legacy.ok("document", confirmed);
    expect(again).toMatchObject({ ids: [one.first, two.parent], safety: { replayed: true } });
    expect(await snapshot()).toEqual(without(before, gone));
  });

  it("go by storage paths, with and without the notebook", async () => {
    const { first, second, grandchild } = await family();
    const other = await scratch.document("other");
    const before = await snapshot();
    const paths = [await pathOf(first), await pathOf(other.id)];
    expect(await legacy.confirmed("document", remove({ paths }))).toMatchObject({ ids: [first, other.id], count: 2 });
    expect(await snapshot()).toEqual(without(before, [first, grandchild, other.id]));
    const last = remove({ notebook: scratch.notebook, paths: [await pathOf(second)] });
    expect(await legacy.confirmed("document", last)).toMatchObject({ ids: [second], count: 1, removedSubDocuments: 0 });
    expect(await snapshot()).toEqual(without(before, [first, grandchild, other.id, second]));
  });

  it("may name a document and one below it", async () => {
    const { parent, first, second, grandchild } = await family();
    const before = await snapshot();
    const done = await legacy.confirmed("document", remove({ ids: [grandchild, parent] }));
    expect(done).toMatchObject({ ids: [grandchild, parent], count: 2, removedSubDocuments: 3 });
    expect(await snapshot()).toEqual(without(before, [parent, first, second, grandchild]));
  });

  it("of two notebooks need the level of both", async () => {
    const created = await client.write("notebook", { action: "create", name: "second of remove" });
    const other = String(created.notebook);
    try {
      const there = await siyuan.data<string>("/api/filetree/createDocWithMd", {
        notebook: other,
        path: "/there",
        markdown: "x",
      });
      const { id: here } = await scratch.document("here");
      const call = remove({ ids: [here, there] });
      await scratch.setPermission(other, "rw");
      expect(await client.refused("document", { ...call, validateOnly: true })).toMatchObject({
        code: "permission_denied",
        notebook: other,
      });
      await scratch.setPermission(other, "rwd");
      const credentials = credentialsOf(await client.preflight("document", call));
      await scratch.setPermission(other, "r");
      expect((await legacy.call("document", { ...call, ...credentials, confirm: true })).structured.error.code).toBe(
        "permission_denied",
      );
      expect(await siyuan.exported(there)).toContain("x");
      await scratch.setPermission(other, "rwd");
      const before = await snapshot();
      await legacy.confirmed("document", call);
      await expectGone([here, there]);
      expect(await snapshot()).toEqual(without(before, [here]));
    } finally {
      await siyuan.call("/api/notebook/removeNotebook", { notebook: other });
    }
  }, 30_000);
});

it("one document goes by notebook and storage path", async () => {
  const { first, grandchild, second } = await family();
  const before = await snapshot();
  const done = await legacy.confirmed(
    "document",
    remove({ notebook: scratch.notebook, path: (await pathOf(first)).replace(/\.sy$/, "") }),
  );
  expect(done).toMatchObject({ success: true, id: first, removedSubDocuments: 1, subDocumentIDs: [grandchild] });
  expect(await snapshot()).toEqual(without(before, [first, grandchild]));
  expect(await siyuan.exported(second)).toContain("second text");
});

describe("refuses and removes nothing", () => {
  it("a list with one wrong document, and names it", async () => {
    const { id } = await scratch.document("stays");
    const block = (await scratch.paragraph()).id;
    const path = await pathOf(id);
    const before = await snapshot();
    const wrong: [Fields, string, string][] = [
      [{ ids: [id, missing] }, "document_not_found", "ids.1"],
      [{ ids: [block, id] }, "not_a_document", "ids.0"],
      [{ ids: [id, id] }, "invalid_arguments", "ids.1"],
      [{ ids: [] }, "invalid_arguments", "ids"],
      [{ ids: [id, "zz"] }, "invalid_arguments", "ids.1"],
      [{ paths: [path, `/${missing}.sy`] }, "document_not_found", "paths.1"],
      [{ paths: [path, "/Human/Path"] }, "invalid_path", "paths.1"],
      [{ paths: [path, "/"] }, "invalid_path", "paths.1"],
      [{ paths: [path, `${path.replace(/\.sy$/, "")}/${missing}.sy`] }, "document_not_found", "paths.1"],
      [{ paths: [path, path] }, "invalid_arguments", "paths.1"],
      [{ notebook: missing, paths: [path] }, "notebook_not_found", ""],
      [{ notebook: scratch.notebook, path: `/${missing}.sy` }, "document_not_found", "path"],
      [{ path }, "invalid_arguments", "notebook"],
      [{ notebook: scratch.notebook }, "invalid_arguments", "path"],
      [{ notebook: scratch.notebook, id }, "invalid_arguments", "notebook"],
      [{ id, paths: [path] }, "invalid_arguments", "paths"],
      [{ id, deep: true }, "invalid_arguments", "deep"],
      [{}, "invalid_arguments", "id"],
    ];
    for (const [args, code, field] of wrong) {
      const error = await client.refused("document", { ...remove(args), validateOnly: true });
      expect([args, error.code]).toEqual([args, code]);
      if (field !== "") expect([args, error.fields?.[0]?.path]).toEqual([args, field]);
    }
    expect(await snapshot()).toEqual(before);
  });

  it("after an edit, a move or a new sub-document of any of them", async () => {
    const edits: ((ids: Awaited<ReturnType<typeof family>>) => Promise<unknown>)[] = [
      async ({ grandchild }) => siyuan.update((await siyuan.children(grandchild))[0]?.id ?? "", "theirs"),
      ({ first, second }) => siyuan.data("/api/filetree/moveDocsByID", { fromIDs: [first], toID: second }),
      ({ base }) =>
        siyuan.data("/api/filetree/createDocWithMd", {
          notebook: scratch.notebook,
          path: `${base}/second/new`,
          markdown: "",
        }),
      ({ second }) => siyuan.data("/api/filetree/removeDocByID", { id: second }),
      // As long as the one that is there, so that the file's size stays.
      ({ grandchild }) => siyuan.data("/api/attr/setBlockAttrs", { id: grandchild, attrs: { "custom-a": "two" } }),
    ];
    for (const edit of edits) {
      const ids = await family();
      await siyuan.data("/api/attr/setBlockAttrs", { id: ids.grandchild, attrs: { "custom-a": "one" } });
      const call = remove({ ids: [ids.first, ids.second] });
      const credentials = credentialsOf(await client.preflight("document", call));
      await edit(ids);
      const before = await snapshot();
      const answer = await legacy.call("document", { ...call, ...credentials, confirm: true });
      expect(answer.structured.error.code).toBe("state_changed");
      expect(await snapshot()).toEqual(before);
    }
  });
});

describe.skipIf(tierName === "live")("a SiYuan that lies", () => {
  afterEach(() => setFaults(siyuan, []));

  it("code 0 without effect is a mismatch, a refusal leaves all of them", async () => {
    const { first, second } = await family();
    const call = remove({ ids: [first, second] });
    const before = await snapshot();
    const lied = credentialsOf(await client.preflight("document", call));
    await setFaults(siyuan, [{ path: "/api/filetree/removeDocs", kind: "no-effect", times: 1 }]);
    const kept = await legacy.call("document", { ...call, ...lied, confirm: true });
    expect(kept.structured).toMatchObject({ transactionState: "unknown", error: { code: "readback_mismatch" } });
    const refused = credentialsOf(await client.preflight("document", call));
    await setFaults(siyuan, [{ path: "/api/filetree/removeDocs", kind: "code-1", times: 1 }]);
    const answer = await legacy.call("document", { ...call, ...refused, confirm: true });
    expect(answer.structured).toMatchObject({ transactionState: "rejected", error: { code: "api_error" } });
    expect(await snapshot()).toEqual(before);
  });

  it("a lost answer is unknown, and is not sent again", async () => {
    const { first, second } = await family();
    const call = remove({ ids: [first, second] });
    const credentials = credentialsOf(await client.preflight("document", call));
    await setFaults(siyuan, [{ path: "/api/filetree/removeDocs", kind: "lost-answer", times: 1 }]);
    const lost = await legacy.call("document", { ...call, ...credentials, confirm: true });
    expect(lost.structured).toMatchObject({ transactionState: "unknown", error: { code: "outcome_unknown" } });
  });
});
