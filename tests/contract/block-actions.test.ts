// The reads of blocks, and the actions that add blocks or change attributes; documents are compared through SiYuan's own API.

import { describe, expect, it } from "vitest";
import { useScratch } from "./scratch.js";
import { useTier } from "./tier.js";

const scratch = useScratch(useTier());
const { client, siyuan } = scratch;

const missing = "20200101000000-zzzzzzz";

/** Type, text and attributes of every block of a document, ids and stamps left out. */
async function blocksOf(id: string): Promise<{ id: string; type: string; markdown: string }[]> {
  return (await siyuan.children(id)).map(({ id: block, type, markdown }) => ({ id: block, type, markdown }));
}

const texts = async (id: string) => (await blocksOf(id)).map((block) => block.markdown);

const attributes = (id: string) => siyuan.data<Record<string, string>>("/api/attr/getBlockAttrs", { id });

describe("block.get_attrs", () => {
  it("answers what the owner set, on blocks and documents", async () => {
    const { id, document } = await scratch.paragraph();
    await siyuan.setAttributes(id, { memo: 'line "one"\nline <two> & {x}', "custom-a": "1", bookmark: "b" });
    await siyuan.setAttributes(document, { icon: "1f4d4", "custom-doc": "y\nz" });
    expect((await client.ok("block", { action: "get_attrs", id })).attrs).toEqual({
      memo: 'line "one"\nline <two> & {x}',
      "custom-a": "1",
      bookmark: "b",
    });
    expect((await client.ok("block", { action: "get_attrs", id: document })).attrs).toEqual({
      icon: "1f4d4",
      "custom-doc": "y\nz",
    });
  });

  it("refuses a missing block", async () => {
    expect((await client.refused("block", { action: "get_attrs", id: missing })).code).toBe("block_not_found");
  });
});

describe("block.info", () => {
  it("tells type, neighbours, document and notebook", async () => {
    const { id, blocks } = await scratch.document("# one\n\ntwo");
    expect(await client.ok("block", { action: "info", id: blocks[1] })).toMatchObject({
      type: "NodeParagraph",
      parentID: id,
      previousID: blocks[0],
      nextID: "",
      box: scratch.notebook,
      rootID: id,
    });
    expect(await client.ok("block", { action: "info", id })).toMatchObject({ type: "NodeDocument", rootID: id });
    expect((await client.refused("block", { action: "info", id: missing })).code).toBe("block_not_found");
  });
});

describe("block.breadcrumb", () => {
  it("leads from the document through the heading to the block", async () => {
    const { id, blocks } = await scratch.document("# a < b\n\ntext");
    const { path } = await client.ok("block", { action: "breadcrumb", id: blocks[1], excludeTypes: ["NodeTextMark"] });
    expect(path).toMatchObject([
      { id, type: "NodeDocument" },
      { id: blocks[0], name: "a < b", type: "NodeHeading", subType: "h1" },
      { id: blocks[1] },
    ]);
    expect((await client.ok("block", { action: "breadcrumb", id })).path).toHaveLength(1);
    expect((await client.refused("block", { action: "breadcrumb", id: missing })).code).toBe("block_not_found");
  });
});

describe("block.dom", () => {
  it("is SiYuan's own, of a block and of a whole document", async () => {
    const { id, blocks } = await scratch.document("one\n\n> two");
    expect((await client.ok("block", { action: "dom", id: blocks[0] })).dom).toContain(`data-node-id="${blocks[0]}"`);
    const whole = String((await client.ok("block", { action: "dom", id })).dom);
    expect(blocks.every((block) => whole.includes(block))).toBe(true);
    expect((await client.refused("block", { action: "dom", id: missing })).code).toBe("block_not_found");
  });
});

describe("block.batch_kramdown", () => {
  it("answers each id for itself, in order, twice where asked twice", async () => {
    const { blocks } = await scratch.document("one\n\ntwo");
    const ids = [blocks[1], missing, blocks[0], blocks[1]];
    for (const mode of ["md", "textmark"]) {
      const items = (await client.ok("block", { action: "batch_kramdown", ids, mode })).items as {
        id: string;
        ok: boolean;
        kramdown?: string;
        error?: { type: string };
      }[];
      expect(items.map((item) => item.id)).toEqual(ids);
      expect(items.map((item) => item.kramdown?.split("\n")[0])).toEqual(["two", undefined, "one", "two"]);
      expect(items[1]).toMatchObject({ ok: false, error: { type: "not_found" } });
    }
  });

  it("refuses none, more than twenty and malformed ids", async () => {
    for (const ids of [[], Array(21).fill(missing), ["zz"]]) {
      expect((await client.refused("block", { action: "batch_kramdown", ids })).code).toBe("invalid_arguments");
    }
  });
});

