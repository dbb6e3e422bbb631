// The document actions that write: each changes what was asked and nothing else in the notebook.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
const missing = "20200101000000-zzzzzzz";
const family = () => makeFamily(scratch);
const pathOf = async (id: string) => (await siyuan.data<{ path: string }>("/api/filetree/getPathByID", { id })).path;
const snapshot = () => notebookSnapshot(siyuan, scratch.notebook);

describe("rename", () => {
  it("changes the title and nothing else", async () => {
    const { base, parent, first, grandchild } = await family();
    await siyuan.setAttributes(first, { memo: "kept", icon: "1f4d4" });
    const before = await snapshot();
    const title = 'Another <title> & "more" é😀 {{x}} ((y)) #z#';
    const preflight = await client.preflight("document", { action: "rename", id: first, title });
    expect(preflight).toMatchObject({
      preconditionField: "expectedStateHash",
      targetCount: 1,
      preview: { from: "first", to: title },
    });
    expect(await snapshot()).toEqual(before);
    const done = await client.ok("document", { action: "rename", id: first, title, ...credentialsOf(preflight) });
    expect(done).toMatchObject({ success: true, id: first, title, safety: { transactionState: "committed" } });
    const renamed = before[first];
    const inner = before[grandchild];
    expect(await snapshot()).toEqual({
      ...before,
      [first]: { ...renamed, title, humanPath: `${base}/${title}`, attributes: { ...renamed?.attributes, title } },
      [grandchild]: { ...inner, humanPath: `${base}/${title}/inner` },
    });
    expect(await pathOf(first)).toBe(`/${parent}/${first}.sy`);
  });

  it("does not mind the references that follow the title, in the document itself and elsewhere", async () => {
    const { first, second } = await family();
    for (const id of [first, second]) {
      const [block] = await siyuan.children(id);
      await siyuan.update(block?.id ?? "", `see ((${first} 'first'))`);
    }
    const done = await client.write("document", { action: "rename", id: first, title: "followed" });
    expect(done.safety.transactionState).toBe("committed");
    const text = await siyuan.kramdown(first);
    expect(text).toContain(`((${first} `);
  });

  it("takes notebook and storage path, and says when nothing changed", async () => {
    const { first } = await family();
    const path = await pathOf(first);
    const before = await snapshot();
    const same = await client.write("document", { action: "rename", notebook: scratch.notebook, path, title: "first" });
    expect(same).toMatchObject({ path, title: "first", safety: { transactionState: "no_change" } });
    expect(same.safety.resultHash).toBe(same.safety.previousHash);
    expect(await snapshot()).toEqual(before);
  });

  it("names a title that is now there twice", async () => {
    const { first, second } = await family();
    const preflight = await client.preflight("document", { action: "rename", id: first, title: "second" });
    expect(preflight.preview).toMatchObject({ sameTitle: [second] });
    const done = await client.ok("document", {
      action: "rename",
      id: first,
      title: "second",
      ...credentialsOf(preflight),
    });
    expect(done.notes).toHaveLength(1);
  });

  it("refuses after an edit, a new attribute or another rename behind the preflight", async () => {
    const edits: ((id: string) => Promise<unknown>)[] = [
      async (id) => siyuan.update((await siyuan.children(id))[0]?.id ?? "", "theirs"),
      (id) => siyuan.setAttributes(id, { memo: "theirs" }),
      (id) => siyuan.data("/api/filetree/renameDocByID", { id, title: "theirs" }),
    ];
    for (const edit of edits) {
      const { first } = await family();
      const call = { action: "rename", id: first, title: "mine" };
      const credentials = credentialsOf(await client.preflight("document", call));
      await edit(first);
      const before = await snapshot();
      expect((await client.refused("document", { ...call, ...credentials })).code).toBe("state_changed");
      expect(await snapshot()).toEqual(before);
    }
  });

  const titles: [string, string][] = [
    ["a slash", "a/b"],
    ["a line break", "a\nb"],
    ["a zero-width space", "a\u200bb"],
    ["a line separator", "a\u2028b"],
    ["an outer space", " a"],
    ["the ending .sy", "a.sy"],
    ["too many characters", "é".repeat(513)],
  ];
  it.each(titles)("refuses %s and changes nothing", async (_name, title) => {
    const { id } = await scratch.document("x");
    const before = await snapshot();
    expect(await client.refused("document", { action: "rename", id, title, validateOnly: true })).toMatchObject({
      code: "content_would_be_lost",
      fields: [{ path: "title" }],
    });
    expect(await snapshot()).toEqual(before);
  });

  it("refuses blocks, missing ids, no target and two", async () => {
    const { id, document } = await scratch.paragraph();
    const call = { action: "rename", title: "x", validateOnly: true };
    expect((await client.refused("document", { ...call, id })).code).toBe("not_a_document");
    expect((await client.refused("document", { ...call, id: missing })).code).toBe("document_not_found");
    expect(await client.refused("document", call)).toMatchObject({
      code: "invalid_arguments",
      fields: [{ path: "id" }],
    });
    expect(await client.refused("document", { ...call, id: document, notebook: scratch.notebook })).toMatchObject({
      code: "invalid_arguments",
      fields: [{ path: "notebook" }],
    });
    expect(await client.refused("document", { ...call, id: document, title: "" })).toMatchObject({
      code: "invalid_arguments",
      fields: [{ path: "title" }],
    });
  });
});

