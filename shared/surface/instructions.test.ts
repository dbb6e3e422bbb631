// The instructions must not promise what is not there, and must stay short.

import { expect, it } from "vitest";
import { catalogue } from "../catalogue/catalogue.js";
import { errorTable } from "../errors.js";
import { serverInstructions } from "./instructions.js";

const maxChars = 2_500;

it("is short", () => {
  expect(serverInstructions(true).length).toBeLessThanOrEqual(maxChars);
});

it("routes to every tool, and names only actions that exist", () => {
  const routed = serverInstructions(true)
    .split("\n")
    .filter((line) => /^- [a-z]+: /.test(line) && line.includes("."));
  for (const { name, actions } of catalogue) {
    const line = routed.find((text) => text.startsWith(`- ${name}: `)) ?? "";
    expect(line, name).not.toBe("");
    const known = actions.map((action): string => action.name);
    for (const word of line.match(/\b(?:get_[a-z]+|ls|read|append|update|list|create)\b(?=[,.) ])/g) ?? []) {
      expect(known.concat("list", "read"), `${name}: ${word}`).toContain(word);
    }
  }
});

it("names only codes that exist", () => {
  const families = Object.values(errorTable).map(({ type }): string => type);
  const words = serverInstructions(true).match(/\b[a-z]+_[a-z_]+\b/g) ?? [];
  const actions = catalogue.flatMap((tool) => tool.actions.map((action): string => action.name));
  const known = new Set([...Object.keys(errorTable), ...families, ...actions, "no_change"]);
  for (const word of words) expect(known, word).toContain(word);
});

it("teaches the two steps and the rule for unknown outcomes", () => {
  for (const word of ["validateOnly", "requestId", "preconditionField", "outcome_unknown", "hasNextWindow"]) {
    expect(serverInstructions(true)).toContain(word);
  }
});
