// The document reads at their least and fullest arguments, and what no document action may see or touch.

import { describe, expect, it } from "vitest";
import { makeFamily } from "./document-family.js";
import { countRequests, setFaults } from "./faults.js";
import type { Fields } from "./modern-client.js";
import { useScratch } from "./scratch.js";
import { tierName, useTier } from "./tier.js";

const tier = useTier();
const scratch = useScratch(tier);
const { client, siyuan } = scratch;
const missing = "20200101000000-zzzzzzz";
const family = () => makeFamily(scratch);
const pathOf = async (id: string) => (await siyuan.data<{ path: string }>("/api/filetree/getPathByID", { id })).path;

/** Requests that a read made, settings and the list of notebooks not counted. */
async function requestsOf(args: Fields): Promise<number> {
  await client.ok("document", args);
  await countRequests(tier);
  await client.ok("document", args);
  const counts = await countRequests(tier);
  const asked = Object.keys(counts).filter(
    (path) => path.startsWith("/api/") && !/getFile|lsNotebooks|getConf/.test(path),
  );
  return asked.reduce((sum, path) => sum + (counts[path] ?? 0), 0);
}

describe("lookup", () => {
  it("answers id, storage path and human path from an id", async () => {
    const { base, first, parent } = await family();
    expect(await client.ok("document", { action: "lookup", id: first })).toEqual({
      id: first,
      notebook: scratch.notebook,
      path: `/${parent}/${first}.sy`,
      idPath: [parent, first],
      hpath: `${base}/first`,
    });
  });

  it("takes a storage path, a human path and its other spelling", async () => {
    const { base, second } = await family();
    const notebook = scratch.notebook;
    const path = await pathOf(second);
    for (const place of [{ path }, { hpath: `${base}/second` }, { hPath: `/${base}//second/` }]) {
      expect(await client.ok("document", { action: "lookup", notebook, ...place })).toMatchObject({
        id: second,
        path,
        hpath: `${base}/second`,
      });
    }
    const read = await client.ok("document", { action: "lookup", notebook, path: `${base}/second` });
    expect(read).toMatchObject({ id: second, note: expect.stringContaining("hpath") });
  });

  it("answers only what is included, with everything the document is", async () => {
    const { first, base } = await family();
    await siyuan.setAttributes(first, { icon: "1f4d4", memo: "m" });
    const include = ["id", "ids", "path", "hpath", "docInfo"];
    expect(await client.ok("document", { action: "lookup", id: first, include })).toMatchObject({
      ids: [first],
      hpath: `${base}/first`,
      docInfo: { title: "first", icon: "1f4d4", subFileCount: 1, attributes: { memo: "m" } },
    });
    expect(await client.ok("document", { action: "lookup", id: first, include: "id" })).toEqual({
      id: first,
      notebook: scratch.notebook,
    });
  });

  it("lists all documents of one human path", async () => {
    const hpath = "/two of a kind";
    const ids: string[] = [];
    for (let twin = 0; twin < 2; twin++)
      ids.push(
        await siyuan.data<string>("/api/filetree/createDocWithMd", {
          notebook: scratch.notebook,
          path: hpath,
          markdown: "x",
        }),
      );
    const found = await client.ok("document", { action: "lookup", notebook: scratch.notebook, hpath });
    expect((found.ids as string[]).slice().sort()).toEqual(ids.sort());
    expect(found.id).toBeUndefined();
  });

  const wrong: [string, () => Promise<Fields> | Fields, string, string][] = [
    ["nothing", () => ({}), "invalid_arguments", "id"],
    ["two ways at once", () => ({ id: missing, hpath: "/x" }), "invalid_arguments", "hpath"],
    ["a path without its notebook", () => ({ hpath: "/x" }), "invalid_arguments", "notebook"],
    ["a missing id", () => ({ id: missing }), "document_not_found", "id"],
    ["a block", async () => ({ id: (await scratch.paragraph()).id }), "not_a_document", "id"],
    [
      "a missing human path",
      () => ({ notebook: scratch.notebook, hpath: "/not/there" }),
      "document_not_found",
      "hpath",
    ],
    [
      "a missing storage path",
      () => ({ notebook: scratch.notebook, path: `/${missing}.sy` }),
      "document_not_found",
      "path",
    ],
    [
      "another document's folder",
      async () => ({ notebook: scratch.notebook, path: `/${missing}/${(await scratch.document("x")).id}.sy` }),
      "document_not_found",
      "path",
    ],
    ["a field that does not exist", () => ({ id: missing, include: ["colour"] }), "invalid_arguments", "include"],
  ];
  it.each(wrong)("refuses %s", async (_name, args, code, field) => {
    const error = await client.refused("document", { action: "lookup", ...(await args()) });
    expect(error.code).toBe(code);
    expect(error.fields?.[0]?.path).toBe(field);
  });

  it("refuses an unknown notebook", async () => {
    expect((await client.refused("document", { action: "lookup", notebook: missing, hpath: "/x" })).code).toBe(
      "notebook_not_found",
    );
  });
});

