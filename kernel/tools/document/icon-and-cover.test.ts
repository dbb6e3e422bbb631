// Icons and covers in the form in which SiYuan stores them.

import { describe, expect, it } from "vitest";
import { storedCover, storedIcon } from "./icon-and-cover.js";

const refused = expect.objectContaining({ code: expect.stringMatching(/invalid_arguments|content_would_be_lost/) });

describe("storedIcon", () => {
  const stored: [string, string][] = [
    ["📗", "1f4d7"],
    ["❤️", "2764-fe0f"],
    ["👨‍👩‍👧", "1f468-200d-1f469-200d-1f467"],
    ["1️⃣", "31-fe0f-20e3"],
    ["1f4d4", "1f4d4"],
    ["1f468-200d-1f467", "1f468-200d-1f467"],
    ["custom/x.png", "custom/x.png"],
    ["api/icon/getDynamicIcon?type=1&color=%23fff", "api/icon/getDynamicIcon?type=1&color=%23fff"],
  ];
  it.each(stored)("%s is stored as %s", (icon, expected) => expect(storedIcon(icon, "icon")).toBe(expected));

  it.each(["", "hello world", "a😀", "😀 ", "\u200b😀", "\ud83d", "<img>", "5"])("refuses %j", (icon) => {
    expect(() => storedIcon(icon, "icon")).toThrow(refused);
  });
});

describe("storedCover", () => {
  const stored: [string, string][] = [
    ["assets/a b.png", 'background-image:url("assets/a b.png")'],
    ["https://example.org/x.png?a=(1)", 'background-image:url("https://example.org/x.png?a=(1)")'],
    ["background-color: red", "background-color: red"],
    ['background-image:url("assets/x.png")', 'background-image:url("assets/x.png")'],
  ];
  it.each(stored)("%s is stored as %s", (cover, expected) => expect(storedCover(cover, "cover")).toBe(expected));

  it.each(["", "words", " assets/x.png", "assets/x\n.png", 'assets/"x".png', "background:\u00a0red"])(
    "refuses %j",
    (cover) => {
      expect(() => storedCover(cover, "cover")).toThrow(refused);
    },
  );
});
