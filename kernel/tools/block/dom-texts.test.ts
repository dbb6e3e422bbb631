// Texts in a block's DOM: which count as text, and how they are put back.

import { expect, it } from "vitest";
import { domTexts, withTexts } from "./dom-texts.js";

const paragraph = (inner: string) =>
  `<div data-node-id="20260101000000-aaaaaaa" data-type="NodeParagraph" class="p"><div contenteditable="true" spellcheck="false">${inner}</div><div class="protyle-attr" contenteditable="false">badge</div></div>`;
const texts = (dom: string) => domTexts(dom).map(({ text }) => text);

it("holds words and marks, not badges, images, formulas and buttons", () => {
  const image = '<span contenteditable="false" data-type="img"><span> </span><span>title</span></span>';
  expect(texts(paragraph(`a &lt; b <span data-type="strong">c</span> d ${image} e`))).toEqual([
    "a < b ",
    "c",
    " d ",
    " e",
  ]);
});

it("knows the text of references that follow their target", () => {
  const reference = (subtype: string) =>
    `<span data-type="block-ref" data-subtype="${subtype}" data-id="20260101000000-bbbbbbb">t</span>`;
  expect(domTexts(paragraph(`${reference("s")}x${reference("d")}y`)).map(({ follows }) => follows)).toEqual([
    false,
    false,
    true,
    false,
  ]);
});

it("puts texts back encoded, and drops marks without text", () => {
  const dom = paragraph('a <span data-type="strong">b</span> c');
  expect(withTexts(dom, domTexts(dom), ["a ", "x < & y", " c"])).toBe(
    paragraph('a <span data-type="strong">x &lt; &amp; y</span> c'),
  );
  expect(withTexts(dom, domTexts(dom), ["a ", "", " c"])).toBe(paragraph("a  c"));
  expect(withTexts(dom, domTexts(dom), ["a ", "b", " c"])).toBe(dom);
});
