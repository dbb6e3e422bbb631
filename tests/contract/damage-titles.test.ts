// Odd titles, names and paths at every action that takes one: refused with a reason, or stored as they were asked.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { missing, useDamage } from "./damage.js";
import type { Fields } from "./modern-client.js";
import { useTier } from "./tier.js";
import { world } from "./world.js";

const damage = useDamage(useTier());
const { client, siyuan } = damage;
let renamed = "";
let spare = "";
let name = "";

beforeAll(async () => {
  renamed = (await damage.document("to be renamed")).id;
  const made = await client.write("notebook", { action: "create", name: `spare ${Date.now().toString(36)}` });
  spare = String(made.notebook);
  name = (await world(siyuan))[damage.notebook]?.name ?? "";
}, 30_000);
afterAll(() => siyuan.call("/api/notebook/removeNotebook", { notebook: spare }), 30_000);

interface Way {
  readonly name: string;
  readonly tool: string;
  readonly field: string;
  readonly of: "document" | "notebook";
  args(title: string): Fields;
}

const ways: readonly Way[] = [
  {
    name: "document create",
    tool: "document",
    field: "title",
    of: "document",
    args: (title) => ({ action: "create", notebook: damage.notebook, parentPath: "/", title }),
  },
  {
    name: "document create by path",
    tool: "document",
    field: "path",
    of: "document",
    args: (title) => ({ action: "create", notebook: damage.notebook, path: `/Below/${title}` }),
  },
  {
    name: "fs write",
    tool: "fs",
    field: "path",
    of: "document",
    args: (title) => ({ action: "write", path: `/${name}/Beside/${title}`, markdown: "" }),
  },
  {
    name: "document rename",
    tool: "document",
    field: "title",
    of: "document",
    args: (title) => ({ action: "rename", id: renamed, title }),
  },
  {
    name: "notebook create",
    tool: "notebook",
    field: "name",
    of: "notebook",
    args: (title) => ({ action: "create", name: title }),
  },
  {
    name: "notebook rename",
    tool: "notebook",
    field: "name",
    of: "notebook",
    args: (title) => ({ action: "rename", notebook: spare, name: title }),
  },
  {
    name: "notebook set_conf",
    tool: "notebook",
    field: "conf.name",
    of: "notebook",
    args: (title) => ({ action: "set_conf", notebook: spare, conf: { name: title } }),
  },
];
const documents = ways.filter((way) => way.of === "document");
/** A slash in a path is no part of a title. */
const notPaths = ways.filter((way) => way.field !== "path");

const lost = /^(content_would_be_lost|invalid_arguments|invalid_path)$/;

async function refusedBy(those: readonly Way[], title: string): Promise<void> {
  await damage.harmless(async () => {
    for (const way of those) {
      const args = { ...way.args(title), validateOnly: true };
      const error = await client.refused(way.tool, args);
      expect(error.code, `${way.name}: ${error.message}`).toMatch(lost);
      expect(error.fields?.map((entry) => entry.path)).toContain(way.field);
    }
  });
}

describe("refused everywhere", () => {
  const titles: [string, string][] = [
    ["only spaces", "   "],
    ["a space in front", " a"],
    ["a space at the end", "a "],
    ["a tab", "a\tb"],
    ["a line break", "a\nb"],
    ["CRLF", "a\r\nb"],
    ["NUL", "a\u0000b"],
    ["a bell", "a\u0007b"],
    ["DEL", "a\u007fb"],
    ["another control character", "a\u0085b"],
    ["a no-break space", "a\u00a0b"],
    ["a soft hyphen", "a\u00adb"],
    ["a wide space", "a\u2003b"],
    ["a zero-width space", "a\u200bb"],
    ["a line separator", "a\u2028b"],
    ["a turning mark", "a\u202eb"],
    ["a byte order mark", "\ufeffa"],
    ["private use", "a\ue000b"],
    ["a flag of tag characters", "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}"],
    ["513 characters", "é".repeat(513)],
    ["513 emoji", "😀".repeat(513)],
  ];
  it.each(titles)("%s", async (_name, title) => {
    await refusedBy(ways, title);
  });

  it("a slash, in a title", async () => {
    await refusedBy(notPaths, "a/b");
    await refusedBy(notPaths, "</b>");
  });

  it("nothing", async () => {
    await refusedBy(notPaths, "");
  });

  it("the ending of SiYuan's files, of documents", async () => {
    await refusedBy(documents, "a.sy");
    await refusedBy(documents, ".SY");
  });

  it("half of a character pair, before any tool sees it", async () => {
    await damage.harmless(async () => {
      for (const way of ways) {
        const call = { name: way.tool, arguments: { ...way.args("a\ud800b"), validateOnly: true } };
        expect(await (await client.request("tools/call", call)).json()).toMatchObject({ error: { code: -32602 } });
      }
    });
  });
});