describe("set_attr", () => {
  it("sets icon and cover, and clears them, and changes nothing else", async () => {
    const { first } = await family();
    await siyuan.setAttributes(first, { memo: "kept", "custom-k": "v" });
    const before = await snapshot();
    const with_ = (attributes: Record<string, string>) => ({
      ...before,
      [first]: { ...before[first], attributes: { ...before[first]?.attributes, ...attributes } },
    });
    const titleImg = 'background-image:url("assets/a b.png")';
    const done = await client.write("document", {
      action: "set_attr",
      id: first,
      attrs: { icon: "👩‍🚀", cover: "assets/a b.png" },
    });
    expect(done).toMatchObject({
      id: first,
      icon: "1f469-200d-1f680",
      titleImg,
      safety: { transactionState: "committed" },
    });
    expect(await snapshot()).toEqual(with_({ icon: "1f469-200d-1f680", "title-img": titleImg }));
    const other = await client.write("document", { action: "set_attr", id: first, attrs: { icon: "1f4d4" } });
    expect(other).toMatchObject({ icon: "1f4d4", safety: { transactionState: "committed" } });
    expect(await snapshot()).toEqual(with_({ icon: "1f4d4", "title-img": titleImg }));
    const same = await client.write("document", { action: "set_attr", id: first, attrs: { icon: "1f4d4" } });
    expect(same.safety.transactionState).toBe("no_change");
    const cleared = await client.write("document", {
      action: "set_attr",
      id: first,
      attrs: { icon: null, cover: null },
    });
    expect(cleared).toMatchObject({ icon: null, clearedCover: true, safety: { transactionState: "committed" } });
    expect(await snapshot()).toEqual(before);
  });

  it("keeps a CSS background as it is", async () => {
    const { id } = await scratch.document("x");
    const cover = "background: linear-gradient(90deg, #fff 0%, {x} & <y> 100%)";
    expect(await client.write("document", { action: "set_attr", id, attrs: { cover } })).toMatchObject({
      titleImg: cover,
      safety: { transactionState: "committed" },
    });
    expect((await snapshot())[id]?.attributes["title-img"]).toBe(cover);
  });

  const wrong: [string, Fields, string][] = [
    ["words as icon", { icon: "hello world" }, "attrs.icon"],
    ["letters beside an emoji", { icon: "a😀" }, "attrs.icon"],
    ["an empty icon", { icon: "" }, "attrs.icon"],
    ["words as cover", { cover: "hello" }, "attrs.cover"],
    ["a quote in an address", { cover: 'assets/"x.png' }, "attrs.cover"],
    ["a line break in a cover", { cover: "background:\nred" }, "attrs.cover"],
    ["nothing to set", {}, "attrs"],
    ["another attribute", { title: "x" }, "attrs.title"],
  ];
  it.each(wrong)("refuses %s and changes nothing", async (_name, attrs, field) => {
    const { id } = await scratch.document("x");
    const before = await snapshot();
    const error = await client.refused("document", { action: "set_attr", id, attrs, validateOnly: true });
    expect(error.fields?.map((entry) => entry.path)).toContain(field);
    expect(await snapshot()).toEqual(before);
  });

  it("refuses blocks and missing ids", async () => {
    const call = { action: "set_attr", attrs: { icon: "1f4d4" }, validateOnly: true };
    expect((await client.refused("document", { ...call, id: (await scratch.paragraph()).id })).code).toBe(
      "not_a_document",
    );
    expect((await client.refused("document", { ...call, id: missing })).code).toBe("document_not_found");
  });
});

