// What is seen in Markdown before it is written. The references agree with what SiYuan's parser makes of the same text.

import { describe, expect, it } from "vitest";
import { attributeLineOf, idsInAttributeLines, scanMarkdown } from "./markdown-source.js";

const id = "20260101000000-aaaaaaa";
const other = "20260101000001-bbbbbbb";
const ref = `((${id} "x"))`;

describe("references", () => {
  const seen: [string, string, number][] = [
    ["fixed text", ref, 1],
    ["text that follows the target", `((${id} 'x'))`, 1],
    ["no text", `((${id}))`, 1],
    ["two in a line", `${ref} and ${ref}`, 2],
    ["in a heading", `# ${ref}`, 1],
    ["in a table", `| a |\n| - |\n| ${ref} |`, 1],
    ["in a mark", `**${ref}**`, 1],
    ["in a link", `[a ${ref}](http://x)`, 1],
    ["broken at the line's end", `((${id}\n"x"))`, 1],
    ["as SiYuan's own mark", `<span data-type="block-ref" data-id="${id}" data-subtype="s">x</span>`, 1],
    ["behind an open backtick", `a \` ${ref}`, 1],
    ["behind an escaped backslash", `\\\\${ref}`, 1],
    ["behind a fence with the same mark", `\`\`\`\ncode\n\`\`\`\n${ref}`, 1],
    ["behind a line in code that looks like another fence", `\`\`\`\n\`\`\`js\n\`\`\`\n${ref}`, 1],
    ["behind code in a line that begins like a fence", `\`\`\`code\`\`\` ${ref}`, 1],
    ["behind a fence in a list item", `- \`\`\`js\n  code\n  \`\`\`\n\n${ref}`, 1],
    ["behind a fence in a numbered item", `1. \`\`\`js\n   code\n   \`\`\`\n\n${ref}`, 1],
    ["behind a fence in a task", `- [ ] \`\`\`js\n  code\n  \`\`\`\n\n${ref}`, 1],
    ["behind a fence in an item with attributes", `- {: id="${other}"}\`\`\`js\n  code\n  \`\`\`\n\n${ref}`, 1],
    ["behind an item with an open fence", `- \`\`\`js\n  code\n\n${ref}`, 1],
    ["behind a quote with an open fence", `> \`\`\`\n${ref}`, 1],
    ["behind a fence in a quote", `> \`\`\`\n> code\n> \`\`\`\n\n${ref}`, 1],
    ["in a fence", `\`\`\`\n${ref}\n\`\`\``, 0],
    ["in a fence of tildes", `~~~\n${ref}\n~~~`, 0],
    ["in a longer fence behind a shorter one", `~~~~\n~~~\n${ref}\n~~~~`, 0],
    ["in a fence with another mark inside", `\`\`\`\n~~~\n${ref}\n\`\`\``, 0],
    ["in a fence with a line that looks like its opening", `\`\`\`\n\`\`\`js\n${ref}\n\`\`\``, 0],
    ["in a fence in a list item", `- \`\`\`js\n  ${ref}\n  \`\`\``, 0],
    ["in a fence in a task", `- [ ] \`\`\`js\n  ${ref}\n  \`\`\``, 0],
    ["in a fence that never closes", `\`\`\`\n${ref}`, 0],
    ["in a code span", `\`${ref}\``, 0],
    ["in a code span of two backticks", `a \`\` \`b\` ${ref} \`\` c`, 0],
    ["escaped", `\\${ref}`, 0],
    ["in an embed", `{{${ref}}}`, 0],
    ["in capitals", '((20260101000000-AAAAAAA "x"))', 0],
    ["with too few digits", '((2026010100000-aaaaaaa "x"))', 0],
    ["without a space before its text", `((${id}"x"))`, 0],
  ];
  it.each(seen)("%s: %#", (_name, markdown, count) => {
    expect(scanMarkdown(markdown).references).toEqual(Array.from({ length: count }, () => id));
  });

  it("line ends of other systems change nothing", () => {
    const markdown = `- \`\`\`js\n  ${ref}\n  \`\`\`\n\n${ref}\n{: id="${other}"}`;
    for (const end of ["\r\n", "\r"])
      expect(scanMarkdown(markdown.replace(/\n/g, end))).toEqual(scanMarkdown(markdown));
  });
});

