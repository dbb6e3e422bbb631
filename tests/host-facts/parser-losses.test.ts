// Facts: Markdown of which SiYuan's parser drops a part, or that swallows an attribute line written below it.
import { beforeAll, expect, test } from "vitest";
import { useHost } from "./use-host.ts";

let notebook: string;
let live: string;

const { api } = useHost((made) => {
  notebook = made;
});
beforeAll(async () => {
  live = await api.document(notebook, "target", "/Target");
}, 30_000);

const line = '{: custom-x="1"}';

/** What was appended, and the types and sources of the blocks that came of it. */
const facts: [name: string, markdown: string, blocks: [string, string][]][] = [
  ["a reference in inline code is emptied", '`((LIVE "x"))` y', [["p", "`(())` y"]]],
  ["a reference in a code fence stays", '```\n((LIVE "x"))\n```', [["c", '```\n((LIVE "x"))\n```']]],
  ["words behind a fence's language go", '```js title="x"\ny\n```', [["c", "```js\ny\n```"]]],
  ["an open fence takes an attribute line in", `\`\`\`js\ny\n${line}`, [["c", `\`\`\`js\ny\n${line}\n\`\`\``]]],
  ["an open formula takes an attribute line in", `$$\ny\n${line}`, [["m", `$$\ny\n${line}\n$$`]]],
  ["a formula ends only where a line ends with its mark", "$$\na\n$$ b\nc", [["m", "$$\na\n$$ b\nc\n$$"]]],
  ["an open super block takes in what follows", "{{{row\na\n\nb", [["s", "{{{row\na\n\nb\n\n}}}"]]],
  ["an empty super block goes", "a\n\n{{{row\n}}}", [["p", "a"]]],
  ["HTML takes an attribute line in", `<div>y</div>\n${line}`, [["html", `<div>y</div>\n${line}`]]],
  ["entities of HTML blocks are decoded", "<div>a &amp;lt; &lt;b&gt;</div>", [["html", "<div>a &lt; <b></div>"]]],
  ["a link to javascript: is emptied", "[x](JavaScript:alert(1))", [["p", "[x]()"]]],
  ["an image's description ends at a quote", '![a "b"](x.png)', [["p", "![a ](x.png)"]]],
  ["NUL is replaced", "a\u0000b", [["p", "a\ufffdb"]]],
  [
    "footnotes are plain text",
    "a[^1]\n\n[^1]: b",
    [
      ["p", "a[^1]"],
      ["p", "[^1]: b"],
    ],
  ],
];

test.each(facts)("%s", async (_name, markdown, blocks) => {
  const id = await api.document(notebook, "first", `/Facts ${Math.random()}`);
  const data = markdown.replace("LIVE", live);
  await api.data("block/appendBlock", { parentID: id, dataType: "markdown", data });
  const [, ...made] = await api.children(id);
  expect(made.map((block) => [block.type, block.markdown])).toEqual(
    blocks.map(([type, text]) => [type, text.replace("LIVE", live)]),
  );
});

test("attribute lines: single quotes count, what has no value or another name goes", async () => {
  const id = await api.document(notebook, "first", "/Lines");
  const given = "20260101000000-factual";
  const data = `a\n{: id='${given}' custom-x='y'}\n\nb\n{: custom-z}\n\nc\n{: custom-UP="1" bogus="2"}`;
  await api.data("block/appendBlock", { parentID: id, dataType: "markdown", data });
  const [, a, b, c] = await api.children(id);
  expect(a?.id).toBe(given);
  expect(await api.kramdown(given)).toContain('custom-x="y"');
  expect([b?.markdown, await api.kramdown(b?.id ?? "")]).toEqual(["b", expect.not.stringContaining("custom-z")]);
  const last = await api.kramdown(c?.id ?? "");
  expect(last).toContain('custom-up="1"');
  expect(last).not.toContain("bogus");
});
