// fs.replace: exact edits in a document's plain blocks. Everything that no edit names stays, in the document and around.

import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { countRequests, setFaults } from "./faults.js";
import { credentialsOf } from "./modern-client.js";
import { useScratch } from "./scratch.js";
import { tierName, useTier } from "./tier.js";
import { type World, world } from "./world.js";

const tier = useTier();
const scratch = useScratch(tier);
const { client, siyuan } = scratch;

const dispatchPath = "/api/transactions";

interface Edit {
  old: string;
  new: string;
  replace_all?: boolean;
}
let name = "";
let count = 0;
const make = async (markdown: string) => {
  const title = `Edited ${++count}`;
  const id = await siyuan.data<string>("/api/filetree/createDocWithMd", {
    notebook: scratch.notebook,
    path: `/${title}`,
    markdown,
  });
  const blocks = (await siyuan.children(id)).map((block) => block.id);
  return { id, path: `/${name}/${title}`, title, blocks };
};
const replace = (path: string, edit: Edit | Edit[]) => ({ action: "replace", path, edit });
const texts = async (id: string) => (await siyuan.children(id)).map((block) => block.markdown);
/** A world with other text in one document. */
const withText = (before: World, id: string, change: (dom: string) => string): World => {
  const own = before[scratch.notebook] as World[string];
  const document = own.documents[`/${id}.sy`] as { title: string; dom: string };
  const documents = { ...own.documents, [`/${id}.sy`]: { ...document, dom: change(document.dom) } };
  return { ...before, [scratch.notebook]: { ...own, documents } };
};
/** Stamps follow every change. */
const stampless = (seen: World): unknown => JSON.parse(JSON.stringify(seen).replace(/ updated=\\"\d{14}\\"/g, ""));

beforeAll(async () => {
  name = (await world(siyuan))[scratch.notebook]?.name ?? "";
});

