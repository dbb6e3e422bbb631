// The checksum: the text's bytes as one number modulo a prime of 64 bits.

import { describe, expect, it } from "vitest";
import { checksum } from "./checksum.js";

/** The same byte by byte, as one would divide on paper. */
function reference(text: string): string {
  let rest = 1n;
  for (const byte of Buffer.from(text, "utf8")) rest = (rest * 256n + BigInt(byte)) % 0xffffffffffffffc5n;
  return rest.toString(16).padStart(16, "0");
}

describe("checksum", () => {
  it.each(["", "a", "123456789", "ü \u{1f600}", "\u0000", "\u0000\u0000", "x".repeat(10_000)])(
    "%j is the rest of its bytes by the prime",
    (text) => {
      expect(checksum(text)).toBe(reference(text));
    },
  );

  it("has sixteen digits, also with leading zeros", () => {
    const sums = Array.from({ length: 2_000 }, (_, index) => checksum(`${index * 7_919} ${index} and a longer text`));
    expect(sums.every((sum) => /^[0-9a-f]{16}$/.test(sum))).toBe(true);
    expect(sums.some((sum) => sum.startsWith("0"))).toBe(true);
  });

  it("detects every single changed bit", () => {
    const text = "the record of a write";
    const sum = checksum(text);
    for (let at = 0; at < text.length; at++) {
      for (let bit = 0; bit < 7; bit++) {
        const unit = String.fromCharCode(text.charCodeAt(at) ^ (1 << bit));
        expect(checksum(text.slice(0, at) + unit + text.slice(at + 1))).not.toBe(sum);
      }
    }
  });

  it("detects characters that changed places, and zero bytes more or less", () => {
    expect(checksum("ab")).not.toBe(checksum("ba"));
    expect(checksum("\u0102")).not.toBe(checksum("\u0201"));
    expect(checksum("\u0000a")).not.toBe(checksum("a"));
    expect(checksum("a\u0000")).not.toBe(checksum("a"));
  });
});
