// Every guarantee is claimed by the title of a test, or says why not.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { invariants } from "./manifest.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

function testFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => join(root, folder, file));
}

/** Numbers in the titles of describe, it and it.each. */
function claims(): ReadonlySet<string> {
  const found = new Set<string>();
  for (const file of ["kernel", "shared", "tests"].flatMap(testFiles)) {
    const text = readFileSync(file, "utf8");
    for (const [, title = ""] of text.matchAll(/(?:\b(?:it|describe)|\))\(\s*"([^"\n]*I-\d\d[^"\n]*)"/g))
      for (const [id] of title.matchAll(/I-\d\d/g)) found.add(id);
  }
  return found;
}

it("the list is complete", () => {
  expect(invariants.map(({ id }) => id)).toEqual(
    Array.from({ length: 40 }, (_, index) => `I-${String(index + 1).padStart(2, "0")}`),
  );
});

it.each(invariants.map((entry) => [entry.id, entry] as const))(
  "%s is claimed by a test, or says why not",
  (id, entry) => {
    expect(claims().has(id)).toBe(entry.open === undefined);
  },
);
