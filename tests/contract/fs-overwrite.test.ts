// fs.write with overwrite: another body for a document that stays what and where it is.

import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { countRequests, setFaults } from "./faults.js";
import { credentialsOf } from "./modern-client.js";
import { useScratch } from "./scratch.js";
import { tierName, useTier } from "./tier.js";
import { world } from "./world.js";

const tier = useTier();
const scratch = useScratch(tier);
const { client, siyuan } = scratch;

const updatePath = "/api/block/updateBlock";
let name = "";
let count = 0;
/** A new document and its workspace path. */
const make = async (markdown: string) => {
  const title = `Body ${++count}`;
  const id = await siyuan.data<string>("/api/filetree/createDocWithMd", {
    notebook: scratch.notebook,
    path: `/${title}`,
    markdown,
  });
  return { id, path: `/${name}/${title}`, title };
};
const overwrite = (path: string, markdown: string) => ({ action: "write", path, markdown, overwrite: true });
const texts = async (id: string) => (await siyuan.children(id)).map((block) => block.markdown);
const attributesOf = async (id: string) => {
  const { ial } = await siyuan.data<{ ial: Record<string, string> }>("/api/block/getDocInfo", { id });
  const { updated: _updated, ...rest } = ial;
  return rest;
};
/** The world without the content of one document. */
const besides = async (id: string) => {
  const seen = await world(siyuan);
  const own = seen[scratch.notebook];
  const documents = Object.entries(own?.documents ?? {}).map(([path, view]) => [
    path,
    path === `/${id}.sy` ? { title: view.title } : view,
  ]);
  return { ...seen, [scratch.notebook]: { ...own, documents: Object.fromEntries(documents) } };
};

beforeAll(async () => {
  name = (await world(siyuan))[scratch.notebook]?.name ?? "";
});

