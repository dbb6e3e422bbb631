// Facts: what moves of documents and their manual order do, and what SiYuan answers code 0 to without doing it.
import { describe, expect, test } from "vitest";
import { createScratch, missing, pause, removeScratch } from "./host.ts";
import { useHost } from "./use-host.ts";

let notebook: string;
let count = 0;

const { api } = useHost((made) => {
  notebook = made;
});

interface Listed {
  id: string;
  path: string;
  sort: number;
}

const make = (path: string, where = notebook) => api.document(where, "x", path);
const pathOf = async (id: string) => (await api.data<{ path: string }>("filetree/getPathByID", { id })).path;
const list = async (path: string, more: object = { sort: 6 }, where = notebook) =>
  (await api.data<{ files: Listed[] }>("filetree/listDocsByPath", { notebook: where, path, maxListCount: -1, ...more }))
    .files;
const ids = (files: Listed[]) => files.map(({ id }) => id);
const moveDocs = (fromPaths: string[], toPath: string, toNotebook = notebook) =>
  api.call("filetree/moveDocs", { fromPaths, toNotebook, toPath });

/** A document with three children of different age, the youngest shown first. */
async function folder() {
  const base = `/moves ${++count}`;
  const parent = await make(base);
  const children: string[] = [];
  for (const title of ["a", "b", "c"]) {
    children.push(await make(`${base}/${title}`));
    await pause(1_050);
  }
  const [a = "", b = "", c = ""] = children;
  return { base, parent, path: `/${parent}.sy`, a, b, c };
}

describe("changeSort", { timeout: 60_000 }, () => {
  test("numbers what is listed 1..n; the others follow by age, whatever their order was", async () => {
    const { parent, path, a, b, c } = await folder();
    expect(ids(await list(path))).toEqual([c, b, a]);
    await api.data("filetree/changeSort", { notebook, paths: [`/${parent}/${b}.sy`] });
    const files = await list(path);
    expect(ids(files)).toEqual([b, a, c]);
    expect(files.map(({ sort }) => sort)).toEqual([1, 2, 3]);
  });

  test("hidden documents are numbered too", async () => {
    const { parent, path, a, b, c } = await folder();
    await api.data("attr/setBlockAttrs", { id: a, attrs: { "custom-hidden": "true" } });
    expect(ids(await list(path))).toEqual([c, b]);
    await api.data("filetree/changeSort", { notebook, paths: [b, a, c].map((id) => `/${parent}/${id}.sy`) });
    expect(ids(await list(path))).toEqual([b, c]);
    const all = await list(path, { sort: 6, showHidden: true });
    expect(all.map(({ id, sort }) => [id, sort])).toEqual([
      [b, 1],
      [a, 2],
      [c, 3],
    ]);
  });

  test("in another sort mode the stored places are only seen with sort 6; equal places show the younger first", async () => {
    const { parent, path, a, b, c } = await folder();
    await api.data("filetree/changeSort", { notebook, paths: [c, a, b].map((id) => `/${parent}/${id}.sy`) });
    await api.data("notebook/setNotebookConf", { notebook, conf: { sortMode: 0 } });
    const byName = await list(path, {});
    expect(ids(byName)).toEqual([a, b, c]);
    expect(byName.map(({ sort }) => sort)).toEqual([0, 0, 0]);
    expect(ids(await list(path))).toEqual([c, a, b]);
    const base = `/moves ${count}`;
    const d = await make(`${base}/d`);
    await pause(1_050);
    const e = await make(`${base}/e`);
    const places = await list(path);
    expect(places.find(({ id }) => id === d)?.sort).toBe(places.find(({ id }) => id === e)?.sort);
    expect(ids(places).indexOf(e)).toBeLessThan(ids(places).indexOf(d));
    await api.data("notebook/setNotebookConf", { notebook, conf: { sortMode: 15 } });
  });

  test("unknown paths are code 0", async () => {
    const paths = [`/${missing}.sy`];
    expect(await api.call("filetree/changeSort", { notebook, paths })).toMatchObject({ code: 0 });
  });
});

