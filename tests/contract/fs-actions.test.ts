// The fs tool beyond ls and read: tree, search, write, rm, and the two virtual files.

import { beforeAll, describe, expect, it } from "vitest";
import { LegacyClient } from "./legacy-client.js";
import { credentialsOf } from "./modern-client.js";
import { useScratch } from "./scratch.js";
import { useOwnerSettings } from "./settings.js";
import { useTier } from "./tier.js";
import { world } from "./world.js";

const tier = useTier();
const scratch = useScratch(tier);
const { client, siyuan } = scratch;
const legacy = new LegacyClient(tier);
const settings = useOwnerSettings(siyuan);

interface Node {
  readonly name: string;
  readonly path: string;
  readonly children: readonly Node[] | number;
  readonly virtual?: boolean;
}

let name = "";
const create = (path: string, markdown = "x") =>
  siyuan.data<string>("/api/filetree/createDocWithMd", { notebook: scratch.notebook, path, markdown });

beforeAll(async () => {
  name = (await world(siyuan))[scratch.notebook]?.name ?? "";
});

describe("tree", () => {
  const treeOf = async (path: string, maxDepth?: number) =>
    client.ok("fs", { action: "tree", path, ...(maxDepth === undefined ? {} : { maxDepth }) });

  it("lists what lies under a path as deep as asked", async () => {
    await create("/Tree/b/c/d/e");
    const leaf = (path: string, children: unknown) => ({ name: path.slice(-1), path: `/${name}${path}`, children });
    const whole = await treeOf(`/${name}/Tree`);
    expect(whole).toMatchObject({
      path: `/${name}/Tree`,
      maxDepth: 3,
      partial: false,
      errors: [],
      topLevelDocumentCount: 1,
      failedTopLevelDocumentCount: 0,
    });
    const e = leaf("/Tree/b/c/d/e", []);
    const d = leaf("/Tree/b/c/d", [e]);
    const c = leaf("/Tree/b/c", [d]);
    expect(whole.tree).toMatchObject([leaf("/Tree/b", [c])]);
    expect((await treeOf(`/${name}/Tree`, 0)).tree).toMatchObject([leaf("/Tree/b", 1)]);
    expect((await treeOf(`/${name}/Tree`, 1)).tree).toMatchObject([leaf("/Tree/b", [leaf("/Tree/b/c", 1)])]);
    expect((await treeOf(`/${name}/Tree`, 20)).tree).toEqual(whole.tree);
    expect((await treeOf(`/${name}/Tree/b/c/d/e`)).tree).toEqual([]);
  });

  it("lists the workspace with its virtual files, and nothing of hidden notebooks", async () => {
    const hidden = (
      await siyuan.data<{ notebook: { id: string } }>("/api/notebook/createNotebook", { name: "hidden one" })
    ).notebook.id;
    try {
      await siyuan.data("/api/filetree/createDocWithMd", { notebook: hidden, path: "/secret", markdown: "x" });
      await scratch.setPermission(hidden, "none");
      await create("/Top");
      const { tree } = (await treeOf("/", 1)) as unknown as { tree: Node[] };
      expect(tree).toContainEqual({ name: "AGENTS.md", path: "/AGENTS.md", children: [], virtual: true });
      expect(tree).toContainEqual({ name: "USER_RULES.md", path: "/USER_RULES.md", children: [], virtual: true });
      const own = tree.find((node) => node.name === name)?.children as Node[];
      expect(own.map((node) => node.name)).toContain("Top");
      expect(JSON.stringify(tree)).not.toContain("hidden one");
      const cut = (await treeOf("/", 0)) as unknown as { tree: Node[]; topLevelDocumentCount: number };
      expect(cut.tree.find((node) => node.name === name)?.children).toBe(own.length);
      expect(cut.topLevelDocumentCount).toBeGreaterThanOrEqual(own.length);
    } finally {
      await siyuan.call("/api/notebook/removeNotebook", { notebook: hidden });
    }
  }, 20_000);

  it("refuses a missing path and a depth of 21", async () => {
    expect((await client.refused("fs", { action: "tree", path: "/nothing/here" })).code).toBe("document_not_found");
    expect((await client.refused("fs", { action: "tree", path: "/", maxDepth: 21 })).fields?.[0]?.path).toBe(
      "maxDepth",
    );
  });
});

