// Names that SiYuan 3.7.3 was seen to keep, and names it was seen to change.

import { expect, it } from "vitest";
import { requireName } from "./name.js";

const kept = [
  'x:*?"<>|y\\z',
  "it's &amp; #t# ((",
  "é😀 {{x}}",
  "a  b",
  "..",
  "<b>x",
  "a\u200db",
  "a\ufe0fb",
  "a\u0301",
  "a\u3000b",
  "🏳️‍🌈",
];
it.each(kept)("%j is kept", (name) => {
  expect(() => requireName(name, "name")).not.toThrow();
});

const changed = [
  "a/b",
  "a\tb",
  " a",
  "a ",
  "",
  "a\u007fb",
  "a\u0085b",
  "a\u00a0b",
  "a\u00adb",
  "a\u061cb",
  "a\u180eb",
  "a\u2003b",
  "a\u200bb",
  "a\u200cb",
  "a\u2028b",
  "a\u202eb",
  "a\u2060b",
  "a\u3000",
  "a\ue000b",
  "a\u{f0000}b",
  "🏴\u{e0067}\u{e007f}",
  "\ufeffa",
];
it.each(changed)("%j is refused", (name) => {
  expect(() => requireName(name, "name")).toThrow("notebook names");
});
