// Exact edits: one match, all matches, none, too many; in order; never over the border of two texts.

import { describe, expect, it } from "vitest";
import { applyEdits, placesOf, refusedEditText } from "./text-edits.js";

const one = (text: string, old: string, replacement: string, all?: boolean) =>
  applyEdits([text], [{ old, new: replacement, ...(all === undefined ? {} : { replace_all: all }) }]);

describe("one edit", () => {
  const made: [string, string, string, string, boolean | undefined, string, number][] = [
    ["the only place", "a cat sat", "cat", "dog", undefined, "a dog sat", 1],
    ["all of the text", "cat", "cat", "", undefined, "", 1],
    ["every place", "cat, cat and cat", "cat", "dog", true, "dog, dog and dog", 3],
    ["one place although all are asked for", "a cat", "cat", "dog", true, "a dog", 1],
    ["over a line break", "one\ntwo", "e\nt", "E\nT", undefined, "onE\nTwo", 1],
    ["signs that a pattern would read", "a.c (x)* $1 a.c", "(x)* $1", "$& $` \\1", undefined, "a.c $& $` \\1 a.c", 1],
    ["characters of two units", "😀😁", "😁", "😂", undefined, "😀😂", 1],
    ["a replacement that holds the old text", "aXa", "X", "XX", true, "aXXa", 1],
    ["the same text again", "same", "same", "same", undefined, "same", 1],
  ];
  it.each(made)("is made in %s", (_name, text, old, replacement, all, expected, count) => {
    expect(one(text, old, replacement, all)).toEqual({ texts: [expected], counts: [count] });
  });

  const refused: [string, string, string, boolean | undefined, number][] = [
    ["no place", "a cat", "dog", undefined, 0],
    ["no place for all", "a cat", "dog", true, 0],
    ["another case", "a Cat", "cat", undefined, 0],
    ["another form of the same letter", "caf\u00e9", "cafe\u0301", undefined, 0],
    ["two places", "cat cat", "cat", undefined, 2],
    ["two places that overlap", "aaa", "aa", undefined, 2],
    ["two places, refused in words", "cat cat", "cat", false, 2],
  ];
  it.each(refused)("is refused for %s", (_name, text, old, all, found) => {
    expect(one(text, old, "x", all)).toEqual({ edit: 0, found });
  });

  it("for all takes places that do not overlap, from the left", () => {
    expect(one("aaaaa", "aa", "b", true)).toEqual({ texts: ["bba"], counts: [2] });
  });
});

describe("several edits", () => {
  it("are made in order, each in what is left", () => {
    const edits = [
      { old: "a", new: "b" },
      { old: "b", new: "c" },
    ];
    expect(applyEdits(["a"], edits)).toEqual({ texts: ["c"], counts: [1, 1] });
  });

  it("are all refused with the first that cannot be made", () => {
    const edits = [
      { old: "a", new: "b" },
      { old: "a", new: "c" },
      { old: "zzz", new: "" },
    ];
    expect(applyEdits(["a"], edits)).toEqual({ edit: 1, found: 0 });
  });
});

describe("several texts", () => {
  it("are one place to look in", () => {
    expect(applyEdits(["cat", "dog"], [{ old: "dog", new: "cow" }])).toEqual({ texts: ["cat", "cow"], counts: [1] });
    expect(applyEdits(["cat", "cat"], [{ old: "cat", new: "cow" }])).toEqual({ edit: 0, found: 2 });
    expect(applyEdits(["cat", "cat"], [{ old: "cat", new: "cow", replace_all: true }])).toEqual({
      texts: ["cow", "cow"],
      counts: [2],
    });
  });

  it("are not joined", () => {
    expect(applyEdits(["ca", "t"], [{ old: "cat", new: "x" }])).toEqual({ edit: 0, found: 0 });
  });
});

it("an empty passage stands nowhere", () => {
  expect(placesOf("abc", "", 1)).toEqual([]);
});

it("says how often the text was found", () => {
  expect(refusedEditText({ edit: 0, found: 0 })).toMatch(/does not stand/);
  expect(refusedEditText({ edit: 0, found: 7 })).toMatch(/7 times/);
});
