// Which block lies in which, and what goes with a container's last child.

import { describe, expect, it } from "vitest";
import { blockPlaces, emptiedBy, subtreeIds } from "./block-places.js";

const block = (id: string, type: string, inner = "", more = "") =>
  `<div data-node-id="${id}" data-type="Node${type}"${more}><div contenteditable="true">t<br>x</div>${inner}<div class="protyle-attr"></div></div>`;

const html =
  block("h", "Heading", "", ' fold="1"') +
  block("q", "Blockquote", block("l", "List", block("i", "ListItem", block("p", "Paragraph")))) +
  block("s", "SuperBlock", block("a", "Paragraph") + block("b", "Paragraph")) +
  block("c", "Callout", block("d", "Paragraph"));
const places = blockPlaces(html);

it("finds every block with its parent, in order", () => {
  expect(places.map(({ id, parentID }) => `${parentID}>${id}`)).toEqual([
    ">h",
    ">q",
    "q>l",
    "l>i",
    "i>p",
    ">s",
    "s>a",
    "s>b",
    ">c",
    "c>d",
  ]);
  expect(places.filter((place) => place.folded).map((place) => place.id)).toEqual(["h"]);
});

it("knows what lies inside a block", () => {
  expect(Array.from(subtreeIds(places, "l"))).toEqual(["l", "i", "p"]);
});

describe("what goes with a last child", () => {
  it.each([
    ["p", []],
    ["i", ["l", "q"]],
    ["a", []],
    ["d", []],
    ["h", []],
  ] as const)("of %s is %j", (id, emptied) => {
    expect(emptiedBy(places, id)).toEqual(emptied);
  });
});
