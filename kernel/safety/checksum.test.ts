// The checksum: CRC-32 over units, a byte each, two beyond Latin-1.

import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { checksum } from "./checksum.js";

describe("checksum", () => {
  it.each(["", "a", "123456789", "ü \u{1f600}", "\ud800", "\u0000"])("%j is the CRC-32 of its units", (text) => {
    const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
    const bytes = units.flatMap((unit) => (unit > 0xff ? [unit & 0xff, unit >>> 8] : [unit]));
    const reference = crc32(Buffer.from(bytes)).toString(16).padStart(8, "0");
    expect(checksum(text)).toBe(reference);
  });

  it("has eight digits, also with leading zeros", () => {
    const sums = Array.from({ length: 2_000 }, (_, index) => checksum(String(index)));
    expect(sums.every((sum) => /^[0-9a-f]{8}$/.test(sum))).toBe(true);
    expect(sums.some((sum) => sum.startsWith("0"))).toBe(true);
  });

  it("detects every single changed bit", () => {
    const text = "the record of a write";
    const sum = checksum(text);
    for (let at = 0; at < text.length; at++) {
      for (let bit = 0; bit < 16; bit++) {
        const unit = String.fromCharCode(text.charCodeAt(at) ^ (1 << bit));
        expect(checksum(text.slice(0, at) + unit + text.slice(at + 1))).not.toBe(sum);
      }
    }
  });

  it("detects characters that changed places", () => {
    expect(checksum("ab")).not.toBe(checksum("ba"));
    expect(checksum("\u0102")).not.toBe(checksum("\u0201"));
  });
});