describe("remove", () => {
  const switches = `${storageFolder}/mcpToolsConfig`;
  const legacy = new LegacyClient(tier);
  const settle = () => new Promise((resolve) => setTimeout(resolve, 1_100));
  let switchesBefore: string | undefined;

  it("is off by default", async () => {
    expect((await client.refused("document", { action: "remove", id: missing, validateOnly: true })).code).toBe(
      "action_disabled",
    );
  });

  describe("switched on", () => {
    beforeAll(async () => {
      switchesBefore = await siyuan.readFile(switches);
      await siyuan.writeFile(switches, JSON.stringify({ document: { actions: { remove: true } } }));
      await scratch.setPermission(scratch.notebook, "rwd");
    }, 20_000);
    afterAll(async () => {
      if (switchesBefore === undefined) await siyuan.removeFile(switches);
      else await siyuan.writeFile(switches, switchesBefore);
      await settle();
    }, 20_000);

    it("takes the document with all below it and leaves everything else", async () => {
      const { parent, first, second, grandchild } = await family();
      const reader = await scratch.document(`see ((${parent} "there"))`);
      const before = await snapshot();
      const call = { action: "remove", id: parent };
      const preflight = await client.preflight("document", call);
      expect(preflight.preview).toMatchObject({
        title: before[parent]?.title,
        subDocuments: 3,
        subDocumentTitles: expect.arrayContaining(["first", "inner", "second"]),
      });
      expect(await snapshot()).toEqual(before);
      const done = await legacy.ok("document", { ...call, ...credentialsOf(preflight), confirm: true });
      expect(done).toMatchObject({
        success: true,
        id: parent,
        removedSubDocuments: 3,
        safety: { transactionState: "committed" },
      });
      const { [parent]: _1, [first]: _2, [second]: _3, [grandchild]: _4, ...rest } = before;
      expect(await snapshot()).toEqual(rest);
      expect(await siyuan.exported(reader.id)).toContain("there");
      const again = await legacy.ok("document", { ...call, ...credentialsOf(preflight), confirm: true });
      expect(again).toMatchObject({ id: parent, safety: { replayed: true, transactionState: "committed" } });
    });

    it("takes a leaf and leaves its parent", async () => {
      const { grandchild } = await family();
      const before = await snapshot();
      expect(await legacy.confirmed("document", { action: "remove", id: grandchild })).toMatchObject({
        removedSubDocuments: 0,
      });
      const { [grandchild]: _gone, ...rest } = before;
      expect(await snapshot()).toEqual(rest);
    });

    it("refuses without the caller's confirmation", async () => {
      const { id } = await scratch.document("stays");
      const call = { action: "remove", id };
      const credentials = credentialsOf(await client.preflight("document", call));
      const unconfirmed = await legacy.call("document", { ...call, ...credentials });
      expect(unconfirmed.structured.error.code).toBe("dangerous_action_requires_confirmation");
      await client.refused("document", { ...call, ...credentials });
      expect(await siyuan.exported(id)).toContain("stays");
    });

    it("refuses after an edit in a sub-document, or a new one", async () => {
      const edits: ((ids: Awaited<ReturnType<typeof family>>) => Promise<unknown>)[] = [
        async ({ grandchild }) => siyuan.update((await siyuan.children(grandchild))[0]?.id ?? "", "theirs"),
        ({ second }) => siyuan.setAttributes(second, { "custom-k": "theirs" }),
        ({ base }) =>
          siyuan.data("/api/filetree/createDocWithMd", {
            notebook: scratch.notebook,
            path: `${base}/second/new`,
            markdown: "",
          }),
      ];
      for (const edit of edits) {
        const ids = await family();
        const call = { action: "remove", id: ids.parent };
        const credentials = credentialsOf(await client.preflight("document", call));
        await edit(ids);
        const before = await snapshot();
        const answer = await legacy.call("document", { ...call, ...credentials, confirm: true });
        expect(answer.structured.error.code).toBe("state_changed");
        expect(await snapshot()).toEqual(before);
      }
    });

    it("refuses blocks, missing ids and more than one", async () => {
      const { id, document } = await scratch.paragraph();
      const call = { action: "remove", validateOnly: true };
      expect((await client.refused("document", { ...call, id })).code).toBe("not_a_document");
      expect((await client.refused("document", { ...call, id: missing })).code).toBe("document_not_found");
      expect((await client.refused("document", { ...call, id: document, ids: [document] })).code).toBe(
        "invalid_arguments",
      );
    });

    it.skipIf(tierName === "live")("does not take a failed listing for absence", async () => {
      const { first, path } = await family();
      const call = { action: "remove", id: first };
      const credentials = credentialsOf(await client.preflight("document", call));
      // The commit lists the parent once before the removal.
      await setFaults(siyuan, [{ path: "/api/filetree/removeDocByID", kind: "delay", delayMs: 600, times: 1 }]);
      try {
        const pending = legacy.call("document", { ...call, ...credentials, confirm: true });
        await new Promise((resolve) => setTimeout(resolve, 400));
        await setFaults(siyuan, [{ path: "/api/filetree/listDocsByPath", kind: "code-1", match: path }]);
        expect((await pending).structured).toMatchObject({
          transactionState: "unknown",
          error: { code: "outcome_unknown" },
        });
      } finally {
        await setFaults(siyuan, []);
      }
    });

    it("needs the level rwd", async () => {
      const { id } = await scratch.document("stays");
      await scratch.setPermission(scratch.notebook, "rw");
      expect(await client.refused("document", { action: "remove", id, validateOnly: true })).toMatchObject({
        code: "permission_denied",
        requiredPermission: "rwd",
      });
      await scratch.setPermission(scratch.notebook, "rwd");
    });

    it.skipIf(tierName === "live")("does not call done what SiYuan only says it did", async () => {
      const { first, parent } = await family();
      const call = { action: "remove", id: first };
      const credentials = credentialsOf(await client.preflight("document", call));
      await setFaults(siyuan, [{ path: "/api/filetree/removeDocByID", kind: "no-effect", times: 1 }]);
      try {
        const kept = await legacy.call("document", { ...call, ...credentials, confirm: true });
        expect(kept.structured).toMatchObject({ transactionState: "unknown", error: { code: "readback_mismatch" } });
        expect(await siyuan.exported(first)).toContain("first text");
        expect(await pathOf(first)).toContain(parent);
      } finally {
        await setFaults(siyuan, []);
      }
    });
  });
});
