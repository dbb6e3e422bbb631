// Actions at their least and their fullest arguments where no other file has them so, each with the whole notebook compared.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LegacyClient } from "./legacy-client.js";
import { notebookSnapshot, oneSpelling } from "./notebook-snapshot.js";
import { useScratch } from "./scratch.js";
import { useOwnerSettings } from "./settings.js";
import { useTier } from "./tier.js";
import { world } from "./world.js";

const tier = useTier();
const scratch = useScratch(tier);
const { client, siyuan } = scratch;
const legacy = new LegacyClient(tier);
const settings = useOwnerSettings(siyuan);
const missing = "20200101000000-zzzzzzz";
const snapshot = () => notebookSnapshot(siyuan, scratch.notebook);
let name = "";

beforeAll(async () => {
  name = (await world(siyuan))[scratch.notebook]?.name ?? "";
}, 30_000);

/** The snapshot with one document's blocks as they are now: everything else must have stayed. */
async function exceptBlocksOf(id: string, before: Awaited<ReturnType<typeof snapshot>>) {
  const now = before[id];
  if (!now) throw new Error(`no document ${id}`);
  return { ...before, [id]: { ...now, dom: oneSpelling(await siyuan.dom(id)) } };
}

const codeOf = async (tool: string, args: object) => (await client.refused(tool, { ...args })).code;

describe("fs", () => {
  it("ls refuses no path, steps up, and what is not there", async () => {
    expect(await codeOf("fs", { action: "ls" })).toBe("invalid_arguments");
    expect(await codeOf("fs", { action: "ls", path: "" })).toBe("invalid_arguments");
    expect(await codeOf("fs", { action: "ls", path: `/${name}/../x` })).toBe("invalid_path");
    expect(await codeOf("fs", { action: "ls", path: `/${name}/not there` })).toBe("document_not_found");
  });

  it("read takes a window by all its fields, and no wrong numbers", async () => {
    const { id, blocks } = await scratch.document("one\n\ntwo\n\nthree\n\nfour");
    const path = `/${name}${await siyuan.data<string>("/api/filetree/getHPathByID", { id })}`;
    const window = { blockStart: 1, blockLimit: 2, tokenBudget: 100, includeBlockIds: true };
    expect(await client.ok("fs", { action: "read", path, ...window })).toMatchObject({
      content: "two\n\nthree",
      totalBlocks: 4,
      hasNextWindow: true,
      blockRefs: [{ id: blocks[1] }, { id: blocks[2] }],
    });
    for (const wrong of [{ blockStart: -1 }, { blockLimit: 0 }, { blockLimit: 201 }, { tokenBudget: 0 }, { page: 1 }])
      expect(await codeOf("fs", { action: "read", path, ...wrong })).toBe("invalid_arguments");
  });

  it("search takes all its fields at once", async () => {
    const { id } = await scratch.document("Needle a\n\nneedle b\n\nNeedle c\n\nNeedle d");
    const path = `/${name}${await siyuan.data<string>("/api/filetree/getHPathByID", { id })}`;
    const args = { path, query: "^Needle .$", regex: true, caseSensitive: true, page: 2, pageSize: 2 };
    expect(await client.ok("fs", { action: "search", ...args })).toMatchObject({
      total: 3,
      page: 2,
      pageCount: 2,
      data: [{ text: "Needle d" }],
    });
  });
});

describe("notebook", () => {
  it("create with a name alone makes an empty notebook and changes nothing else", async () => {
    const before = await world(siyuan);
    const done = await client.write("notebook", { action: "create", name: "a name alone" });
    const id = String(done.notebook);
    try {
      const { [id]: made, ...others } = await world(siyuan);
      expect(made).toMatchObject({ name: "a name alone", icon: "", closed: false, documents: {} });
      expect(others).toEqual(before);
    } finally {
      await siyuan.call("/api/notebook/removeNotebook", { notebook: id });
    }
  });

  it("create refuses no name, a wrong icon and unknown fields, and makes nothing", async () => {
    const before = await world(siyuan);
    for (const wrong of [{}, { name: "" }, { name: 1 }, { name: "x", icon: "📕" }, { name: "x", colour: "red" }])
      expect(await codeOf("notebook", { action: "create", ...wrong, validateOnly: true })).toBe("invalid_arguments");
    expect(await world(siyuan)).toEqual(before);
  });

  it("list shows what SiYuan lists, and takes no arguments", async () => {
    const { notebooks } = await siyuan.data<{ notebooks: { id: string; name: string; closed: boolean }[] }>(
      "/api/notebook/lsNotebooks",
      {},
    );
    const listed = (await client.ok("notebook", { action: "list" })).notebooks as typeof notebooks;
    expect(listed.find(({ id }) => id === scratch.notebook)).toMatchObject({ name, closed: false });
    expect(listed.every(({ id }) => notebooks.some((entry) => entry.id === id))).toBe(true);
    expect(await codeOf("notebook", { action: "list", notebook: scratch.notebook })).toBe("invalid_arguments");
  });
});

