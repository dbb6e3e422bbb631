// Ids that name nothing, the wrong thing or are none, at every action that takes one: refused, and nothing is changed.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { missing, useDamage } from "./damage.js";
import type { Fields } from "./modern-client.js";
import { useOwnerSettings } from "./settings.js";
import { useTier } from "./tier.js";

const damage = useDamage(useTier());
const { client, siyuan } = damage;
const settings = useOwnerSettings(siyuan);
const ids = { document: "", paragraph: "", list: "", item: "", heading: "", superBlock: "", closed: "", shut: "" };

beforeAll(async () => {
  await settings.set({
    block: { actions: { delete: true } },
    document: { actions: { remove: true } },
    notebook: { actions: { remove: true, set_permission: true } },
  });
  await damage.setPermission(damage.notebook, "rwd");
  const { id, blocks } = await damage.document("paragraph\n\n- item\n\n# heading\n\n{{{row\nx\n\ny\n}}}");
  const [paragraph = "", list = "", heading = "", superBlock = ""] = blocks;
  const [item] = await siyuan.children(list);
  const made = await siyuan.data<{ notebook: { id: string } }>("/api/notebook/createNotebook", { name: "shut" });
  const shut = made.notebook.id;
  await damage.setPermission(shut, "rwd");
  const inside = { notebook: shut, path: "/d", markdown: "shut" };
  const closed = await siyuan.data<string>("/api/filetree/createDocWithMd", inside);
  const [block] = await siyuan.children(closed);
  await siyuan.data("/api/notebook/closeNotebook", { notebook: shut });
  while ((await siyuan.kramdown(closed)) !== "") await new Promise((resolve) => setTimeout(resolve, 50));
  Object.assign(ids, { document: id, paragraph, list, item: item?.id, heading, superBlock, closed: block?.id, shut });
}, 30_000);
afterAll(() => siyuan.call("/api/notebook/removeNotebook", { notebook: ids.shut }), 30_000);

interface Way {
  readonly name: string;
  readonly tool: string;
  readonly field: string;
  args(id: string): Fields;
  readonly of: "block" | "container" | "any" | "document" | "notebook" | "open notebook";
}

const markdown = { dataType: "markdown", data: "x" };
const way = (tool: string, action: string, field: string, of: Way["of"], args: (id: string) => Fields): Way => ({
  name: `${tool} ${action} ${field}`,
  tool,
  field,
  of,
  args: (id) => ({ action, ...args(id) }),
});

const writes: readonly Way[] = [
  way("block", "update", "id", "block", (id) => ({ id, ...markdown })),
  way("block", "update", "items.1.id", "block", (id) => ({
    items: [
      { id: ids.paragraph, ...markdown },
      { id, ...markdown },
    ],
  })),
  way("block", "append", "parentID", "container", (parentID) => ({ parentID, ...markdown })),
  way("block", "prepend", "parentID", "container", (parentID) => ({ parentID, ...markdown })),
  way("block", "insert", "parentID", "container", (parentID) => ({ parentID, ...markdown })),
  way("block", "insert", "nextID", "block", (nextID) => ({ nextID, ...markdown })),
  way("block", "insert", "previousID", "block", (previousID) => ({ previousID, ...markdown })),
  way("block", "insert", "blocks.1.previousID", "block", (previousID) => ({
    nextID: ids.paragraph,
    blocks: [markdown, { previousID, ...markdown }],
  })),
  way("block", "delete", "id", "block", (id) => ({ id })),
  way("block", "set_attrs", "id", "any", (id) => ({ id, attrs: { memo: "x" } })),
  way("document", "rename", "id", "document", (id) => ({ id, title: "x" })),
  way("document", "set_attr", "id", "document", (id) => ({ id, attrs: { icon: "1f4d4" } })),
  way("document", "remove", "id", "document", (id) => ({ id })),
  way("document", "create", "notebook", "open notebook", (notebook) => ({ notebook, path: "/x" })),
  way("document", "rename", "notebook", "open notebook", (notebook) => ({
    notebook,
    path: `/${ids.document}.sy`,
    title: "x",
  })),
  way("notebook", "rename", "notebook", "open notebook", (notebook) => ({ notebook, name: "x" })),
  way("notebook", "set_conf", "notebook", "notebook", (notebook) => ({ notebook, conf: { sortMode: 6 } })),
  way("notebook", "set_icon", "notebook", "notebook", (notebook) => ({ notebook, icon: "1f4d4" })),
  way("notebook", "set_open_state", "notebook", "notebook", (notebook) => ({ notebook, opened: false })),
  way("notebook", "set_permission", "notebook", "notebook", (notebook) => ({ notebook, permission: "r" })),
  way("notebook", "remove", "notebook", "notebook", (notebook) => ({ notebook })),
];

