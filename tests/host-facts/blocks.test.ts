// Facts: what a block looks like after a write, and what a write loses.
import { describe, expect, test } from "vitest";
import { firstOperation, lastLineNames, missing, type WriteAnswer } from "./host.ts";
import { useHost } from "./use-host.ts";

let notebook: string;

const { api } = useHost((made) => {
  notebook = made;
});

const markdown = (data: string) => ({ dataType: "markdown", data });
const update = (id: string, data: string) => api.call<WriteAnswer[]>("block/updateBlock", { ...markdown(data), id });

async function firstChild(doc: string): Promise<string> {
  return (await api.children(doc))[0]?.id as string;
}

/** A document with one block that has attributes. */
async function decorated(text = "text"): Promise<{ doc: string; id: string }> {
  const doc = await api.document(notebook, text);
  const id = await firstChild(doc);
  const attrs = { name: "n", alias: "a", memo: 'two\nlines & "quotes"', bookmark: "b", "custom-x": "{1}" };
  await api.data("attr/setBlockAttrs", { id, attrs });
  return { doc, id };
}

/** Block DOM without what differs between reads and hosts: stamps, positions, attribute order. */
function comparable(dom: string): string {
  return dom
    .replace(/ data-node-index="\d+"/g, "")
    .replace(/ updated="\d+"/g, "")
    .replace(/<(\w+)((?: [\w-]+="[^"]*")+)>/g, (_, tag: string, list: string) => {
      const sorted = [...list.matchAll(/ [\w-]+="[^"]*"/g)].map((match) => match[0]).sort();
      return `<${tag}${sorted.join("")}>`;
    });
}

describe("updateBlock with Markdown", { timeout: 30_000 }, () => {
  test("keeps only the first of several blocks while the echo shows all", async () => {
    const doc = await api.document(notebook, "old");
    const id = await firstChild(doc);
    const answer = await update(id, "one\n\ntwo\n\n- three");
    expect(answer.code).toBe(0);
    expect(firstOperation(answer).data).toContain("two");
    expect(firstOperation(answer).data).toContain(`data-node-id="${id}"`);
    expect(await api.children(doc)).toMatchObject([{ id, markdown: "one" }]);
  });

  test("keeps blank lines of an HTML block that is inserted as DOM, and drops them when it is updated", async () => {
    const doc = await api.document(notebook, "<div>x</div>");
    const id = await firstChild(doc);
    const source = "&lt;div&gt;\n\n&lt;p&gt;甲&lt;/p&gt;\n  \nx&lt;/div&gt;";
    const dom = (await api.dom(id)).replace("&lt;div&gt;x&lt;/div&gt;", source);
    const fresh = dom.replace(id, "20260101000000-htmlfac");
    await api.data("block/appendBlock", { parentID: doc, dataType: "dom", data: fresh });
    const inserted = (await api.children(doc))[1]?.id ?? "";
    expect(await api.dom(inserted)).toContain(source);
    const answer = await api.call<WriteAnswer[]>("block/updateBlock", { id, dataType: "dom", data: dom });
    expect(firstOperation(answer).data).toContain(source);
    expect(await api.dom(id)).toContain("&lt;div&gt;\n&lt;p&gt;甲&lt;/p&gt;\nx&lt;/div&gt;");
    expect(await api.children(doc)).toHaveLength(2);
  });

  test("loses the block's attributes", async () => {
    const { id } = await decorated();
    await update(id, "changed");
    expect(lastLineNames(await api.kramdown(id)).sort()).toEqual(["id", "updated"]);
  });

  test.each([
    "text",
    "# heading",
    "- item",
    "> quote",
    "```js\ncode\n```",
    "$$\nx\n$$",
    "| a | b |\n| - | - |\n| 1 | 2 |",
  ])("keeps the attributes named in an attribute line: %s", async (text) => {
    const { id } = await decorated();
    await update(id, `${text}\n{: name="n" memo="two_esc_newline_lines &amp; &quot;q&quot;" custom-x="&#123;1&#125;"}`);
    const names = lastLineNames(await api.kramdown(id)).filter((name) => name !== "colgroup");
    expect(names.sort()).toEqual(["custom-x", "id", "memo", "name", "updated"]);
    const attrs = await api.data<Record<string, string>>("attr/getBlockAttrs", { id });
    expect(attrs).toMatchObject({ name: "n", memo: 'two\nlines & "q"', "custom-x": "{1}" });
  });

  test("DOM keeps exactly what the outer tag carries, without a new stamp when the old one is sent", async () => {
    const { id } = await decorated("before");
    const dom = await api.dom(id);
    await api.data("block/updateBlock", { dataType: "dom", data: dom.replace(">before<", ">after<"), id });
    expect(comparable(await api.dom(id))).toBe(comparable(dom.replace(">before<", ">after<")));
    expect(/ updated="(\d+)"/.exec(await api.dom(id))?.[1]).toBe(/ updated="(\d+)"/.exec(dom)?.[1]);
  });

  test("names outside the list are dropped, listed ones stay", async () => {
    const doc = await api.document(notebook, "x");
    const id = await firstChild(doc);
    await update(id, 'x\n{: bogus="1" linewrap="true" style="color: red;"}');
    expect(lastLineNames(await api.kramdown(id)).sort()).toEqual(["id", "linewrap", "style", "updated"]);
  });

  test("an empty text leaves an empty paragraph", async () => {
    const doc = await api.document(notebook, "# h");
    const id = await firstChild(doc);
    await update(id, "");
    expect(await api.children(doc)).toMatchObject([{ id, type: "p" }]);
  });

  test("an update of the document replaces its body", async () => {
    const doc = await api.document(notebook, "a\n\nb");
    const answer = await update(doc, "c\n\nd\n\ne");
    expect(answer.code).toBe(0);
    expect((await api.children(doc)).map((child) => child.markdown)).toEqual(["c", "d", "e"]);
  });

  test("children of an updated container get new ids, the old ones become phantoms", async () => {
    const doc = await api.document(notebook, "> inner");
    const quote = await firstChild(doc);
    const inner = await firstChild(quote);
    await update(quote, "> other");
    expect(await api.kramdown(inner)).toBe("");
    expect(await api.data("block/checkBlockExist", { id: inner })).toBe(true);
    const infos = await api.data<Record<string, { type: string }>>("block/getBlockTreeInfos", { ids: [inner] });
    expect(infos[inner]?.type).toBe("");
  });

  test("several updates in one batch are one transaction", async () => {
    const doc = await api.document(notebook, "a\n\nb");
    const [a, b] = await api.children(doc);
    const blocks = [
      { id: a?.id, ...markdown("A") },
      { id: b?.id, ...markdown("B") },
    ];
    expect((await api.call("block/batchUpdateBlock", { blocks })).code).toBe(0);
    expect((await api.children(doc)).map((child) => child.markdown)).toEqual(["A", "B"]);
    expect(await api.call("block/batchUpdateBlock", { blocks: [] })).toMatchObject({
      code: -1,
      msg: "Field [blocks] must not be empty",
    });
  });
});

describe("attribute order", { timeout: 30_000 }, () => {
  test("is random in kramdown at each read", async () => {
    const { id } = await decorated();
    const orders = new Set<string>();
    for (let read = 0; read < 20; read++) orders.add(lastLineNames(await api.kramdown(id)).join());
    expect(orders.size).toBeGreaterThan(1);
  });

  test("is random in DOM too; with sorted attributes every read is the same", async () => {
    const { doc, id } = await decorated();
    const reads: string[] = [];
    for (let read = 0; read < 20; read++) reads.push(await api.dom(id));
    expect(new Set(reads).size).toBeGreaterThan(1);
    expect(new Set(reads.map(comparable)).size).toBe(1);
    expect(comparable(await api.dom(doc))).toBe(comparable(reads[0] as string));
  });
});

describe("references", { timeout: 30_000 }, () => {
  test("to a missing target are emptied on write while the echo still shows them", async () => {
    const doc = await api.document(notebook, "x");
    const answer = await api.call<WriteAnswer[]>("block/appendBlock", {
      ...markdown(`see ((${missing} "anchor"))`),
      parentID: doc,
    });
    const operation = firstOperation(answer);
    expect(operation.data).toContain(`data-id="${missing}"`);
    expect(await api.dom(operation.id)).toContain(
      '<span data-type="block-ref" data-subtype="" data-id="">anchor</span>',
    );
    expect(await api.kramdown(operation.id)).toContain("(( 'anchor'))");
  });

  test("to existing targets and to targets of the same call stay", async () => {
    const doc = await api.document(notebook, "target");
    const target = await firstChild(doc);
    const known = await api.call<WriteAnswer[]>("block/appendBlock", {
      ...markdown(`((${target} "anchor"))`),
      parentID: doc,
    });
    expect(await api.kramdown(firstOperation(known).id)).toContain(`((${target} "anchor"))`);
    const own = "20210203040506-abcdef1";
    const both = `own\n{: id="${own}"}\n\n((${own} "anchor"))`;
    const added = await api.call<WriteAnswer[]>("block/appendBlock", { ...markdown(both), parentID: doc });
    expect(firstOperation(added).id).toBe(own);
    expect(await api.kramdown(doc)).toContain(`((${own} "anchor"))`);
  });
});

describe("dynamic anchors", { timeout: 30_000 }, () => {
  test("follow their target's text at once, static ones never", async () => {
    const doc = await api.document(notebook, "old text");
    const target = await firstChild(doc);
    const other = await api.document(notebook, "x", "/Referring");
    const text = `((${target} 'old text')) and ((${target} "old text"))`;
    const answer = await api.call<WriteAnswer[]>("block/appendBlock", { ...markdown(text), parentID: other });
    await api.data("sqlite/flushTransaction");
    await update(target, "new text");
    const read = async () => (await api.kramdown(firstOperation(answer).id)).split("\n")[0];
    await expect.poll(read, { timeout: 6000 }).toBe(`((${target} 'new text')) and ((${target} "old text"))`);
  });
});

describe("inserting", { timeout: 30_000 }, () => {
  test("order and echo of append, prepend and insert", async () => {
    const doc = await api.document(notebook, "middle");
    const middle = await firstChild(doc);
    const appended = firstOperation(await api.call("block/appendBlock", { ...markdown("a1\n\na2"), parentID: doc }));
    expect(appended).toMatchObject({ action: "insert", parentID: doc, previousID: middle });
    await api.data("block/prependBlock", { ...markdown("p1\n\np2"), parentID: doc });
    await api.data("block/insertBlock", { ...markdown("i1\n\ni2"), previousID: middle });
    await api.data("block/insertBlock", { ...markdown("n1"), nextID: middle });
    const texts = (await api.children(doc)).map((child) => child.markdown);
    expect(texts).toEqual(["p1", "p2", "n1", "middle", "i1", "i2", "a1", "a2"]);
  });

  test("into a list: paragraphs are wrapped, lists are merged", async () => {
    const doc = await api.document(notebook, "- one");
    const list = await firstChild(doc);
    await api.data("block/appendBlock", { ...markdown("two"), parentID: list });
    await api.data("block/appendBlock", { ...markdown("- three\n- four"), parentID: list });
    const items = await api.children(list);
    expect(items.map((item) => item.type)).toEqual(["i", "i", "i", "i"]);
    expect(await api.children(doc)).toHaveLength(1);
  });

  test("a leaf or an unknown parent is refused", async () => {
    const doc = await api.document(notebook, "leaf");
    const leaf = await firstChild(doc);
    expect((await api.call("block/appendBlock", { ...markdown("x"), parentID: leaf })).code).toBe(-1);
    expect(await api.call("block/appendBlock", { ...markdown("x"), parentID: missing })).toMatchObject({
      code: -1,
      msg: `parent block not found: ${missing}`,
    });
    expect(await api.call("block/appendBlock", { ...markdown("x"), parentID: "zz" })).toMatchObject({
      code: -1,
      msg: "invalid ID argument",
    });
  });

  test("the echo equals the DOM read afterwards", async () => {
    const doc = await api.document(notebook, "x");
    const text =
      "# h\n\n- a\n  - b\n- [x] c\n\n> q\n\n> [!NOTE]\n> body\n\n```js\n1\n```\n\n---\n\n{{select 1}}\n\n**b** `c` #t# $x$";
    const answer = await api.call<WriteAnswer[]>("block/appendBlock", { ...markdown(text), parentID: doc });
    const [first, ...rest] = (await api.children(doc)).slice(1);
    const stored = [];
    for (const block of [first, ...rest]) stored.push(comparable(await api.dom(block?.id as string)));
    expect(stored.join("")).toBe(comparable(firstOperation(answer).data));
  });
});

describe("deleting and moving", { timeout: 30_000 }, () => {
  const drained = (doc: string) => api.data("block/getDocInfo", { id: doc });

  test("the last block of a document leaves an empty paragraph", async () => {
    const doc = await api.document(notebook, "only");
    const only = await firstChild(doc);
    await api.data("block/deleteBlock", { id: only });
    await drained(doc);
    const children = await api.children(doc);
    expect(children).toHaveLength(1);
    expect(children[0]).toMatchObject({ type: "p" });
    expect(children[0]?.id).not.toBe(only);
  });

  test("an emptied quote vanishes and stays as a phantom", async () => {
    const doc = await api.document(notebook, "> inner\n\nafter");
    const quote = await firstChild(doc);
    await api.data("block/deleteBlock", { id: await firstChild(quote) });
    await drained(doc);
    expect((await api.children(doc)).map((child) => child.markdown)).toEqual(["after"]);
    expect(await api.data("block/checkBlockExist", { id: quote })).toBe(true);
  });

  test("moveBlock puts a block behind another or first into a container", async () => {
    const doc = await api.document(notebook, "a\n\nb\n\nc\n\n> q");
    const [a, b, c, quote] = await api.children(doc);
    await api.data("block/moveBlock", { id: a?.id, previousID: c?.id });
    expect((await api.children(doc)).map((child) => child.markdown)).toEqual(["b", "c", "a", "> q"]);
    await api.data("block/moveBlock", { id: b?.id, parentID: quote?.id });
    expect((await api.children(quote?.id as string)).map((child) => child.markdown)).toEqual(["b", "q"]);
    expect(await api.call("block/moveBlock", { id: missing, parentID: doc })).toMatchObject({ code: -1 });
    expect(await api.call("block/moveBlock", { id: a?.id, previousID: "" })).toMatchObject({ code: -1 });
  });
});

describe("attributes", { timeout: 30_000 }, () => {
  test("getBlockAttrs of an unknown block is empty with code 0", async () => {
    expect(await api.call("attr/getBlockAttrs", { id: missing })).toEqual({ code: 0, msg: "", data: {} });
    expect(await api.call("attr/getBlockAttrs", { id: "zz" })).toMatchObject({ code: -1 });
  });

  test("values merge, empty ones remove, stamps stay", async () => {
    const { id } = await decorated();
    const before = await api.data<Record<string, string>>("attr/getBlockAttrs", { id });
    await api.data("attr/setBlockAttrs", { id, attrs: { name: "", memo: null, "custom-Y": " v " } });
    const after = await api.data<Record<string, string>>("attr/getBlockAttrs", { id });
    expect(after).toEqual({
      id,
      alias: "a",
      bookmark: "b",
      "custom-x": "{1}",
      "custom-y": "v",
      updated: before.updated,
    });
  });

  test("bad names, values and ids are refused", async () => {
    const { id } = await decorated();
    const refused = (attrs: object, target = id) => api.call("attr/setBlockAttrs", { id: target, attrs });
    expect(await refused({ "custom-1a": "x" })).toMatchObject({ code: -1 });
    expect(await refused({ memo: 3 })).toMatchObject({ code: -1, msg: "the value of attr [memo] must be a string" });
    expect(await refused({ memo: "x" }, missing)).toMatchObject({ code: -1, msg: "tree not found" });
  });
});

describe("reads of one document", { timeout: 30_000 }, () => {
  const text =
    'para **b** *i*\n{: name="n"}\n\n- a\n\n  - b\n- c\n\n1. x\n2. y\n\n> q\n>\n> > r\n\n{{{row\ns\n\nt\n}}}\n\n| a | b |\n| --- | :-: |\n| 1 | 2 |';

  test("kramdown lays out containers with attribute lines", async () => {
    const doc = await api.document(notebook, text);
    const bare = (await api.kramdown(doc)).replace(/\{: [^}]*\}/g, "{:}");
    expect(bare).toBe(
      "para **b** *i*\n{:}\n\n- {:}a\n  {:}\n\n  - {:}b\n    {:}\n  {:}\n- {:}c\n  {:}\n{:}\n\n1. {:}x\n   {:}\n2. {:}y\n   {:}\n{:}\n\n" +
        "> q\n> {:}\n>\n>> r\n>> {:}\n>>\n> {:}\n>\n{:}\n\n{{{row\ns\n{:}\n\nt\n{:}\n\n}}}\n{:}\n\n|a|b|\n| ---| :-: |\n|1|2|\n{:}\n\n{:}",
    );
    expect(lastLineNames(await api.kramdown(doc)).sort()).toEqual(["id", "title", "type", "updated"]);
  });

  test("positions and unknown ids", async () => {
    const doc = await api.document(notebook, "a\n\nb\n\nc");
    const [a, b, c] = (await api.children(doc)).map((child) => child.id);
    expect(await api.data("block/getBlockRelevantIDs", { id: b })).toEqual({ parentID: doc, previousID: a, nextID: c });
    const infos = await api.data<Record<string, unknown>>("block/getBlockTreeInfos", { ids: [b, missing] });
    expect(infos).toEqual({
      [b as string]: {
        id: b,
        type: "NodeParagraph",
        parentID: doc,
        parentType: "NodeDocument",
        previousID: a,
        previousType: "NodeParagraph",
        nextID: c,
        nextType: "NodeParagraph",
      },
    });
    expect(await api.kramdown(missing)).toBe("");
    expect(await api.dom(missing)).toBe("");
    expect(await api.children(missing)).toEqual([]);
    expect((await api.call("block/getBlockKramdowns", { ids: [a, "zz"] })).data).toBeNull();
    expect(await api.call("block/getBlockRelevantIDs", { id: missing })).toMatchObject({ code: -1 });
  });

  test("md2html tells how many blocks a text makes", async () => {
    const { html } = await api.data<{ html: string }>("lute/md2html", {
      markdown: "a\n\n> b",
      mode: "protyle-preview",
    });
    expect(html.replace(/ (id|updated)="[^"]*"/g, "")).toBe("<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n");
  });
});
