// A block's source cut at its attribute lines, and what a second reading of it would change.

import { describe, expect, it } from "vitest";
import { joinKramdown, kramdownParts, lostBySource, marksOfPreview } from "./kramdown-edit.js";

const id = "20260101000000-aaaaaaa";

describe("parts", () => {
  it("alternate between texts and the block's own attribute lines", () => {
    const kramdown = `- {: id="${id}"}one\n  {: updated="1" id="20260101000000-bbbbbbb"}\n{: id="20260101000000-ccccccc"}`;
    const own = new Set([id, "20260101000000-bbbbbbb", "20260101000000-ccccccc"]);
    const parts = kramdownParts(kramdown, own);
    expect(parts.texts).toEqual(["- ", "one\n  ", "\n", ""]);
    expect(joinKramdown(parts)).toBe(kramdown);
  });

  it("leave look-alikes with other ids in the text", () => {
    const { texts } = kramdownParts(`\`\`\`\n{: id="20200101000000-fake000"}\n\`\`\`\n{: id="${id}"}`, new Set([id]));
    expect(texts[0]).toContain("fake000");
  });
});

describe("parts of odd texts", () => {
  const line = `{: id="${id}"}`;
  const odd: [string, string, string[]][] = [
    ["an attribute list that does not end", "a {: b\nc", ["a {: b\nc"]],
    ["one that ends on another line", `a {: b\n}\n${line}`, ["a {: b\n}\n", ""]],
    ["one right before", `{:}${line}`, ["{:}", ""]],
    ["one without an id", `text {: x="1"} more\n${line}`, ['text {: x="1"} more\n', ""]],
    ["lines that touch", `${line}${line}`, ["", "", ""]],
  ];
  it.each(odd)("%s", (_name, kramdown, texts) => {
    const parts = kramdownParts(kramdown, new Set([id]));
    expect(parts.texts).toEqual(texts);
    expect(joinKramdown(parts)).toBe(kramdown);
  });
});

describe("a second reading", () => {
  const dom = (inner: string) => `<div data-type="NodeParagraph"><div contenteditable="true">${inner}</div></div>`;
  const kept: [string, string, string][] = [
    ["words", "a b", "<p>a b</p>"],
    ["a mark", 'a <span data-type="em strong">b</span>', "<p>a <em><strong>b</strong></em></p>"],
    ["a tag", 'a <span data-type="tag">\u200bb c</span>\u200b d', "<p>a <em>#b c#</em> d</p>"],
    ["a reference", 'a <span data-type="block-ref" data-subtype="s" data-id="x">b</span>', '<p>a "b"</p>'],
    ["a key", '<span data-type="kbd">\u200bk</span>', "<p>&lt;kbd&gt;k&lt;/kbd&gt;</p>"],
    ["a break", "a\nb", "<p>a<br />\nb</p>"],
    ["an emphasised hash", '<span data-type="em">a # b</span>', "<p><em>a # b</em></p>"],
  ];
  it.each(kept)("keeps %s", (_name, inner, preview) => {
    expect(lostBySource("NodeParagraph", dom(inner), preview)).toBeUndefined();
  });

  const lost: [string, string, string][] = [
    ["stars", "*a*", "<p><em>a</em></p>"],
    ["hashes", "#a#", "<p><em>#a#</em></p>"],
    ["tags of HTML", "&lt;u&gt;a&lt;/u&gt;", "<p>&lt;u&gt;a&lt;/u&gt;</p>"],
    ["a link's text", "[a](b)", '<p><a href="b">a</a></p>'],
    ["a memo", '<span data-type="inline-memo" data-inline-memo-content="m">a</span>', "<p>a</p>"],
  ];
  it.each(lost)("would change %s", (_name, inner, preview) => {
    expect(lostBySource("NodeParagraph", dom(inner), preview)).toMatch(/it holds/);
  });

  it("changes nothing where the source is printed as it is", () => {
    expect(lostBySource("NodeCodeBlock", dom("*a*"), "<pre></pre>")).toBeUndefined();
  });
});

it("tells two sources apart by their marks, not by their spelling", () => {
  const marks = marksOfPreview('<p>a <strong>b</strong> <a href="x">c</a> x<sup>2</sup></p>');
  expect(marksOfPreview('<p>a  <strong>b</strong> <a href="x">c</a> x&lt;sup&gt;2&lt;/sup&gt;</p>')).toEqual(marks);
  expect(marksOfPreview('<p>a <em>b</em> <a href="x">c</a></p>')).not.toEqual(marks);
  expect(marksOfPreview('<p>a <strong>b</strong> <a href="y">c</a> x<sup>2</sup></p>')).not.toEqual(marks);
});
