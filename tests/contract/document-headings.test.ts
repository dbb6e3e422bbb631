// document.heading_to_doc and document.doc_to_heading: every block arrives, with its id; all other documents stay.

import { afterEach, describe, expect, it } from "vitest";
import { setFaults } from "./faults.js";
import { credentialsOf, type Fields } from "./modern-client.js";
import { type DocumentSnapshot, notebookSnapshot } from "./notebook-snapshot.js";
import { useScratch } from "./scratch.js";
import { tierName, useTier } from "./tier.js";

const scratch = useScratch(useTier());
const { client, siyuan } = scratch;
const missing = "20200101000000-zzzzzzz";
const snapshot = (notebook = scratch.notebook) => notebookSnapshot(siyuan, notebook);
const chapters = "intro\n\n# A **b** 日记 é😀\n\np1\n\n## B\n\n- l1\n  - l2\n\n#### C\n\np2\n\n# D\n\np3";

type Snapshot = Record<string, DocumentSnapshot>;
const without = (all: Snapshot, ids: string[]) =>
  Object.fromEntries(Object.entries(all).filter(([id]) => !ids.includes(id)));
const withoutSort = (all: Snapshot) =>
  Object.fromEntries(Object.entries(all).map(([id, entry]) => [id, { ...entry, sort: 0 }]));
const ids = async (id: string) => (await siyuan.children(id)).map((block) => block.id);
const pathOf = async (id: string) => (await siyuan.data<{ path: string }>("/api/filetree/getPathByID", { id })).path;
const typeOf = async (id: string) =>
  (await siyuan.data<Record<string, { type: string }>>("/api/block/getBlockTreeInfos", { ids: [id] }))[id]?.type;
const markdown = async (id: string) => (await siyuan.children(id)).map((block) => block.markdown ?? "");

async function book() {
  const { id, blocks } = await scratch.document(chapters);
  const [intro = "", a = "", p1 = "", b = "", list = "", c = "", p2 = "", d = "", p3 = ""] = blocks;
  return { document: id, intro, a, p1, b, list, c, p2, d, p3 };
}

