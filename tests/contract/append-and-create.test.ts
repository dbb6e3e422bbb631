// The additive actions: block.append, document.create, notebook.create.

import { describe, expect, it } from "vitest";
import { storageFolder } from "../../shared/wire/plugin.js";
import { credentialsOf } from "./modern-client.js";
import { useScratch } from "./scratch.js";
import { useTier } from "./tier.js";

const scratch = useScratch(useTier());
const { client, siyuan } = scratch;

const append = (parentID: string, data: string) => ({ action: "append", parentID, dataType: "markdown", data });

describe("block.append", () => {
  it("adds several blocks at the end, in order, and names them", async () => {
    const { id } = await scratch.document("first");
    const done = await client.write("block", append(id, "one\n\n- two\n\n```js\nthree\n```"));
    expect(done.safety.transactionState).toBe("committed");
    const children = await siyuan.children(id);
    expect(children.map((block) => block.type)).toEqual(["p", "p", "l", "c"]);
    expect(done.createdBlockIDs).toEqual(children.slice(1).map((block) => block.id));
  });

  it("asks for no hash, but for a request id", async () => {
    const { id } = await scratch.document("first");
    const preflight = await client.preflight("block", append(id, "x"));
    expect(preflight.preconditionField).toBeUndefined();
    expect((await client.refused("block", append(id, "x"))).code).toBe("precondition_required");
    expect(await siyuan.children(id)).toHaveLength(1);
  });

  it("replays without a second block", async () => {
    const { id } = await scratch.document("first");
    const call = { ...append(id, "once"), ...credentialsOf(await client.preflight("block", append(id, "once"))) };
    const first = await client.ok("block", call);
    const again = await client.ok("block", call);
    expect(again).toMatchObject({ id: first.id, safety: { replayed: true } });
    expect(await siyuan.children(id)).toHaveLength(2);
  });

  it("writes into quotes and list items", async () => {
    const { blocks } = await scratch.document("> quote\n\n- item");
    await client.write("block", append(blocks[0] ?? "", "more"));
    expect((await siyuan.children(blocks[0] ?? "")).map((block) => block.markdown)).toEqual(["quote", "more"]);
    const [item] = await siyuan.children(blocks[1] ?? "");
    await client.write("block", append(item?.id ?? "", "under the item"));
    expect(await siyuan.children(item?.id ?? "")).toHaveLength(2);
  });

  it("refuses lists, headings, leaves and missing parents", async () => {
    const { blocks } = await scratch.document("- item\n\n# head\n\nleaf");
    for (const id of blocks) {
      expect(await client.refused("block", { ...append(id, "x"), validateOnly: true })).toMatchObject({
        code: "invalid_arguments",
        fields: [{ path: "parentID" }],
      });
    }
    expect((await client.refused("block", { ...append("20200101000000-zzzzzzz", "x"), validateOnly: true })).code).toBe(
      "block_not_found",
    );
  });

  it("refuses content that carries the id of a live block", async () => {
    const { id } = await scratch.document("first");
    const other = await scratch.paragraph("stays here");
    const data = `torn\n{: id="${other.id}"}`;
    expect((await client.refused("block", { ...append(id, data), validateOnly: true })).code).toBe(
      "content_would_be_lost",
    );
    expect(await siyuan.exported(other.document)).toContain("stays here");
  });

  it("keeps the order of twenty appends sent at once", async () => {
    const { id } = await scratch.document("first");
    const calls = [];
    for (let index = 0; index < 20; index++) {
      const args = append(id, `line ${index}`);
      calls.push({ ...args, ...credentialsOf(await client.preflight("block", args)) });
    }
    await Promise.all(calls.map((call) => client.ok("block", call)));
    const texts = (await siyuan.children(id)).map((block) => block.markdown).filter((text) => text.startsWith("line"));
    expect(texts.slice().sort()).toEqual(calls.map((call) => call.data).sort());
  });
});