describe("document create", () => {
  it("with a path alone makes an empty document and changes nothing else", async () => {
    const before = await snapshot();
    const done = await client.write("document", { action: "create", notebook: scratch.notebook, path: "/Path alone" });
    const { [String(done.id)]: made, ...others } = await snapshot();
    expect(made).toMatchObject({ title: "Path alone", humanPath: "/Path alone" });
    expect(others).toEqual(before);
  });

  it("with parent, title and text below a document, and nothing else changed", async () => {
    const { id } = await scratch.document("parent");
    const parentPath = await siyuan.data<string>("/api/filetree/getHPathByID", { id });
    const before = await snapshot();
    const done = await client.write("document", {
      action: "create",
      notebook: scratch.notebook,
      parentPath,
      title: "Full",
      markdown: "one\n\ntwo",
    });
    const { [String(done.id)]: made, ...others } = await snapshot();
    expect(made).toMatchObject({ path: `/${id}/${done.id}.sy`, humanPath: `${parentPath}/Full` });
    expect((await siyuan.children(String(done.id))).map((block) => block.markdown)).toEqual(["one", "two"]);
    expect(others).toEqual(before);
  });
});

describe("block", () => {
  const dom = (text: string, id = "20260101000000-leastfu") =>
    `<div data-node-id="${id}" data-type="NodeParagraph" class="p"><div contenteditable="true">${text}</div></div>`;

  it("append writes DOM, and refuses other types and missing fields", async () => {
    const { id, blocks } = await scratch.document("first");
    const before = await snapshot();
    const data = dom('as <span data-type="strong">dom</span>', `20260101000000-${id.slice(-7)}`);
    const done = await client.write("block", { action: "append", parentID: id, dataType: "dom", data });
    expect(await snapshot()).toEqual(await exceptBlocksOf(id, before));
    const children = await siyuan.children(id);
    expect(children.map((block) => block.markdown)).toEqual(["first", "as **dom**"]);
    expect(children.map((block) => block.id)).toEqual([blocks[0], done.id]);
    for (const wrong of [{ dataType: "html", data: "x" }, { dataType: "markdown" }, { data: "x" }])
      expect(await codeOf("block", { action: "append", parentID: id, ...wrong, validateOnly: true })).toBe(
        "invalid_arguments",
      );
  });

  it("get_children with an id alone lists all", async () => {
    const { id, blocks } = await scratch.document("a\n\nb");
    expect(await client.ok("block", { action: "get_children", id })).toMatchObject({
      total: 2,
      page: 1,
      hasNextPage: false,
      data: blocks.map((block) => ({ id: block })),
    });
  });

  it("batch_kramdown, breadcrumb, docs_info and recent_updated refuse wrong values", async () => {
    const { id } = await scratch.paragraph();
    expect(await codeOf("block", { action: "batch_kramdown", ids: [id], mode: "html" })).toBe("invalid_arguments");
    expect(await codeOf("block", { action: "batch_kramdown" })).toBe("invalid_arguments");
    expect(await codeOf("block", { action: "breadcrumb", id, excludeTypes: "NodeText" })).toBe("invalid_arguments");
    expect(await codeOf("block", { action: "docs_info", id, refCount: "yes" })).toBe("invalid_arguments");
    expect(await codeOf("block", { action: "word_count", ids: [] })).toBe("invalid_arguments");
    expect(await codeOf("block", { action: "recent_updated", count: 17 })).toBe("invalid_arguments");
  });

  it("set_attrs of one attribute changes one attribute in the whole notebook", async () => {
    const { blocks } = await scratch.document("one\n\ntwo");
    const before = JSON.stringify(await snapshot());
    const id = blocks[0] ?? "";
    await client.write("block", { action: "set_attrs", id, attrs: { "custom-least": "1" } });
    expect(JSON.stringify(await snapshot())).not.toBe(before);
    await client.write("block", { action: "set_attrs", id, attrs: { "custom-least": null } });
    expect(JSON.stringify(await snapshot())).toBe(before);
  });

  it("update of one block and of two changes only these in the whole notebook", async () => {
    const { id, blocks } = await scratch.document("one\n\ntwo\n\nthree");
    await scratch.document("elsewhere");
    const before = await snapshot();
    const last = oneSpelling(await siyuan.dom(blocks[2] ?? ""));
    const item = (index: number, data: string) => ({ id: blocks[index], dataType: "markdown", data });
    await client.write("block", { action: "update", ...item(0, "1") });
    await client.write("block", { action: "update", items: [item(0, "eins"), item(1, "zwei")] });
    expect((await siyuan.children(id)).map((block) => block.markdown)).toEqual(["eins", "zwei", "three"]);
    expect(await snapshot()).toEqual(await exceptBlocksOf(id, before));
    expect(oneSpelling(await siyuan.dom(blocks[2] ?? ""))).toBe(last);
  });

  describe("delete", () => {
    beforeAll(async () => {
      await settings.set({ block: { actions: { delete: true } } });
      await scratch.setPermission(scratch.notebook, "rwd");
    }, 30_000);
    afterAll(() => scratch.setPermission(scratch.notebook, "rw"), 30_000);

    it("takes one block out of the whole notebook", async () => {
      const { id, blocks } = await scratch.document("one\n\ntwo\n\nthree");
      const before = await snapshot();
      const kept = await Promise.all([blocks[0], blocks[2]].map((block) => siyuan.dom(block ?? "")));
      await legacy.confirmed("block", { action: "delete", id: blocks[1] });
      expect(await snapshot()).toEqual(await exceptBlocksOf(id, before));
      expect((await siyuan.children(id)).map((block) => block.id)).toEqual([blocks[0], blocks[2]]);
      expect(await Promise.all([blocks[0], blocks[2]].map((block) => siyuan.dom(block ?? "")))).toEqual(kept);
      for (const wrong of [{}, { id: missing, force: true }])
        expect(await codeOf("block", { action: "delete", ...wrong, validateOnly: true })).toBe("invalid_arguments");
    });
  });
});