describe("attribute lines", () => {
  const lines = (markdown: string) =>
    scanMarkdown(markdown).attributeLines.map(({ attributes, isLastLine }) => [
      Object.fromEntries(attributes),
      isLastLine,
    ]);

  const cases: [string, string, unknown[]][] = [
    ["none", "text", []],
    ["below a paragraph", 'text\n{: memo="m"}', [[{ memo: "m" }, true]]],
    ["below a paragraph, with a line end", 'text\n{: memo="m"}\n', [[{ memo: "m" }, true]]],
    ["below a paragraph, with empty lines", 'text\n{: memo="m"}\n\n  \n', [[{ memo: "m" }, true]]],
    ["between two paragraphs", 'a\n{: id="x"}\n\nb', [[{ id: "x" }, false]]],
    ["several attributes", 'a\n{: id="x" custom-a="1 2" memo=""}', [[{ id: "x", "custom-a": "1 2", memo: "" }, true]]],
    ["indented, in an item", '- a\n  {: id="x"}', [[{ id: "x" }, true]]],
    ["in a quote", '> a\n> {: id="x"}', [[{ id: "x" }, true]]],
    ["behind a list mark, before the text", `- {: id="${id}"}text`, [[{ id }, false]]],
    [
      "behind a list mark, twice",
      `- {: id="x"}a\n- {: id="y"}b`,
      [
        [{ id: "x" }, false],
        [{ id: "y" }, false],
      ],
    ],
    ["in a fence", '```\n{: id="x"}\n```', []],
    ["in the middle of a line", 'a {: id="x"}', []],
  ];
  it.each(cases)("%s", (_name, markdown, expected) => {
    expect(lines(markdown)).toEqual(expected);
  });

  it("idsInAttributeLines: only what has the form of an id", () => {
    const markdown = `a\n{: id="${id}"}\n\nb\n{: id="x"}\n\nc\n{: memo="${other}"}`;
    expect(idsInAttributeLines(scanMarkdown(markdown))).toEqual([id]);
  });

  it("attributeLineOf: what it escapes cannot end the line or the value", () => {
    const line = attributeLineOf(new Map([["memo", 'a "b" {c} <d> & e\nf']]));
    expect(line).toBe('{: memo="a &quot;b&quot; &#123;c&#125; &lt;d&gt; &amp; e_esc_newline_f"}');
    expect(
      attributeLineOf(
        new Map([
          ["a", "1"],
          ["b", ""],
        ]),
      ),
    ).toBe('{: a="1" b=""}');
    expect(scanMarkdown(`x\n${line}`).attributeLines).toHaveLength(1);
  });
});

describe("tables", () => {
  const cases: [string, string, number | undefined][] = [
    ["full rows", "| a | b |\n| - | - |\n| 1 | 2 |", undefined],
    ["a short row", "| a | b |\n| - | - |\n| 1 |", undefined],
    ["a row too long", "| a | b |\n| - | - |\n| 1 | 2 | 3 |", 3],
    ["the first of two", "| a |\n| - |\n| 1 |\n| 1 | 2 |\n| 1 | 2 |", 4],
    ["an escaped pipe", "| a | b |\n| - | - |\n| 1 \\| 2 | 3 |", undefined],
    ["a pipe in code", "| a | b |\n| - | - |\n| `1 | 2` | 3 |", 3],
    ["without outer pipes", "a | b\n- | -\n1 | 2 | 3", 3],
    ["with alignment", "| a | b |\n|:-:|--:|\n| 1 | 2 | 3 |", 3],
    ["in a quote", "> | a |\n> | - |\n> | 1 | 2 |", 3],
    ["a line with pipes that is no table", "a | b | c", undefined],
    ["behind the table's end", "| a |\n| - |\n| 1 |\n\n| x | y |", undefined],
    ["in a fence", "```\n| a |\n| - |\n| 1 | 2 |\n```", undefined],
  ];
  it.each(cases)("%s", (_name, markdown, row) => {
    expect(scanMarkdown(markdown).overfullRow).toBe(row);
  });
});

describe("nesting", () => {
  const cases: [string, string, number][] = [
    ["plain", "a", 0],
    ["an item", "- a", 1],
    ["an item in an item", "- a\n  - b", 2],
    ["a quote in a quote", "> > a", 2],
    ["120 quotes", `${"> ".repeat(120)}a`, 120],
    ["items on one line", `${"- ".repeat(110)}a`, 110],
    ["in a fence", `\`\`\`\n${"> ".repeat(120)}a\n\`\`\``, 0],
  ];
  it.each(cases)("%s", (_name, markdown, levels) => {
    expect(scanMarkdown(markdown).nesting).toBe(levels);
  });

  it("120 levels of items are found deep", () => {
    const markdown = Array.from({ length: 120 }, (_, level) => `${"  ".repeat(level)}- a`).join("\n");
    expect(scanMarkdown(markdown).nesting).toBeGreaterThanOrEqual(120);
  });
});

describe("the end", () => {
  it.each([
    ["a paragraph", "text", false],
    ["HTML", "<div>a</div>", true],
    ["HTML behind a paragraph", "text\n\n<div>a</div>\n", true],
    ["HTML behind a paragraph, other line ends", "text\r\n\r\n<div>a</div>\r\n", true],
    ["a paragraph behind HTML", "<div>a</div>\n\ntext", false],
    ["nothing", "", false],
  ])("%s", (_name, markdown, endsInHtml) => {
    expect(scanMarkdown(markdown).endsInHtml).toBe(endsInHtml);
  });
});
