// document.duplicate: the copy reads like the original, which stays as it is with all documents beside it.

import { afterEach, describe, expect, it } from "vitest";
import { makeFamily } from "./document-family.js";
import { setFaults } from "./faults.js";
import { credentialsOf } from "./modern-client.js";
import { type DocumentSnapshot, notebookSnapshot } from "./notebook-snapshot.js";
import { useScratch } from "./scratch.js";
import { tierName, useTier } from "./tier.js";

const scratch = useScratch(useTier());
const { client, siyuan } = scratch;
const missing = "20200101000000-zzzzzzz";
const duplicate = (id: string) => ({ action: "duplicate", id });
const snapshot = () => notebookSnapshot(siyuan, scratch.notebook);
const withoutSort = (all: Record<string, DocumentSnapshot>) =>
  Object.fromEntries(Object.entries(all).map(([id, entry]) => [id, { ...entry, sort: 0 }]));
const source = async (id: string) =>
  (await siyuan.kramdown(id)).replace(/\{: [^}\n]*\}/g, "").replace(/\d{14}-[0-9a-z]{7}/g, "id");

describe("a copy", () => {
  it("holds every block and attribute, with ids of its own, behind the original", async () => {
    const { parent, first, second, grandchild } = await makeFamily(scratch);
    const target = await scratch.paragraph("target");
    const [own] = await siyuan.children(first);
    await siyuan.update(own?.id ?? "", `see ((${target.id} 'target')) and ((${target.id} "fixed")) 日记 é😀`);
    await siyuan.data("/api/block/appendBlock", {
      parentID: first,
      dataType: "markdown",
      data: `inner ((${own?.id} "own")) self ((${first} 'first'))\n\n- l1\n  - l2\n\n\`\`\`js\n{: id="20200101000000-fake000"}\n\`\`\`\n\n|a|b|\n|-|-|\n|1|2|`,
    });
    await siyuan.setAttributes(own?.id ?? "", { name: "n", memo: 'a "q" {x}\nline', "custom-k": "v" });
    await siyuan.setAttributes(first, { icon: "1f4d4", memo: "m", "custom-d": "w", tags: "x,y" });
    const [list] = (await siyuan.children(first)).filter((block) => block.type === "l");
    await siyuan.data("/api/block/foldBlock", { id: list?.id });
    const before = await snapshot();
    const preflight = await client.preflight("document", duplicate(first));
    expect(preflight).toMatchObject({
      preconditionField: "expectedStateHash",
      preview: { title: "first", blocks: 5, subDocumentsNotCopied: 1 },
    });
    expect(await snapshot()).toEqual(before);
    const call = { ...duplicate(first), ...credentialsOf(preflight) };
    const done = await client.ok("document", call);
    const id = String(done.id);
    expect(done).toMatchObject({
      success: true,
      sourceID: first,
      notebook: scratch.notebook,
      path: `/${parent}/${id}.sy`,
      blocks: 5,
      subDocumentsNotCopied: 1,
      safety: { transactionState: "committed" },
    });
    expect(done.notes).toEqual(expect.arrayContaining([expect.stringContaining("names or aliases")]));
    const after = await snapshot();
    const { [id]: copy, ...others } = after;
    expect(withoutSort(others)).toEqual(withoutSort(before));
    expect(copy).toMatchObject({ title: done.title, humanPath: done.hPath });
    expect({ ...copy?.attributes, id: "", title: "" }).toEqual({ ...before[first]?.attributes, id: "", title: "" });
    expect(await source(id)).toBe(await source(first));
    expect((await siyuan.children(id)).map((block) => block.id)).toEqual(done.createdBlockIDs);
    const dom = await siyuan.dom(id);
    expect(dom).toContain(`data-id="${target.id}"`);
    expect(dom).toContain(`data-id="${(done.createdBlockIDs as string[])[0]}"`);
    expect(dom).not.toContain(String(own?.id));
    const { files } = await siyuan.data<{ files: { id: string }[] }>("/api/filetree/listDocsByPath", {
      notebook: scratch.notebook,
      path: `/${parent}.sy`,
      sort: 6,
      maxListCount: -1,
    });
    const ids = files.map((file) => file.id);
    expect(ids.indexOf(id)).toBe(ids.indexOf(first) + 1);
    expect(ids).toContain(second);
    expect(after[grandchild]?.path).toBe(before[grandchild]?.path);
    const again = await client.ok("document", call);
    expect(again).toMatchObject({ id, safety: { replayed: true } });
    expect(await snapshot()).toEqual(after);
  });

  it("of an empty document, and of one with an unusual title, twice", async () => {
    const id = await siyuan.data<string>("/api/filetree/createDocWithMd", {
      notebook: scratch.notebook,
      path: '/a <b> & "c" é😀 {{x}}',
      markdown: "",
    });
    const one = await client.write("document", duplicate(id));
    const two = await client.write("document", duplicate(id));
    expect(one.id).not.toBe(two.id);
    for (const done of [one, two]) {
      expect(done).toMatchObject({ blocks: 1, safety: { transactionState: "committed" } });
      expect(String(done.title).startsWith('a <b> & "c" é😀 {{x}}')).toBe(true);
    }
  });
});

