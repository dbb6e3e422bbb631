// The canonical form: equal states give equal texts, and any change of a state gives another text.

import { describe, expect, it } from "vitest";
import type { Json } from "../../shared/wire/json.js";
import { canonical, compareCodeUnits } from "./canonical.js";

describe("canonical", () => {
  const forms: [string, Json, string][] = [
    ["null", null, "null"],
    ["true", true, "true"],
    ["an empty text", "", '""'],
    ["an empty list", [], "[]"],
    ["an empty object", {}, "{}"],
    ["zero", 0, "0"],
    ["minus zero", -0, "0"],
    ["an integer", -42, "-42"],
    ["the largest safe integer", Number.MAX_SAFE_INTEGER, "9007199254740991"],
    ["a larger integer", 2 ** 60, "1.1529215046068470e+18"],
    ["a fraction", 0.1, "1.0000000000000001e-1"],
    [
      "keys out of order",
      { b: 1, a: { d: [2, { f: 3, e: 4 }], c: null } },
      '{"a":{"c":null,"d":[2,{"e":4,"f":3}]},"b":1}',
    ],
    ["numeric keys", { 10: 1, 9: 2 }, '{"10":1,"9":2}'],
    ["upper case before lower", { a: 1, B: 2 }, '{"B":2,"a":1}'],
    ["a prefix before the longer key", { aa: 1, a: 2 }, '{"a":2,"aa":1}'],
    ["astral keys by code unit", { "\uff5e": 1, "\u{1f600}": 2 }, '{"\u{1f600}":2,"\uff5e":1}'],
    ["control characters", '\u0000\n\t"\\', '"\\u0000\\n\\t\\"\\\\"'],
    ["line separators as they are", "\u2028\u2029", '"\u2028\u2029"'],
    ["a pair as it is", "a\u{1f600}b", '"a\u{1f600}b"'],
    ["a lone high surrogate", "a\ud800b", '"a\\ud800b"'],
    ["a lone low surrogate", "\udc00", '"\\udc00"'],
    ["surrogates in the wrong order", "\ude00\ud83d", '"\\ude00\\ud83d"'],
    ["a high surrogate before a pair", "\ud83d\u{1f600}", '"\\ud83d\u{1f600}"'],
    ["a lone surrogate beside quotes", '"\ud800"', '"\\"\\ud800\\""'],
    ["a lone surrogate as a key", { "\ud800": 1 }, '{"\\ud800":1}'],
  ];
  it.each(forms)("%s", (_name, value, text) => {
    expect(canonical(value)).toBe(text);
  });

  it("a written escape is not a lone surrogate", () => {
    expect(canonical("\\ud800")).not.toBe(canonical("\ud800"));
  });

  it("leaves out fields without a value", () => {
    expect(canonical({ a: 1, b: undefined } as unknown as Json)).toBe('{"a":1}');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])("%d has no form", (value) => {
    expect(() => canonical({ a: [value] })).toThrow(TypeError);
  });

  it("an own key __proto__ is a key like others", () => {
    expect(canonical(JSON.parse('{"__proto__":{"b":1},"a":2}') as Json)).toBe('{"__proto__":{"b":1},"a":2}');
  });

  it("tells all neighbouring fractions apart", () => {
    const values = [0.1, 0.10000000000000002, 5e-324, 1.7976931348623157e308, 1 / 3, 2 ** 53, 2 ** 53 + 2];
    expect(new Set(values.map((value) => canonical(value))).size).toBe(values.length);
  });

  it("survives a thousand levels", () => {
    let deep: Json = [];
    for (let level = 0; level < 1_000; level++) deep = [deep];
    expect(canonical(deep)).toBe("[".repeat(1_001) + "]".repeat(1_001));
  });
});

describe("compareCodeUnits", () => {
  it("agrees with Node's own order of texts", () => {
    const texts = ["", "a", "aa", "b", "\u{1f600}", "\uff5e", "\ud800", "\udfff", "Z", "é", "e\u0301"];
    expect(texts.slice().sort(compareCodeUnits)).toEqual(texts.slice().sort());
  });
});

/** Deterministic values and mutations. */
class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)] as Value;
  }

  text(): string {
    const units = ["a", "b", "\u{1f600}", "\ud800", "\udc00", '"', "\\", "\n", "é", "e\u0301", " ", "u", "d800", ","];
    return Array.from({ length: this.below(6) }, () => this.pick(units)).join("");
  }

  value(depth: number): Json {
    switch (this.below(depth > 0 ? 7 : 5)) {
      case 0:
        return this.pick([null, true, false]);
      case 1:
        return this.below(1_000) - 500;
      case 2:
        return this.below(1_000) / 7;
      case 3:
      case 4:
        return this.text();
      case 5:
        return Array.from({ length: this.below(4) }, () => this.value(depth - 1));
      default:
        return Object.fromEntries(Array.from({ length: this.below(4) }, () => [this.text(), this.value(depth - 1)]));
    }
  }

  /** The same value with every object's keys in another order. */
  shuffled(value: Json): Json {
    if (Array.isArray(value)) return value.map((entry: Json) => this.shuffled(entry));
    if (value === null || typeof value !== "object") return value;
    const entries = Object.entries(value as Record<string, Json>);
    for (let index = entries.length - 1; index > 0; index--) {
      const other = this.below(index + 1);
      [entries[index], entries[other]] = [entries[other] as [string, Json], entries[index] as [string, Json]];
    }
    return Object.fromEntries(entries.map(([key, entry]) => [key, this.shuffled(entry)]));
  }

  /** Another value: one leaf, key or element changed, added or removed. */
  mutated(value: Json): Json {
    if (Array.isArray(value)) {
      const list: Json[] = value.slice();
      const at = this.below(list.length + 1);
      if (at === list.length) return list.concat([this.value(1)]);
      if (this.below(3) === 0) return list.filter((_, index) => index !== at);
      list[at] = this.mutated(list[at] as Json);
      return list;
    }
    if (value !== null && typeof value === "object") {
      const entries = Object.entries(value as Record<string, Json>);
      const at = this.below(entries.length + 1);
      const entry = entries[at];
      if (!entry) return { ...value, [`${this.text()}new`]: this.value(1) };
      if (this.below(3) === 0) return Object.fromEntries(entries.filter((_, index) => index !== at));
      entries[at] = this.below(2) === 0 ? [`${entry[0]}x`, entry[1]] : [entry[0], this.mutated(entry[1])];
      return Object.fromEntries(entries);
    }
    if (typeof value === "string") return this.below(2) === 0 ? `${value}\u200b` : [value];
    if (typeof value === "number") return this.below(2) === 0 ? value + 1 : String(value);
    return this.pick<Json>(["null", 0, "", {}, []]);
  }
}

describe("random states", () => {
  it("key order does not matter, and every mutation does", () => {
    for (let seed = 1; seed <= 3_000; seed++) {
      const random = new Random(seed);
      const value = random.value(4);
      const text = canonical(value);
      expect(canonical(random.shuffled(value)), `seed ${seed}`).toBe(text);
      const other = random.mutated(value);
      const isSame = JSON.stringify(random.shuffled(other)) === JSON.stringify(value);
      if (!isSame) expect(canonical(other), `seed ${seed}`).not.toBe(text);
    }
  });

  it("the form is JSON of the same value, and its own canonical form", () => {
    for (let seed = 1; seed <= 1_000; seed++) {
      const value = new Random(seed).value(4);
      const read = JSON.parse(canonical(value)) as Json;
      expect(read, `seed ${seed}`).toEqual(value);
      expect(canonical(read), `seed ${seed}`).toBe(canonical(value));
    }
  });
});
