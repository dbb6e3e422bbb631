// The reads, help, permissions, switches and wrong input.

import { describe, expect, it } from "vitest";
import { sizeLimits } from "../../shared/limits.js";
import { storageFolder } from "../../shared/wire/plugin.js";
import { useScratch } from "./scratch.js";
import { useTier } from "./tier.js";

const scratch = useScratch(useTier());
const { client, siyuan } = scratch;

async function notebookName(): Promise<string> {
  const { notebooks } = await siyuan.data<{ notebooks: { id: string; name: string }[] }>(
    "/api/notebook/lsNotebooks",
    {},
  );
  return notebooks.find((entry) => entry.id === scratch.notebook)?.name ?? "";
}

describe("fs", () => {
  it("lists notebooks, documents and children", async () => {
    const name = await notebookName();
    await siyuan.data("/api/filetree/createDocWithMd", {
      notebook: scratch.notebook,
      path: "/Parent/Child",
      markdown: "x",
    });
    const root = await client.ok("fs", { action: "ls", path: "/" });
    expect(JSON.stringify(root.items)).toContain(name);
    const items = (await client.ok("fs", { action: "ls", path: `/${name}/` })).items as {
      name: string;
      path: string;
      children: number;
    }[];
    expect(items.find((item) => item.name === "Parent")).toMatchObject({ path: `/${name}/Parent`, children: 1 });
    expect((await client.ok("fs", { action: "list", path: `//${name}//Parent` })).items).toMatchObject([
      { name: "Child" },
    ]);
    expect((await client.ok("fs", { action: "ls", path: `/${name}/Parent/Child` })).items).toEqual([]);
  });

  it("reads a document whole, with and without the notebook in the path", async () => {
    const name = await notebookName();
    await siyuan.data("/api/filetree/createDocWithMd", {
      notebook: scratch.notebook,
      path: "/Only here",
      markdown: "# Head\n\nbody",
    });
    const whole = await client.ok("fs", { action: "read", path: `/${name}/Only here` });
    expect(whole).toMatchObject({
      content: "# Head\n\nbody",
      totalBlocks: 2,
      hasNextWindow: false,
      outline: [{ level: 1, title: "Head" }],
    });
    expect((await client.ok("fs", { action: "read", path: "/Only here" })).content).toBe(whole.content);
  });

  it("reads in windows of whole blocks that add up", async () => {
    const name = await notebookName();
    const { id } = await scratch.document(Array.from({ length: 25 }, (_, index) => `block ${index}`).join("\n\n"));
    const path = `/${name}${await siyuan.data<string>("/api/filetree/getHPathByID", { id })}`;
    const seen: string[] = [];
    let call: Record<string, unknown> = { action: "read", path, blockLimit: 10, includeBlockIds: true };
    for (;;) {
      const part = await client.ok("fs", call);
      seen.push(...String(part.content).split("\n\n"));
      if (!part.hasNextWindow) break;
      call = part.nextWindow as Record<string, unknown>;
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => `block ${index}`));
  });

  it("names what is wrong with a path", async () => {
    const name = await notebookName();
    expect((await client.refused("fs", { action: "read", path: "/nothing/here" })).code).toBe("document_not_found");
    expect((await client.refused("fs", { action: "read", path: `/${name}` })).code).toBe("invalid_path");
    expect((await client.refused("fs", { action: "read", path: "/../x" })).code).toBe("invalid_path");
    for (let twin = 0; twin < 2; twin++) {
      await siyuan.data("/api/filetree/createDocWithMd", { notebook: scratch.notebook, path: "/Twin", markdown: "x" });
    }
    expect((await client.refused("fs", { action: "read", path: `/${name}/Twin` })).code).toBe("ambiguous_path");
  });
});

