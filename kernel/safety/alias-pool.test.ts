// Aliases: short, never reassigned, found only by their exact text.

import { describe, expect, it } from "vitest";
import { sha256 } from "../host/testing/simulated-host.js";
import { AliasPool } from "./alias-pool.js";

const digest = (head: string) => head + "0".repeat(64 - head.length);

describe("AliasPool", () => {
  it("starts with four digits and extends one digit at a time", () => {
    const pool = new AliasPool();
    const heads = ["abcdef1", "abcdef2", "abcdef3", "abcdef4"];
    expect(heads.map((head) => pool.alias(digest(head)))).toEqual(["abcd", "abcde", "abcdef", "abcdef4"]);
  });

  it("gives a digest its own alias again, whatever came between", () => {
    const pool = new AliasPool();
    const first = pool.alias(digest("abcdef1"));
    pool.alias(digest("abcdef2"));
    expect(pool.alias(digest("abcdef1"))).toBe(first);
  });

  it("never changes the meaning of an alias", () => {
    const pool = new AliasPool();
    const meaning = new Map<string, string>();
    for (let index = 0; index < 30_000; index++) {
      const full = sha256(`state ${index}`);
      const alias = pool.alias(full);
      expect(meaning.has(alias)).toBe(false);
      expect(full.startsWith(alias)).toBe(true);
      meaning.set(alias, full);
    }
    for (const [alias, full] of meaning) expect(pool.resolve(alias)).toBe(full);
    expect(Math.max(...Array.from(meaning.keys(), (alias) => alias.length))).toBeLessThan(9);
  });

  it("tells apart digests that share all digits but the last", () => {
    const pool = new AliasPool();
    const near = Array.from("0123456789abcdef", (last) => "a".repeat(63) + last);
    const aliases = near.map((full) => pool.alias(full));
    expect(new Set(aliases).size).toBe(near.length);
    expect(aliases.map((alias) => pool.resolve(alias))).toEqual(near);
  });

  const forms: [string, string, boolean][] = [
    ["the alias", "abcd", true],
    ["the alias in upper case", "ABCD", true],
    ["the alias with its scheme", "sha256:v1:abcd", true],
    ["the full digest", digest("abcdef1"), true],
    ["the full digest with its scheme in upper case", `SHA256:V1:${digest("abcdef1").toUpperCase()}`, true],
    ["a longer prefix than the alias", "abcde", false],
    ["a shorter prefix", "abc", false],
    ["63 digits", digest("abcdef1").slice(0, 63), false],
    ["a full digest that was never named", digest("abcd"), false],
    ["nothing", "", false],
    ["the scheme alone", "sha256:v1:", false],
    ["another scheme", "sha256:v2:abcd", false],
  ];
  it.each(forms)("%s resolves: %s %s", (_name, credential, known) => {
    const pool = new AliasPool();
    pool.alias(digest("abcdef1"));
    expect(pool.resolve(credential)).toBe(known ? digest("abcdef1") : undefined);
  });
});
