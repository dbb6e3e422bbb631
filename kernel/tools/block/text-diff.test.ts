// The readable difference of two texts, and the visible text of a DOM.

import { describe, expect, it } from "vitest";
import { safetyLimits } from "../../../shared/limits.js";
import { textDiff, visibleText } from "./text-diff.js";

describe("textDiff", () => {
  const cases: [string, string, string, string][] = [
    ["equal texts", "a\nb", "a\nb", ""],
    ["nothing at all", "", "", ""],
    ["a line end only", "a", "a\n", ""],
    ["a changed line", "a\nb\nc", "a\nB\nc", "- b\n+ B"],
    ["an added line", "a", "a\nb", "+ b"],
    ["a removed line", "a\nb", "a", "- b"],
    ["something new", "", "a\nb", "+ a\n+ b"],
    ["everything gone", "a", "", "- a"],
    ["an empty line", "a\nb", "a\n\nb", "+ "],
  ];
  it.each(cases)("%s", (_name, before, after, diff) => {
    expect(textDiff(before, after)).toBe(diff);
  });

  it("cuts at the number of lines and says so", () => {
    const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join("\n");
    expect(textDiff("", lines(safetyLimits.maxDiffLines))).not.toContain("…");
    const cut = textDiff("", lines(safetyLimits.maxDiffLines + 1)).split("\n");
    expect([cut.length, cut.at(-1)]).toEqual([safetyLimits.maxDiffLines + 1, "…"]);
  });

  it("cuts at the number of characters and says so", () => {
    const cut = textDiff("", "x".repeat(safetyLimits.maxDiffChars * 2));
    expect(cut.endsWith("\n…")).toBe(true);
    expect(cut.length).toBe(safetyLimits.maxDiffChars + 2);
  });

  // Known gap: the cut may halve a character pair.
  it("a cut leaves no half of a pair", () => {
    expect(textDiff("", `x${"\u{1f600}".repeat(safetyLimits.maxDiffChars)}`)).not.toMatch(
      /[\ud800-\udbff](?![\udc00-\udfff])/,
    );
  });

  it("finds a difference far inside long texts", () => {
    const long = Array.from({ length: 20_000 }, (_, index) => `line ${index}`).join("\n");
    const diff = textDiff(long, long.replace("line 15000\n", "line changed\n"));
    expect(diff).toContain("- line 15000");
    expect(diff).toContain("+ line changed");
    expect(textDiff(long, long)).toBe("");
  });
});

describe("visibleText", () => {
  const cases: [string, string, string][] = [
    ["a line per block", "<div><div>one</div></div><div>two</div>", "one\ntwo"],
    ["marks in one line", '<div>a <span data-type="strong">b</span> c</div>', "a b c"],
    ["a line break", "<div>a<br>b</div>", "a\nb"],
    ["entities", "<p>a &amp; &lt;b&gt;</p>", "a & <b>"],
    ["badges left out", '<div>a<div class="protyle-attr"><div>name</div></div></div>', "a"],
    ["cells", "<tr><td>a</td><td>b</td></tr>", "a  b"],
    ["a formula", '<div><span data-content="x^2"></span></div>', "x^2"],
    ["zero-width spaces", "<p>\u200ba\u200b</p>", "a"],
    ["nothing", "", ""],
    ["text without tags", "plain", "plain"],
  ];
  it.each(cases)("%s", (_name, html, text) => {
    expect(visibleText(html)).toBe(text);
  });
});