describe("an edit", () => {
  it("changes its passage, and nothing else in the world", async () => {
    const target = await scratch.paragraph("target");
    const { id, path, blocks } = await make(
      `# head\n\na teh b ((${target.id} "teh ref")) #teh tag# **teh**\n\nthe end`,
    );
    await siyuan.setAttributes(blocks[1] ?? "", { name: "n", memo: 'teh "memo"\n2', "custom-k": "teh" });
    await siyuan.update(target.id, `back to ((${blocks[1]} "teh"))`);
    const before = await world(siyuan);
    const call = replace(path, { old: "a teh b", new: "a the b" });
    const preflight = await client.preflight("fs", call);
    expect(preflight).toMatchObject({
      preconditionField: "expectedManifestHash",
      targetCount: 1,
      preview: { replacements: [{ edit: 0, count: 1 }], changedBlocks: 1, changes: [{ id: blocks[1] }] },
    });
    expect(await world(siyuan)).toEqual(before);
    const done = await client.ok("fs", { ...call, ...credentialsOf(preflight) });
    expect(done).toMatchObject({
      success: true,
      path,
      id,
      changed: true,
      editsApplied: 1,
      replacements: [{ edit: 0, count: 1 }],
      changedBlocks: [blocks[1]],
      safety: { transactionState: "committed" },
    });
    expect(done.skippedComplexBlocks).toBeUndefined();
    const expected = withText(before, id, (dom) => dom.replace("a teh b", "a the b"));
    expect(stampless(await world(siyuan))).toEqual(stampless(expected));
  });

  it("of all matches reaches headings, lists, quotes, tables, code and formulas", async () => {
    // In capitals, which no id holds.
    const { id, path } = await make(
      "# Xx head\n\n- Xx item\n  - deep Xx\n\n> Xx quote\n\n| Xx | b |\n| --- | --- |\n| c | Xx |\n\n```\nXx code\n```\n\n$$\nXx\n$$\n\nplain",
    );
    const before = await siyuan.dom(id);
    const done = await client.write("fs", replace(path, { old: "Xx", new: "Yy", replace_all: true }));
    expect(done).toMatchObject({ replacements: [{ edit: 0, count: 8 }], editsApplied: 1 });
    expect(done.changedBlocks).toHaveLength(6);
    const bare = (dom: string) => dom.replace(/ (?:updated|colgroup)="[^"]*"/g, "");
    expect(
      bare(await siyuan.dom(id))
        .split(/(?=<)/)
        .sort(),
    ).toEqual(bare(before.replace(/Xx/g, "Yy")).split(/(?=<)/).sort());
  });

  it("writes marks, takes them away, and makes several edits in order", async () => {
    const { id, path, blocks } = await make("one **two** three\n\nfour\n\nfive five");
    const done = await client.write(
      "fs",
      replace(path, [
        { old: "**two**", new: "2" },
        { old: "four", new: "*4* and five" },
        { old: "five", new: "5", replace_all: true },
        { old: "*4*", new: "**4**" },
      ]),
    );
    expect(done).toMatchObject({
      editsApplied: 4,
      replacements: [
        { edit: 0, count: 1 },
        { edit: 1, count: 1 },
        { edit: 2, count: 3 },
        { edit: 3, count: 1 },
      ],
    });
    expect(await texts(id)).toEqual(["one 2 three", "**4** and 5", "5 5"]);
    expect((await siyuan.children(id)).map((block) => block.id)).toEqual(blocks);
  });

  it("leaves complex blocks out and lists those that hold the text", async () => {
    const { id, path, blocks } = await make(
      "word here\n\n{{SELECT * FROM blocks WHERE content LIKE '%word%'}}\n\n<div>word</div>\n\n{{{row\nword one\n\nword two\n}}}\n\n{{SELECT 1}}\n\nword there",
    );
    const before = await world(siyuan);
    const done = await client.write("fs", replace(path, { old: "word", new: "term", replace_all: true }));
    expect(done.replacements).toEqual([{ edit: 0, count: 2 }]);
    expect(done.skippedComplexBlocks).toEqual([
      { id: blocks[1], type: "BlockQueryEmbed" },
      { id: blocks[2], type: "HTMLBlock" },
      { id: blocks[3], type: "SuperBlock" },
    ]);
    const expected = withText(before, id, (dom) =>
      dom.replace("word here", "term here").replace("word there", "term there"),
    );
    expect(stampless(await world(siyuan))).toEqual(stampless(expected));
  });

  it("may stand beside the path", async () => {
    const { id, path } = await make("one one two");
    const preflight = await client.preflight("fs", {
      action: "replace",
      path,
      old: "one",
      new: "1",
      replaceAll: true,
    });
    const call = replace(path, { old: "one", new: "1", replace_all: true });
    await client.ok("fs", { ...call, ...credentialsOf(preflight) });
    expect(await texts(id)).toEqual(["1 1 two"]);
    await client.write("fs", { action: "replace", path, old: "two", new: "2" });
    expect(await texts(id)).toEqual(["1 1 2"]);
    const both = { ...replace(path, { old: "2", new: "x" }), old: "1", new: "y", validateOnly: true };
    expect(await client.refused("fs", both)).toMatchObject({ code: "invalid_arguments", fields: [{ path: "edit" }] });
    expect(
      (await client.refused("fs", { action: "replace", path, old: "2", validateOnly: true })).fields?.[0]?.path,
    ).toBe("edit.new");
  });

  it("says when nothing changes, and sends nothing", async () => {
    const { id, path } = await make("same words\n\nother");
    const before = await world(siyuan);
    if (tierName !== "live") await countRequests(tier);
    const done = await client.write("fs", replace(path, { old: "same", new: "same" }));
    expect(done).toMatchObject({ changed: false, changedBlocks: [], safety: { transactionState: "no_change" } });
    if (tierName !== "live") expect((await countRequests(tier))[dispatchPath]).toBeUndefined();
    expect(await world(siyuan)).toEqual(before);
    expect(await texts(id)).toEqual(["same words", "other"]);
  });

  it("refreshes the texts of references that follow the block, and says so", async () => {
    const { id, path, blocks } = await make("**old** target\n\nplain");
    await siyuan.data("/api/block/appendBlock", {
      parentID: id,
      dataType: "markdown",
      data: `see ((${blocks[0]} 'old target'))`,
    });
    // The reference shows the target's words, which are edited there and nowhere else.
    const shown = { old: "old", new: "new", replace_all: true };
    expect((await client.refused("fs", { ...replace(path, shown), validateOnly: true })).message).toContain("follows");
    // SiYuan follows the references that its index knows.
    await siyuan.call("/api/sqlite/flushTransaction", {});
    const done = await client.write("fs", replace(path, { old: "**old** target", new: "**new** target" }));
    expect(done.safety.transactionState).toBe("committed");
    expect(JSON.stringify(done.notes)).toContain("follow");
    expect(await texts(id)).toEqual(["**new** target", "plain", `see ((${blocks[0]} 'new target'))`]);
  });

  const unusual: [string, string, Edit, string][] = [
    ["CJK and emoji", "買い物 👩‍👩‍👧 リスト é", { old: "👩‍👩‍👧 リスト", new: "表 😀" }, "買い物 表 😀 é"],
    ["signs of patterns", "a.c (x)* $1 [y]", { old: "(x)* $1", new: "(z)+ $& $2" }, "a.c (z)+ $& $2 [y]"],
    ["HTML's signs", "a < b & c > d", { old: "a < b & c", new: "x < y & z" }, "x < y & z > d"],
    ["quotes", `say "hi" and 'ho'`, { old: `"hi" and 'ho'`, new: `'ho' and "hi"` }, `say 'ho' and "hi"`],
    ["two lines", "one\ntwo", { old: "one\ntwo", new: "1\n2" }, "1\n2"],
    ["an escaped sign", "a \\* b", { old: "\\* b", new: "\\* c" }, "a \\* c"],
    [
      "names in snake case",
      "the snake_case_name",
      { old: "snake_case_name", new: "other_case_name" },
      "the other_case_name",
    ],
    ["nothing left", "all gone", { old: "all gone", new: "" }, ""],
  ];
  it.each(unusual)("takes %s", async (_name, markdown, edit, expected) => {
    const { id, path } = await make(`before\n\n${markdown}\n\nafter`);
    const before = await world(siyuan);
    await client.write("fs", replace(path, edit));
    expect((await texts(id)).map((text) => text ?? "")).toEqual(["before", expected, "after"]);
    const after = await world(siyuan);
    const { documents, ...own } = after[scratch.notebook] as World[string];
    const { [`/${id}.sy`]: _changed, ...others } = documents;
    const { [`/${id}.sy`]: _old, ...othersBefore } = before[scratch.notebook]?.documents ?? {};
    expect({ ...own, others }).toMatchObject({ others: othersBefore });
  });

  it("changes 500 blocks of 1,000 in one dispatch", async () => {
    const { id, path, blocks } = await make(
      Array.from({ length: 1_000 }, (_, index) => `${index % 2 === 0 ? "even" : "odd"} ${index} 日本`).join("\n\n"),
    );
    if (tierName !== "live") await countRequests(tier);
    const done = await client.write("fs", replace(path, { old: "even", new: "EVEN", replace_all: true }));
    expect(done.replacements).toEqual([{ edit: 0, count: 500 }]);
    if (tierName !== "live") expect((await countRequests(tier))[dispatchPath]).toBe(1);
    const after = await siyuan.children(id);
    expect(after.map((block) => block.id)).toEqual(blocks);
    expect(after.map((block) => block.markdown)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => `${index % 2 === 0 ? "EVEN" : "odd"} ${index} 日本`),
    );
  }, 60_000);

  it("replays without writing again", async () => {
    const { id, path } = await make("first words");
    const call = replace(path, { old: "first", new: "first first" });
    const credentials = credentialsOf(await client.preflight("fs", call));
    await client.ok("fs", { ...call, ...credentials });
    expect(await client.ok("fs", { ...call, ...credentials })).toMatchObject({
      changed: true,
      replacements: [{ edit: 0, count: 1 }],
      safety: { replayed: true, transactionState: "committed" },
    });
    expect(await texts(id)).toEqual(["first first words"]);
  });
});