describe("search", () => {
  const find = async (args: object) => client.ok("fs", { action: "search", path: `/${name}/Find`, ...args });

  beforeAll(async () => {
    await create("/Find", "# Alpha head\n\nfirst NEEDLE line\nsecond line\n\n- needle in a list");
    await create("/Find/Below", `deep needle\n\n${"long ".repeat(200)}needle${" tail".repeat(200)}`);
    await create("/Find/Refers", `see ((${await create("/Elsewhere", "needle elsewhere")} 'other'))`);
  });

  it("finds lines in a document and all below it, whatever the case", async () => {
    const found = await find({ query: "needle" });
    expect(found).toMatchObject({ total: 4, page: 1, pageCount: 1, hasNextPage: false });
    const rows = found.data as {
      path: string;
      line: number;
      text: string;
      textTruncated?: boolean;
      originalTextLength?: number;
    }[];
    expect(rows.slice(0, 2)).toEqual([
      { path: `/${name}/Find`, line: 3, text: "first NEEDLE line" },
      { path: `/${name}/Find`, line: 6, text: "- needle in a list" },
    ]);
    expect(rows[2]).toEqual({ path: `/${name}/Find/Below`, line: 1, text: "deep needle" });
    expect(rows[3]).toMatchObject({ line: 3, textTruncated: true, originalTextLength: 2_006 });
    expect(rows[3]?.text).toContain("needle");
    const text = String((await client.ok("fs", { action: "read", path: `/${name}/Find` })).content);
    expect(text.split("\n")[2]).toBe("first NEEDLE line");
  });

  it("tells case apart, runs patterns and pages", async () => {
    expect((await find({ query: "NEEDLE", caseSensitive: true })).total).toBe(1);
    expect((await find({ query: "^- .*needle", regex: true })).data).toMatchObject([{ line: 6 }]);
    expect((await find({ query: "^first needle", regex: true })).total).toBe(1);
    expect((await find({ query: "^first needle", regex: true, caseSensitive: true })).total).toBe(0);
    expect((await find({ query: "a.c*", regex: false })).total).toBe(0);
    const paged = await find({ query: "needle", page: 2, pageSize: 3 });
    expect(paged).toMatchObject({ total: 4, page: 2, pageSize: 3, pageCount: 2, hasNextPage: false });
    expect(paged.data).toHaveLength(1);
  });

  it("shows nothing of hidden notebooks, not through references and embeds either", async () => {
    const hidden = (
      await siyuan.data<{ notebook: { id: string } }>("/api/notebook/createNotebook", { name: "hidden two" })
    ).notebook.id;
    try {
      const secret = await siyuan.data<string>("/api/filetree/createDocWithMd", {
        notebook: hidden,
        path: "/s",
        markdown: "quokkasecret",
      });
      await create(
        "/Find/Embeds",
        `quokkaopen ((${secret} 'there'))\n\n{{SELECT * FROM blocks WHERE root_id = '${secret}'}}`,
      );
      await scratch.setPermission(hidden, "none");
      await siyuan.call("/api/sqlite/flushTransaction", {});
      const found = await client.ok("fs", { action: "search", path: "/", query: "quokka" });
      expect((found.data as { text: string }[]).map((row) => row.text.slice(0, 10))).toEqual(["quokkaopen"]);
    } finally {
      await siyuan.call("/api/notebook/removeNotebook", { notebook: hidden });
    }
  }, 20_000);

  const bad: [string, object, string, string][] = [
    ["a broken pattern", { query: "(", regex: true }, "invalid_arguments", "query"],
    ["look-around", { query: "a(?=b)", regex: true }, "invalid_arguments", "query"],
    ["back-references", { query: "(a)\\1", regex: true }, "invalid_arguments", "query"],
    ["an empty query", { query: "" }, "invalid_arguments", "query"],
    ["a missing path", { path: "/nothing/here", query: "x" }, "document_not_found", "path"],
    ["a page of 0", { query: "x", page: 0 }, "invalid_arguments", "page"],
  ];
  it.each(bad)("refuses %s", async (_name, args, code, field) => {
    const error = await client.refused("fs", { action: "search", path: `/${name}/Find`, ...args });
    expect(error).toMatchObject({ code, fields: [{ path: field }] });
  });
});

