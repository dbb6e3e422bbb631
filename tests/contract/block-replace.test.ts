// block.replace: exact edits inside one block; references, tags, marks, attributes and all other blocks stay.

import { afterEach, describe, expect, it } from "vitest";
import { setFaults } from "./faults.js";
import { credentialsOf } from "./modern-client.js";
import { notebookSnapshot } from "./notebook-snapshot.js";
import { useScratch } from "./scratch.js";
import { tierName, useTier } from "./tier.js";

const scratch = useScratch(useTier());
const { client, siyuan } = scratch;
const missing = "20200101000000-zzzzzzz";

interface Edit {
  old: string;
  new: string;
  replace_all?: boolean;
}
const replace = (id: string, edit: Edit | Edit[]) => ({ action: "replace", id, edit });
const snapshot = () => notebookSnapshot(siyuan, scratch.notebook);
/** The block's source without its attribute lines. */
const source = async (id: string) =>
  (await siyuan.kramdown(id))
    .replace(/\{: [^}\n]*id="[^}\n]*\}/g, "")
    .replace(/\u200b/g, "")
    .trim();

describe("an edit", () => {
  it("changes the passage and nothing else in the notebook", async () => {
    const target = await scratch.paragraph("target");
    const { id: document, blocks } = await scratch.document("before\n\na teh b\n\nafter");
    const id = blocks[1] ?? "";
    await siyuan.setAttributes(id, { name: "n", memo: 'a "q" {x}\nline', "custom-k": "v", style: "color: red;" });
    await siyuan.update(target.id, `see ((${id} "here"))`);
    const before = await snapshot();
    const preflight = await client.preflight("block", replace(id, { old: "teh", new: "the" }));
    expect(preflight).toMatchObject({
      preconditionField: "expectedStateHash",
      targetCount: 1,
      preview: { replacements: [{ edit: 0, count: 1 }], diff: "- a teh b\n+ a the b" },
    });
    expect(await snapshot()).toEqual(before);
    const done = await client.ok("block", {
      ...replace(id, { old: "teh", new: "the" }),
      ...credentialsOf(preflight),
    });
    expect(done).toMatchObject({
      success: true,
      id,
      changed: true,
      editsApplied: 1,
      replacements: [{ edit: 0, count: 1 }],
      safety: { transactionState: "committed" },
    });
    const dom = String(before[document]?.dom).replace("a teh b", "a the b");
    expect(await snapshot()).toEqual({ ...before, [document]: { ...before[document], dom } });
  });

  it("keeps references, tags and marks beside it, and inside the passage's own mark", async () => {
    // In capitals, which no id holds.
    const target = await scratch.paragraph("target words");
    const text = `Old **Old mark** ((${target.id} "fixed Old")) ((${target.id} 'target words')) #Old tag# \`Old\` [Old](https://Old.example "t") x^2^ <u>Old</u>`;
    const { id } = await scratch.paragraph(text);
    const before = await siyuan.dom(id);
    const edit = { old: "Old", new: "New", replace_all: true };
    // The address of the link matches too, so the source is edited.
    const done = await client.write("block", replace(id, edit));
    expect(done).toMatchObject({ replacements: [{ edit: 0, count: 8 }], safety: { transactionState: "committed" } });
    const after = await siyuan.dom(id);
    const stamps = (dom: string) => dom.replace(/ updated="\d*"/g, "");
    expect(stamps(after)).toBe(stamps(before.replace(/Old/g, "New")));
  });

  it("exchanges words in plain text that only looks like marks, and leaves it text", async () => {
    const { id } = await scratch.paragraph("words");
    const dom = (await siyuan.dom(id)).replace(
      ">words<",
      '>2 *stars* #hash# &lt;u&gt; [x](y) and <span data-type="strong">words</span> and <span data-type="inline-memo" data-inline-memo-content="m">memo</span><',
    );
    await siyuan.data("/api/block/updateBlock", { id, dataType: "dom", data: dom });
    const before = await siyuan.dom(id);
    await client.write("block", replace(id, { old: "and", new: "or", replace_all: true }));
    const stamps = (html: string) => html.replace(/ updated="\d*"/g, "");
    expect(stamps(await siyuan.dom(id))).toBe(stamps(before.replace(/ and /g, " or ")));
    // With marks in the new text the source would be read again, and the stars with it.
    const error = await client.refused("block", {
      ...replace(id, { old: "words", new: "**bold** words" }),
      validateOnly: true,
    });
    expect(error).toMatchObject({ code: "content_would_be_lost", fields: [{ path: "edit" }] });
  });

  it("writes marks where the new text has some, and takes them away", async () => {
    const { id } = await scratch.paragraph("a word and **more** here");
    await siyuan.setAttributes(id, { "custom-k": "v" });
    await client.write("block", replace(id, { old: "word", new: "*word* with `code`" }));
    expect(await source(id)).toBe("a *word* with `code` and **more** here");
    await client.write("block", replace(id, { old: "**more**", new: "less" }));
    expect(await source(id)).toBe("a *word* with `code` and less here");
    expect(await siyuan.kramdown(id)).toContain('custom-k="v"');
  });

  it("makes several edits in order", async () => {
    const { id } = await scratch.paragraph("one two three");
    const done = await client.write(
      "block",
      replace(id, [
        { old: "one", new: "1" },
        { old: "1 two", new: "12" },
        { old: "e", new: "E", replace_all: true },
      ]),
    );
    expect(done).toMatchObject({
      editsApplied: 3,
      replacements: [
        { edit: 0, count: 1 },
        { edit: 1, count: 1 },
        { edit: 2, count: 2 },
      ],
    });
    expect(await source(id)).toBe("12 thrEE");
  });

  it("says when nothing changed", async () => {
    const { id } = await scratch.paragraph("same words");
    const before = await snapshot();
    const done = await client.write("block", replace(id, { old: "same", new: "same" }));
    expect(done).toMatchObject({ changed: false, safety: { transactionState: "no_change" } });
    expect(await snapshot()).toEqual(before);
  });

  it("can leave the block empty", async () => {
    const { id, document } = await scratch.paragraph("all");
    await client.write("block", replace(id, { old: "all", new: "" }));
    expect(await source(id)).toBe("");
    expect((await siyuan.children(document)).map((block) => block.id)).toEqual([id]);
  });
});

describe("in every kind of block", () => {
  const cases: [string, string, Edit, string][] = [
    ["a heading", "## head teh", { old: "teh", new: "the" }, "## head the"],
    ["a heading's level", "## head", { old: "## ", new: "### " }, "### head"],
    [
      "code, signs and all",
      "```js\na < b && `c` // {: x}\n```",
      { old: "a < b", new: "**a** > #b#" },
      "```js\n**a** > #b# && `c` // {: x}\n```",
    ],
    ["the language of code", "```js\nx\n```", { old: "```js", new: "```ts" }, "```ts\nx\n```"],
    ["a table cell", "|a|b|\n|-|-|\n|1 **x**|2\\|3|", { old: "x", new: "y" }, "**y**"],
    ["a formula", "$$\na+b\n$$", { old: "a+b", new: "a-b" }, "$$\na-b\n$$"],
    ["an HTML block", "<div>hi</div>", { old: "hi", new: "ho" }, "<div>ho</div>"],
    ["an embed", "{{select 1}}", { old: "1", new: "2" }, "{{select 2}}"],
    ["two lines", "one\ntwo", { old: "one\ntwo", new: "three" }, "three"],
    ["an escaped sign", "a \\* b", { old: "\\* b", new: "\\* c" }, "a \\* c"],
    ["other scripts", "買い物 😀 и «слово» עברית", { old: "😀 и «слово»", new: "é 한국어" }, "買い物 é 한국어 עברית"],
    ["text with signs of patterns", "a.c (x)* $1", { old: "(x)* $1", new: "(y)* $2" }, "a.c (y)* $2"],
    [
      "names in snake case",
      "the snake_case_name here",
      { old: "snake_case_name", new: "other_case_name" },
      "the other_case_name here",
    ],
  ];
  it.each(cases)("%s", async (_name, markdown, edit, expected) => {
    const { id } = await scratch.paragraph(markdown);
    const before = await snapshot();
    const done = await client.write("block", replace(id, edit));
    expect(done.safety.transactionState).toBe("committed");
    expect(await source(id)).toContain(expected);
    const after = await snapshot();
    const changed = Object.keys(after).filter((key) => JSON.stringify(after[key]) !== JSON.stringify(before[key]));
    expect(changed).toHaveLength(1);
  });

  it("a list, whose items keep their ids and attributes", async () => {
    const { id: document, blocks } = await scratch.document("- one **b**\n- two\n  - three");
    const list = blocks[0] ?? "";
    const items = await siyuan.children(list);
    await siyuan.setAttributes(items[0]?.id ?? "", { "custom-due": "today" });
    const before = await snapshot();
    await client.write("block", replace(list, { old: "three", new: "drei" }));
    const plain = String(before[document]?.dom).replace("three", "drei");
    expect(await snapshot()).toEqual({ ...before, [document]: { ...before[document], dom: plain } });
    await client.write("block", replace(list, { old: "**b**", new: "*b*" }));
    const marked = plain.replace('data-type="strong"', 'data-type="em"');
    expect((await snapshot())[document]?.dom).toBe(marked);
  });
});

describe("refuses and writes nothing", () => {
  const cases: [string, string, Edit | Edit[], string, RegExp][] = [
    ["no match", "a cat", { old: "dog", new: "x" }, "edit.old", /does not stand/],
    ["another case", "a Cat", { old: "cat", new: "x" }, "edit.old", /does not stand/],
    ["two matches", "cat cat", { old: "cat", new: "x" }, "edit.old", /2 times/],
    ["matches that overlap", "aaa", { old: "aa", new: "x" }, "edit.old", /2 times/],
    [
      "the second edit",
      "a b",
      [
        { old: "a", new: "b" },
        { old: "b", new: "c" },
      ],
      "edit.1.old",
      /2 times/,
    ],
    ["an empty old text", "a", { old: "", new: "b" }, "edit.old", /./],
    ["two blocks of one", "a b", { old: "a b", new: "a\n\nb" }, "edit", /./],
    ["an attribute line", "a b", { old: "b", new: 'b\n{: custom-x="1"}' }, "edit.new", /set_attrs/],
    ["a reference to nothing", "a b", { old: "b", new: `((${missing} "x"))` }, "edit", /./],
    ["an empty list", "a", [], "edit", /./],
  ];
  it.each(cases)("%s", async (_name, markdown, edit, field, message) => {
    const { id } = await scratch.paragraph(markdown);
    const before = await snapshot();
    const error = await client.refused("block", { ...replace(id, edit), validateOnly: true });
    expect(error.fields?.[0]?.path).toBe(field);
    expect(error.message).toMatch(message);
    expect(await snapshot()).toEqual(before);
  });

  it("an attribute's value, a part of a reference, a reference's following text", async () => {
    const target = await scratch.paragraph("target");
    const { id } = await scratch.paragraph(`x ((${target.id} "fixed")) ((${target.id} 'target'))`);
    await siyuan.setAttributes(id, { memo: "secret" });
    const before = await snapshot();
    for (const old of ["secret", "memo=", id, target.id.slice(0, 14), "target"]) {
      const error = await client.refused("block", {
        ...replace(id, { old, new: "y", replace_all: true }),
        validateOnly: true,
      });
      expect(error).toMatchObject({ code: "invalid_arguments", fields: [{ path: "edit.old" }] });
    }
    expect(await snapshot()).toEqual(before);
    await client.write("block", replace(id, { old: `((${target.id} 'target'))`, new: "gone" }));
    expect(await source(id)).toBe(`x ((${target.id} "fixed")) gone`);
  });

  it("documents, missing blocks, and a wrong form of edit", async () => {
    const { id, document } = await scratch.paragraph();
    const edit = { old: "first", new: "x" };
    const wrong = (args: object) => client.refused("block", { action: "replace", validateOnly: true, ...args });
    expect((await wrong({ id: document, edit })).code).toBe("not_a_block");
    expect((await wrong({ id: missing, edit })).code).toBe("block_not_found");
    expect((await wrong({ id: "x", edit })).fields?.[0]?.path).toBe("id");
    expect((await wrong({ id })).fields?.[0]?.path).toBe("edit");
    expect((await wrong({ id, edit: { ...edit, all: true } })).fields?.[0]?.path).toBe("edit.all");
    expect((await wrong({ id, edit: { old: "first", new: 1 } })).fields?.[0]?.path).toBe("edit.new");
    expect(await siyuan.exported(document)).toContain("first words");
  });

  it("after the permission was taken away behind the preflight", async () => {
    const { id } = await scratch.paragraph();
    const call = replace(id, { old: "first", new: "x" });
    const credentials = credentialsOf(await client.preflight("block", call));
    await scratch.setPermission(scratch.notebook, "r");
    expect((await client.refused("block", { ...call, ...credentials })).code).toBe("permission_denied");
    await scratch.setPermission(scratch.notebook, "rw");
    expect(await siyuan.kramdown(id)).toContain("first words");
  });
});

describe("what happened meanwhile", () => {
  it("stops the edit, also where the passage is gone", async () => {
    for (const theirs of ["first words of theirs", "nothing of it"]) {
      const { id } = await scratch.paragraph();
      const call = replace(id, { old: "first", new: "x" });
      const credentials = credentialsOf(await client.preflight("block", call));
      await siyuan.update(id, theirs);
      expect((await client.refused("block", { ...call, ...credentials })).code).toBe("state_changed");
      expect(await source(id)).toBe(theirs);
    }
  });

  it("the same request again is answered from the ledger, also where the passage is gone by it", async () => {
    const { id } = await scratch.paragraph();
    const call = replace(id, { old: "first", new: "x" });
    const credentials = credentialsOf(await client.preflight("block", call));
    await client.ok("block", { ...call, ...credentials });
    const again = await client.ok("block", { ...call, ...credentials });
    expect(again).toMatchObject({
      changed: true,
      replacements: [{ edit: 0, count: 1 }],
      safety: { replayed: true, transactionState: "committed" },
    });
    expect(await source(id)).toBe("x words");
  });
});

describe.skipIf(tierName === "live")("a SiYuan that lies", () => {
  afterEach(() => setFaults(siyuan, []));

  it.each(["x", "*x*"])("code 0 without effect is a mismatch for %s", async (text) => {
    const { id } = await scratch.paragraph();
    const call = replace(id, { old: "first", new: text });
    const credentials = credentialsOf(await client.preflight("block", call));
    await setFaults(siyuan, [{ path: "/api/block/updateBlock", kind: "no-effect", times: 1 }]);
    expect((await client.refused("block", { ...call, ...credentials })).code).toBe("readback_mismatch");
    expect(await source(id)).toBe("first words");
  });
});
