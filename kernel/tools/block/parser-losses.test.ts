// What a real SiYuan was seen to drop from Markdown, and what looks like it and is kept.

import { describe, expect, it } from "vitest";
import { scanMarkdown } from "./markdown-source.js";

const id = "20260101000000-aaaaaaa";
const lossIn = (markdown: string) => scanMarkdown(markdown).loss;

describe("refused", () => {
  const cases: [string, string, number, string][] = [
    ["a fence left open", "a\n\n```js\ncode", 3, "code fence"],
    ["a fence closed by a shorter one", "````\ncode\n```", 1, "code fence"],
    ["a second word behind a fence's mark", "```js title=x\ncode\n```", 1, "first word"],
    ["a formula left open", "a\n$$\nb", 2, "formula"],
    ["a price of two dollars", "$$5 for it\n\nmore", 1, "formula"],
    ["a formula closed by a line with more in it", "$$\na\n$$ tail", 1, "formula"],
    ["a super block left open", "{{{row\na\n\n{{{col\nb\n}}}", 1, "super block"],
    ["a super block left open in a quote", "> {{{\n> a", 1, "super block"],
    ["a super block without content", "{{{row\n\n}}}", 3, "without content"],
    ["an attribute line in single quotes", `a\n{: id='${id}'}`, 2, "misread"],
    ["an attribute without value", "a\n{: custom-x}", 2, "misread"],
    ["a brace in a value", 'a\n{: custom-x="1}2"}', 2, "misread"],
    ["two attribute lists in a line", `a\n{: id="${id}"}{: custom-x="1"}`, 2, "misread"],
    ["single quotes behind a list mark", `- {: id='${id}'}a`, 1, "misread"],
    ["the same attribute twice", `a\n{: id="${id}" id="${id}"}`, 2, "id"],
    ["an unknown attribute", 'a\n{: bogus="1"}', 2, "bogus"],
    ["an attribute in capitals", 'a\n{: custom-UP="1"}', 2, "custom-UP"],
    ["a reference in inline code", `a \`f((${id} "x"))\` b`, 1, "inline code"],
    ["a reference in a longer code span", `\`\` \`((${id}))\` \`\``, 1, "inline code"],
    ["entities in an HTML block", "a\n\n<div>\nx &lt;b&gt;\n</div>", 4, "entities"],
    ["entities in an HTML block in a list", "- <div>&amp;</div>", 1, "entities"],
    ["a link to javascript:", "a [x]( JavaScript:alert(1))", 1, "javascript"],
    ["a quote in an image's description", 'a ![b "c"](x.png)', 1, "double quote"],
    ["an encoded quote in an image's description", "![&quot;c&quot;](x.png)", 1, "double quote"],
  ];
  it.each(cases)("%s", (_name, markdown, line, message) => {
    expect(lossIn(markdown)).toMatchObject({ line, message: expect.stringContaining(message) });
  });
});

describe("kept", () => {
  const cases: [string, string][] = [
    [
      "fences, formulas and super blocks that close",
      "```js\na\n```\n\n$$\nb\n$$\n\n$$c$$\n\n{{{row\nd\n\n{{{col\ne\n}}}\n}}}",
    ],
    ["a fence that ends with its quote or item", "> ```\n> a\n\nb\n\n- ```\n  c\n\nd"],
    ["a super block of code", "{{{row\n```\n```\n}}}"],
    ["a super block of a formula", "{{{row\n$$\na\n$$\n}}}"],
    ["braces inside text", "see {{{row here}}}\n}}}"],
    ["a fence of one word with spaces around", "``` js \na\n```"],
    [
      "SiYuan's own attribute lines",
      `- {: id="${id}" updated="20260101000000" fold="1"}a\n  {: id="${id}" style="x" custom-sy-av-view="y"}`,
    ],
    ["an attribute list inside text", `a {: id='x'} b\n**c**{: style="color: red;"}`],
    ["an attribute line that SiYuan takes as text", "a\n{:custom-x=1}"],
    ["look-alikes in code", "```\n{: x='1'}\n[x](javascript:a)\n{{{row\n$$\n<div>&amp;\n```"],
    ["look-alikes in a formula", "$$\n{: x='1'}\n{{{row\n$$"],
    ["a reference beside inline code", `\`a\` ((${id} "x")) \`b\``],
    ["entities outside HTML blocks", "&amp; <p>&lt;</p>\n\n<div>a</div>\n\n&lt;"],
    ["an image of a javascript: address, which stays", "![a](javascript:x)"],
    ["quotes in link texts and titles", '[a "b"](x "c") ![d](y "e")'],
  ];
  it.each(cases)("%s", (_name, markdown) => {
    expect(lossIn(markdown)).toBeUndefined();
  });
});

it("nested super blocks count as nesting", () => {
  const nested = (levels: number) => `${"{{{row\n".repeat(levels)}a\n${"}}}\n".repeat(levels)}`;
  expect(scanMarkdown(nested(120)).nesting).toBe(120);
});