describe("write", () => {
  it("creates a document and changes nothing else", async () => {
    const before = await world(siyuan);
    const done = await client.write("fs", {
      action: "write",
      path: `//${name}/Written`,
      markdown: "# Written\n\nbody *text*",
      overwrite: false,
    });
    expect(done).toMatchObject({
      success: true,
      path: `/${name}/Written`,
      created: true,
      safety: { transactionState: "committed" },
    });
    expect((await siyuan.children(String(done.id))).map((block) => block.markdown)).toEqual(["body *text*"]);
    const after = await world(siyuan);
    const { [`/${done.id}.sy`]: made, ...rest } = after[scratch.notebook]?.documents ?? {};
    expect(made?.title).toBe("Written");
    expect({ ...after, [scratch.notebook]: { ...after[scratch.notebook], documents: rest } }).toEqual(before);
  });

  it("keeps another heading and one with attributes, makes parents, and finds the notebook by the parent", async () => {
    const done = await client.write("fs", {
      action: "write",
      path: `/${name}/Parents here/Child`,
      markdown: "# Other",
    });
    expect((await siyuan.children(String(done.id))).map((block) => block.markdown)).toEqual(["# Other"]);
    const below = await client.write("fs", { action: "write", path: "/Parents here/Second", markdown: "" });
    expect(below.path).toBe(`/${name}/Parents here/Second`);
    expect(await siyuan.data("/api/filetree/getHPathByID", { id: below.id })).toBe("/Parents here/Second");
    const marked = await client.write("fs", {
      action: "write",
      path: `/${name}/Marked`,
      markdown: '# Marked\n{: custom-mark="1"}\n\nbody',
    });
    expect((await siyuan.children(String(marked.id))).map((block) => block.markdown)).toEqual(["# Marked", "body"]);
  });

  it("replays without a twin", async () => {
    const args = { action: "write", path: `/${name}/Once`, markdown: "x" };
    const call = { ...args, ...credentialsOf(await client.preflight("fs", args)) };
    const first = await client.ok("fs", call);
    expect(await client.ok("fs", call)).toMatchObject({ id: first.id, safety: { replayed: true } });
    expect((await client.refused("fs", { ...args, validateOnly: true })).message).toContain("exists already");
  });

  const bad: [string, object, string, string][] = [
    ["a notebook", { path: "NAME" }, "path", "/Notebook/Title"],
    ["the root", { path: "/" }, "path", "/Notebook/Title"],
    ["a title without notebook", { path: "/Alone" }, "path", "/Notebook/Title"],
    ["eight levels", { path: "NAME/1/2/3/4/5/6/7/8" }, "path", "levels"],
    ["a title with a tab", { path: "NAME/a\tb" }, "path", ""],
    ["a missing parent in no notebook", { path: "/No such/Title" }, "path", ""],
    ["the agents' memory", { path: "/AGENTS.md" }, "path", "read"],
    ["the user's rules", { path: "/USER_RULES.md" }, "path", "read"],
    ["a lost reference", { path: "NAME/Lost", markdown: "((20200101000000-zzzzzzz 'x'))" }, "markdown", ""],
  ];
  it.each(bad)("refuses %s and leaves everything as it was", async (_name, args, field, text) => {
    const before = await world(siyuan);
    const call = { action: "write", path: `/${name}/Find`, markdown: "x", ...args, validateOnly: true };
    const error = await client.refused("fs", { ...call, path: call.path.replace("NAME", `/${name}`) });
    expect(error.fields?.[0]?.path).toBe(field);
    expect(error.message).toContain(text);
    expect(await world(siyuan)).toEqual(before);
  });
});