describe("block.docs_info", () => {
  it("tells of the document of each block", async () => {
    const { id, document } = await scratch.paragraph();
    expect((await client.ok("block", { action: "docs_info", id: document })).documents).toMatchObject([
      { id: document, rootID: document },
    ]);
    const full = (await client.ok("block", { action: "docs_info", ids: [id, document], refCount: true, av: true }))
      .documents;
    expect(full).toMatchObject([
      { id, rootID: document, refCount: 0 },
      { id: document, rootID: document },
    ]);
  });

  it("refuses both forms, none and missing blocks", async () => {
    expect((await client.refused("block", { action: "docs_info", id: missing, ids: [missing] })).code).toBe(
      "invalid_arguments",
    );
    expect((await client.refused("block", { action: "docs_info" })).code).toBe("invalid_arguments");
    expect(await client.refused("block", { action: "docs_info", ids: [missing] })).toMatchObject({
      code: "block_not_found",
      fields: [{ path: "ids.0" }],
    });
  });
});

describe("block.word_count", () => {
  it("counts blocks together", async () => {
    const { blocks } = await scratch.document("three small words\n\n中文 [link](u)");
    expect((await client.ok("block", { action: "word_count", id: blocks[0] })).stat).toMatchObject({
      wordCount: 3,
      blockCount: 1,
    });
    expect((await client.ok("block", { action: "word_count", ids: blocks })).stat).toMatchObject({
      wordCount: 6,
      linkCount: 1,
      blockCount: 2,
    });
    expect((await client.refused("block", { action: "word_count", ids: [missing] })).code).toBe("block_not_found");
  });
});

describe("block.recent_updated", () => {
  it("lists paragraphs that just changed, and none of a hidden notebook", async () => {
    const { id } = await scratch.paragraph("recently a < b");
    const list = async () =>
      (await client.ok("block", { action: "recent_updated" })).blocks as {
        id: string;
        content: string;
        notebook: string;
      }[];
    await expect
      .poll(async () => (await list()).find((row) => row.id === id), { timeout: 10_000, interval: 500 })
      .toMatchObject({ content: "recently a < b", notebook: scratch.notebook });
    expect((await client.ok("block", { action: "recent_updated", count: 1 })).blocks).toHaveLength(1);
    expect((await client.refused("block", { action: "recent_updated", count: 0 })).code).toBe("invalid_arguments");
    await scratch.setPermission(scratch.notebook, "none");
    try {
      expect((await list()).filter((row) => row.notebook === scratch.notebook)).toEqual([]);
      expect((await client.ok("block", { action: "batch_kramdown", ids: [id] })).items).toEqual([
        { id, ok: false, error: { type: "permission_denied" } },
      ]);
      for (const action of ["get_attrs", "info", "breadcrumb", "dom"])
        expect((await client.refused("block", { action, id })).code).toBe("permission_denied");
      for (const action of ["docs_info", "word_count"])
        expect((await client.refused("block", { action, ids: [id] })).code).toBe("permission_denied");
    } finally {
      await scratch.setPermission(scratch.notebook, "rw");
    }
  }, 30_000);
});

