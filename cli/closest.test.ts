// Likely words.

import { expect, it } from "vitest";
import { closest } from "./closest.js";

it.each([
  ["blok", "block"],
  ["bolck", "block"],
  ["upd", "update"],
  ["zzz", undefined],
  ["b", undefined],
])("%s: %s", (word, expected) => expect(closest(word, ["block", "update", "document"])).toBe(expected));