describe("heading_to_doc", () => {
  const convert = (headingID: string | undefined, more: Fields = {}) => ({
    action: "heading_to_doc",
    headingID,
    targetNotebook: scratch.notebook,
    ...more,
  });

  it("moves the section with its ids and attributes, and nothing else changes", async () => {
    const { document, intro, a, p1, b, list, c, p2, d, p3 } = await book();
    const reader = await scratch.document(`see ((${a} 'A b')) and ((${p1} "p1"))`);
    const attributes = { name: "n", memo: 'a "q" {x}', alias: "al", bookmark: "bm", icon: "1f4d4", "custom-k": "v" };
    await siyuan.setAttributes(a, attributes);
    await siyuan.setAttributes(p1, { "custom-p": "w" });
    await siyuan.data("/api/block/foldBlock", { id: a });
    const before = await snapshot();
    const preflight = await client.preflight("document", convert(a));
    expect(preflight).toMatchObject({
      preconditionField: "expectedStructureHash",
      targetCount: 1,
      preview: { title: "A b 日记 é😀", targetFolder: "/", movedBlocks: 5 },
    });
    expect(await snapshot()).toEqual(before);
    const call = { ...convert(a), ...credentialsOf(preflight) };
    const done = await client.ok("document", call);
    expect(done).toMatchObject({
      success: true,
      headingID: a,
      targetNotebook: scratch.notebook,
      id: a,
      path: `/${a}.sy`,
      title: "A b 日记 é😀",
      hPath: "/A b 日记 é😀",
      sourceID: document,
      movedBlocks: 5,
      safety: { transactionState: "committed" },
    });
    const after = await snapshot();
    expect(without(after, [document, a])).toEqual(without(before, [document, a]));
    expect(after[document]).toMatchObject({ title: before[document]?.title, sort: before[document]?.sort });
    expect(await ids(document)).toEqual([intro, d, p3]);
    expect(await ids(a)).toEqual([p1, b, list, c, p2]);
    expect(await markdown(a)).toEqual(["p1", "## B", expect.stringContaining("l2"), "#### C", "p2"]);
    expect(after[a]?.attributes).toMatchObject({ ...attributes, title: "A b 日记 é😀" });
    expect(after[a]?.dom).not.toMatch(/fold="1"/);
    expect(await siyuan.kramdown(p1)).toContain('custom-p="w"');
    expect(await typeOf(a)).toBe("NodeDocument");
    expect(await siyuan.kramdown(reader.id)).toContain(`((${a} `);
    const again = await client.ok("document", call);
    expect(again).toMatchObject({ id: a, safety: { replayed: true } });
    expect(await snapshot()).toEqual(after);
  });

  it("puts it below a document, behind another one, or below its own document", async () => {
    const parent = await scratch.document("parent");
    const make = (title: string) =>
      siyuan.data<string>("/api/filetree/createDocWithMd", {
        notebook: scratch.notebook,
        path: `/${title}`,
        markdown: "x",
        parentID: parent.id,
      });
    const { title } = (await snapshot())[parent.id] as DocumentSnapshot;
    const first = await make(`${title}/first`);
    const second = await make(`${title}/second`);
    const one = await book();
    const below = await client.write("document", convert(one.c, { targetPath: `/${parent.id}.sy` }));
    expect(below).toMatchObject({ path: `/${parent.id}/${one.c}.sy`, movedBlocks: 1 });
    expect(await ids(one.document)).toEqual([one.intro, one.a, one.p1, one.b, one.list, one.d, one.p3]);
    const two = await book();
    const before = await snapshot();
    const behind = await client.write("document", convert(two.a, { previousPath: await pathOf(second) }));
    expect(behind.path).toBe(`/${parent.id}/${two.a}.sy`);
    const after = await snapshot();
    expect(withoutSort(without(after, [two.document, two.a]))).toEqual(withoutSort(without(before, [two.document])));
    const { files } = await siyuan.data<{ files: { id: string }[] }>("/api/filetree/listDocsByPath", {
      notebook: scratch.notebook,
      path: `/${parent.id}.sy`,
      sort: 6,
      maxListCount: -1,
    });
    const order = files.map((file) => file.id);
    expect(order.indexOf(two.a)).toBe(order.indexOf(second) + 1);
    expect(order).toContain(first);
    const three = await book();
    const own = await client.write("document", convert(three.b, { targetPath: `/${three.document}.sy` }));
    expect(own.path).toBe(`/${three.document}/${three.b}.sy`);
    expect(await markdown(three.b)).toEqual([expect.stringContaining("l2"), "## C", "p2"]);
  });

  it("moves it into another notebook, and needs the level of both", async () => {
    const other = String((await client.write("notebook", { action: "create", name: "other" })).notebook);
    try {
      const { document, a } = await book();
      const call = convert(a, { targetNotebook: other, targetPath: "/" });
      const credentials = credentialsOf(await client.preflight("document", call));
      await scratch.setPermission(other, "r");
      expect((await client.refused("document", { ...call, ...credentials })).code).toBe("permission_denied");
      await scratch.setPermission(other, "rw");
      expect(await snapshot(other)).toEqual({});
      const before = await snapshot();
      const done = await client.write("document", call);
      expect(done).toMatchObject({
        targetNotebook: other,
        path: `/${a}.sy`,
        safety: { transactionState: "committed" },
      });
      expect(Object.keys(await snapshot(other))).toEqual([a]);
      expect(without(await snapshot(), [document])).toEqual(without(before, [document]));
    } finally {
      await siyuan.call("/api/notebook/removeNotebook", { notebook: other });
    }
  }, 90_000);

  const titles: [string, string, string][] = [
    ["signs that SiYuan would write as entities", "Q&A <b> \"c\" 'd'", "Q&A <b> \"c\" 'd'"],
    ["slashes", "and/or", "and_or"],
    ["more than SiYuan takes", `long ${"x".repeat(200)}`, `long ${"x".repeat(200)}`],
    ["marks, tags and code", "**a** #t# `c` <u>u</u>", "a t c u"],
  ];
  it.each(titles)("keeps %s in the title", async (_name, text, title) => {
    const { id, blocks } = await scratch.document(`# ${text}\n\nbody`);
    const done = await client.write("document", convert(blocks[0]));
    expect(done).toMatchObject({ title, safety: { transactionState: "committed" } });
    expect((await snapshot())[blocks[0] ?? ""]?.title).toBe(title);
    expect((await markdown(id)).join("")).toBe("");
    expect(await markdown(blocks[0] ?? "")).toEqual(["body"]);
  });

  it("takes a heading without a section, and one inside a quote that holds more", async () => {
    const alone = await scratch.document("# alone\n\n# next");
    expect(await client.write("document", convert(alone.blocks[0]))).toMatchObject({ movedBlocks: 0 });
    expect(await ids(alone.id)).toEqual([alone.blocks[1]]);
    const quoted = await scratch.document("> first\n>\n> # inner\n>\n> text\n\nbehind");
    const [first, inner, text] = await ids(quoted.blocks[0] ?? "");
    expect(await client.write("document", convert(inner))).toMatchObject({ movedBlocks: 1 });
    expect(await ids(quoted.blocks[0] ?? "")).toEqual([first]);
    expect(await ids(inner ?? "")).toEqual([text]);
  });

  it("refuses and changes nothing", async () => {
    const { document, a, p1, list } = await book();
    const quoted = await scratch.document("> # only\n>\n> text\n\nbehind");
    const [only] = await ids(quoted.blocks[0] ?? "");
    const odd = await scratch.document("# ![i](assets/a.png)\n\n# $x$ y\n\n# a.sy\n\n# \n\nend");
    const deep = await siyuan.data<string>("/api/filetree/createDocWithMd", {
      notebook: scratch.notebook,
      path: "/1/2/3/4/5/6/7",
      markdown: "x",
    });
    const root = await pathOf(document);
    const before = await snapshot();
    const wrong: [Fields, string, string][] = [
      [convert(p1), "invalid_arguments", "headingID"],
      [convert(list), "invalid_arguments", "headingID"],
      [convert(document), "invalid_arguments", "headingID"],
      [convert(missing), "block_not_found", "headingID"],
      [convert("zz"), "invalid_arguments", "headingID"],
      [convert(undefined), "invalid_arguments", "headingID"],
      [convert(only), "invalid_arguments", "headingID"],
      [convert(odd.blocks[0]), "content_would_be_lost", "headingID"],
      [convert(odd.blocks[1]), "content_would_be_lost", "headingID"],
      [convert(odd.blocks[2]), "content_would_be_lost", "headingID"],
      [convert(odd.blocks[3]), "content_would_be_lost", "headingID"],
      [convert(a, { targetNotebook: missing }), "notebook_not_found", ""],
      [convert(a, { targetNotebook: undefined }), "invalid_arguments", "targetNotebook"],
      [convert(a, { targetPath: `/${missing}.sy` }), "document_not_found", "targetPath"],
      [convert(a, { targetPath: "/Human" }), "invalid_path", "targetPath"],
      [convert(a, { targetPath: await pathOf(deep) }), "invalid_arguments", "targetPath"],
      [convert(a, { previousPath: `/${missing}.sy` }), "document_not_found", "previousPath"],
      [convert(a, { previousPath: await pathOf(deep), targetPath: "/" }), "invalid_arguments", "previousPath"],
      [convert(a, { previousPath: root, targetPath: root }), "invalid_arguments", "previousPath"],
      [convert(a, { toTop: true }), "invalid_arguments", "toTop"],
    ];
    for (const [call, code, field] of wrong) {
      const error = await client.refused("document", { ...call, validateOnly: true });
      expect([call, error.code]).toEqual([call, code]);
      if (field !== "") expect([call, error.fields?.[0]?.path]).toEqual([call, field]);
    }
    expect(await snapshot()).toEqual(before);
  });

  it("stops after an edit in the document, or a new document in the folder", async () => {
    const edits: ((b: Awaited<ReturnType<typeof book>>) => Promise<unknown>)[] = [
      ({ p3 }) => siyuan.update(p3, "theirs"),
      () => scratch.document("a new one"),
      ({ a, document }) =>
        siyuan
          .data("/api/block/deleteBlock", { id: a })
          .then(() => siyuan.data("/api/block/getDocInfo", { id: document })),
    ];
    for (const edit of edits) {
      const made = await book();
      const credentials = credentialsOf(await client.preflight("document", convert(made.a)));
      await edit(made);
      const before = await snapshot();
      expect((await client.refused("document", { ...convert(made.a), ...credentials })).code).toBe("state_changed");
      expect(await snapshot()).toEqual(before);
    }
  });

  describe.skipIf(tierName === "live")("by a SiYuan that lies", () => {
    afterEach(() => setFaults(siyuan, []));

    it("is a mismatch without effect, and unknown when the second step fails", async () => {
      const one = await book();
      const before = await snapshot();
      const lied = credentialsOf(await client.preflight("document", convert(one.a)));
      await setFaults(siyuan, [{ path: "/api/filetree/heading2Doc", kind: "no-effect", times: 1 }]);
      const refused = await client.call("document", { ...convert(one.a), ...lied });
      expect(refused.structured).toMatchObject({ transactionState: "unknown" });
      expect(await snapshot()).toEqual(before);
      const half = credentialsOf(await client.preflight("document", convert(one.a)));
      await setFaults(siyuan, [{ path: "/api/filetree/renameDoc", kind: "code-1", times: 1 }]);
      expect((await client.refused("document", { ...convert(one.a), ...half })).code).toBe("outcome_unknown");
      expect(await typeOf(one.a)).toBe("NodeDocument");
    });
  });
});

