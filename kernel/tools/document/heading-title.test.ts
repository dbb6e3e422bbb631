// Titles that headings make, and headings that make none.

import { describe, expect, it } from "vitest";
import { titleOfHeading } from "./heading-title.js";

const heading = (inner: string) =>
  `<div data-subtype="h1" data-node-id="20260101000000-aaaaaaa" data-type="NodeHeading" class="h1"><div contenteditable="true" spellcheck="false">${inner}</div><div class="protyle-attr" contenteditable="false">\u200b</div></div>`;
const title = (inner: string) => titleOfHeading(heading(inner), "headingID");

it("is the heading's text, with signs as they are", () => {
  expect(title(" a &amp; &lt;b&gt; &quot;c&quot;\u00a0 d ")).toEqual({ title: 'a & <b> "c" d', notes: [] });
});

it("says what a title does not keep", () => {
  const reference = '<span data-type="block-ref" data-subtype="s" data-id="20260101000000-bbbbbbb">r</span>';
  const { title: text, notes } = title(`a/b <span data-type="strong">c</span> ${reference}`);
  expect(text).toBe("a_b c r");
  expect(notes).toEqual([
    expect.stringMatching(/slashes/),
    expect.stringMatching(/marks/),
    expect.stringMatching(/1 references/),
  ]);
});

describe("is refused for", () => {
  it.each([
    ["no text", " \u200b "],
    ["a formula", '<span data-type="inline-math" data-content="x" contenteditable="false"></span> y'],
    ["an image", '<span data-type="img" contenteditable="false"><img src="a.png" /></span> y'],
    ["a memo", '<span data-type="inline-memo" data-inline-memo-content="m">a</span>'],
    ["an ending that SiYuan takes away", "notes.sy"],
  ])("%s", (_name, inner) => {
    expect(() => title(inner)).toThrow(/headingID/);
  });
});
