// Texts that SiYuan would damage, lose or choke on, and what must become of each.

import { missing } from "./damage.js";

const live = "LIVE";
const reference = (id: string, text = '"x"') => `((${id} ${text}))`;
const nested = (open: string, close: string, levels: number) => `${open.repeat(levels)}x\n\ny\n${close.repeat(levels)}`;

/** LIVE stands for the id of a document that exists, CLOSED for a block in a closed notebook. */
export const refusedTexts: readonly (readonly [name: string, text: string, code: string])[] = [
  ["a reference to a missing block", `see ${reference(missing)} here`, "missing_reference"],
  ["a following reference to a missing block", `see ${reference(missing, "'x'")}`, "missing_reference"],
  ["a bare reference to a missing block", `see ((${missing}))`, "missing_reference"],
  ["a missing reference deep in a table", `- |a|b|\n  |-|-|\n  |**${reference(missing)}**|2|`, "missing_reference"],
  ["a reference written as HTML", `<span data-type="block-ref" data-id="${missing}">x</span>`, "missing_reference"],
  ["a reference to a closed notebook", `see ${reference("CLOSED")}`, "missing_reference"],
  ["a missing reference with brackets in its text", `f(g(x)) ${reference(missing, '"a))b"')}`, "missing_reference"],
  ["a reference in inline code", `\`${reference(live)}\``, "content_would_be_lost"],
  ["200 quotes", `${">".repeat(200)} x`, "nesting_too_deep"],
  ["200 spaced quotes", `${"> ".repeat(200)}x`, "nesting_too_deep"],
  [
    "200 items in items",
    Array.from({ length: 200 }, (_, i) => `${"  ".repeat(i)}- ${i}`).join("\n"),
    "nesting_too_deep",
  ],
  ["200 items on one line", `${"1. ".repeat(200)}x`, "nesting_too_deep"],
  ["quotes and items, 100 each", `${"> - ".repeat(100)}x`, "nesting_too_deep"],
  ["200 super blocks", nested("{{{row\n", "}}}\n", 200), "nesting_too_deep"],
  ["the id of a live block", `torn\n{: id="${live}"}`, "content_would_be_lost"],
  ["the id of a live block in single quotes", `torn\n{: id='${live}'}`, "content_would_be_lost"],
  ["the id of a live block behind a list mark", `- {: id="${live}"}torn`, "content_would_be_lost"],
  ["a malformed id", 'text\n{: id="bad"}', "invalid_arguments"],
  ["an id in capitals", 'text\n{: id="20260101000000-ABCDEFG"}', "invalid_arguments"],
  ["the same id twice", 'text\n{: id="20260101000000-aaaaaa1" id="20260101000000-aaaaaa2"}', "content_would_be_lost"],
  ["an attribute that SiYuan drops", 'text\n{: bogus="1"}', "content_would_be_lost"],
  ["an attribute in capitals", 'text\n{: custom-UP="1"}', "content_would_be_lost"],
  ["an attribute without value", "text\n{: custom-x}", "content_would_be_lost"],
  ["an open code fence", "a\n\n```js\ncode", "content_would_be_lost"],
  ["words behind a code fence's language", '```js title="x"\ncode\n```', "content_would_be_lost"],
  ["an open formula", "$$\na^2", "content_would_be_lost"],
  ["a price of two dollars", "$$5 for it", "content_would_be_lost"],
  ["an open super block", "{{{row", "content_would_be_lost"],
  ["an open super block with text", "{{{row\ntext", "content_would_be_lost"],
  ["an empty super block", "{{{row\n}}}", "content_would_be_lost"],
  ["entities in HTML", "<div>a &amp; &lt;b&gt;</div>", "content_would_be_lost"],
  ["a table row with a cell too many", "|a|b|\n|-|-|\n|1|2|3|", "content_would_be_lost"],
  ["a table row with a pipe in code", "|a|b|\n|-|-|\n|`1|2`|3|", "content_would_be_lost"],
  ["a table row with pipes in a formula", "|a|b|\n|-|-|\n|$|x|$|2|", "content_would_be_lost"],
  ["a link to javascript:", "[x](javascript:alert(1))", "content_would_be_lost"],
  ["a quote in an image's description", '![a "b"](assets/x.png)', "content_would_be_lost"],
  ["a NUL character", "nul\u0000here", "content_would_be_lost"],
];

export interface WholeText {
  readonly name: string;
  readonly text: string;
  /** Type and source of each block, as SiYuan shows them. */
  readonly blocks: readonly (readonly [type: string, markdown: string])[];
  /** Attributes of the first block. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Why an update of one block cannot take it; left out where it can. */
  readonly update?: string;
}

const same = (name: string, text: string, type = "p"): WholeText => ({ name, text, blocks: [[type, text]] });
const several = (name: string, text: string, blocks: WholeText["blocks"]): WholeText => ({
  name,
  text,
  blocks,
  update: "several_blocks",
});
const lookAlikes = `{: id="${missing}" custom-a="1"}\n{{{row\n((not-a-ref))\n${reference(missing)}\n\n| a | b\n$$\n</div>`;
const cells = "|a|b|c|\n|-|-|-|\n|a\\|b|x<br>y|`c\\|d`|\n||$e\\|f\\|g$|z|";

