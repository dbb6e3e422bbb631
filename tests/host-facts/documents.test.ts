// Facts: notebooks, documents, their paths, titles and order.
import { describe, expect, test } from "vitest";
import { createScratch, missing, pause, removeScratch } from "./host.ts";
import { useHost } from "./use-host.ts";

let notebook: string;

const { api } = useHost((made) => {
  notebook = made;
});

interface Listed {
  id: string;
  name: string;
  sort: number;
}

async function list(path = "/"): Promise<Listed[]> {
  const { files } = await api.data<{ files: Listed[] }>("filetree/listDocsByPath", {
    notebook,
    path,
    sort: 6,
    maxListCount: -1,
  });
  return files;
}

describe("creating documents", { timeout: 30_000 }, () => {
  test("missing ancestors are made, the same path twice gives two documents", async () => {
    const first = await api.document(notebook, "x", "/Top/Sub/Leaf");
    const second = await api.document(notebook, "x", "/Top/Sub/Leaf");
    expect(await api.data<string[]>("filetree/getIDsByHPath", { notebook, path: "/Top/Sub/Leaf" })).toEqual([
      first,
      second,
    ]);
    expect(await api.data("filetree/getHPathByID", { id: first })).toBe("/Top/Sub/Leaf");
    const { path } = await api.data<{ path: string }>("filetree/getPathByID", { id: first });
    expect(path.split("/")).toHaveLength(4);
    expect(await api.data("filetree/getHPathByPath", { notebook, path })).toBe("/Top/Sub/Leaf");
  });

  test("a new document goes on top with a sort value below all others", async () => {
    const first = await api.document(notebook, "x", "/Order/One");
    const second = await api.document(notebook, "x", "/Order/Two");
    const parent = (await api.data<{ path: string }>("filetree/getPathByID", { id: first })).path.split("/")[1];
    const files = await list(`/${parent}.sy`);
    expect(files.map((file) => file.id)).toEqual([second, first]);
    expect(files[0]?.sort).toBeLessThan(files[1]?.sort as number);
  });

  test("tags, own ids and the duplicate of an own id", async () => {
    const id = "20210203040506-factsaa";
    const make = () =>
      api.call("filetree/createDocWithMd", { notebook, path: "/Own", markdown: "x", id, tags: "b, a,a , c/d" });
    expect(await make()).toMatchObject({ code: 0, data: id });
    const { ial } = await api.data<{ ial: Record<string, string> }>("block/getDocInfo", { id });
    expect(ial).toMatchObject({ id, title: "Own", tags: "b,a,c/d", updated: "20210203040506" });
    expect((await make()).code).toBe(-1);
  });

  test("a closed or unknown notebook is refused", async () => {
    const create = (target: string) =>
      api.call("filetree/createDocWithMd", { notebook: target, path: "/x", markdown: "x" });
    expect((await create(missing)).code).toBe(-1);
    expect(await create("zz")).toMatchObject({ code: -1, msg: "invalid ID argument" });
  });

  test("eight levels are too deep, and the ancestors stay behind", async () => {
    const path = "/d1/d2/d3/d4/d5/d6/d7/d8";
    expect((await api.call("filetree/createDocWithMd", { notebook, path, markdown: "x" })).code).toBe(-1);
    expect(
      await api.data<string[]>("filetree/getIDsByHPath", { notebook, path: "/d1/d2/d3/d4/d5/d6/d7" }),
    ).toHaveLength(1);
  });
});