describe("refuses and writes nothing", () => {
  const bad: [string, object, string, string, RegExp][] = [
    ["no match", { edit: { old: "dog", new: "x" } }, "invalid_arguments", "edit.old", /does not stand/],
    ["another case", { edit: { old: "Cat", new: "x" } }, "invalid_arguments", "edit.old", /does not stand/],
    ["matches in two blocks", { edit: { old: "cat", new: "x" } }, "invalid_arguments", "edit.old", /3 times/],
    [
      "a passage over two blocks",
      { edit: { old: "cat one\n\ncat", new: "x" } },
      "invalid_arguments",
      "edit.old",
      /does not stand/,
    ],
    [
      "a match in a complex block only",
      { edit: { old: "special", new: "x" } },
      "invalid_arguments",
      "edit.old",
      /left out/,
    ],
    [
      "the second edit",
      {
        edit: [
          { old: "one", new: "1" },
          { old: "one", new: "2" },
        ],
      },
      "invalid_arguments",
      "edit.1.old",
      /does not stand/,
    ],
    ["two blocks of one", { edit: { old: "cat one", new: "a\n\nb" } }, "several_blocks", "edit", /block/],
    [
      "an attribute line",
      { edit: { old: "one", new: 'x\n{: custom-a="1"}' } },
      "invalid_arguments",
      "edit.new",
      /set_attrs/,
    ],
    [
      "a lost reference",
      { edit: { old: "one", new: "((20200101000000-zzzzzzz 'x'))" } },
      "missing_reference",
      "edit",
      /./,
    ],
    ["an empty old", { edit: { old: "", new: "x" } }, "invalid_arguments", "edit.old", /./],
    ["an empty list", { edit: [] }, "invalid_arguments", "edit", /./],
    ["no edit", { edit: undefined }, "invalid_arguments", "edit", /./],
    ["a number as text", { edit: { old: "one", new: 1 } }, "invalid_arguments", "edit.new", /./],
    ["an unknown field", { edit: { old: "one", new: "x", all: true } }, "invalid_arguments", "edit.all", /./],
    ["a missing document", { path: "/not/there" }, "document_not_found", "path", /./],
    ["a virtual file", { path: "/USER_RULES.md" }, "invalid_path", "path", /./],
    ["no path", { path: undefined }, "invalid_arguments", "path", /./],
  ];
  it.each(bad)("%s", async (_name, change, code, field, message) => {
    const { path } = await make("cat one\n\ncat two\n\nthe cat\n\n<div>special</div>");
    const before = await world(siyuan);
    const args = { ...replace(path, { old: "cat one", new: "x" }), validateOnly: true, ...change };
    const error = await client.refused("fs", args);
    expect(error).toMatchObject({ code, fields: [{ path: field }] });
    expect(error.message).toMatch(message);
    expect(await world(siyuan)).toEqual(before);
  });

  it("an attribute's value, and a part of a reference", async () => {
    const target = await scratch.paragraph("target");
    const { path, blocks } = await make(`x ((${target.id} "fixed"))`);
    await siyuan.setAttributes(blocks[0] ?? "", { memo: "secret" });
    const before = await world(siyuan);
    for (const old of ["secret", "memo=", blocks[0] ?? "", target.id.slice(0, 14)]) {
      const error = await client.refused("fs", { ...replace(path, { old, new: "y" }), validateOnly: true });
      expect(error.fields?.[0]?.path).toBe("edit.old");
    }
    expect(await world(siyuan)).toEqual(before);
  });
});