describe("get_child_blocks and get_child_docs", () => {
  it("list all, or a page", async () => {
    const { id, blocks } = await scratch.document("# a\n\nb\n\nc");
    const all = await client.ok("document", { action: "get_child_blocks", id });
    expect(all).toMatchObject({
      id,
      total: 3,
      hasNextPage: false,
      data: [{ id: blocks[0], type: "h", subType: "h1" }, { markdown: "b" }, { markdown: "c" }],
    });
    expect((await client.ok("document", { action: "get_child_blocks", id, page: 2, pageSize: 2 })).data).toMatchObject([
      { id: blocks[2] },
    ]);
    const { parent, first, second } = await family();
    const documents = await client.ok("document", { action: "get_child_docs", id: parent });
    expect(documents.data).toMatchObject([
      { id: second, title: "second", children: 0, path: `/${parent}/${second}.sy` },
      { id: first, title: "first", children: 1 },
    ]);
    expect(await client.ok("document", { action: "get_child_docs", id: parent, page: 1, pageSize: 1 })).toMatchObject({
      total: 2,
      hasNextPage: true,
    });
    expect((await client.ok("document", { action: "get_child_docs", id: second })).data).toEqual([]);
  });

  it.each(["get_child_blocks", "get_child_docs"])("%s refuses blocks and missing ids", async (action) => {
    expect((await client.refused("document", { action, id: (await scratch.paragraph()).id })).code).toBe(
      "not_a_document",
    );
    expect((await client.refused("document", { action, id: missing })).code).toBe("document_not_found");
    expect((await client.refused("document", { action, id: "zz" })).code).toBe("invalid_arguments");
  });
});