describe("block reads", () => {
  it("get_kramdown shows ids and attributes", async () => {
    const { id } = await scratch.paragraph("source");
    expect((await client.ok("block", { action: "get_kramdown", id })).kramdown).toMatch(
      new RegExp(`^source\n.*id="${id}"`),
    );
    expect((await client.ok("block", { action: "get-kramdown", id })).id).toBe(id);
  });

  it("get_children pages", async () => {
    const { id, blocks } = await scratch.document("a\n\nb\n\nc");
    const page = await client.ok("block", { action: "get_children", id, page: 2, pageSize: 2 });
    expect(page).toMatchObject({
      total: 3,
      pageCount: 2,
      hasNextPage: false,
      data: [{ id: blocks[2], markdown: "c" }],
    });
    expect((await client.refused("block", { action: "get_children", id: "20200101000000-zzzzzzz" })).code).toBe(
      "block_not_found",
    );
  });
});

describe("wrong input", () => {
  const cases: [string, string, Record<string, unknown>, string, string][] = [
    ["an unknown tool", "nope", { action: "x" }, "unknown_tool", ""],
    ["an unknown action", "block", { action: "explode" }, "unknown_action", "action"],
    ["a missing action", "block", {}, "invalid_arguments", "action"],
    [
      "an unknown field",
      "block",
      { action: "get_kramdown", id: "20200101000000-zzzzzzz", colour: 1 },
      "invalid_arguments",
      "colour",
    ],
    ["a malformed id", "block", { action: "get_kramdown", id: "zz" }, "invalid_arguments", "id"],
    ["an empty id", "block", { action: "get_kramdown", id: "" }, "invalid_arguments", "id"],
    [
      "a page of 0",
      "block",
      { action: "get_children", id: "20200101000000-zzzzzzz", page: 0 },
      "invalid_arguments",
      "page",
    ],
    [
      "a page size of -1",
      "block",
      { action: "get_children", id: "20200101000000-zzzzzzz", pageSize: -1 },
      "invalid_arguments",
      "pageSize",
    ],
    [
      "a malformed id deep inside",
      "block",
      { action: "update", items: [{ id: "zz", dataType: "markdown", data: "x" }], validateOnly: true },
      "invalid_arguments",
      "items.0.id",
    ],
    [
      "a wrong data type",
      "block",
      { action: "update", id: "20200101000000-zzzzzzz", dataType: "html", data: "x", validateOnly: true },
      "invalid_arguments",
      "dataType",
    ],
    [
      "a malformed request id",
      "block",
      { action: "update", id: "20200101000000-zzzzzzz", dataType: "markdown", data: "x", requestId: "xyz" },
      "invalid_request_id",
      "",
    ],
  ];
  it.each(cases)("refuses %s and names the field", async (_name, tool, args, code, field) => {
    const error = await client.refused(tool, args);
    expect(error.code).toBe(code);
    expect(error.next).not.toBe("");
    if (field !== "") expect(error.fields?.map((entry) => entry.path)).toContain(field);
  });
});

describe("help", () => {
  it("documents every enabled action of every tool with its schema", async () => {
    const tools = (
      (await (await client.request("tools/list")).json()) as {
        result: { tools: { name: string; inputSchema: { properties: { action: { enum: string[] } } } }[] };
      }
    ).result.tools;
    expect(tools.map((tool) => tool.name)).toEqual(["fs", "notebook", "document", "block", "search"]);
    for (const tool of tools) {
      expect(JSON.stringify(tool).length).toBeLessThanOrEqual(sizeLimits.maxToolDescriptorChars);
      for (const action of tool.inputSchema.properties.action.enum.filter((name) => name !== "help")) {
        const help = await client.ok(tool.name, { action: "help", topic: action });
        expect(help).toMatchObject({ tool: tool.name, action, schema: expect.anything() });
      }
      expect((await client.refused(tool.name, { action: "help", topic: "nothing" })).code).toBe("unknown_help_topic");
    }
  });
});

