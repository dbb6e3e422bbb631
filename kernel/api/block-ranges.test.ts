// Where blocks begin and end, and what stands below a heading.

import { expect, it } from "vitest";
import { type BlockRange, blockRanges, sectionRanges, siblingsOf, unfolded, withLevel } from "./block-ranges.js";

const block = (id: string, type: string, inner = "", attributes = "") =>
  `<div data-node-id="${id}" data-type="${type}"${attributes}>${inner}</div>`;
const heading = (id: string, level: number) =>
  `<div data-subtype="h${level}" data-node-id="${id}" data-type="NodeHeading" class="h${level}"><div>x</div></div>`;
const dom = [
  heading("a", 1),
  block("p", "NodeParagraph", "<div>one</div>"),
  block("q", "NodeBlockquote", heading("b", 2) + block("t", "NodeParagraph")),
  heading("c", 2),
  heading("d", 1),
].join("");
const ranges = blockRanges(dom);
const of = (id: string) => ranges.find((range) => range.id === id) as BlockRange;

it("cuts every block out of the DOM, with its parent and level", () => {
  expect(ranges.map(({ id, parentID, level }) => [id, parentID, level])).toEqual([
    ["a", "", 1],
    ["p", "", 0],
    ["q", "", 0],
    ["b", "q", 2],
    ["t", "q", 0],
    ["c", "", 2],
    ["d", "", 1],
  ]);
  const cut = (id: string) => dom.slice(of(id).start, of(id).end);
  expect(cut("p")).toBe(block("p", "NodeParagraph", "<div>one</div>"));
  expect(cut("b")).toBe(heading("b", 2));
  expect(
    ranges
      .filter(({ parentID }) => parentID === "")
      .map(({ id }) => cut(id))
      .join(""),
  ).toBe(dom);
});

it("a section holds the blocks beside the heading, and ends at the next of its level", () => {
  expect(sectionRanges(ranges, of("a")).map(({ id }) => id)).toEqual(["p", "q", "c"]);
  expect(sectionRanges(ranges, of("b")).map(({ id }) => id)).toEqual(["t"]);
  expect(sectionRanges(ranges, of("d"))).toEqual([]);
  expect(siblingsOf(ranges, of("t")).map(({ id }) => id)).toEqual(["b", "t"]);
});

it("changes a heading's level, and takes marks of folding away", () => {
  expect(withLevel(heading("a", 3), 5)).toBe(heading("a", 5));
  expect(unfolded('<div fold="1" heading-fold="1" memo="x">fold=&quot;1&quot;</div>')).toBe(
    '<div memo="x">fold=&quot;1&quot;</div>',
  );
});
