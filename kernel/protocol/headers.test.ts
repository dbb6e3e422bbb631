// Header values of the HTTP binding: plain ones stay, encoded ones are decoded, broken ones are refused.

import { describe, expect, it } from "vitest";
import { decodeHeader } from "./headers.js";

const encode = (text: string) => `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;

describe("decodeHeader", () => {
  it.each(["block", "", " a b ", "=?utf-8?q?a?=", "=?BASE64?YQ==?=", "YQ==", "?="])("%j stays as it is", (value) => {
    expect(decodeHeader(value)).toBe(value);
  });

  it.each(["", "a", "ab", "abc", "Grüße", "你好", "\u{1f600}", "a\nb", "=?base64?", "\u0000", "+/=".repeat(50)])(
    "decodes %j",
    (text) => {
      expect(decodeHeader(encode(text))).toBe(text);
    },
  );

  it("decodes every byte that UTF-8 may hold", () => {
    const text = Array.from({ length: 2_000 }, (_, index) => String.fromCodePoint(index * 28 + 1)).join("");
    const wellFormed = text.replace(/[\ud800-\udfff]/g, "");
    expect(decodeHeader(encode(wellFormed))).toBe(wellFormed);
  });

  const broken: [string, string][] = [
    ["without its end", "=?base64?YQ=="],
    ["with a foreign letter", "=?base64?Y-==?="],
    ["with a space", "=?base64?YQ ==?="],
    ["with missing padding", "=?base64?YQ?="],
    ["with too much padding", "=?base64?YWI===?="],
    ["with padding inside", "=?base64?YQ==YQ==?="],
    ["that is padding only", "=?base64?====?="],
    ["with something behind it", "=?base64?YQ==?=x"],
    ["that is no UTF-8", `=?base64?${Buffer.from([0xff, 0xfe]).toString("base64")}?=`],
    ["with half a character", `=?base64?${Buffer.from([0xe4, 0xbd]).toString("base64")}?=`],
    ["with an overlong form", `=?base64?${Buffer.from([0xc0, 0xaf]).toString("base64")}?=`],
    ["with a surrogate", `=?base64?${Buffer.from([0xed, 0xa0, 0x80]).toString("base64")}?=`],
  ];
  it.each(broken)("refuses a value %s", (_name, value) => {
    expect(decodeHeader(value)).toBeUndefined();
  });
});
