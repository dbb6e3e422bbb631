// The comparisons after a write: nothing of the request may be missing, and what is stored must be what was announced.

import { describe, expect, it } from "vitest";
import { canonicalDom, topLevelNodes } from "../../api/dom.js";
import { compareStored, lostReferences, missingWords } from "./comparison.js";
import type { Content } from "./content.js";
import { scanMarkdown } from "./markdown-source.js";
import { readPreview } from "./preview.js";

const id = "20260101000000-aaaaaaa";
const other = "20260101000001-bbbbbbb";
const ref = `((${id} "x"))`;

const request = (html: string, text = html): Content => ({
  kind: "markdown",
  text,
  source: scanMarkdown(text),
  preview: readPreview(text, html),
});
const nodes = (inner: string) =>
  topLevelNodes(
    `<div data-node-id="${other}" data-type="NodeParagraph" class="p"><div contenteditable="true">${inner}</div></div>`,
  ).nodes;
const span = (type: string, inner: string, more = "") => `<span data-type="${type}"${more}>${inner}</span>`;

describe("missingWords", () => {
  const cases: [string, string, string, readonly string[]][] = [
    ["equal texts", "<p>one two</p>", "one two", []],
    ["marks instead of tags", "<p>one <strong>two</strong></p>", `one ${span("strong", "two")}`, []],
    ["a mark inside a word", "<p>wo<em>rd</em></p>", `wo${span("em", "rd")}`, []],
    ["entities", "<p>a &amp; b&#39;c</p>", "a &amp; b'c", []],
    [
      "a formula in an attribute",
      "<p><span>quadrat</span></p>",
      span("inline-math", "", ' data-content="quadrat"'),
      [],
    ],
    ["a part of an attribute", "<p>picture</p>", span("img", "", ' data-src="assets/mypicture-2.png"'), []],
    ["more words than asked", "<p>one</p>", "one two", []],
    ["a dropped word", "<p>one twelve three</p>", "one three", ["twelve"]],
    ["two dropped words", "<p>alpha beta gamma</p>", "gamma", ["alpha", "beta"]],
    ["a changed word", "<p>original</p>", "replaced", ["original"]],
    ["a dropped Chinese run", "<p>你好，世界</p>", "你好", ["世界"]],
    ["everything dropped", "<p>whole sentence</p>", "", ["whole", "sentence"]],
  ];
  it.each(cases)("%s", (_name, asked, echoed, missing) => {
    expect(missingWords(request(asked), nodes(echoed))).toEqual(missing);
  });

  it.each(["type", "class", "true", "2026"])("finds the dropped word %j, which the markup holds", (word) => {
    expect(missingWords(request(`<p>${word}</p>`), nodes(""))).toEqual([word]);
  });

  it("reads a DOM request as it is", () => {
    const text = `<div data-node-id="${id}"><div>first second</div></div>`;
    const content: Content = { kind: "dom", text, nodes: topLevelNodes(text).nodes };
    expect(missingWords(content, nodes("first second"))).toEqual([]);
    expect(missingWords(content, nodes("first"))).toEqual(["second"]);
  });
});

describe("lostReferences", () => {
  const link = (to: string) => span("block-ref", "x", ` data-id="${to}" data-subtype="s"`);
  const cases: [string, string, string, readonly string[]][] = [
    ["none", "text", "text", []],
    ["kept", ref, link(id), []],
    ["kept twice", `${ref} ${ref}`, link(id) + link(id), []],
    ["kept once of twice", `${ref} ${ref}`, link(id), [id]],
    ["emptied", ref, link(""), [id]],
    ["sent to another block", ref, link(other), [id]],
    ["plain text", "a `b\nc` ", "a", []],
    ["kept as code over two lines", `\`a\n${ref} b\``, span("code", `a ((${id} "x")) b`), []],
    ["kept as a formula", `$${ref}$`, span("inline-math", "", ` data-content="((${id} &quot;x&quot;))"`), []],
  ];
  it.each(cases)("%s", (_name, text, stored, lost) => {
    expect(lostReferences(request("", text), nodes(stored))).toEqual(lost);
  });

  it("of a DOM request: an empty target is no reference", () => {
    const text = `<div data-node-id="${id}">${link("")}${link(other)}</div>`;
    const content: Content = { kind: "dom", text, nodes: topLevelNodes(text).nodes };
    expect(lostReferences(content, nodes(""))).toEqual([other]);
  });
});