describe("doc_to_heading", () => {
  const convert = (srcID: string | undefined, targetID: string | undefined, more: Fields = {}) => ({
    action: "doc_to_heading",
    srcID,
    targetID,
    ...more,
  });
  const source = async (title: string, text = "s1\n\n## S2\n\n- x\n\n#### S4") => {
    const id = await siyuan.data<string>("/api/filetree/createDocWithMd", {
      notebook: scratch.notebook,
      path: `/${title}`,
      markdown: text,
    });
    return { id, blocks: await ids(id) };
  };

  it("moves every block behind the target, and nothing else changes", async () => {
    const target = await book();
    const src = await source('Plan **x** <b> & "q" é😀');
    const attributes = { name: "n", memo: 'a "q" {x}\nline', icon: "1f4d4", "custom-k": "v" };
    await siyuan.setAttributes(src.id, attributes);
    await siyuan.setAttributes(src.blocks[0] ?? "", { "custom-p": "w" });
    const reader = await scratch.document(`see ((${src.id} 'Plan'))`);
    const before = await snapshot();
    const preflight = await client.preflight("document", convert(src.id, target.p1));
    expect(preflight).toMatchObject({
      preconditionField: "expectedStructureHash",
      targetCount: 2,
      preview: { title: 'Plan **x** <b> & "q" é😀', movedBlocks: 4 },
    });
    expect(await snapshot()).toEqual(before);
    const call = { ...convert(src.id, target.p1), ...credentialsOf(preflight) };
    const done = await client.ok("document", call);
    expect(done).toMatchObject({
      success: true,
      srcID: src.id,
      targetID: target.p1,
      after: true,
      documentID: target.document,
      level: 2,
      movedBlocks: 4,
      safety: { transactionState: "committed" },
    });
    const after = await snapshot();
    expect(without(after, [target.document])).toEqual(without(before, [target.document, src.id]));
    const { intro, a, p1, b, list, c, p2, d, p3 } = target;
    expect(await ids(target.document)).toEqual([intro, a, p1, src.id, ...src.blocks, b, list, c, p2, d, p3]);
    expect((await markdown(target.document)).slice(3, 8)).toEqual([
      expect.stringContaining("## Plan"),
      "s1",
      "### S2",
      "- x",
      "##### S4",
    ]);
    expect(await typeOf(src.id)).toBe("NodeHeading");
    expect(await siyuan.data("/api/attr/getBlockAttrs", { id: src.id })).toMatchObject(attributes);
    expect(await siyuan.kramdown(src.blocks[0] ?? "")).toContain('custom-p="w"');
    expect(await siyuan.kramdown(reader.id)).toContain(`((${src.id} `);
    const again = await client.ok("document", call);
    expect(again).toMatchObject({ id: src.id, safety: { replayed: true } });
    expect(await snapshot()).toEqual(after);
  });

  it("stands before the target, behind a heading's section, inside a quote or a list item", async () => {
    const one = await book();
    const before = await source("before");
    await client.write("document", convert(before.id, one.p1, { after: false }));
    expect((await ids(one.document)).slice(1, 8)).toEqual([one.a, before.id, ...before.blocks, one.p1]);
    const two = await book();
    const behind = await source("behind");
    expect(await client.write("document", convert(behind.id, two.b, { after: true }))).toMatchObject({ level: 2 });
    const order = await ids(two.document);
    expect(order.slice(order.indexOf(two.p2))).toEqual([two.p2, behind.id, ...behind.blocks, two.d, two.p3]);
    const holder = await scratch.document("> q1\n\n- li1\n- li2\n\nend");
    const [quoted] = await ids(holder.blocks[0] ?? "");
    const [item] = await ids(holder.blocks[1] ?? "");
    const inQuote = await source("in a quote");
    await client.write("document", convert(inQuote.id, quoted));
    expect(await ids(holder.blocks[0] ?? "")).toEqual([quoted, inQuote.id, ...inQuote.blocks]);
    const inItem = await source("in an item", "x");
    const [text] = await ids(item ?? "");
    await client.write("document", convert(inItem.id, item));
    expect(await ids(item ?? "")).toEqual([text, inItem.id, ...inItem.blocks]);
  });

  it("keeps an empty document's paragraph, makes a paragraph of tags, and says when ranks are lost", async () => {
    const { document, blocks } = await scratch
      .document("###### six\n\nend")
      .then((made) => ({ document: made.id, ...made }));
    const empty = await source("empty", "");
    await siyuan.setAttributes(empty.id, { tags: "x,y z" });
    const done = await client.write("document", convert(empty.id, blocks[1]));
    expect(done.createdBlockIDs).toHaveLength(1);
    expect((await markdown(document)).slice(1, 4)).toEqual(["end", "###### empty", "#x# #y z#"]);
    const flat = await source("flat", "# one\n\n## two");
    const flattened = await client.write("document", convert(flat.id, blocks[0]));
    expect(flattened.notes).toEqual(expect.arrayContaining([expect.stringContaining("level six")]));
  });

  it("refuses and changes nothing: documents, blocks of its own, sub-documents, folded sections, wrong ids", async () => {
    const target = await book();
    const src = await source("src");
    const parent = await source("parent");
    await siyuan.data("/api/filetree/createDocWithMd", {
      notebook: scratch.notebook,
      path: "/parent/child",
      markdown: "x",
    });
    const folded = await book();
    await siyuan.data("/api/block/foldBlock", { id: folded.a });
    const before = await snapshot();
    const wrong: [Fields, string, string][] = [
      [convert(src.id, target.document), "not_a_block", "targetID"],
      [convert(src.id, target.document, { after: false }), "not_a_block", "targetID"],
      [convert(src.id, src.id), "not_a_block", "targetID"],
      [convert(src.id, src.blocks[0]), "invalid_arguments", "targetID"],
      [convert(parent.id, target.p1), "invalid_arguments", "srcID"],
      [convert(src.id, folded.p1), "invalid_arguments", "targetID"],
      [convert(src.id, folded.b), "invalid_arguments", "targetID"],
      [convert(target.p1, src.blocks[0]), "not_a_document", "srcID"],
      [convert(missing, target.p1), "document_not_found", "srcID"],
      [convert(src.id, missing), "block_not_found", "targetID"],
      [convert("zz", target.p1), "invalid_arguments", "srcID"],
      [convert(src.id, undefined), "invalid_arguments", "targetID"],
      [convert(src.id, target.p1, { after: "yes" }), "invalid_arguments", "after"],
      [convert(src.id, target.p1, { level: 2 }), "invalid_arguments", "level"],
    ];
    for (const [call, code, field] of wrong) {
      const error = await client.refused("document", { ...call, validateOnly: true });
      expect([call, error.code]).toEqual([call, code]);
      expect([call, error.fields?.[0]?.path]).toEqual([call, field]);
    }
    expect(await snapshot()).toEqual(before);
  });

  it("stops after an edit of either document, a sub-document, a removal, or a revoked permission", async () => {
    const edits: ((
      src: { id: string; blocks: string[] },
      target: Awaited<ReturnType<typeof book>>,
    ) => Promise<unknown>)[] = [
      (src) => siyuan.update(src.blocks[0] ?? "", "theirs"),
      (_src, target) => siyuan.update(target.p3, "theirs"),
      (src) => siyuan.data("/api/filetree/removeDocByID", { id: src.id }),
      async (src) =>
        siyuan.data("/api/filetree/createDocWithMd", {
          notebook: scratch.notebook,
          path: `${await siyuan.data<string>("/api/filetree/getHPathByID", { id: src.id })}/child`,
          markdown: "x",
        }),
    ];
    for (const [index, edit] of edits.entries()) {
      const target = await book();
      const src = await source(`src of ${index}`);
      const credentials = credentialsOf(await client.preflight("document", convert(src.id, target.p1)));
      await edit(src, target);
      const before = await snapshot();
      const error = await client.refused("document", { ...convert(src.id, target.p1), ...credentials });
      expect(error.code).toBe("state_changed");
      expect(await snapshot()).toEqual(before);
    }
    const target = await book();
    const src = await source("revoked");
    const credentials = credentialsOf(await client.preflight("document", convert(src.id, target.p1)));
    await scratch.setPermission(scratch.notebook, "r");
    const error = await client.refused("document", { ...convert(src.id, target.p1), ...credentials });
    expect(error.code).toBe("permission_denied");
    await scratch.setPermission(scratch.notebook, "rw");
    expect(await typeOf(src.id)).toBe("NodeDocument");
  }, 90_000);

  describe.skipIf(tierName === "live")("by a SiYuan that lies", () => {
    afterEach(() => setFaults(siyuan, []));

    it("is a mismatch without effect, and rejected when SiYuan says no", async () => {
      const target = await book();
      const src = await source("lied");
      const before = await snapshot();
      const call = convert(src.id, target.p1);
      const lied = credentialsOf(await client.preflight("document", call));
      await setFaults(siyuan, [{ path: "/api/filetree/doc2Heading", kind: "no-effect", times: 1 }]);
      expect((await client.refused("document", { ...call, ...lied })).code).toBe("readback_mismatch");
      const refused = credentialsOf(await client.preflight("document", call));
      await setFaults(siyuan, [{ path: "/api/filetree/doc2Heading", kind: "code-1", times: 1 }]);
      expect((await client.call("document", { ...call, ...refused })).structured).toMatchObject({
        transactionState: "rejected",
      });
      expect(await snapshot()).toEqual(before);
    });
  });
});