const reads: readonly Way[] = [
  ...["get_attrs", "get_children", "get_kramdown", "info", "breadcrumb", "dom", "docs_info", "word_count"].map(
    (action) => way("block", action, "id", "any", (id) => ({ id })),
  ),
  ...["docs_info", "word_count"].map((action) =>
    way("block", action, "ids.1", "any", (id) => ({ ids: [ids.list, id] })),
  ),
  ...["get_doc", "get_child_blocks", "get_child_docs", "lookup"].map((action) =>
    way("document", action, "id", "document", (id) => ({ id })),
  ),
  way("document", "lookup", "notebook", "open notebook", (notebook) => ({ notebook, hpath: "/x" })),
  way("document", "list_tree", "notebook", "open notebook", (notebook) => ({ notebook, path: "/" })),
  way("document", "search_docs", "notebook", "open notebook", (notebook) => ({ notebook, query: "x" })),
  way("notebook", "get_conf", "notebook", "notebook", (notebook) => ({ notebook })),
  way("notebook", "get_permissions", "notebook", "notebook", (notebook) => ({ notebook })),
  way("notebook", "get_child_docs", "notebook", "open notebook", (notebook) => ({ notebook })),
];

const malformed = [
  "",
  " ",
  "zz",
  "/",
  "..",
  "20200101000000-ZZZZZZZ",
  "20200101000000-zzzzzz",
  "20200101000000-zzzzzzzz",
  "2020010100000x-zzzzzzz",
  ` ${missing}`,
  `${missing}\n`,
  `${missing}.sy`,
  `${missing}\u0000`,
  "２０２００１０１００００００-zzzzzzz",
];

/** Refused as a preflight; the code and the fields named. */
async function refusal({ tool, args }: Way, id: string, isWrite: boolean) {
  const error = await client.refused(tool, { ...args(id), ...(isWrite ? { validateOnly: true } : {}) });
  return { code: error.code, fields: (error.fields ?? []).map(({ path }) => path), message: error.message };
}

describe.each([
  ["writes", writes, true],
  ["reads", reads, false],
] as const)("%s", (_kind, ways, isWrite) => {
  it.each(ways.map((one) => [one.name, one] as const))("%s", async (_name, one) => {
    await damage.harmless(async () => {
      for (const id of malformed) {
        const { code, fields, message } = await refusal(one, id, isWrite);
        expect(code, `${JSON.stringify(id)}: ${message}`).toBe("invalid_arguments");
        expect(fields, message).toContain(one.field);
      }
      for (const id of [null, 7, [], {}])
        expect((await refusal(one, id as never, isWrite)).code).toBe("invalid_arguments");
      for (const [id, expected] of wellFormed(one)) {
        const { code, message } = await refusal(one, id, isWrite);
        expect(code, `${id}: ${message}`).toMatch(expected);
      }
    });
  });
});

/** Ids of the right form that name nothing, or something else than is meant. */
function wellFormed({ of }: Way): readonly (readonly [id: string, code: RegExp])[] {
  if (of === "notebook")
    return [
      [missing, /^notebook_not_found$/],
      [ids.document, /^notebook_not_found$/],
    ];
  if (of === "open notebook") return [...wellFormed({ of: "notebook" } as Way), [ids.shut, /^notebook_closed$/]];
  const kind = of === "document" ? "document" : "block";
  const common = [missing, damage.notebook].map((id) => [id, new RegExp(`^${kind}_not_found$`)] as const);
  const closed = [ids.closed, /^(?:block_not_found|document_not_found|notebook_closed)$/] as const;
  const wrong = (those: readonly string[], code: RegExp) => those.map((id) => [id, code] as const);
  const others = {
    any: [],
    block: wrong([ids.document], /^not_a_block$/),
    container: wrong([ids.list, ids.heading, ids.paragraph], /^invalid_arguments$/),
    document: wrong([ids.paragraph, ids.item], /^not_a_document$/),
  };
  return [...common, closed, ...others[of]];
}

describe("containers that SiYuan would take content apart in", () => {
  it("several blocks at the start of a super block or a list item are refused, one is written whole", async () => {
    await damage.harmless(async () => {
      for (const parentID of [ids.superBlock, ids.item])
        await damage.refuses(
          { tool: "block", args: { action: "insert", parentID, dataType: "markdown", data: "one\n\ntwo" } },
          { code: "several_blocks", field: "data" },
        );
    });
    const before = await damage.shown(ids.superBlock);
    await client.write("block", { action: "insert", parentID: ids.superBlock, ...markdown });
    await client.write("block", { action: "append", parentID: ids.superBlock, dataType: "markdown", data: "1\n\n2" });
    await client.write("block", { action: "prepend", parentID: ids.superBlock, dataType: "markdown", data: "3\n\n4" });
    const after = await damage.shown(ids.superBlock);
    expect(after.map(({ markdown: text }) => text)).toEqual(["3", "4", "x", "x", "y", "1", "2"]);
    expect(after.slice(3, 5)).toEqual(before);
  });
});