describe("block.set_attrs", () => {
  const setAttrs = (id: string, attrs: object) => ({ action: "set_attrs", id, attrs });

  it("sets, changes and removes, and leaves everything else", async () => {
    const { id, blocks } = await scratch.document("one\n\ntwo **bold**\n\nthree");
    const target = blocks[1] as string;
    await siyuan.setAttributes(target, { name: "kept", alias: "old", "custom-gone": "x", memo: "m" });
    const before = await blocksOf(id);
    const attrs = {
      alias: "new",
      bookmark: "bm",
      style: "color: red;",
      icon: "1f4d4",
      memo: 'a "quote" <b> & {x}\nnext line',
      "custom-status-2": "进行中",
      "custom-gone": null,
    };
    const done = await client.write("block", setAttrs(target, attrs));
    expect(done.safety.transactionState).toBe("committed");
    expect(done).toMatchObject({ id: target, removed: ["custom-gone"] });
    expect(await blocksOf(id)).toEqual(before);
    const { id: _id, updated: _updated, ...stored } = await attributes(target);
    expect(stored).toEqual({
      name: "kept",
      alias: "new",
      bookmark: "bm",
      style: "color: red;",
      icon: "1f4d4",
      memo: attrs.memo,
      "custom-status-2": "进行中",
    });
  });

  it("works on every kind of block and on documents", async () => {
    const { id, blocks } = await scratch.document(
      "# h\n\n- a\n- b\n\n> q\n\n```js\ncode\n```\n\n|a|b|\n|-|-|\n|1|2|\n\n$$\nx\n$$\n\n<div>html</div>\n\n---",
    );
    const [item] = await siyuan.children(blocks[1] ?? "");
    for (const target of [...blocks, item?.id ?? "", id]) {
      const before = await siyuan.exported(id);
      await client.write("block", setAttrs(target, { "custom-k": "v", memo: "x" }));
      expect(await attributes(target)).toMatchObject({ "custom-k": "v", memo: "x" });
      expect(await siyuan.exported(id)).toBe(before);
    }
    await client.write("block", setAttrs(id, { "title-img": "background-image:url(a)", tags: "a,b", memo: "" }));
    expect(await attributes(id)).toMatchObject({
      "title-img": "background-image:url(a)",
      tags: "a,b",
      "custom-k": "v",
    });
    expect((await attributes(id)).memo).toBeUndefined();
  });

  it("reports no_change when everything is so already", async () => {
    const { id } = await scratch.paragraph();
    await siyuan.setAttributes(id, { memo: "m" });
    expect(
      (await client.write("block", setAttrs(id, { memo: "m", alias: null, name: "" }))).safety.transactionState,
    ).toBe("no_change");
  });

  it("refuses when the block changed after the preflight", async () => {
    const { id } = await scratch.paragraph();
    const call = setAttrs(id, { memo: "mine" });
    const preflight = await client.preflight("block", call);
    await siyuan.setAttributes(id, { memo: "theirs" });
    const error = await client.refused("block", {
      ...call,
      requestId: preflight.requestId,
      expectedStateHash: preflight.expectedStateHash,
    });
    expect(error.code).toBe("state_changed");
    expect((await attributes(id)).memo).toBe("theirs");
  });

  const wrong: [string, object, string, string][] = [
    ["no attributes", {}, "invalid_arguments", "attrs"],
    ["the id", { id: missing }, "invalid_arguments", "attrs.id"],
    ["the stamp", { updated: "20200101000000" }, "invalid_arguments", "attrs.updated"],
    ["a title", { title: "t" }, "invalid_arguments", "attrs.title"],
    ["a fold mark", { fold: "1" }, "invalid_arguments", "attrs.fold"],
    ["a database binding", { "custom-avs": "x" }, "invalid_arguments", "attrs.custom-avs"],
    ["a flashcard binding", { "custom-riff-decks": "x" }, "invalid_arguments", "attrs.custom-riff-decks"],
    ["an unknown name", { bogus: "x" }, "invalid_arguments", "attrs.bogus"],
    ["a name that would be lowered", { "custom-UP": "x" }, "invalid_arguments", "attrs.custom-UP"],
    ["a name that SiYuan refuses", { "custom-1a": "x" }, "invalid_arguments", "attrs.custom-1a"],
    ["a number", { memo: 1 }, "invalid_arguments", "attrs.memo"],
    ["space at the end", { memo: "x " }, "content_would_be_lost", "attrs.memo"],
    ["a zero-width space", { memo: "a\u200bb" }, "content_would_be_lost", "attrs.memo"],
    ["a no-break space", { memo: "a\u00a0b" }, "content_would_be_lost", "attrs.memo"],
    ["an escaped newline", { memo: "a_esc_newline_b" }, "content_would_be_lost", "attrs.memo"],
    ["an emoji as icon", { icon: "😀" }, "content_would_be_lost", "attrs.icon"],
  ];
  it.each(wrong)("refuses %s and changes nothing", async (_name, attrs, code, field) => {
    const { id, document } = await scratch.paragraph();
    const before = await siyuan.dom(document);
    const error = await client.refused("block", { ...setAttrs(id, attrs), validateOnly: true });
    expect(error.code).toBe(code);
    expect(error.fields?.map((entry) => entry.path)).toContain(field);
    expect(await siyuan.dom(document)).toBe(before);
  });

  it("refuses a missing block", async () => {
    expect((await client.refused("block", { ...setAttrs(missing, { memo: "x" }), validateOnly: true })).code).toBe(
      "block_not_found",
    );
  });
});