/** Texts that look dangerous and are written whole. */
export const wholeTexts: readonly WholeText[] = [
  several("several blocks", "one\n\ntwo\n\n- three\n- four", [
    ["p", "one"],
    ["p", "two"],
    ["l", "- three\n- four"],
  ]),
  several("a heading with text right below", "# h\ntext", [
    ["h", "# h"],
    ["p", "text"],
  ]),
  several("a rule right below text", "text\n---", [
    ["p", "text"],
    ["tb", "---"],
  ]),
  several("front matter", "---\ntitle: 周报\n---\n\n## 一\n1. 甲", [
    ["tb", "---"],
    ["p", "title: 周报"],
    ["tb", "---"],
    ["h", "## 一"],
    ["l", "1. 甲"],
  ]),
  several("an attribute line inside text", 'one\n{: custom-b="1"}\nmore', [
    ["p", "one"],
    ["p", "more"],
  ]),
  {
    name: "attributes in a last line",
    text: 'text\n{: custom-a="1" name="n &lt;&quot;"}',
    blocks: [["p", "text"]],
    attributes: { "custom-a": "1", name: 'n <"' },
    update: "content_would_be_lost",
  },
  same("an attribute list inside a line", 'text {: custom-b="1"} more'),
  same("an attribute list in a heading", '## h {: custom-h="1"}', "h"),
  same("an attribute line that does not end", 'text\n{: custom-b="1"'),
  same("HTML with attributes", `<div class="a" data-x='1' onclick="x()">text</div>`, "html"),
  same("HTML that closes nothing", "<div>open", "html"),
  same("HTML tags that make no block", "<p>a</p> <!-- b --> <details>c</details>"),
  same("an embedded page", '<iframe src="https://x.y/"></iframe>', "iframe"),
  several("HTML with blank lines", "<div>\n\n<p>甲</p>\n\n</div>", [
    ["html", "<div>"],
    ["p", "<p>甲</p>"],
    ["p", "</div>"],
  ]),
  { name: "CRLF", text: "one\r\ntwo\r\nthree", blocks: [["p", "one\ntwo\nthree"]] },
  { name: "CR alone", text: "one\rtwo", blocks: [["p", "one\ntwo"]] },
  several("blocks between CRLF", "one\r\n\r\ntwo", [
    ["p", "one"],
    ["p", "two"],
  ]),
  same("control characters", "bel\u0007 escape\u001b[31m tab\there"),
  same("invisible and turning characters", "bom\ufeff bidi\u202e separators\u2028\u2029 joiner\u200d"),
  same("marks of secrets", "key {{secrets.x}} end"),
  same("a mark of a secret alone, an embed", "{{secrets.x}}", "query_embed"),
  same("marks of templates", ".action{.title} and .action{now} {{.title"),
  same("a query with a pipe", "{{SELECT * FROM blocks WHERE content LIKE '%甲|乙%'}}", "query_embed"),
  same("braces of super blocks inside text", "see {{{row here}}} }}}"),
  { name: "a super block", text: "{{{row\na\n\nb\n}}}", blocks: [["s", "{{{row\na\n\nb\n\n}}}"]] },
  same("a code fence of look-alikes", `\`\`\`text\n${lookAlikes}\n\`\`\``, "c"),
  { name: "a tilde fence", text: `~~~\n${lookAlikes}\n~~~`, blocks: [["c", `\`\`\`\n${lookAlikes}\n\`\`\``]] },
  same("code with spaces at its ends", "```\na  \n\tb\n\n\n c\n```", "c"),
  same("brackets of no reference", 'f(g(x)) and ((not a ref)) and ((zz "x")) ))'),
  same("a reference with brackets in its text", `f(g(x)) and ${reference(live, '"a))b"')} end`),
  {
    name: "a table with pipes, breaks and empty cells",
    text: cells,
    blocks: [["t", "|a|b|c|\n| ---| ---| ---|\n|a\\|b|x<br />y|`c\\|d`|\n||$e\\|f\\|g$|z|"]],
  },
  { name: "a table without rows", text: "|a|b|\n|-|-|", blocks: [["t", "|a|b|\n| ---| ---|"]] },
  { name: "a table with a short row", text: "|a|b|\n|-|-|\n|1|", blocks: [["t", "|a|b|\n| ---| ---|\n|1||"]] },
  several("footnotes, which SiYuan's documents do not know", "a[^1]\n\n[^1]: note", [
    ["p", "a[^1]"],
    ["p", "[^1]: note"],
  ]),
  same("a formula of pipes", "$$\na^2|b\n$$", "m"),
  same("dollars that are no formula", "a $ 5 and 6 $ $x|y$"),
  same("escaped marks", "\\*a\\* \\_b\\_ \\# \\[x\\] \\((z))"),
  { name: "nothing", text: "", blocks: [["p", ""]] },
  { name: "nothing but space", text: "  \n \t ", blocks: [["p", ""]] },
  same("emoji made of several characters", "👩‍🚀 🏳️‍🌈"),
  same("marks that never close", "*a ".repeat(200).trim()),
];
