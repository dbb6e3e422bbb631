// Rows cut out of SiYuan's answer hold the same as the parsed answer, whatever a note says.

import { expect, it } from "vitest";
import { SisyphusError } from "../../shared/errors.js";
import type { JsonObject } from "../../shared/wire/json.js";
import { ChildRows, childBlock } from "./child-rows.js";

const id = (index: number) => `20260101000000-${String(index).padStart(7, "0")}`;
const answer = (data: unknown) => ({ status: 200, text: JSON.stringify({ code: 0, msg: "", data }) });

const hostile = [
  'a","markdown":"b',
  '},{"id":"20260101000000-aaaaaaa","type":"h"',
  '{"code":0,"msg":"","data":[{"id":"x"}]}',
  '"type":"h"',
  '\\","markdown":"\\',
  "}]}",
  '"',
  "\\",
  "",
  "日本語 \u{1f600} \u2028",
  "# no heading\nsecond line",
];

const entries: readonly JsonObject[] = [
  ...hostile.map((text, index) => ({ id: id(index), type: "p", content: text, markdown: text })),
  { id: id(50), type: "h", subType: "h2", content: "Head", markdown: "## Head" },
  { id: id(51), type: "p" },
  { id: id(52), type: "l", subType: "u", markdown: '- {: "markdown":"x" }' },
];

function contentOf(rows: ChildRows) {
  return {
    blocks: Array.from({ length: rows.length }, (_, index) => rows.block(index)),
    markdown: rows.markdown(0, rows.length),
    headings: rows.headings(0, rows.length),
  };
}

function expected(list: readonly JsonObject[]) {
  const blocks = list.map((entry) => childBlock(entry));
  return {
    blocks,
    markdown: blocks.map((block) => block.markdown),
    headings: blocks.map((block, index) => (block.type === "h" ? index : -1)).filter((index) => index >= 0),
  };
}

it("holds what the answer holds", () => {
  expect(contentOf(ChildRows.in(answer(entries)))).toEqual(expected(entries));
});

it.each([
  ["a field behind the Markdown", (entry: object) => ({ ...entry, more: { id: 'x","type":"h' } })],
  ["a number behind the Markdown", (entry: object) => ({ ...entry, order: 5 })],
  ["another order", (entry: object) => Object.fromEntries(Object.entries(entry).reverse())],
])("understands %s", (_name, change) => {
  expect(contentOf(ChildRows.in(answer(entries.map(change))))).toEqual(expected(entries));
});

it("understands white space and other envelopes", () => {
  const text = JSON.stringify({ msg: "", data: entries, code: 0 }, undefined, 1);
  expect(contentOf(ChildRows.in({ status: 200, text }))).toEqual(expected(entries));
});

it("reads windows", () => {
  const rows = ChildRows.in(answer(entries));
  expect(rows.markdown(hostile.length, hostile.length + 2)).toEqual(["## Head", ""]);
  expect(rows.headings(0, 3)).toEqual([]);
  expect(rows.headings(hostile.length, 100)).toEqual([hostile.length]);
});

it.each([[[]], [null]])("%j is no row", (data) => {
  expect(ChildRows.in(answer(data)).length).toBe(0);
});

it("passes on SiYuan's refusal", () => {
  const refused = { status: 200, text: '{"code":-1,"msg":"no","data":null}' };
  expect(() => ChildRows.in(refused)).toThrow(SisyphusError);
  expect(() => ChildRows.in({ status: 500, text: answer(entries).text })).toThrow("HTTP 500");
});

it("holds blocks given as such", () => {
  const blocks = entries.map((entry) => childBlock(entry));
  expect(contentOf(ChildRows.of(blocks))).toEqual(expected(entries));
});