describe("refuses and copies nothing", () => {
  it("blocks, missing documents and wrong arguments", async () => {
    const { id } = await scratch.paragraph();
    const before = await snapshot();
    const wrong = (args: object) => client.refused("document", { action: "duplicate", validateOnly: true, ...args });
    expect((await wrong({ id })).code).toBe("not_a_document");
    expect((await wrong({ id: missing })).code).toBe("document_not_found");
    expect((await wrong({ id: "zz" })).fields?.[0]?.path).toBe("id");
    expect((await wrong({})).fields?.[0]?.path).toBe("id");
    expect((await wrong({ id, title: "x" })).code).toBe("invalid_arguments");
    expect(await snapshot()).toEqual(before);
  });

  it("a document with a reference to nothing, which SiYuan would empty", async () => {
    const gone = await scratch.document("gone");
    const { document } = await scratch.paragraph(`see ((${gone.blocks[0]} "gone"))`);
    await siyuan.data("/api/filetree/removeDocByID", { id: gone.id });
    const before = await snapshot();
    const error = await client.refused("document", { ...duplicate(document), validateOnly: true });
    expect(error).toMatchObject({ code: "missing_reference", fields: [{ path: "id" }] });
    expect(error.message).toContain(gone.blocks[0]);
    expect(await snapshot()).toEqual(before);
  });

  it("after an edit or a revoked permission", async () => {
    const { id, blocks } = await scratch.document("x");
    const edited = credentialsOf(await client.preflight("document", duplicate(id)));
    await siyuan.update(blocks[0] ?? "", "theirs");
    expect((await client.refused("document", { ...duplicate(id), ...edited })).code).toBe("state_changed");
    const revoked = credentialsOf(await client.preflight("document", duplicate(id)));
    await scratch.setPermission(scratch.notebook, "r");
    expect((await client.refused("document", { ...duplicate(id), ...revoked })).code).toBe("permission_denied");
    await scratch.setPermission(scratch.notebook, "rw");
    expect(
      Object.values(await snapshot()).filter((entry) => /Duplicated/.test(entry.title) && entry.dom.includes("theirs")),
    ).toEqual([]);
  });
});

describe.skipIf(tierName === "live")("a SiYuan that lies", () => {
  afterEach(() => setFaults(siyuan, []));

  it("code 0 without effect is a mismatch, a lost answer is unknown", async () => {
    const { id } = await scratch.document("x");
    const before = await snapshot();
    const lied = credentialsOf(await client.preflight("document", duplicate(id)));
    await setFaults(siyuan, [{ path: "/api/filetree/duplicateDoc", kind: "no-effect", times: 1 }]);
    expect((await client.refused("document", { ...duplicate(id), ...lied })).code).toBe("readback_mismatch");
    expect(await snapshot()).toEqual(before);
    const lost = credentialsOf(await client.preflight("document", duplicate(id)));
    await setFaults(siyuan, [{ path: "/api/filetree/duplicateDoc", kind: "lost-answer", times: 1 }]);
    expect((await client.refused("document", { ...duplicate(id), ...lost })).code).toBe("outcome_unknown");
    expect((await client.ok("document", { ...duplicate(id), ...lost })).safety).toMatchObject({ reconciled: true });
  });
});
