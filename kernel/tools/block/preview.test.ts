// What is read from the parser's preview: the number of blocks and the kind of the only one.

import { describe, expect, it } from "vitest";
import { readPreview } from "./preview.js";

describe("readPreview", () => {
  const superBlock = "{{{row\none\n\ntwo\n}}}";
  const cases: [string, string, string, number, string, number][] = [
    ["a paragraph", "a", '<p id="x">a</p>', 1, "p", 0],
    ["two paragraphs", "a\n\nb", '<p id="x">a</p>\n<p id="y">b</p>', 2, "", 0],
    ["nothing", "", "", 1, "", 0],
    ["white space", " \n ", "", 1, "", 0],
    ["a heading", "# a", '<h1 id="x">a</h1>', 1, "h1", 0],
    ["a list of two", "- a\n- b", '<ul id="x"><li>a</li><li>b</li></ul>', 1, "ul", 2],
    ["a list in a list", "- a\n  - b", '<ul id="x"><li>a<ul><li>b</li></ul></li></ul>', 1, "ul", 1],
    ["a numbered list", "1. a", '<ol id="x"><li>a</li></ol>', 1, "ol", 1],
    ["a rule", "---", '<hr id="x">', 1, "hr", 0],
    ["HTML of several elements", "<div>a</div>\n<p>b</p>", "<div>a</div>\n<p>b</p>", 1, "html", 0],
    ["HTML that closes nothing", "<div><p>", "<div><p>", 1, "html", 0],
    ["HTML, then a paragraph", "<div>a</div>\n\nb", '<div>a</div>\n<p id="x">b</p>', 2, "", 0],
    [
      "an embedded page",
      '<iframe src="x"></iframe>',
      '<div class="iframe"><iframe src="x"></iframe></div>',
      1,
      "iframe",
      0,
    ],
    ["a super block", superBlock, "<p>one</p><p>two</p>", 1, "", 0],
    ["a super block with attributes", `${superBlock}\n{: id="x"}`, "<p>one</p><p>two</p>", 1, "", 0],
    ["a super block in a super block", `{{{col\n${superBlock}\n\nthree\n}}}`, "<p></p><p></p><p></p>", 1, "", 0],
    ["two super blocks", `${superBlock}\n\n${superBlock}`, "<p></p><p></p><p></p><p></p>", 4, "", 0],
    ["a super block and a paragraph", `${superBlock}\n\nend`, "<p></p><p></p><p>end</p>", 3, "", 0],
    ["a super block left open", "{{{row\none\n\ntwo", "<p>one</p><p>two</p>", 2, "", 0],
  ];
  it.each(cases)("%s", (_name, markdown, html, blocks, tag, items) => {
    expect(readPreview(markdown, html)).toMatchObject({ blocks, tag, items, html });
  });

  it("broken preview HTML never counts as one block", () => {
    expect(readPreview("a", "<p>a").blocks).toBeGreaterThan(1);
    expect(readPreview("a", "<p>a</p><div>").blocks).toBeGreaterThan(1);
  });

  it("a table without rows, whose body SiYuan leaves open, is one block", () => {
    const html = "<table>\n<thead><tr>\n<th>a</th>\n</tr>\n</thead><tbody>\n</table>\n";
    expect(readPreview("| a |\n| - |", html)).toMatchObject({ blocks: 1, tag: "table" });
  });
});