describe("stored as asked everywhere", () => {
  const titles: [string, string][] = [
    ["quotes", `"q" 's' \`c\``],
    ["angle brackets", "<b> & &amp; <script>"],
    ["what other systems forbid", 'C:*?"<>|\\'],
    ["emoji", "😀 ❤️"],
    ["emoji made of several characters", "👩‍🚀 🏳️‍🌈"],
    ["512 characters", "é".repeat(512)],
    ["three dots", "..."],
    ["marks of Markdown", '{: id="x"} **b** #t# {{{row'],
    ["marks of secrets and templates", "{{secrets.x}} .action{now}"],
    ["a reference", `((${missing} 'x'))`],
    ["an id", missing],
    ["escapes of addresses", "%2e%2e%2f"],
    ["two spaces", "a  b"],
    ["only a joiner", "\u200d"],
  ];
  it.each(titles)("%s", async (_name, title) => {
    const others = async () => {
      const view = (await world(siyuan)) as Record<string, { documents: Record<string, unknown> } | undefined>;
      const { [`/${renamed}.sy`]: _renamed, ...kept } = view[damage.notebook]?.documents ?? {};
      return { ...view, [spare]: undefined, [damage.notebook]: kept };
    };
    const before = await others();
    const made: string[] = [];
    for (const way of ways) {
      const done = await client.write(way.tool, way.args(title));
      expect(done.safety.transactionState, way.name).toMatch(/^(committed|no_change)$/);
      if (way.of === "notebook") {
        const id = String(done.notebook);
        expect((await world(siyuan))[id]?.name, way.name).toBe(title);
        if (id !== spare) await siyuan.call("/api/notebook/removeNotebook", { notebook: id });
        continue;
      }
      const id = String(done.id ?? renamed);
      const info = await siyuan.data<{ name: string }>("/api/block/getDocInfo", { id });
      expect(info.name, way.name).toBe(title);
      if (id !== renamed) made.push(id);
    }
    // A second one of the same path is refused: the first is found again.
    for (const way of documents.slice(0, 3))
      expect((await client.refused(way.tool, { ...way.args(title), validateOnly: true })).message).toContain("exists");
    for (const id of made) await siyuan.data("/api/filetree/removeDocByID", { id });
    const after = await others();
    for (const path of await parents()) delete (after[damage.notebook] as Record<string, unknown>)[path];
    for (const path of await parents()) delete (before[damage.notebook] as Record<string, unknown>)[path];
    expect(after).toEqual(before);
  });

  /** Made once by the first of the titles. */
  async function parents(): Promise<readonly string[]> {
    const paths = ["/Below", "/Beside"].map((path) =>
      siyuan.data<string[]>("/api/filetree/getIDsByHPath", { notebook: damage.notebook, path }),
    );
    return (await Promise.all(paths)).flat().map((id) => `/${id}.sy`);
  }
});

describe("paths", () => {
  const create = (place: Fields): Fields => ({ action: "create", notebook: damage.notebook, ...place });
  const cases: [string, Fields, string][] = [
    ["eight levels", { path: "/1/2/3/4/5/6/7/8" }, "path"],
    ["eight levels with a title", { parentPath: "/1/2/3/4/5/6/7", title: "8" }, "parentPath"],
    ["nothing", { path: "" }, "path"],
    ["slashes only", { path: "///" }, "path"],
    ["a step up", { path: "/a/../b" }, "path"],
    ["a step nowhere", { parentPath: "/a/.", title: "b" }, "parentPath"],
    ["two dots", { parentPath: "/", title: ".." }, "parentPath"],
    ["an odd parent", { parentPath: "/a\tb", title: "c" }, "parentPath"],
    ["a parent that SiYuan would make twice", { path: "/👩‍🚀/below" }, "path"],
    ["both forms", { path: "/a", title: "b" }, "path"],
    ["a title alone", { title: "b" }, "path"],
    ["a parent alone", { parentPath: "/" }, "title"],
  ];
  it.each(cases)("document create refuses %s and leaves no parents behind", async (_name, place, field) => {
    await damage.harmless(async () => {
      const error = await client.refused("document", { ...create(place), validateOnly: true });
      expect(error.code).toMatch(lost);
      expect(error.fields?.[0]?.path).toBe(field);
    });
  });

  it("fs write refuses the same, and what is no place for a document", async () => {
    await damage.harmless(async () => {
      for (const path of ["1/2/3/4/5/6/7/8", "a/../b", "./b", "..", "", "👩‍🚀/below"]) {
        const args = { action: "write", path: `/${name}/${path}`, markdown: "", validateOnly: true };
        expect((await client.refused("fs", args)).code, path).toMatch(lost);
      }
    });
  });

  it("seven levels are made whole, and nothing else", async () => {
    const before = (await world(siyuan))[damage.notebook]?.documents ?? {};
    const done = await client.write("document", create({ path: "/1/2/3/4/5/6/7" }));
    expect(await siyuan.data("/api/filetree/getHPathByID", { id: done.id })).toBe("/1/2/3/4/5/6/7");
    const after = (await world(siyuan))[damage.notebook]?.documents ?? {};
    const added = Object.keys(after).filter((path) => !(path in before));
    expect(added).toHaveLength(7);
    for (const path of added) delete after[path];
    expect(after).toEqual(before);
  });
});
