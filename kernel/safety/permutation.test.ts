// The permutation behind request ids: every id once, and an id leads back to its counter.

import { describe, expect, it } from "vitest";
import { isIssued, requestIdOf } from "./permutation.js";

const keys: [string, readonly number[]][] = [
  ["zero", [0, 0, 0, 0]],
  ["ones", [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff]],
  ["random", [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344]],
];
const fourDigits = 16 ** 4;
const fiveDigits = 16 ** 5;

describe.each(keys)("key %s", (_name, key) => {
  it("the first 65,536 ids are all ids of four digits, once each", () => {
    const ids = new Set(Array.from({ length: fourDigits }, (_, counter) => requestIdOf(counter, key)));
    expect(ids.size).toBe(fourDigits);
    expect(Array.from(ids).every((id) => /^[0-9a-f]{4}$/.test(id))).toBe(true);
  });

  it("a sample of the next 1,048,576 has five digits, once each", () => {
    const counters = Array.from({ length: 30_000 }, (_, index) => fourDigits + ((index * 34_963) % fiveDigits));
    const ids = new Set(counters.map((counter) => requestIdOf(counter, key)));
    expect(ids.size).toBe(new Set(counters).size);
    expect(Array.from(ids).every((id) => /^[0-9a-f]{5}$/.test(id))).toBe(true);
  });

  it("the number of digits grows exactly at the borders", () => {
    const borders = [0, fourDigits - 1, fourDigits, fourDigits + fiveDigits - 1, fourDigits + fiveDigits];
    expect(borders.map((counter) => requestIdOf(counter, key).length)).toEqual([4, 4, 5, 5, 6]);
  });

  it("isIssued is true exactly from the counter's issue on", () => {
    const sample = Array.from({ length: 2_000 }, (_, index) => (index * 577) % (fourDigits + fiveDigits + 5_000));
    for (const counter of sample) {
      const id = requestIdOf(counter, key);
      expect(isIssued(id, counter, key), `${counter}`).toBe(false);
      expect(isIssued(id, counter + 1, key), `${counter}`).toBe(true);
    }
  });

  it("of all ids of four digits exactly the issued ones are known", () => {
    const issued = 1_024;
    const known = Array.from({ length: fourDigits }, (_, index) => index.toString(16).padStart(4, "0")).filter((id) =>
      isIssued(id, issued, key),
    );
    expect(new Set(known)).toEqual(new Set(Array.from({ length: issued }, (_, counter) => requestIdOf(counter, key))));
  });

  it.each([6, 7, 8, 16, 32, 64])("no id of %i digits is ours", (digits) => {
    for (const letter of "09af") expect(isIssued(letter.repeat(digits), fourDigits + fiveDigits, key)).toBe(false);
  });
});

it("neighbouring counters do not look like neighbours", () => {
  const key = keys[2]?.[1] ?? [];
  const values = Array.from({ length: 256 }, (_, counter) => Number.parseInt(requestIdOf(counter, key), 16));
  const close = values.filter((value, index) => index > 0 && Math.abs(value - (values[index - 1] ?? 0)) < 16);
  expect(close.length).toBeLessThan(3);
});

it("another key gives other ids", () => {
  const [first, second] = [keys[0]?.[1] ?? [], keys[2]?.[1] ?? []];
  const same = Array.from({ length: 1_000 }, (_, counter) => counter).filter(
    (counter) => requestIdOf(counter, first) === requestIdOf(counter, second),
  );
  expect(same.length).toBeLessThan(10);
});
