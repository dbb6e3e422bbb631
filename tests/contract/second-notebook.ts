// A second notebook of a test file's own; it and the scratch one are emptied after each test, so that both are compared fast.

import { afterAll, afterEach, beforeAll } from "vitest";
import type { Scratch } from "./scratch.js";
import { clear, makeNotebook } from "./structure.js";

/** @param use is told the notebook's id before the first test */
export function useSecondNotebook(scratch: Scratch, use: (notebook: string) => void, name = "the other one"): void {
  const { siyuan } = scratch;
  let notebook = "";
  beforeAll(async () => {
    notebook = await makeNotebook(scratch, name);
    use(notebook);
  }, 30_000);
  afterAll(() => siyuan.call("/api/notebook/removeNotebook", { notebook }));
  afterEach(async () => {
    for (const each of [scratch.notebook, notebook]) await clear(siyuan, each);
  });
}
