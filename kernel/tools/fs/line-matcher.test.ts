// Patterns: what matches where, and what is refused because it could stall the host.

import { describe, expect, it } from "vitest";
import { anyCaseTextMatcher, exactTextMatcher, patternMatcher } from "./line-matcher.js";

describe("patternMatcher", () => {
  it.each([
    ["^- .*x", "- a x", 0],
    ["x$", "a x", 2],
    ["\\\\1", "a\\1", 1],
    ["(?:a|b)+c", "xabc", 1],
  ])("%s finds in %s", (pattern, line, at) => {
    expect(patternMatcher(pattern, "")(line)).toBe(at);
  });

  it("minds case unless told otherwise", () => {
    expect(patternMatcher("A", "")("a")).toBeUndefined();
    expect(patternMatcher("A", "i")("a")).toBe(0);
  });

  it.each(["(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?<n>a)\\k<n>"])("refuses %s", (pattern) => {
    expect(() => patternMatcher(pattern, "")).toThrow("look-around and back-references");
  });

  it.each(["(", "[", "a**", "\\"])("refuses %s as no pattern", (pattern) => {
    expect(() => patternMatcher(pattern, "")).toThrow("not a regular expression");
  });
});

it("texts are no patterns", () => {
  expect(exactTextMatcher("a.c")("xa.c")).toBe(1);
  expect(exactTextMatcher("a.c")("abc")).toBeUndefined();
  expect(exactTextMatcher("A")("a")).toBeUndefined();
  expect(anyCaseTextMatcher("ÄB")("xäb")).toBe(1);
});
