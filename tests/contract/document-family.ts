// A document with two children and a grandchild, made through SiYuan itself.

import type { Scratch } from "./scratch.js";

export interface Family {
  /** Human path of the parent. */
  readonly base: string;
  readonly parent: string;
  readonly first: string;
  readonly second: string;
  /** Below `first`. */
  readonly grandchild: string;
  /** Storage path of the parent. */
  readonly path: string;
}

let places = 0;

export async function makeFamily({ siyuan, notebook }: Scratch): Promise<Family> {
  const base = `/place ${++places}`;
  const make = (path: string, markdown: string) =>
    siyuan.data<string>("/api/filetree/createDocWithMd", { notebook, path, markdown });
  const parent = await make(base, "parent text");
  const first = await make(`${base}/first`, "first text");
  const grandchild = await make(`${base}/first/inner`, "inner text");
  const second = await make(`${base}/second`, "second text");
  return { base, parent, first, second, grandchild, path: `/${parent}.sy` };
}