describe("block.prepend", () => {
  const prepend = (parentID: string, data: string, dataType = "markdown") => ({
    action: "prepend",
    parentID,
    dataType,
    data,
  });

  it("puts several blocks first, in order, and leaves the others", async () => {
    const { id } = await scratch.document("old one\n\nold two");
    const before = await blocksOf(id);
    const done = await client.write("block", prepend(id, "# new\n\n- a\n- b\n\nlast"));
    const after = await blocksOf(id);
    expect(done.createdBlockIDs).toEqual(after.slice(0, 3).map((block) => block.id));
    expect(after.map((block) => block.type)).toEqual(["h", "l", "p", "p", "p"]);
    expect(after.slice(3)).toEqual(before);
  });

  it("writes DOM, and into quotes, list items, callouts and super blocks", async () => {
    const { blocks } = await scratch.document("> quote\n\n- item\n\n- [ ] task\n\n{{{row\na\n\nb\n}}}");
    const first = async (id: string) => (await siyuan.children(id))[0]?.id ?? "";
    const parents = [blocks[0], await first(blocks[1] ?? ""), await first(blocks[2] ?? ""), blocks[3]] as string[];
    for (const parent of parents) {
      const before = await blocksOf(parent);
      await client.write("block", prepend(parent, "one\n\ntwo"));
      const after = await blocksOf(parent);
      expect(after.map((block) => block.id).slice(2)).toEqual(before.map((block) => block.id));
      const doms = await Promise.all(after.slice(0, 2).map((block) => siyuan.dom(block.id)));
      expect(doms.map((dom) => />(one|two)</.exec(dom)?.[1])).toEqual(["one", "two"]);
    }
    const dom =
      '<div data-node-id="20260101000000-domdom1" data-type="NodeParagraph" class="p"><div contenteditable="true">as dom</div></div>';
    await client.write("block", prepend(blocks[0] ?? "", dom, "dom"));
    expect((await texts(blocks[0] ?? ""))[0]).toBe("as dom");
  });

  it("refuses lists, headings, leaves, missing parents, live and malformed ids", async () => {
    const { id, blocks } = await scratch.document("- item\n\n# head\n\nleaf");
    for (const parent of blocks) {
      expect(await client.refused("block", { ...prepend(parent, "x"), validateOnly: true })).toMatchObject({
        code: "invalid_arguments",
        fields: [{ path: "parentID" }],
      });
    }
    expect((await client.refused("block", { ...prepend(missing, "x"), validateOnly: true })).code).toBe(
      "block_not_found",
    );
    expect(
      (await client.refused("block", { ...prepend(id, `x\n{: id="${blocks[2]}"}`), validateOnly: true })).code,
    ).toBe("content_would_be_lost");
    expect((await client.refused("block", { ...prepend(id, 'x\n{: id="bad"}'), validateOnly: true })).code).toBe(
      "invalid_arguments",
    );
    expect(
      (
        await client.refused("block", {
          ...prepend(id, 'x\n{: custom-avs="20200101000000-zzzzzzz"}'),
          validateOnly: true,
        })
      ).code,
    ).toBe("content_would_be_lost");
    expect((await client.refused("block", { ...prepend(id, `see ((${missing} "x"))`), validateOnly: true })).code).toBe(
      "missing_reference",
    );
  });

  it("replays without a second block", async () => {
    const { id } = await scratch.document("first");
    const preflight = await client.preflight("block", prepend(id, "once"));
    const call = { ...prepend(id, "once"), requestId: preflight.requestId };
    const done = await client.ok("block", call);
    expect(await client.ok("block", call)).toMatchObject({ id: done.id, safety: { replayed: true } });
    expect(await texts(id)).toEqual(["once", "first"]);
  });
});
