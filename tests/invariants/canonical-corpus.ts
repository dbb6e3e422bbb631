// States whose canonical form engines could disagree on. Runs as a script in goja and in Node: prints one line a state.

import { canonical } from "../../kernel/safety/canonical.js";
import type { Json } from "../../shared/wire/json.js";

declare const console: { log(text: string): void };

function deep(levels: number): Json {
  let value: Json = "bottom";
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

const texts = [
  "",
  "plain",
  "\u0000\u0001\u001f\u007f\u0080\u009f",
  "\b\f\n\r\t\v",
  '"\\/',
  "\u2028\u2029\ufeff\u200b\u200d\ufe0f",
  "\u{1f600}\u{1f468}\u200d\u{1f469}",
  "\ud800",
  "\udfff",
  "\ud83d\ud83d\ude00",
  "\ude00\ud83d",
  "a\ud800b\udc00c",
  "e\u0301\u00e9",
  "\uffff\ufffe\ufdd0",
  '<div data-x="1">&amp;&lt;</div>',
  "周报 日本語 한국어 ไทย",
];

const states: Json[] = [
  null,
  true,
  false,
  0,
  -0,
  1,
  -1,
  2 ** 31,
  2 ** 32 + 1,
  Number.MAX_SAFE_INTEGER,
  -Number.MAX_SAFE_INTEGER,
  2 ** 53,
  2 ** 60,
  1e21,
  1e-7,
  0.1,
  0.1 + 0.2,
  1 / 3,
  5e-324,
  1.7976931348623157e308,
  123456.789,
  [],
  {},
  [[], {}, [[]], { a: {} }],
  { b: 1, a: 2, B: 3, A: 4, "1": 5, "10": 6, "9": 7, "": 8 },
  { "\u{1f600}": 1, "\uff5e": 2, "\ud800": 3, "\udfff": 4, "\ue000": 5, a: 6 },
  { "custom-\u{1f600}": "x", "custom-\uff5e": "y" },
  deep(400),
  ...texts,
  texts,
  Object.fromEntries(texts.map((text, index) => [text, index])),
];

for (const state of states) console.log(canonical(state));
