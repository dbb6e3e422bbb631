// Sections, the heading that covers a block, and the marks that folding leaves, as a real SiYuan sets them.

import { describe, expect, it } from "vitest";
import { coverOf, type FoldMark, foldMarks, marksAfter, sectionOf } from "./fold-marks.js";

const block = (id: string, type: string, inner = "", attributes = "") =>
  `<div data-node-id="${id}" data-type="${type}"${attributes}>${inner}</div>`;
const heading = (id: string, level: number, attributes = "") =>
  block(id, "NodeHeading", "<div>x</div>", ` data-subtype="h${level}"${attributes}`);

// a(1) p b(2) [list > item > q] c(3) r | d(1) s
const dom = [
  heading("a", 1),
  block("p", "NodeParagraph"),
  heading("b", 2),
  block("l", "NodeList", block("i", "NodeListItem", block("q", "NodeParagraph"))),
  heading("c", 3),
  block("r", "NodeParagraph"),
  heading("d", 1),
  block("s", "NodeParagraph"),
].join("");
const marks = foldMarks(dom);
const of = (id: string, all = marks) => all.find((mark) => mark.id === id) as FoldMark;
const shown = (all: readonly FoldMark[]) =>
  all.filter((mark) => mark.fold || mark.hidden).map((mark) => `${mark.id}${mark.hidden ? "-" : ""}`);

it("reads blocks with level, parent and marks", () => {
  expect(of("q")).toEqual({ id: "q", type: "NodeParagraph", level: 0, parentID: "i", fold: false, hidden: false });
  expect(foldMarks(heading("x", 4, ' fold="1" heading-fold="1"'))[0]).toMatchObject({
    level: 4,
    fold: true,
    hidden: true,
  });
});

it("a section ends at the next heading of its level or above", () => {
  const ids = (id: string) => sectionOf(marks, of(id)).map((mark) => mark.id);
  expect(ids("a")).toEqual(["p", "b", "l", "i", "q", "c", "r"]);
  expect(ids("b")).toEqual(["l", "i", "q", "c", "r"]);
  expect(ids("c")).toEqual(["r"]);
  expect(ids("d")).toEqual(["s"]);
});

describe("folding", () => {
  it("a heading marks its section, and opening it clears everything inside", () => {
    const inner = marksAfter(marks, of("b"), true);
    expect(shown(inner)).toEqual(["b", "l-", "i-", "q-", "c-", "r-"]);
    const outer = marksAfter(inner, of("a", inner), true);
    expect(shown(outer)).toEqual(["a", "p-", "b-", "l-", "i-", "q-", "c-", "r-"]);
    expect(shown(marksAfter(outer, of("a", outer), false))).toEqual([]);
  });

  it("another block marks only itself", () => {
    expect(shown(marksAfter(marks, of("l"), true))).toEqual(["l"]);
  });

  it("opening a heading inside opens the highest folded one above it", () => {
    const folded = marksAfter(marks, of("a"), true);
    expect(coverOf(folded, of("c", folded))?.id).toBe("a");
    expect(coverOf(folded, of("p", folded))?.id).toBe("a");
    expect(coverOf(folded, of("q", folded))).toBeUndefined();
    expect(coverOf(folded, of("s", folded))).toBeUndefined();
    expect(shown(marksAfter(folded, of("c", folded), false))).toEqual([]);
  });
});
