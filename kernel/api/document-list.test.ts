// The shortened list says the same as the whole one, whatever the titles are.

import { expect, it } from "vitest";
import type { JsonObject } from "../../shared/wire/json.js";
import { documentEntries } from "./document-list.js";

const titles = [
  "plain",
  "with suffix.sy",
  'a},{"path":"b',
  '}],"path":"',
  ',"name1":',
  ',"subFileCount":9,"newFlashcardCount":',
  ',"files":[{"path":',
  '"',
  "\\",
  "日本語 \u{1f600}",
  "",
];

/** As SiYuan 3.7.3 writes it. */
function file(title: string, index: number): JsonObject {
  const id = `20260101000000-${String(index).padStart(7, "0")}`;
  return {
    path: `/${id}.sy`,
    name: title,
    icon: index % 2 === 0 ? "1f600" : "",
    name1: title,
    alias: title,
    memo: title,
    bookmark: "",
    id,
    count: 0,
    size: 450 + index,
    hSize: "454 B",
    mtime: 1796030913,
    ctime: 1796030913,
    hMtime: "15 seconds ago",
    hCtime: "15 seconds ago",
    sort: -300,
    subFileCount: index,
    newFlashcardCount: 0,
    dueFlashcardCount: 0,
    flashcardCount: 0,
  };
}

const files = titles.map(file);
const expected = titles.map((title, index) => ({
  id: files[index]?.id,
  path: files[index]?.path,
  title: title.replace(/\.sy$/, ""),
  children: index,
  icon: index % 2 === 0 ? "1f600" : "",
  bytes: 450 + index,
}));
const box = "20260101000000-aaaaaaa";
const reply = (data: unknown) => ({ status: 200, text: JSON.stringify({ code: 0, msg: "", data }) });

it("reads every title", () => {
  expect(documentEntries(reply({ box, files, path: "/" }))).toEqual(expected);
});

it.each<[string, (entry: JsonObject) => object]>([
  ["another order", (entry) => Object.fromEntries(Object.entries(entry).reverse())],
  ["the id first", ({ id, ...rest }) => ({ id, ...rest })],
  ["fields left out", ({ name1: _name1, hSize: _hSize, ...rest }) => rest],
  ["fields between", ({ path, ...rest }) => ({ path, more: { id: "x", size: 1 }, ...rest })],
  ["lists between", ({ path, ...rest }) => ({ path, more: [{ path: 1 }, { path: 2 }], ...rest })],
])("understands %s", (_name, change) => {
  expect(documentEntries(reply({ box, files: files.map(change), path: "/" }))).toEqual(expected);
});

it("understands another envelope and white space", () => {
  const text = JSON.stringify({ data: { path: "/", files, box }, code: 0, msg: "" }, undefined, 1);
  expect(documentEntries({ status: 200, text })).toEqual(expected);
});

it("tells no files from no list", () => {
  expect(documentEntries(reply({ box, files: [], path: "/" }))).toEqual([]);
  expect(documentEntries(reply(null))).toBeUndefined();
  expect(() => documentEntries({ status: 200, text: '{"code":-1,"msg":"no","data":null}' })).toThrow("code -1");
  expect(() => documentEntries({ ...reply({ box, files, path: "/" }), status: 500 })).toThrow("HTTP 500");
});