describe("changing documents", { timeout: 30_000 }, () => {
  test("rename: cleaned title, at once in info, path and list", async () => {
    const id = await api.document(notebook, "x", "/Before");
    await api.data("filetree/renameDocByID", { id, title: " Af/t\ter " });
    expect(await api.data("block/getDocInfo", { id })).toMatchObject({ name: "After" });
    expect(await api.data("filetree/getHPathByID", { id })).toBe("/After");
    expect((await list()).find((file) => file.id === id)?.name).toBe("After");
    expect(await api.call("filetree/renameDocByID", { id: missing, title: "x" })).toMatchObject({ code: -1 });
  });

  test("titles and notebook names lose what does not print; a wide space and the joiner stay", async () => {
    const raw = "a\u007f\u0085\u00ad\u2003\u200b\u202e\u2060\ue000\ufeff\ufff9\u{e0067}\u{f0000}b\u3000c\u200dd\u00a0e";
    const kept = "ab\u3000c\u200dd e";
    const id = await api.document(notebook, "x", `/${raw}`);
    expect(await api.data("block/getDocInfo", { id })).toMatchObject({ name: kept });
    const other = await api.document(notebook, "x", "/Other");
    await api.data("filetree/renameDocByID", { id: other, title: raw });
    expect(await api.data("block/getDocInfo", { id: other })).toMatchObject({ name: kept });
    const made = await api.data<{ notebook: { id: string; name: string } }>("notebook/createNotebook", { name: raw });
    await api.data("notebook/removeNotebook", { notebook: made.notebook.id });
    expect(made.notebook.name).toBe(kept);
  });

  test("no human path with a joiner is found, so that a second parent is made", async () => {
    const parent = await api.document(notebook, "x", "/👩‍🚀");
    expect(await api.data("filetree/getHPathByID", { id: parent })).toBe("/👩‍🚀");
    expect(await api.data("filetree/getIDsByHPath", { notebook, path: "/👩‍🚀" })).toEqual([]);
    const child = await api.document(notebook, "x", "/👩‍🚀/below");
    const { path } = await api.data<{ path: string }>("filetree/getPathByID", { id: child });
    expect(path).not.toContain(parent);
  });

  test("steps in a path are taken before anything is made", async () => {
    const id = await api.document(notebook, "x", "/up/../stepped");
    expect(await api.data("filetree/getHPathByID", { id })).toBe("/stepped");
  });

  test("move: below another document and back, with its children", async () => {
    const target = await api.document(notebook, "x", "/Target");
    const moved = await api.document(notebook, "x", "/Moved");
    const child = await api.document(notebook, "x", "/Moved/Child");
    await api.data("filetree/moveDocsByID", { fromIDs: [moved], toID: target });
    expect(await api.data("filetree/getHPathByID", { id: child })).toBe("/Target/Moved/Child");
    expect(await api.data("filetree/getPathByID", { id: child })).toEqual({
      notebook,
      path: `/${target}/${moved}/${child}.sy`,
    });
    await api.data("filetree/moveDocsByID", { fromIDs: [moved], toID: notebook });
    expect(await api.data("filetree/getHPathByID", { id: child })).toBe("/Moved/Child");
    const mixed = await api.call("filetree/moveDocsByID", { fromIDs: [moved, missing], toID: target });
    expect(mixed.code).toBe(-1);
    expect(await api.data("filetree/getHPathByID", { id: child })).toBe("/Moved/Child");
  });

  test("remove: the document and all below it are gone when it answers", async () => {
    const id = await api.document(notebook, "x", "/Gone");
    const child = await api.document(notebook, "x", "/Gone/Child");
    await api.data("filetree/removeDocByID", { id });
    expect(await api.kramdown(child)).toBe("");
    expect(await api.data("block/checkBlockExist", { id: child })).toBe(false);
    expect((await list()).some((file) => file.id === id)).toBe(false);
    // "tree not found", or "indexing" while the host is still cleaning up.
    expect((await api.call("filetree/removeDocByID", { id })).code).toBe(-1);
  });

  test("title and icon as attributes show at once", async () => {
    const id = await api.document(notebook, "x", "/Icon");
    await api.data("attr/setBlockAttrs", { id, attrs: { icon: "📗" } });
    expect(await api.data("block/getDocInfo", { id })).toMatchObject({ icon: "1f4d7" });
  });
});

describe("notebooks", { timeout: 30_000 }, () => {
  test("rename, configure, close and open again", async () => {
    const other = await createScratch(api);
    try {
      const doc = await api.document(other, "inside");
      await api.data("notebook/renameNotebook", { notebook: other, name: "re/named" });
      expect(await api.data("notebook/getNotebookConf", { notebook: other })).toMatchObject({
        box: other,
        name: "renamed",
      });
      const conf = await api.data("notebook/setNotebookConf", {
        notebook: other,
        conf: { sortMode: 6, dailyNoteSavePath: "daily/x" },
      });
      expect(conf).toMatchObject({ sortMode: 6, dailyNoteSavePath: "/daily/x", name: "renamed" });
      await api.data("notebook/closeNotebook", { notebook: other });
      await pause(500);
      expect(await api.kramdown(doc)).toBe("");
      expect((await api.call("filetree/listDocsByPath", { notebook: other, path: "/" })).code).toBe(-1);
      await api.data("notebook/openNotebook", { notebook: other });
      await pause(1500);
      expect(await api.kramdown(doc)).toContain("inside");
    } finally {
      await removeScratch(api, other);
    }
    const { notebooks } = await api.data<{ notebooks: { id: string }[] }>("notebook/lsNotebooks");
    expect(notebooks.some((entry) => entry.id === other)).toBe(false);
  });

  test("unknown notebooks", async () => {
    expect(await api.call("notebook/openNotebook", { notebook: missing })).toMatchObject({ code: -1 });
    expect(await api.call("notebook/closeNotebook", { notebook: missing })).toMatchObject({ code: 0 });
    expect(await api.call("notebook/removeNotebook", { notebook: missing })).toMatchObject({ code: 0 });
    expect(await api.call("notebook/renameNotebook", { notebook: missing, name: "x" })).toMatchObject({ code: -1 });
    expect(await api.call("notebook/createNotebook", {})).toMatchObject({ code: -1, msg: "Field [name] is required" });
  });
});

describe("removeDocs", { timeout: 30_000 }, () => {
  test("takes paths of any notebook, nested ones too, with everything below", async () => {
    const top = await api.document(notebook, "x", "/Removed");
    const inner = await api.document(notebook, "x", "/Removed/Inner");
    const leaf = await api.document(notebook, "x", "/Leaf");
    const paths = [`/${top}.sy`, `/${top}/${inner}.sy`, `/${leaf}.sy`];
    expect(await api.data("filetree/removeDocs", { paths })).toBeNull();
    expect(await api.data("block/getBlockTreeInfos", { ids: [top, inner, leaf] })).toEqual({});
  });

  test("removes nothing when one path is wrong or none is given", async () => {
    const leaf = await api.document(notebook, "x", "/Kept");
    for (const paths of [[`/${leaf}.sy`, `/${missing}.sy`], [], ["/"]]) {
      expect((await api.call("filetree/removeDocs", { paths })).code).toBe(-1);
    }
    expect(await api.data("filetree/removeDocs", {})).toBeNull();
    expect(await api.kramdown(leaf)).not.toBe("");
  });
});
