// What of an answer the ledger keeps: never a word that a person wrote (I-23).

import { expect, it } from "vitest";
import { withoutWords, wordsOfArguments } from "./receipt.js";

const answer = { success: true, id: "a", count: 2, title: "Secret plan", path: "/Diary/2026", name: "n", notes: ["x"] };

it("titles, names, paths and notes stay out of the ledger (I-23)", () => {
  expect(withoutWords(answer)).toEqual({ success: true, id: "a", count: 2 });
});

it("a replay takes them from its caller's equal arguments", () => {
  expect({ ...wordsOfArguments({ path: "/Diary/2026", id: "a" }), ...withoutWords(answer) }).toEqual({
    path: "/Diary/2026",
    success: true,
    id: "a",
    count: 2,
  });
});