describe("get_doc", () => {
  it("reads Markdown whole and in windows that add up", async () => {
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`);
    const { id, blocks } = await scratch.document(lines.join("\n\n"));
    const whole = await client.ok("document", { action: "get_doc", id });
    expect(whole).toMatchObject({
      id,
      mode: "markdown",
      notebook: scratch.notebook,
      totalBlocks: 12,
      content: lines.join("\n\n"),
      hasNextWindow: false,
    });
    expect(String(whole.notebookName)).toContain("contract");
    expect(whole.hPath).toBe(await siyuan.data("/api/filetree/getHPathByID", { id }));
    const seen: string[] = [];
    let call: Fields = {
      action: "get_doc",
      id,
      mode: "markdown",
      blockStart: 0,
      blockLimit: 5,
      tokenBudget: 9,
      includeBlockIds: true,
    };
    for (;;) {
      const part = await client.ok("document", call);
      seen.push(...(part.blockRefs as { id: string }[]).map((block) => block.id));
      if (!part.hasNextWindow) break;
      call = part.nextWindow as Fields;
    }
    expect(seen).toEqual(blocks);
  });

  it("reads the editor's HTML, whole and in part", async () => {
    const { id, blocks } = await scratch.document(
      Array.from({ length: 12 }, (_, index) => `line ${index}`).join("\n\n"),
    );
    const whole = await client.ok("document", { action: "get_doc", id, mode: "html" });
    expect(whole).toMatchObject({ mode: "html", returnedBlocks: 12, totalBlocks: 12, truncated: false });
    expect(whole.content).toContain(`data-node-id="${blocks[11]}"`);
    const part = await client.ok("document", { action: "get_doc", id, mode: "html", size: 4 });
    expect(part).toMatchObject({ truncated: true, totalBlocks: 12 });
    expect(part.returnedBlocks).toBeLessThan(12);
  });

  it("refuses fields of the other mode, blocks and missing ids", async () => {
    const { id, document } = await scratch.paragraph();
    expect(await client.refused("document", { action: "get_doc", id: document, size: 4 })).toMatchObject({
      code: "invalid_arguments",
      fields: [{ path: "size" }],
    });
    expect(
      await client.refused("document", { action: "get_doc", id: document, mode: "html", blockLimit: 4 }),
    ).toMatchObject({ code: "invalid_arguments", fields: [{ path: "blockLimit" }] });
    expect((await client.refused("document", { action: "get_doc", id })).code).toBe("not_a_document");
    expect((await client.refused("document", { action: "get_doc", id: missing })).code).toBe("document_not_found");
    expect((await client.refused("document", { action: "get_doc", id: document, page: 1 })).code).toBe(
      "invalid_arguments",
    );
  });
});

describe("list_tree", () => {
  interface Row {
    readonly id: string;
    readonly title: string;
    readonly children: number | readonly Row[];
  }

  it("lists the notebook and what lies below a document, leaves included", async () => {
    const { parent, first, second, grandchild, path } = await family();
    const root = await client.ok("document", { action: "list_tree", notebook: scratch.notebook, path: "/" });
    expect(root).toMatchObject({ maxDepth: 3, path: "/" });
    const row = (root.tree as Row[]).find((entry) => entry.id === parent);
    expect(row).toMatchObject({
      children: [
        { id: second, title: "second", children: [] },
        { id: first, children: [{ id: grandchild, children: [] }] },
      ],
    });
    const cut = await client.ok("document", { action: "list_tree", notebook: scratch.notebook, path, maxDepth: 0 });
    expect(cut).toMatchObject({
      tree: [
        { id: second, children: [] },
        { id: first, children: 1 },
      ],
      depthHint: expect.any(String),
    });
    const leaf = await client.ok("document", {
      action: "list_tree",
      notebook: scratch.notebook,
      path: await pathOf(second),
      maxDepth: 20,
    });
    expect(leaf.tree).toEqual([]);
    expect(leaf.partial).toBeUndefined();
  });

  it("refuses human paths, missing documents and notebooks, and too great a depth", async () => {
    const call = { action: "list_tree", notebook: scratch.notebook, path: "/" };
    expect((await client.refused("document", { ...call, path: "/place" })).code).toBe("invalid_path");
    expect((await client.refused("document", { ...call, path: `/${missing}.sy` })).code).toBe("document_not_found");
    expect((await client.refused("document", { ...call, notebook: missing })).code).toBe("notebook_not_found");
    expect((await client.refused("document", { ...call, maxDepth: 21 })).code).toBe("invalid_arguments");
  });

  it.skipIf(tierName === "live")("names the subtrees that could not be read", async () => {
    const { first, second, path } = await family();
    await setFaults(siyuan, [{ path: "/api/filetree/listDocsByPath", kind: "code-1", match: `${first}.sy` }]);
    try {
      const tree = await client.ok("document", { action: "list_tree", notebook: scratch.notebook, path });
      expect(tree).toMatchObject({
        partial: true,
        errors: [{ id: first }],
        tree: [
          { id: second, children: [] },
          { id: first, children: 1 },
        ],
      });
    } finally {
      await setFaults(siyuan, []);
    }
  });
});

describe("search_docs", () => {
  it("finds titles in the notebook, and below a document", async () => {
    const { base, first, second, path, parent } = await family();
    await siyuan.data("/api/sqlite/flushTransaction", {});
    const found = await client.ok("document", {
      action: "search_docs",
      notebook: scratch.notebook,
      query: `${base.slice(1)}/FIRST`,
    });
    expect(found.docs).toEqual(
      expect.arrayContaining([{ id: first, path: `/${parent}/${first}.sy`, hPath: `${base}/first` }]),
    );
    expect(JSON.stringify(found.docs)).not.toContain(second);
    const other = await family();
    await siyuan.data("/api/sqlite/flushTransaction", {});
    const below = await client.ok("document", {
      action: "search_docs",
      notebook: scratch.notebook,
      query: "second",
      path,
    });
    expect(below).toMatchObject({ pathApplied: true, docs: [{ id: second }] });
    expect(below.filteredOutCount).toBeGreaterThanOrEqual(1);
    expect(JSON.stringify(below.docs)).not.toContain(other.second);
    expect(
      (await client.ok("document", { action: "search_docs", notebook: scratch.notebook, query: "nothing like it" }))
        .docs,
    ).toEqual([]);
  });

  it("refuses an empty query, a bad path and a missing notebook", async () => {
    const call = { action: "search_docs", notebook: scratch.notebook, query: "x" };
    expect((await client.refused("document", { ...call, query: "" })).code).toBe("invalid_arguments");
    expect((await client.refused("document", { ...call, path: "/human" })).code).toBe("invalid_path");
    expect((await client.refused("document", { ...call, notebook: missing })).code).toBe("notebook_not_found");
  });
});

describe("permissions of reads", () => {
  it("hide a notebook that may not be read, from every action", async () => {
    const notebook = (
      await siyuan.data<{ notebook: { id: string } }>("/api/notebook/createNotebook", { name: "hidden one" })
    ).notebook.id;
    try {
      const id = await siyuan.data<string>("/api/filetree/createDocWithMd", {
        notebook,
        path: "/secretive",
        markdown: "x",
      });
      await siyuan.data("/api/sqlite/flushTransaction", {});
      await scratch.setPermission(notebook, "none");
      const calls: Fields[] = [
        { action: "lookup", id },
        { action: "lookup", notebook, hpath: "/secretive" },
        { action: "lookup", notebook, hpath: "/not there" },
        { action: "get_child_blocks", id },
        { action: "get_child_docs", id },
        { action: "get_doc", id },
        { action: "list_tree", notebook, path: "/" },
        { action: "search_docs", notebook, query: "secretive" },
        { action: "rename", id, title: "x", validateOnly: true },
        { action: "set_attr", id, attrs: { icon: null }, validateOnly: true },
      ];
      for (const call of calls) expect((await client.refused("document", call)).code).toBe("permission_denied");
      const found = await client.ok("document", {
        action: "search_docs",
        notebook: scratch.notebook,
        query: "secretive",
      });
      expect(found.docs).toEqual([]);
      expect(found.filteredOutCount).toBeUndefined();
    } finally {
      await siyuan.call("/api/notebook/removeNotebook", { notebook });
    }
  }, 20_000);
});

describe("a closed notebook", () => {
  it("is refused by every action", async () => {
    const notebook = (
      await siyuan.data<{ notebook: { id: string } }>("/api/notebook/createNotebook", { name: "closed one" })
    ).notebook.id;
    try {
      const id = await siyuan.data<string>("/api/filetree/createDocWithMd", {
        notebook,
        path: "/inside",
        markdown: "x",
      });
      await scratch.setPermission(notebook, "rw");
      await siyuan.data("/api/notebook/closeNotebook", { notebook });
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      const byNotebook: Fields[] = [
        { action: "lookup", notebook, hpath: "/inside" },
        { action: "list_tree", notebook, path: "/" },
        { action: "search_docs", notebook, query: "inside" },
        { action: "rename", notebook, path: `/${id}.sy`, title: "x", validateOnly: true },
      ];
      for (const call of byNotebook) expect((await client.refused("document", call)).code).toBe("notebook_closed");
      const byId: Fields[] = [
        { action: "lookup", id },
        { action: "get_child_blocks", id },
        { action: "get_child_docs", id },
        { action: "get_doc", id },
        { action: "rename", id, title: "x", validateOnly: true },
        { action: "set_attr", id, attrs: { icon: null }, validateOnly: true },
      ];
      for (const call of byId)
        expect((await client.refused("document", call)).code).toMatch(/document_not_found|notebook_closed/);
    } finally {
      await siyuan.call("/api/notebook/removeNotebook", { notebook });
    }
  }, 20_000);
});

// Settings of the plugin, and what the engine looks up on its own account, are not counted.
it.skipIf(tierName === "live")("reads ask SiYuan at most three times", async () => {
  const { first, parent, path } = await family();
  const { notebook } = scratch;
  const calls: Fields[] = [
    { action: "lookup", id: first },
    { action: "lookup", notebook, path: `/${parent}/${first}.sy`, include: ["id", "path", "hpath", "docInfo"] },
    { action: "get_child_blocks", id: first },
    { action: "get_child_docs", id: parent },
    { action: "get_doc", id: first },
    { action: "get_doc", id: first, mode: "html" },
    { action: "list_tree", notebook, path },
    { action: "search_docs", notebook, query: "first", path },
  ];
  for (const call of calls) expect(await requestsOf(call), JSON.stringify(call)).toBeLessThanOrEqual(3);
});