describe("between preflight and commit", () => {
  const changes: [string, (document: { id: string; blocks: string[] }) => Promise<unknown>][] = [
    ["an edit of the passage", ({ blocks }) => siyuan.update(blocks[0] ?? "", "nothing of it")],
    ["an edit of another block", ({ blocks }) => siyuan.update(blocks[1] ?? "", "theirs")],
    ["an attribute on another block", ({ blocks }) => siyuan.setAttributes(blocks[1] ?? "", { memo: "fresh" })],
    [
      "a new block",
      ({ id }) => siyuan.data("/api/block/appendBlock", { parentID: id, dataType: "markdown", data: "new" }),
    ],
    ["a moved block", ({ blocks }) => siyuan.data("/api/block/moveBlock", { id: blocks[0], previousID: blocks[1] })],
    ["its removal", ({ id }) => siyuan.data("/api/filetree/removeDocByID", { id })],
  ];
  it.each(changes)("%s is state_changed", async (_name, change) => {
    const document = await make("first words\n\nother words");
    const call = replace(document.path, { old: "first", new: "x" });
    const credentials = credentialsOf(await client.preflight("fs", call));
    await change(document);
    const before = await world(siyuan);
    expect((await client.refused("fs", { ...call, ...credentials })).code).toBe("state_changed");
    expect(await world(siyuan)).toEqual(before);
  });

  it("a stamp alone changes nothing", async () => {
    const { path, blocks, id } = await make("first words\n\nother words");
    const call = replace(path, { old: "first", new: "x" });
    const credentials = credentialsOf(await client.preflight("fs", call));
    await siyuan.setAttributes(blocks[1] ?? "", { updated: "20300101000000" });
    await client.ok("fs", { ...call, ...credentials });
    expect(await texts(id)).toEqual(["x words", "other words"]);
  });

  it("a permission taken away stops it", async () => {
    const { path, id } = await make("first words");
    const call = replace(path, { old: "first", new: "x" });
    const credentials = credentialsOf(await client.preflight("fs", call));
    await scratch.setPermission(scratch.notebook, "r");
    expect((await client.refused("fs", { ...call, ...credentials })).code).toBe("permission_denied");
    expect((await client.refused("fs", { ...call, validateOnly: true })).code).toBe("permission_denied");
    await scratch.setPermission(scratch.notebook, "rw");
    expect(await texts(id)).toEqual(["first words"]);
  }, 20_000);
});

describe.skipIf(tierName === "live")("faults", () => {
  afterEach(() => setFaults(siyuan, []));

  const lies: ["lost-answer" | "http-500" | "no-effect", string, string][] = [
    ["lost-answer", "outcome_unknown", "x words"],
    ["http-500", "outcome_unknown", "first words"],
    ["no-effect", "readback_mismatch", "first words"],
  ];
  it.each(lies)("%s is unknown, and never sent again", async (kind, code, content) => {
    const { id, path } = await make("first words");
    const call = replace(path, { old: "first", new: "x" });
    const credentials = credentialsOf(await client.preflight("fs", call));
    await setFaults(siyuan, [{ path: dispatchPath, kind, times: 1 }]);
    await countRequests(tier);
    expect((await client.refused("fs", { ...call, ...credentials })).code).toBe(code);
    await client.call("fs", { ...call, ...credentials });
    expect((await countRequests(tier))[dispatchPath]).toBe(1);
    expect(await texts(id)).toEqual([content]);
  });
});