describe("a plain document", () => {
  it("gets the new body and keeps title, icon, attributes and sub-documents", async () => {
    const { id, path, title } = await make("old one\n\n- old\n  - list\n\n```\nold code\n```");
    await siyuan.data("/api/filetree/createDocWithMd", {
      notebook: scratch.notebook,
      path: `/${title}/Below`,
      markdown: "sub stays",
    });
    await siyuan.setAttributes(id, { icon: "1f4d4", "custom-kept": 'a "b"', tags: "x,y", memo: "mine" });
    const [attributes, others] = [await attributesOf(id), await besides(id)];
    const preflight = await client.preflight("fs", overwrite(path, "# New\n\n- one\n- two"));
    expect(preflight).toMatchObject({
      preconditionField: "expectedStateHash",
      targetCount: 1,
      preview: { blocksBefore: 3, blocksAfter: 2 },
    });
    const done = await client.ok("fs", { ...overwrite(path, "# New\n\n- one\n- two"), ...credentialsOf(preflight) });
    expect(done).toMatchObject({
      success: true,
      path,
      id,
      overwritten: true,
      blocks: 2,
      safety: { transactionState: "committed" },
    });
    expect(await texts(id)).toEqual(["# New", "- one\n- two"]);
    expect(await attributesOf(id)).toEqual(attributes);
    expect(await besides(id)).toEqual(others);
  });

  const bodies: [string, string, string[]][] = [
    ["no text at all", "", [""]],
    ["front matter", "---\ntitle: 周报\n---\n\n## 一\n\n1. 甲\n    1. 乙\n\n## 二", []],
    ["its own title as heading", "# TITLE\n\nbody", ["body"]],
    ["emoji and CJK", "日本語 👩‍👩‍👧 e\u0301 ｗｉｄｅ\n\n中文", ["日本語 👩‍👩‍👧 e\u0301 ｗｉｄｅ", "中文"]],
    [
      "an embed, a super block and HTML",
      "{{SELECT * FROM blocks WHERE content LIKE '%甲|乙%'}}\n\n<div>\n<b>x</b>\n</div>",
      [],
    ],
    [
      "code that looks like attributes",
      '```text\n{: id="20200101000000-fake000" custom-a="1"}\n{{{row\n((not-a-ref))\n```',
      [],
    ],
    ["a table", "| a | b |\n| --- | --- |\n| x\\|y | `c` |", []],
    ["attributes of its own", 'text\n{: custom-a="1" memo="m"}', ["text"]],
  ];
  it.each(bodies)("takes %s, and a second time too", async (_name, body, expected) => {
    const { id, path, title } = await make("old");
    const markdown = body.replace("TITLE", title);
    const others = await besides(id);
    for (let round = 0; round < 2; round++) {
      const { id: beforeId } = (await siyuan.children(id))[0] ?? { id: "" };
      // What cannot be overwritten goes first.
      if (/\{\{|custom-/.test(markdown) && round === 1) await siyuan.update(id, "plain again");
      const done = await client.write("fs", overwrite(path, markdown));
      expect(done.safety.transactionState).toBe("committed");
      const stored = await siyuan.children(id);
      expect(stored.map((block) => block.id)).not.toContain(beforeId);
      if (expected.length > 0) expect(stored.map((block) => block.markdown ?? "")).toEqual(expected);
      else expect(stored.length).toBeGreaterThan(0);
    }
    const code = await siyuan.dom(id);
    if (markdown.includes("```text")) expect(code).toContain("fake000");
    if (markdown.includes("SELECT")) expect(code).toContain("%甲|乙%");
    expect(await besides(id)).toEqual(others);
  });

  it("of 600 blocks becomes one of 500, never seen in between", async () => {
    const lines = (word: string, length: number) => Array.from({ length }, (_, index) => `${word} ${index}`);
    const { id, path } = await make(lines("old", 600).join("\n\n"));
    const call = overwrite(path, lines("new", 500).join("\n\n"));
    const credentials = credentialsOf(await client.preflight("fs", call));
    const seen = new Set<string>();
    let running = true;
    const watch = (async () => {
      while (running) {
        const now = await texts(id);
        seen.add(`${now.length} ${now[0]}`);
      }
    })();
    await client.ok("fs", { ...call, ...credentials });
    running = false;
    await watch;
    expect(await texts(id)).toEqual(lines("new", 500));
    expect(Array.from(seen).filter((state) => state !== "600 old 0" && state !== "500 new 0")).toEqual([]);
  }, 60_000);

  it("replays without writing again", async () => {
    const { id, path } = await make("old");
    const call = { ...overwrite(path, "new"), ...credentialsOf(await client.preflight("fs", overwrite(path, "new"))) };
    const first = await client.ok("fs", call);
    const [block] = await siyuan.children(id);
    expect(await client.ok("fs", call)).toMatchObject({ id: first.id, overwritten: true, safety: { replayed: true } });
    expect((await siyuan.children(id))[0]?.id).toBe(block?.id);
    expect((await client.refused("fs", { ...call, markdown: "other" })).code).toBe("idempotency_conflict");
  });
});

describe("what would be lost is refused", () => {
  const native: [string, string][] = [
    ["a super block", "{{{row\nx\n\ny\n}}}"],
    ["an embed", "{{SELECT * FROM blocks}}"],
    ["HTML", "<div>x</div>"],
    ["an iframe", '<iframe src="https://example.org"></iframe>'],
    ["a video", '<video src="a.mp4"></video>'],
    ["an audio", '<audio src="a.mp3"></audio>'],
    ["a widget", '<iframe data-subtype="widget" src="/widgets/x"></iframe>'],
    ["an embed deep inside", "> - x\n>\n>   - {{SELECT * FROM blocks}}"],
  ];
  it.each(native)("%s", async (_name, markdown) => {
    const { id, path } = await make(`plain\n\n${markdown}`);
    const before = await world(siyuan);
    const error = await client.refused("fs", { ...overwrite(path, "new"), validateOnly: true });
    expect(error).toMatchObject({
      type: "complex_blocks_not_supported_by_fs",
      code: "complex_blocks_not_supported_by_fs",
      fields: [{ path: "overwrite" }],
    });
    const [, block] = await siyuan.children(id);
    if (!markdown.startsWith(">")) expect(error.blocks).toMatchObject([{ id: block?.id }]);
    expect(await world(siyuan)).toEqual(before);
  });

  it("a database", async () => {
    const { path, id } = await make("plain");
    const dom = `<div data-node-id="20260101000000-dbblock" data-type="NodeAttributeView" data-av-id="20260101000000-dbviews" data-av-type="table" class="av"><div spellcheck="true"></div><div class="protyle-attr" contenteditable="false"></div></div>`;
    await siyuan.data("/api/block/appendBlock", { parentID: id, dataType: "dom", data: dom });
    expect((await client.refused("fs", { ...overwrite(path, "new"), validateOnly: true })).code).toBe(
      "complex_blocks_not_supported_by_fs",
    );
  });

  it.each(["name", "alias", "memo", "bookmark", "style", "custom-status"])(
    "an attribute %s set just now",
    async (attribute) => {
      const { id, path } = await make("plain\n\n- a\n  - deep");
      const [, list] = await siyuan.children(id);
      const [item] = await siyuan.children(list?.id ?? "");
      await siyuan.setAttributes(item?.id ?? "", { [attribute]: "color:red" });
      const error = await client.refused("fs", { ...overwrite(path, "new"), validateOnly: true });
      expect(error).toMatchObject({
        type: "structured_assets_overwrite_rejected",
        blocks: [{ id: item?.id, reason: attribute }],
      });
      expect(await siyuan.dom(item?.id ?? "")).toContain("color:red");
    },
  );

  it("a block that another document refers to since a moment ago, and one referred to from inside", async () => {
    const { id, path } = await make("target words\n\n- inner");
    const [block, list] = await siyuan.children(id);
    const holder = await scratch.document(`see ((${block?.id} "there"))`);
    const error = await client.refused("fs", { ...overwrite(path, "new"), validateOnly: true });
    expect(error).toMatchObject({ type: "structured_assets_overwrite_rejected", blocks: [{ id: block?.id }] });
    expect(error.message).toContain(holder.blocks[0]);
    await siyuan.update(holder.blocks[0] ?? "", "no more");
    await siyuan.data("/api/block/appendBlock", {
      parentID: id,
      dataType: "markdown",
      data: `back to ((${list?.id} 'list'))`,
    });
    expect((await client.refused("fs", { ...overwrite(path, "new"), validateOnly: true })).code).toBe(
      "structured_assets_overwrite_rejected",
    );
  });

  it("but not where only the document itself is referred to", async () => {
    const { id, path } = await make("target words");
    const holder = await scratch.document(`see ((${id} "there"))`);
    const before = await siyuan.dom(holder.id);
    await client.write("fs", overwrite(path, `mine, see ((${id} "me"))`));
    expect(await siyuan.dom(holder.id)).toBe(before);
    expect(await siyuan.dom(id)).toContain(`data-id="${id}"`);
  });

  const bad: [string, (document: { id: string; path: string; block: string }) => object, string, string][] = [
    [
      "a reference to a block of the old body",
      ({ block }) => ({ markdown: `((${block} "x"))` }),
      "missing_reference",
      "markdown",
    ],
    ["a reference to nothing", () => ({ markdown: "((20200101000000-zzzzzzz 'x'))" }), "missing_reference", "markdown"],
    [
      "the id of a live block",
      ({ block }) => ({ markdown: `x\n{: id="${block}"}` }),
      "content_would_be_lost",
      "markdown",
    ],
    ["markdown that is no text", () => ({ markdown: 7 }), "invalid_arguments", "markdown"],
    ["no markdown", () => ({ markdown: undefined }), "invalid_arguments", "markdown"],
    ["overwrite as a word", () => ({ overwrite: "yes" }), "invalid_arguments", "overwrite"],
    ["an unknown field", () => ({ force: true }), "invalid_arguments", "force"],
    ["a missing document", ({ path }) => ({ path: `${path} not there` }), "document_not_found", "path"],
    ["the notebook", () => ({ path: `/${name}` }), "invalid_path", "path"],
    ["a virtual file", () => ({ path: "/USER_RULES.md" }), "invalid_path", "path"],
    ["a path with ..", () => ({ path: "/a/../b" }), "invalid_path", "path"],
  ];
  it.each(bad)("%s", async (_name, change, code, field) => {
    const document = await make("plain");
    const block = (await siyuan.children(document.id))[0]?.id ?? "";
    const before = await world(siyuan);
    const args = { ...overwrite(document.path, "new"), validateOnly: true, ...change({ ...document, block }) };
    expect(await client.refused("fs", args)).toMatchObject({ code, fields: [{ path: field }] });
    expect(await world(siyuan)).toEqual(before);
  });

  it("two documents of one path", async () => {
    const { path, title } = await make("one");
    await siyuan.data("/api/filetree/createDocWithMd", {
      notebook: scratch.notebook,
      path: `/${title}`,
      markdown: "two",
    });
    expect((await client.refused("fs", { ...overwrite(path, "new"), validateOnly: true })).code).toBe("ambiguous_path");
  });
});

describe("between preflight and commit", () => {
  const changes: [string, (document: { id: string; block: string; title: string }) => Promise<unknown>][] = [
    ["an edit", ({ block }) => siyuan.update(block, "edited by hand")],
    ["an attribute on a block", ({ block }) => siyuan.setAttributes(block, { memo: "fresh" })],
    ["an icon", ({ id }) => siyuan.setAttributes(id, { icon: "1f600" })],
    ["a reference to one of its blocks", ({ block }) => scratch.document(`((${block} "x"))`)],
    ["another title", ({ id, title }) => siyuan.data("/api/filetree/renameDocByID", { id, title: `${title} moved` })],
    ["its removal", ({ id }) => siyuan.data("/api/filetree/removeDocByID", { id })],
  ];
  it.each(changes)("%s is state_changed, and nothing is written", async (_name, change) => {
    const document = await make("plain\n\nother");
    const block = (await siyuan.children(document.id))[0]?.id ?? "";
    const call = overwrite(document.path, "new");
    const credentials = credentialsOf(await client.preflight("fs", call));
    await change({ ...document, block });
    const before = await world(siyuan);
    expect((await client.refused("fs", { ...call, ...credentials })).code).toBe("state_changed");
    expect(await world(siyuan)).toEqual(before);
  });

  it("the hash and the id are both needed, and belong to these arguments", async () => {
    const { path, id } = await make("plain");
    const call = overwrite(path, "new");
    const credentials = credentialsOf(await client.preflight("fs", call)) as Record<string, string>;
    const { expectedStateHash: _hash, ...onlyId } = credentials;
    expect((await client.refused("fs", { ...call, ...onlyId })).code).toBe("precondition_required");
    expect((await client.refused("fs", { ...call, ...credentials, markdown: "else" })).code).toBe(
      "preflight_lease_invalid",
    );
    expect((await client.refused("fs", { ...call, ...credentials, overwrite: false })).code).not.toBe("internal_error");
    expect(await texts(id)).toEqual(["plain"]);
  });

  it("needs rw", async () => {
    const other = (
      await siyuan.data<{ notebook: { id: string } }>("/api/notebook/createNotebook", { name: "reading only" })
    ).notebook.id;
    try {
      const id = await siyuan.data<string>("/api/filetree/createDocWithMd", {
        notebook: other,
        path: "/Kept",
        markdown: "kept",
      });
      const call = overwrite("/reading only/Kept", "new");
      await scratch.setPermission(other, "rw");
      const credentials = credentialsOf(await client.preflight("fs", call));
      await scratch.setPermission(other, "r");
      expect((await client.refused("fs", { ...call, validateOnly: true })).code).toBe("permission_denied");
      expect((await client.refused("fs", { ...call, ...credentials })).code).toBe("permission_denied");
      expect(await texts(id)).toEqual(["kept"]);
    } finally {
      await siyuan.call("/api/notebook/removeNotebook", { notebook: other });
    }
  }, 20_000);
});

describe.skipIf(tierName === "live")("faults", () => {
  afterEach(() => setFaults(siyuan, []));

  const lies: ["lost-answer" | "http-500" | "null-data" | "no-effect", string, string][] = [
    ["lost-answer", "outcome_unknown", "new"],
    ["http-500", "outcome_unknown", "plain"],
    ["null-data", "outcome_unknown", "new"],
    ["no-effect", "readback_mismatch", "plain"],
  ];
  it.each(lies)("%s is unknown, and never sent again", async (kind, code, content) => {
    const { id, path } = await make("plain");
    const call = { ...overwrite(path, "new"), ...credentialsOf(await client.preflight("fs", overwrite(path, "new"))) };
    await setFaults(siyuan, [{ path: updatePath, kind, times: 1 }]);
    await countRequests(tier);
    expect((await client.refused("fs", call)).code).toBe(code);
    const again = await client.call("fs", call);
    // What the notes hold settles it.
    if (kind === "lost-answer")
      expect(again.structured.safety).toMatchObject({ transactionState: "committed", reconciled: true });
    expect((await countRequests(tier))[updatePath]).toBe(1);
    expect(await texts(id)).toEqual([content]);
  });

  it("a refusal of SiYuan's changed nothing", async () => {
    const { id, path } = await make("plain");
    const call = { ...overwrite(path, "new"), ...credentialsOf(await client.preflight("fs", overwrite(path, "new"))) };
    await setFaults(siyuan, [{ path: updatePath, kind: "code-1", times: 1 }]);
    expect((await client.call("fs", call)).structured).toMatchObject({
      transactionState: "rejected",
      error: { code: "api_error" },
    });
    expect(await texts(id)).toEqual(["plain"]);
  });
});
