// search.find_replace: a text replaced in the named documents and blocks, listed first, and in nothing else.

import { afterEach, describe, expect, it } from "vitest";
import { countRequests, setFaults } from "./faults.js";
import { LegacyClient } from "./legacy-client.js";
import { credentialsOf, type Fields } from "./modern-client.js";
import { useScratch } from "./scratch.js";
import { tierName, useTier } from "./tier.js";
import { type World, world } from "./world.js";

const tier = useTier();
const scratch = useScratch(tier);
const { client, siyuan } = scratch;
const legacy = new LegacyClient(tier);

const dispatchPath = "/api/transactions";
const missing = "20200101000000-zzzzzzz";
const replace = (k: string, r: string, ids: string[], more: object = {}): Fields => ({
  action: "find_replace",
  k,
  r,
  ids,
  ...more,
});
const write = async (args: Fields) =>
  legacy.commit("search", { ...args, ...credentialsOf(await client.preflight("search", args)) });
const texts = async (id: string) => (await siyuan.children(id)).map((block) => block.markdown ?? "");
const stampless = (seen: World | unknown): unknown =>
  JSON.parse(JSON.stringify(seen).replace(/ updated=\\"\d{14}\\"/g, ""));

describe("a text in a document", () => {
  it("is replaced in every kind of block and mark, written a moment ago, and nothing else changes", async () => {
    // In capitals, which no id holds.
    const target = await scratch.paragraph("Zzz target");
    const { id, blocks } = await scratch.document(
      `# Zzz head\n\nplain Zzz and **bold Zzz** *it Zzz* \`code Zzz\` ==mark Zzz== ~~s Zzz~~ #tag Zzz# <u>u Zzz</u> <kbd>Zzz</kbd> x^Zzz^ [link Zzz](https://Zzz.example "title Zzz") ((${target.id} "ref Zzz")) ((${target.id} 'Zzz target'))\n\n- Zzz item\n  - deep Zzz\n\n> quote Zzz\n\n| Zzz | b |\n| --- | --- |\n| c | Zzz |\n\n\`\`\`js\nZzz code\n\`\`\`\n\n$$\nZzz+1\n$$\n\n{{SELECT * FROM blocks WHERE content LIKE '%Zzz%'}}\n\n{{{row\nZzz one\n\nZzz two\n}}}\n\nuntouched`,
    );
    await siyuan.setAttributes(blocks[1] ?? "", { name: "Zzz", memo: "Zzz", "custom-a": "Zzz" });
    const before = await world(siyuan);
    const args = replace("Zzz", "Yyy", [id]);
    const preflight = await client.preflight("search", args);
    expect(preflight).toMatchObject({ preconditionField: "expectedManifestHash" });
    const preview = preflight.preview as { replacements: number; blocks: { id: string; count: number }[] };
    expect(preview.blocks[0]).toMatchObject({ id: blocks[0], document: id, count: 1 });
    expect(await world(siyuan)).toEqual(before);
    const done = await legacy.commit("search", { ...args, ...credentialsOf(preflight) });
    expect(done).toMatchObject({
      success: true,
      replaced: preview.replacements,
      ids: [id],
      k: "Zzz",
      r: "Yyy",
      safety: { transactionState: "committed" },
    });
    expect((done.items as { id: string }[]).map((item) => item.id)).toEqual(preview.blocks.map((block) => block.id));
    const expected = JSON.parse(JSON.stringify(before)) as World;
    const document = expected[scratch.notebook]?.documents[`/${id}.sy`] as unknown as { dom: string };
    document.dom = document.dom
      .replace(/Zzz/g, "Yyy")
      .replace('name="Yyy"', 'name="Zzz"')
      .replace('memo="Yyy"', 'memo="Zzz"')
      .replace('custom-a="Yyy"', 'custom-a="Zzz"')
      .replace("%Yyy%", "%Zzz%")
      .replace("https://Yyy", "https://Zzz")
      .replace(/(data-subtype="d"[^>]*>)Yyy target/, "$1Zzz target")
      // Badges repeat the attributes.
      .replace(/(<\/svg>)Yyy/g, "$1Zzz")
      .replace(/aria-label="Yyy"/g, 'aria-label="Zzz"');
    const bare = (seen: World) => JSON.parse(JSON.stringify(stampless(seen)).replace(/ colgroup=\\"[^"]*\\"/g, ""));
    expect(bare(await world(siyuan))).toEqual(bare(expected));
  });

  const literal: [string, string, string, string, string][] = [
    ["signs of patterns", "a.c (x)* $1", "(x)* $1", "[y]+ $& $2", "a.c [y]+ $& $2"],
    ["Markdown as words", "word", "word", "**bold** #t# [a](b)", "\\*\\*bold\\*\\* \\#t\\# \\[a\\](b)"],
    ["CJK and emoji", "買い物 👩‍👩‍👧 リスト", "👩‍👩‍👧 リスト", "表 😀", "買い物 表 😀"],
    ["HTML's signs", "a < b & c > d", "< b & c", "> x & y", "a > x & y > d"],
    ["quotes", `say "hi"`, `"hi"`, `'ho' "`, `say 'ho' "`],
    ["any case", "Foo fOO foo", "foo", "bar", "bar bar bar"],
    ["nothing instead", "gone and stays", "gone and ", "", "stays"],
    ["the text itself inside", "aa", "a", "aa", "aaaa"],
  ];
  it.each(literal)("takes %s literally", async (_name, text, k, r, expected) => {
    const { id, blocks } = await scratch.document("before\n\nx\n\nafter");
    const dom = (await siyuan.dom(blocks[1] ?? "")).replace(
      ">x<",
      `>${text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")}<`,
    );
    await siyuan.data("/api/block/updateBlock", { id: blocks[1], dataType: "dom", data: dom });
    await write(replace(k, r, [id]));
    const stored = /contenteditable="true"[^>]*>([^<]*)</.exec(await siyuan.dom(blocks[1] ?? ""))?.[1] ?? "";
    const plain = (html: string) =>
      html
        .replace(/&lt;/g, "<")
        .replace(/&gt;/g, ">")
        .replace(/&quot;/g, '"')
        .replace(/&amp;/g, "&");
    expect(plain(stored)).toBe(expected.replace(/\\/g, ""));
    expect((await siyuan.children(id)).map((block) => block.id)).toEqual(blocks);
  });

  it("takes a regular expression with groups, case for case", async () => {
    const { id } = await scratch.document("v1 and v22 and V3\n\n**v4**x");
    for (const more of [{ method: 3 }, { methodName: "regex", method: 0 }]) {
      const preflight = await client.preflight("search", replace("v(\\d+)", `<$0|$1|\${1}|$$>`, [id], more));
      expect(preflight.preview).toMatchObject({ replacements: 3 });
    }
    await write(replace("v(\\d+)", "w$1", [id], { methodName: "regex" }));
    expect(await texts(id)).toEqual(["w1 and w22 and V3", "**w4**x"]);
    await write(replace("^w", "start ", [id], { method: 3 }));
    expect((await texts(id))[0]).toBe("start 1 and w22 and V3");
  });

  it("drops a mark that is left empty and keeps an empty block", async () => {
    const { id, blocks } = await scratch.document("a **gone** b\n\ngone\n\n# gone");
    await write(replace("gone", "", [id]));
    expect((await siyuan.children(id)).map((block) => block.id)).toEqual(blocks);
    expect(await siyuan.dom(id)).not.toContain("strong");
  });

  it("reaches 500 blocks and more than the 64 rows of SiYuan's index, in one dispatch", async () => {
    const lines = Array.from({ length: 500 }, (_, index) => `row ${index} needle`);
    const { id, blocks } = await scratch.document(lines.join("\n\n"));
    if (tierName !== "live") await countRequests(tier);
    const done = await write(replace("needle", "pin", [id]));
    expect(done.replaced).toBe(500);
    if (tierName !== "live") expect((await countRequests(tier))[dispatchPath]).toBe(1);
    expect(await texts(id)).toEqual(lines.map((line) => line.replace("needle", "pin")));
    expect((await siyuan.children(id)).map((block) => block.id)).toEqual(blocks);
  }, 60_000);

  it("that is not there changes nothing, and nothing is sent", async () => {
    const { id } = await scratch.document("something");
    const before = await world(siyuan);
    if (tierName !== "live") await countRequests(tier);
    expect(await write(replace("needle", "pin", [id]))).toMatchObject({
      replaced: 0,
      items: [],
      safety: { transactionState: "no_change" },
    });
    if (tierName !== "live") expect((await countRequests(tier))[dispatchPath]).toBeUndefined();
    expect(await world(siyuan)).toEqual(before);
  });

  it("replays without writing again", async () => {
    const { id } = await scratch.document("a a");
    const args = replace("a", "aa", [id]);
    const call = { ...args, ...credentialsOf(await client.preflight("search", args)) };
    await legacy.commit("search", call);
    expect(await legacy.commit("search", call)).toMatchObject({
      replaced: 2,
      k: "a",
      r: "aa",
      safety: { replayed: true },
    });
    expect(await texts(id)).toEqual(["aa aa"]);
  });
});

describe("only where it was asked", () => {
  it("in the named blocks with all they hold", async () => {
    const { id, blocks } = await scratch.document("zq one\n\n- zq two\n  - zq three\n\nzq four\n\n> zq five");
    const other = await scratch.document("zq six");
    await write(replace("zq", "x", [blocks[1] as string, blocks[3] as string, other.blocks[0] as string]));
    expect(await texts(id)).toEqual(["zq one", "- x two\n\n  - x three", "zq four", "> x five"]);
    expect(await texts(other.id)).toEqual(["x six"]);
  });

  it("in the named types of block, places and paths", async () => {
    const make = async () =>
      (await scratch.document("# zq h\n\nzq p **zq b** `zq c`\n\n- zq item\n\n```\nzq code\n```")).id;
    const first = await make();
    await write(replace("zq", "x", [first], { types: { heading: true, list: true } }));
    expect(await texts(first)).toEqual(["# x h", "zq p **zq b** `zq c`", "- x item", "```\nzq code\n```"]);
    const second = await make();
    await write(replace("zq", "x", [second], { replaceTypes: { strong: true, codeBlock: true } }));
    expect(await texts(second)).toEqual(["# zq h", "zq p **x b** `zq c`", "- zq item", "```\nx code\n```"]);
    const third = await make();
    await write(
      replace("zq", "x", [second, third], {
        paths: [`${scratch.notebook}/${third}.sy`],
        groupBy: 0,
        orderBy: 5,
        sortBy: "type",
      }),
    );
    expect((await texts(second))[0]).toBe("# zq h");
    expect((await texts(third))[0]).toBe("# x h");
    const none = await client.preflight("search", replace("x", "y", [third], { paths: [missing] }));
    expect(none.preview).toMatchObject({ replacements: 0 });
  });

  it("in addresses of links and images where these are named", async () => {
    const { id } = await scratch.document('[zq](https://zq.test "zq") and ![zq](assets/zq.png "zq")');
    await write(replace("zq", "x", [id]));
    let dom = await siyuan.dom(id);
    expect(dom).toContain("https://zq.test");
    expect(dom).toContain('data-src="assets/zq.png"');
    expect(dom).toMatch(/data-title="x"/);
    expect(dom).toMatch(/alt="x"/);
    await write(replace("zq", "v", [id], { replaceTypes: { aHref: true, imgSrc: true } }));
    dom = await siyuan.dom(id);
    expect(dom).toContain('data-href="https://v.test"');
    expect(dom).toContain('data-src="assets/v.png"');
  });

  it("not in a block that would lose a reference, and says so", async () => {
    const gone = await scratch.document("soon gone");
    const { id, blocks } = await scratch.document(`zq one ((${gone.blocks[0]} "x"))\n\nzq two`);
    await siyuan.data("/api/filetree/removeDocByID", { id: gone.id });
    const before = await siyuan.kramdown(blocks[0] ?? "");
    const done = await write(replace("zq", "y", [id]));
    expect(done).toMatchObject({ replaced: 1, skipped: [{ id: blocks[0] }], items: [{ id: blocks[1] }] });
    expect(JSON.stringify(done.notes)).toContain("left as they are");
    const body = (kramdown: string) => kramdown.split("\n{:")[0];
    expect(body(await siyuan.kramdown(blocks[0] ?? ""))).toBe(body(before));
  });
});

describe("refuses and writes nothing", () => {
  const bad: [string, object, string, string][] = [
    ["an empty text to find", { k: "" }, "invalid_arguments", "k"],
    ["no replacement", { r: undefined }, "invalid_arguments", "r"],
    ["a line break", { r: "a\nb" }, "invalid_arguments", "r"],
    ["no ids", { ids: [] }, "invalid_arguments", "ids"],
    ["a word as id", { ids: ["x"] }, "invalid_arguments", "ids.0"],
    ["a missing id", { ids: [missing] }, "block_not_found", "ids.0"],
    ["SQL", { method: 2 }, "invalid_arguments", "method"],
    ["SQL by name", { methodName: "sql" }, "invalid_arguments", "methodName"],
    ["method 4", { method: 4 }, "invalid_arguments", "method"],
    ["a broken expression", { method: 3, k: "(" }, "invalid_arguments", "k"],
    ["look-around", { method: 3, k: "a(?=b)" }, "invalid_arguments", "k"],
    ["an expression for nothing", { method: 3, k: "x*" }, "invalid_arguments", "k"],
    ["no place at all", { replaceTypes: {} }, "invalid_arguments", "replaceTypes"],
    ["titles", { replaceTypes: { docTitle: true } }, "invalid_arguments", "replaceTypes.docTitle"],
    ["an unknown place", { replaceTypes: { words: true } }, "invalid_arguments", "replaceTypes.words"],
    ["an unknown type", { types: { word: true } }, "invalid_arguments", "types.word"],
    ["groups", { groupBy: 1 }, "invalid_arguments", "groupBy"],
    ["an unknown field", { all: true }, "invalid_arguments", "all"],
  ];
  it.each(bad)("%s", async (_name, change, code, field) => {
    const { id } = await scratch.document("a word");
    const before = await siyuan.dom(id);
    const args = { ...replace("word", "x", [id]), ...change, validateOnly: true };
    expect(await client.refused("search", args)).toMatchObject({ code, fields: [{ path: field }] });
    expect((await siyuan.dom(id)).length).toBe(before.length);
  });

  it("without a confirmation", async () => {
    const { id } = await scratch.document("a word");
    const args = replace("word", "x", [id]);
    const call = { ...args, ...credentialsOf(await client.preflight("search", args)) };
    expect((await legacy.call("search", call)).structured.error.code).toBe("dangerous_action_requires_confirmation");
    expect((await client.refused("search", call)).code).toBe("confirmation_unavailable");
    expect(await texts(id)).toEqual(["a word"]);
  });

  it("without rw on every notebook", async () => {
    const { id } = await scratch.document("a word");
    const other = (await siyuan.data<{ notebook: { id: string } }>("/api/notebook/createNotebook", { name: "words" }))
      .notebook.id;
    try {
      const theirs = await siyuan.data<string>("/api/filetree/createDocWithMd", {
        notebook: other,
        path: "/W",
        markdown: "their word",
      });
      await scratch.setPermission(other, "rw");
      const args = replace("word", "x", [id, theirs]);
      const call = { ...args, ...credentialsOf(await client.preflight("search", args)), confirm: true };
      await scratch.setPermission(other, "r");
      expect((await client.refused("search", { ...args, validateOnly: true })).code).toBe("permission_denied");
      expect((await legacy.call("search", call)).structured.error.code).toBe("permission_denied");
      expect([await texts(id), await texts(theirs)]).toEqual([["a word"], ["their word"]]);
    } finally {
      await siyuan.call("/api/notebook/removeNotebook", { notebook: other });
    }
  }, 30_000);
});

describe("between preflight and commit", () => {
  const changes: [string, (document: { id: string; blocks: string[] }) => Promise<unknown>][] = [
    ["an edit of a block with a match", ({ blocks }) => siyuan.update(blocks[0] ?? "", "another word")],
    ["a match that is gone", ({ blocks }) => siyuan.update(blocks[0] ?? "", "nothing")],
    ["an attribute", ({ blocks }) => siyuan.setAttributes(blocks[0] ?? "", { memo: "fresh" })],
    [
      "one more match",
      ({ id }) => siyuan.data("/api/block/appendBlock", { parentID: id, dataType: "markdown", data: "new word" }),
    ],
    ["the document's removal", ({ id }) => siyuan.data("/api/filetree/removeDocByID", { id })],
  ];
  it.each(changes)("%s is state_changed", async (_name, change) => {
    const document = await scratch.document("a word\n\nother");
    const args = replace("word", "x", [document.id]);
    const call = { ...args, ...credentialsOf(await client.preflight("search", args)), confirm: true };
    await change(document);
    const before = await world(siyuan);
    expect((await legacy.call("search", call)).structured.error.code).toBe("state_changed");
    expect(await world(siyuan)).toEqual(before);
  });
});

describe.skipIf(tierName === "live")("faults", () => {
  afterEach(() => setFaults(siyuan, []));

  const lies: ["lost-answer" | "http-500" | "no-effect", string, string][] = [
    ["lost-answer", "outcome_unknown", "a x"],
    ["http-500", "outcome_unknown", "a word"],
    ["no-effect", "readback_mismatch", "a word"],
  ];
  it.each(lies)("%s is unknown, and never sent again", async (kind, code, content) => {
    const { id } = await scratch.document("a word");
    const args = replace("word", "x", [id]);
    const call = { ...args, ...credentialsOf(await client.preflight("search", args)), confirm: true };
    await setFaults(siyuan, [{ path: dispatchPath, kind, times: 1 }]);
    await countRequests(tier);
    expect((await legacy.call("search", call)).structured.error.code).toBe(code);
    const again = await legacy.call("search", call);
    // What the notes hold settles it.
    if (kind === "lost-answer")
      expect(again.structured.safety).toMatchObject({ transactionState: "committed", reconciled: true });
    expect((await countRequests(tier))[dispatchPath]).toBe(1);
    expect(await texts(id)).toEqual([content]);
  });
});