describe("document.create", () => {
  it("makes the document with its parents and content", async () => {
    const done = await client.write("document", {
      action: "create",
      notebook: scratch.notebook,
      path: "/Folder/Plan",
      markdown: "# Goals\n\ntext",
    });
    expect(done).toMatchObject({ title: "Plan", path: "/Folder/Plan", safety: { transactionState: "committed" } });
    expect(await siyuan.data("/api/filetree/getHPathByID", { id: done.id })).toBe("/Folder/Plan");
    expect(await siyuan.exported(String(done.id))).toContain("text");
  });

  it("takes a parent path with a title", async () => {
    const done = await client.write("document", {
      action: "create",
      notebook: scratch.notebook,
      parentPath: "/Folder",
      title: "Other",
    });
    expect(await siyuan.data("/api/filetree/getHPathByID", { id: done.id })).toBe("/Folder/Other");
  });

  it("replays without a twin and refuses a second one", async () => {
    const args = { action: "create", notebook: scratch.notebook, path: "/Once", markdown: "x" };
    const call = { ...args, ...credentialsOf(await client.preflight("document", args)) };
    const first = await client.ok("document", call);
    expect(await client.ok("document", call)).toMatchObject({
      id: first.id,
      path: "/Once",
      safety: { replayed: true },
    });
    expect(await siyuan.data("/api/filetree/getIDsByHPath", { notebook: scratch.notebook, path: "/Once" })).toEqual([
      first.id,
    ]);
    expect(await client.refused("document", { ...args, validateOnly: true })).toMatchObject({
      code: "invalid_arguments",
      fields: [{ path: "path" }],
    });
  });

  const bad: [string, object, string][] = [
    ["eight levels", { path: "/1/2/3/4/5/6/7/8" }, "path"],
    ["an empty path", { path: "/" }, "path"],
    ["a title with a tab", { parentPath: "/", title: "a\tb" }, "title"],
    ["a title that is too long", { parentPath: "/", title: "é".repeat(600) }, "title"],
    ["both forms at once", { path: "/a", title: "b" }, "path"],
    ["neither form", {}, "path"],
  ];
  it.each(bad)("refuses %s and leaves no empty parents", async (_name, place, field) => {
    const before = await siyuan.data("/api/filetree/listDocsByPath", { notebook: scratch.notebook, path: "/" });
    const error = await client.refused("document", {
      action: "create",
      notebook: scratch.notebook,
      ...place,
      validateOnly: true,
    });
    expect(error.fields?.[0]?.path).toBe(field);
    const after = await siyuan.data("/api/filetree/listDocsByPath", { notebook: scratch.notebook, path: "/" });
    expect((after as { files: unknown[] }).files.length).toBe((before as { files: unknown[] }).files.length);
  });

  it("refuses an unknown notebook", async () => {
    const error = await client.refused("document", {
      action: "create",
      notebook: "20200101000000-zzzzzzz",
      path: "/x",
      validateOnly: true,
    });
    expect(error.code).toBe("notebook_not_found");
  });
});

describe("notebook.create", () => {
  it("gives the new notebook its icon and the level rw", async () => {
    const done = await client.write("notebook", { action: "create", name: "Fresh one", icon: "1f4d4" });
    try {
      expect(done).toMatchObject({ permission: "rw", icon: "1f4d4", safety: { transactionState: "committed" } });
      const levels = JSON.parse((await siyuan.readFile(`${storageFolder}/notebookPermissions`)) ?? "{}");
      expect(levels[String(done.notebook)]).toBe("rw");
      const { notebooks } = await siyuan.data<{ notebooks: { id: string; name: string; icon: string }[] }>(
        "/api/notebook/lsNotebooks",
        {},
      );
      expect(notebooks.find((entry) => entry.id === done.notebook)).toMatchObject({ name: "Fresh one", icon: "1f4d4" });
    } finally {
      await siyuan.call("/api/notebook/removeNotebook", { notebook: done.notebook });
    }
  });

  it("refuses names that SiYuan would change", async () => {
    expect(await client.refused("notebook", { action: "create", name: "a/b", validateOnly: true })).toMatchObject({
      code: "content_would_be_lost",
      fields: [{ path: "name" }],
    });
  });
});