describe("permissions", () => {
  it("without an entry a notebook can be read and not written", async () => {
    const notebook = (
      await siyuan.data<{ notebook: { id: string } }>("/api/notebook/createNotebook", { name: "foreign" })
    ).notebook.id;
    try {
      const doc = await siyuan.data<string>("/api/filetree/createDocWithMd", { notebook, path: "/d", markdown: "x" });
      const [block] = await siyuan.children(doc);
      expect((await client.ok("block", { action: "get_kramdown", id: block?.id })).kramdown).toContain("x");
      const error = await client.refused("block", {
        action: "update",
        id: block?.id,
        dataType: "markdown",
        data: "y",
        validateOnly: true,
      });
      expect(error).toMatchObject({
        code: "permission_denied",
        currentPermission: "r",
        requiredPermission: "rw",
        notebook,
      });
      await scratch.setPermission(notebook, "none");
      expect((await client.refused("block", { action: "get_kramdown", id: block?.id })).code).toBe("permission_denied");
      expect(JSON.stringify(await client.ok("notebook", { action: "list" }))).not.toContain(notebook);
      expect(JSON.stringify(await client.ok("fs", { action: "ls", path: "/" }))).not.toContain(notebook);
    } finally {
      await siyuan.call("/api/notebook/removeNotebook", { notebook });
    }
  }, 20_000);

  it("are asked again at the commit", async () => {
    const { id } = await scratch.paragraph();
    const args = { action: "update", id, dataType: "markdown", data: "late" };
    const preflight = await client.preflight("block", args);
    await scratch.setPermission(scratch.notebook, "r");
    const error = await client.refused("block", {
      ...args,
      requestId: preflight.requestId,
      expectedStateHash: preflight.expectedStateHash,
    });
    expect(error.code).toBe("permission_denied");
    expect(await siyuan.kramdown(id)).toContain("first words");
    await scratch.setPermission(scratch.notebook, "rw");
  }, 20_000);
});

describe("a damaged permission file", () => {
  it("denies everything, and is not overwritten", async () => {
    const file = `${storageFolder}/notebookPermissions`;
    const before = (await siyuan.readFile(file)) ?? "{}";
    const { id } = await scratch.paragraph();
    try {
      await siyuan.writeFile(file, "{broken");
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      expect((await client.refused("block", { action: "get_kramdown", id })).code).toBe("permission_denied");
      const create = { action: "create", name: "not made", validateOnly: true };
      expect((await client.refused("notebook", create)).code).toBe("permission_denied");
      expect(await siyuan.readFile(file)).toBe("{broken");
    } finally {
      await siyuan.writeFile(file, before);
      await new Promise((resolve) => setTimeout(resolve, 1_100));
    }
  });
});

describe("switches", () => {
  it("hide and refuse what the owner switched off, and survive damage", async () => {
    const file = `${storageFolder}/mcpToolsConfig`;
    const before = await siyuan.readFile(file);
    const settle = () => new Promise((resolve) => setTimeout(resolve, 1_100));
    const list = async () => JSON.stringify(await (await client.request("tools/list")).json());
    try {
      await siyuan.writeFile(
        file,
        JSON.stringify({ notebook: { enabled: false }, block: { actions: { append: false } } }),
      );
      await settle();
      expect((await client.refused("notebook", { action: "list" })).code).toBe("tool_disabled");
      expect(
        (
          await client.refused("block", {
            action: "append",
            parentID: "20200101000000-zzzzzzz",
            dataType: "markdown",
            data: "x",
          })
        ).code,
      ).toBe("action_disabled");
      expect(await list()).not.toContain('"name":"notebook"');
      await siyuan.writeFile(file, "{broken");
      await settle();
      expect(await list()).toContain('"name":"notebook"');
    } finally {
      if (before === undefined) await siyuan.removeFile(file);
      else await siyuan.writeFile(file, before);
      await settle();
    }
  }, 20_000);
});
