// One folder that cannot be listed spoils no other.

import { expect, it } from "vitest";
import { SisyphusError } from "../../../shared/errors.js";
import type { DocumentEntry, SiyuanReader } from "../../api/reader.js";
import { type Branch, errorRow, flatten, grow } from "./forest.js";

/** Folders by storage path; a missing one fails. */
function readerOf(folders: Record<string, readonly string[]>): SiyuanReader {
  const childrenOf = (path: string) => folders[path]?.length ?? (path.includes("broken") ? 1 : 0);
  const documents = async (_notebook: string, path: string) => {
    const names = folders[path];
    if (!names) throw new SisyphusError("api_error", `no ${path}`);
    return names.map((title) => {
      const child = `${path === "/" ? "" : path}/${title}`;
      return { id: title, path: child, title, children: childrenOf(child) } as DocumentEntry;
    });
  };
  return { documents } as unknown as SiyuanReader;
}

const root = (): Branch => ({
  id: "n",
  name: "N",
  path: "/N",
  notebook: "n",
  storagePath: "/",
  count: 0,
  children: undefined,
});

it("grows level by level and names what failed", async () => {
  const reader = readerOf({ "/": ["a", "broken", "c"], "/a": ["b"], "/a/b": ["d"], "/c": [] });
  const top = root();
  const errors = await grow(reader, [top], 20);
  expect(flatten([top]).map(({ path }) => path)).toEqual(["/N", "/N/a", "/N/a/b", "/N/a/b/d", "/N/broken", "/N/c"]);
  expect(errors.map(errorRow)).toEqual([{ path: "/N/broken", code: "api_error", message: "no /broken" }]);
  expect(errors[0]?.root).toBe(top);
  expect(top.children?.map(({ children }) => children?.length)).toEqual([1, undefined, 0]);
});

it("stops at the asked level", async () => {
  const reader = readerOf({ "/": ["a"], "/a": ["b"], "/a/b": ["d"] });
  const top = root();
  expect(await grow(reader, [top], 1)).toEqual([]);
  expect(top.children).toMatchObject([{ name: "a", count: 1, children: undefined }]);
});

it("hides no defect", async () => {
  const reader = { documents: () => Promise.reject(new TypeError("defect")) } as unknown as SiyuanReader;
  await expect(grow(reader, [root()], 1)).rejects.toThrow("defect");
});
