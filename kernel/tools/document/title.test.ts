// Titles: what SiYuan would change is refused, everything else passes.

import { describe, expect, it } from "vitest";
import { requireTitle } from "./title.js";

describe("requireTitle", () => {
  const good = [
    "Plan",
    "a<b>&\"'|*?: {{x}} #t# ((y))",
    "é😀 👩‍🚀",
    ".",
    "a\\b",
    "a\u3000b",
    "🏳️‍🌈 ❤️",
    "😀".repeat(512),
    "a.sync",
  ];
  it.each(good)("takes %j", (title) => {
    expect(() => requireTitle(title, "title")).not.toThrow();
  });

  const bad = [
    "",
    "a/b",
    "a\tb",
    "a\u2029b",
    "a\u200bb",
    "a\u00a0b",
    "\u007f",
    " a",
    "a ",
    "a.SY",
    "a\u0085b",
    "a\u00adb",
    "a\u202eb",
    "a\u2003b",
    "\ufeffa",
    "a\ue000b",
    "a\u{f0000}b",
    "🏴\u{e0067}\u{e0062}",
    "half \ud800",
    "\udc00 half",
    "😀".repeat(513),
  ];
  it.each(bad)("refuses %j", (title) => {
    expect(() => requireTitle(title, "title")).toThrow(expect.objectContaining({ code: "content_would_be_lost" }));
  });
});