describe("compareStored", () => {
  const wrapped = (inner: string, attributes = "") => `<div data-node-id="${id}" class="p"${attributes}>${inner}</div>`;
  const equal: [string, string, string, number][] = [
    ["the same", "a", "a", 0],
    ["entities", "a&#39;b", "a'b", 0],
    ["a no-break space", "a\u00a0b", "a b", 1],
    ["a joiner", "a```", "a\u200d```", 1],
    ["column widths", "<table><col></table>", '<table><col style="width: 60px;"></table>', 1],
    [
      "blank lines of HTML",
      '<protyle-html data-content="&lt;div&gt;\n\n&lt;p&gt;a&lt;/p&gt;\n  \n&lt;/div&gt;"></protyle-html>',
      '<protyle-html data-content="&lt;div&gt;\n&lt;p&gt;a&lt;/p&gt;\n&lt;/div&gt;"></protyle-html>',
      1,
    ],
    [
      "buttons of the editor",
      '<div class="protyle-icons"></div>a',
      '<div class="protyle-icons"><span class="protyle-icon"><svg></svg></span></div>a',
      1,
    ],
    ["a space moved out of a mark", `${span("strong", "a ")}b`, `${span("strong", "a")} b`, 1],
    ["an image's style", span("img", "", ' class="img"'), span("img", "", ' class="img" style="width: 9px;"'), 1],
    [
      "dynamic anchor text",
      span("block-ref", "old", ` data-id="${other}" data-subtype="d"`),
      span("block-ref", "new", ` data-id="${other}" data-subtype="d"`),
      1,
    ],
  ];
  it.each(equal)("takes %s as equal, with a note", (_name, echo, stored, notes) => {
    const comparison = compareStored(wrapped(echo), canonicalDom(wrapped(stored)));
    expect(comparison.equal).toBe(true);
    expect(comparison.notes).toHaveLength(notes);
  });

  const different: [string, string, string][] = [
    ["another word", "a", "b"],
    ["a lost mark", span("strong", "a"), "a"],
    [
      "fixed anchor text",
      span("block-ref", "old", ` data-id="${other}" data-subtype="s"`),
      span("block-ref", "new", ` data-id="${other}" data-subtype="s"`),
    ],
    [
      "another target under a dynamic anchor",
      span("block-ref", "a", ` data-id="${id}" data-subtype="d"`),
      span("block-ref", "a", ` data-id="${other}" data-subtype="d"`),
    ],
    ["a lost space", "a b", "ab"],
    [
      "a lost line of HTML",
      '<protyle-html data-content="a\n\nb"></protyle-html>',
      '<protyle-html data-content="a"></protyle-html>',
    ],
    [
      "lines of HTML that ran together",
      '<protyle-html data-content="a\nb"></protyle-html>',
      '<protyle-html data-content="a b"></protyle-html>',
    ],
    ["a lost line of code", "a\n\nb", "a\nb"],
    ["a lost style without any image", '<p style="color: red;">a</p>', "<p>a</p>"],
    ["a lost cell", "<table><tr><td>a</td><td>b</td></tr></table>", "<table><tr><td>a</td></tr></table>"],
  ];
  it.each(different)("finds %s", (_name, echo, stored) => {
    expect(compareStored(wrapped(echo), canonicalDom(wrapped(stored)))).toEqual({ equal: false, notes: [] });
  });
});
