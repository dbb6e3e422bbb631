// Spellings of flags.

import { describe, expect, it } from "vitest";
import { flagName, kebab, spellings } from "./names.js";

describe("names", () => {
  it.each([
    ["parentID", "parent-id"],
    ["fromIDs", "from-ids"],
    ["replace_all", "replace-all"],
    ["includeBlockIds", "include-block-ids"],
    ["avID", "av-id"],
    ["path", "path"],
    ["expectedStateHash", "expected-state-hash"],
  ])("%s is --%s", (field, flag) => expect(kebab(field)).toBe(flag));

  it("kebab, camel, snake and the field itself are accepted", () => {
    expect(spellings("parent-id", "parentID")).toEqual(["parent-id", "parentId", "parent_id", "parentID"]);
  });

  it("a field that is named like a global flag gets a prefix", () => {
    expect(flagName("url")).toBe("arg-url");
    expect(spellings("arg-url", "url")).not.toContain("url");
  });
});
