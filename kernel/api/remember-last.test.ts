// What is remembered of a function of long texts.

import { describe, expect, it } from "vitest";
import { rememberLast } from "./remember-last.js";

function setup() {
  const computed: string[] = [];
  const last = rememberLast((text) => {
    computed.push(text.slice(0, 1));
    return text.length;
  });
  return { computed, last };
}

const long = (letter: string, length = 5_000) => letter.repeat(length);

describe("rememberLast", () => {
  it("computes the last two texts once, and gives each its own result", () => {
    const { computed, last } = setup();
    const lengths = [5_000, 6_000, 5_000, 6_000].map((length, index) => last(long(index % 2 ? "b" : "a", length)));
    expect(lengths).toEqual([5_000, 6_000, 5_000, 6_000]);
    expect(computed).toEqual(["a", "b"]);
  });

  it("forgets the oldest", () => {
    const { computed, last } = setup();
    for (const letter of ["a", "b", "c", "b", "c", "a"]) last(long(letter));
    expect(computed).toEqual(["a", "b", "c", "a"]);
  });

  it("tells texts of one length apart", () => {
    const { last } = setup();
    const texts = rememberLast((text) => text);
    expect(texts(long("a"))).toBe(long("a"));
    expect(texts(`${long("a", 4_999)}b`)).toBe(`${long("a", 4_999)}b`);
    expect(last(long("a"))).toBe(5_000);
  });

  it("keeps neither short nor very long texts", () => {
    const { computed, last } = setup();
    for (const length of [10, 10, 300_000, 300_000]) last(long("a", length));
    expect(computed).toHaveLength(4);
  });
});