describe("rm", () => {
  it("needs rwd", async () => {
    await create("/Kept");
    expect((await client.refused("fs", { action: "rm", path: `/${name}/Kept`, validateOnly: true })).code).toBe(
      "permission_denied",
    );
  });

  describe("with rwd", () => {
    beforeAll(() => scratch.setPermission(scratch.notebook, "rwd"), 20_000);

    it("takes the document with everything below it and nothing else, and replays", async () => {
      const below = await create("/Leaves/Below");
      const parent = (
        await siyuan.data<string[]>("/api/filetree/getIDsByHPath", { notebook: scratch.notebook, path: "/Leaves" })
      )[0];
      const before = await world(siyuan);
      const args = { action: "rm", path: `/${name}/Leaves/` };
      const preflight = await client.preflight("fs", args);
      expect(preflight.preview).toMatchObject({ title: "Leaves", subDocuments: 1 });
      const call = { ...args, ...credentialsOf(preflight) };
      expect(await legacy.commit("fs", call)).toMatchObject({
        success: true,
        path: `/${name}/Leaves`,
        safety: { transactionState: "committed" },
      });
      const {
        [`/${parent}.sy`]: _parent,
        [`/${parent}/${below}.sy`]: _below,
        ...rest
      } = before[scratch.notebook]?.documents ?? {};
      expect(await world(siyuan)).toEqual({
        ...before,
        [scratch.notebook]: { ...before[scratch.notebook], documents: rest },
      });
      expect(await legacy.commit("fs", call)).toMatchObject({ safety: { replayed: true } });
    });

    it("stops when the document or one below it was edited meanwhile", async () => {
      const below = await create("/Edited/Below");
      const args = { action: "rm", path: `/${name}/Edited` };
      const call = { ...args, ...credentialsOf(await client.preflight("fs", args)), confirm: true };
      const [block] = await siyuan.children(below);
      await siyuan.update(block?.id ?? "", "edited");
      expect((await legacy.call("fs", call)).structured.error.code).toBe("state_changed");
      expect(await siyuan.exported(below)).toContain("edited");
    });

    it("wants a confirmation", async () => {
      await create("/Unconfirmed");
      const args = { action: "delete", path: `/${name}/Unconfirmed` };
      expect((await client.refused("fs", { ...args, validateOnly: true })).code).toBe("unknown_action");
      const removal = { ...args, action: "remove" };
      const call = { ...removal, ...credentialsOf(await client.preflight("fs", removal)) };
      expect((await legacy.call("fs", call)).structured.error.code).toBe("dangerous_action_requires_confirmation");
      expect((await client.refused("fs", call)).code).toBe("confirmation_unavailable");
    });

    it("refuses a notebook, the root, a virtual file and a missing path", async () => {
      const refused = async (path: string) =>
        (await client.refused("fs", { action: "rm", path, validateOnly: true })).code;
      expect(await refused(`/${name}`)).toBe("invalid_path");
      expect(await refused("/")).toBe("invalid_path");
      expect(await refused("/AGENTS.md")).toBe("invalid_path");
      expect(await refused(`/${name}/nothing here`)).toBe("document_not_found");
    });
  });
});

describe("virtual files", () => {
  it("are listed, read and searched", async () => {
    await settings.set({ agentSiyuanMemoryText: "# Memory\n\nremember the wombat", userRulesText: "" });
    const { items } = await client.ok("fs", { action: "ls", path: "/" });
    expect(items).toContainEqual({ name: "AGENTS.md", path: "/AGENTS.md", children: 0, virtual: true });
    const read = await client.ok("fs", { action: "read", path: "/AGENTS.md" });
    expect(read).toMatchObject({
      path: "/AGENTS.md",
      virtual: true,
      content: "# Memory\n\nremember the wombat",
      hasNextWindow: false,
    });
    expect(await client.ok("fs", { action: "read", path: "/USER_RULES.md" })).toMatchObject({
      content: "",
      totalBlocks: 0,
    });
    const found = await client.ok("fs", { action: "search", path: "/", query: "wombat" });
    expect(found.data).toEqual([{ path: "/AGENTS.md", virtual: true, line: 3, text: "remember the wombat" }]);
    expect((await client.ok("fs", { action: "search", path: "/AGENTS.md", query: "wombat" })).total).toBe(1);
    expect((await client.ok("fs", { action: "tree", path: "/AGENTS.md" })).tree).toEqual([]);
    expect((await client.ok("fs", { action: "ls", path: "/AGENTS.md" })).items).toEqual([]);
  }, 20_000);
});