describe("moveDocs", { timeout: 60_000 }, () => {
  test("moves several with everything below them, and places travel along", async () => {
    const { base, parent, a, c, path } = await folder();
    const inner = await make(`${base}/a/inner`);
    const target = await make(`/moves target ${count}`);
    const before = new Map((await list(path)).map(({ id, sort }) => [id, sort]));
    const answer = await moveDocs([`/${parent}/${a}.sy`, `/${parent}/${c}.sy`], `/${target}.sy`);
    expect(answer).toMatchObject({ code: 0, data: null });
    expect(await pathOf(inner)).toBe(`/${target}/${a}/${inner}.sy`);
    const there = await list(`/${target}.sy`);
    expect(new Map(there.map(({ id, sort }) => [id, sort]))).toEqual(
      new Map([a, c].map((id) => [id, before.get(id) as number])),
    );
  });

  test("to the root, and to another notebook", async () => {
    const { parent, a, b } = await folder();
    await moveDocs([`/${parent}/${a}.sy`], "/");
    expect(await pathOf(a)).toBe(`/${a}.sy`);
    const other = await createScratch(api);
    try {
      await moveDocs([`/${parent}/${b}.sy`], "/", other);
      expect(await api.data("filetree/getPathByID", { id: b })).toEqual({ notebook: other, path: `/${b}.sy` });
    } finally {
      await removeScratch(api, other);
    }
  });

  test("one wrong path moves nothing; so does a missing target or notebook", async () => {
    const { parent, a, b } = await folder();
    const target = await make(`/moves target ${count}`);
    const [pathA, pathB] = [`/${parent}/${a}.sy`, `/${parent}/${b}.sy`];
    expect((await moveDocs([pathA, `/${b}.sy`], `/${target}.sy`)).code).toBe(-1);
    expect((await moveDocs([pathA, `/${missing}.sy`], `/${target}.sy`)).code).toBe(-1);
    expect((await moveDocs([pathA], `/${missing}.sy`)).code).toBe(-1);
    expect((await moveDocs([pathA], `/${parent}/${target}.sy`)).code).toBe(-1);
    expect((await moveDocs([pathA], "/", missing)).code).toBe(-1);
    expect((await moveDocs([], "/")).code).toBe(-1);
    expect([await pathOf(a), await pathOf(b)]).toEqual([pathA, pathB]);
  });

  test("into itself, below itself or where it is already: code 0, nothing done", async () => {
    const { parent, path, a } = await folder();
    expect((await moveDocs([path], path)).code).toBe(0);
    expect((await moveDocs([path], `/${parent}/${a}.sy`)).code).toBe(0);
    expect((await moveDocs([`/${parent}/${a}.sy`], path)).code).toBe(0);
    expect([await pathOf(parent), await pathOf(a)]).toEqual([path, `/${parent}/${a}.sy`]);
  });

  test("deeper than seven levels: -1, nothing moved; the root counts as a level", async () => {
    const base = `/deep ${++count}`;
    const chain: string[] = [];
    let path = base;
    for (let level = 0; level < 7; level++) {
      chain.push(await make(path));
      path += "/d";
    }
    const { parent, path: source, a } = await folder();
    expect((await moveDocs([source], await pathOf(chain[5] as string))).code).toBe(-1);
    expect((await moveDocs([source], await pathOf(chain[4] as string))).code).toBe(0);
    expect((await pathOf(a)).endsWith(`/${parent}/${a}.sy`)).toBe(true);
    const other = await createScratch(api);
    try {
      expect((await moveDocs([`/${chain[0]}.sy`], "/", other)).code).toBe(-1);
      expect(await pathOf(chain[0] as string)).toBe(`/${chain[0]}.sy`);
    } finally {
      await removeScratch(api, other);
    }
  });
});
