// Facts: copies of documents, headings that become documents, documents that become headings.
import { describe, expect, test } from "vitest";
import { missing } from "./host.ts";
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
  const body = { notebook, path, sort: 6, maxListCount: -1 };
  return (await api.data<{ files: Listed[] }>("filetree/listDocsByPath", body)).files;
}
const texts = async (id: string) => (await api.children(id)).map((block) => block.markdown ?? "");
const ids = async (id: string) => (await api.children(id)).map((block) => block.id);
const typeOf = async (id: string) =>
  (await api.data<Record<string, { type: string }>>("block/getBlockTreeInfos", { ids: [id] }))[id]?.type;
const toDocument = (srcHeadingID: string | undefined, more: object) =>
  api.call("filetree/heading2Doc", { srcHeadingID, targetNoteBook: notebook, ...more });
const toHeading = (srcID: string, targetID: string | undefined, after = true) =>
  api.call<{ srcTreePath: string }>("filetree/doc2Heading", { srcID, targetID, after });

describe("duplicateDoc", { timeout: 30_000 }, () => {
  test("copies blocks under new ids behind the original and numbers the folder anew", async () => {
    const id = await api.document(notebook, "one\n\ntwo", "/Original");
    const [first] = await ids(id);
    await api.data("block/appendBlock", {
      parentID: id,
      dataType: "markdown",
      data: `((${first} "in")) ((${id} "self"))`,
    });
    await api.data("attr/setBlockAttrs", { id: first, attrs: { "custom-k": "v" } });
    const copy = await api.data<{ id: string; hPath: string }>("filetree/duplicateDoc", { id });
    const order = await list();
    expect(order.map((entry) => entry.sort)).toEqual(order.map((_, index) => index));
    const at = order.findIndex((entry) => entry.id === id);
    expect(order[at + 1]).toMatchObject({ id: copy.id, name: expect.stringMatching(/^Original \(Duplicated /) });
    expect(copy.hPath).toMatch(/^\/Original {2}\(Duplicated /);
    const kramdown = await api.kramdown(copy.id);
    const [copied] = await ids(copy.id);
    expect(kramdown).toContain(`((${copied} "in"))`);
    expect(kramdown).toContain(`((${id} "self"))`);
    expect(kramdown).toContain('custom-k="v"');
    expect((await api.call("filetree/duplicateDoc", { id: missing })).code).toBe(-1);
  });
});

describe("heading2Doc", { timeout: 30_000 }, () => {
  test("the section becomes a document with the heading's id; its highest heading is on level two", async () => {
    const source = await api.document(notebook, "a\n\n# T & <u\n\nb\n\n### C\n\n#### D\n\n# E", "/Source");
    const [, heading] = await ids(source);
    await api.data("attr/setBlockAttrs", { id: heading, attrs: { memo: "m" } });
    await api.data("block/foldBlock", { id: heading });
    expect((await toDocument(heading, { targetPath: "/" })).code).toBe(0);
    expect(await typeOf(String(heading))).toBe("NodeDocument");
    expect(await texts(String(heading))).toEqual(["b", "## C", "### D"]);
    expect(await texts(source)).toEqual(["a", "# E"]);
    const { name, ial } = await api.data<{ name: string; ial: Record<string, string> }>("block/getDocInfo", {
      id: heading,
    });
    // The title is escaped as HTML.
    expect(name).toBe("T &amp; &lt;u");
    expect(ial.memo).toBe("m");
    expect(await api.dom(String(heading))).not.toContain("fold=");
  });

  test("previousPath wins over targetPath; a wrong place is refused; any block is taken for a heading", async () => {
    const parent = await api.document(notebook, "x", "/Parent");
    const inner = await api.document(notebook, "x", "/Parent/Inner");
    const source = await api.document(notebook, "# H\n\np\n\nq", "/Blocks");
    const [heading] = await ids(source);
    expect((await toDocument(heading, { targetPath: `/${missing}.sy` })).code).toBe(-1);
    expect((await toDocument(heading, {})).code).toBe(-1);
    expect((await toDocument(missing, { targetPath: "/" })).code).toBe(-1);
    await toDocument(heading, { targetPath: "/", previousPath: `/${parent}/${inner}.sy` });
    expect((await list(`/${parent}.sy`)).map((entry) => entry.id)).toEqual([inner, heading]);
    const blocks = await api.document(notebook, "p\n\nq\n\nr", "/Paragraphs");
    const [, second, third] = await ids(blocks);
    expect((await toDocument(second, { targetPath: "/" })).code).toBe(0);
    expect(await ids(String(second))).toEqual([third]);
  });

  test("renameDoc refuses a path without a document; renameDocByID renames the document of a block", async () => {
    const source = await api.document(notebook, "# H", "/Renamed");
    const [heading] = await ids(source);
    const rename = (path: string) => api.call("filetree/renameDoc", { notebook, path, title: "Other" });
    expect((await rename(`/${heading}.sy`)).code).toBe(-1);
    expect((await rename(`/${source}.sy`)).code).toBe(0);
    await api.data("filetree/renameDocByID", { id: heading, title: "By a block" });
    expect((await list()).find((entry) => entry.id === source)?.name).toBe("By a block");
  });
});

describe("doc2Heading", { timeout: 30_000 }, () => {
  test("the document stands behind the target, one level below the heading above, with its blocks", async () => {
    const target = await api.document(notebook, "# A\n\np\n\nq", "/Target");
    const [, p, q] = await ids(target);
    const source = await api.document(notebook, "x\n\n# B\n\n### C", "/Moved");
    await api.data("attr/setBlockAttrs", { id: source, attrs: { memo: "m", tags: "t,u v" } });
    const blocks = await ids(source);
    expect((await toHeading(source, p)).data.srcTreePath).toBe(`/${source}.sy`);
    expect(await texts(target)).toEqual(["# A", "p", "## Moved", "#t# #u v#", "x", "### B", "##### C", "q"]);
    expect((await ids(target)).filter((id) => blocks.includes(id))).toEqual(blocks);
    expect(await api.kramdown(source)).toContain('memo="m"');
    expect((await list()).some((entry) => entry.id === source)).toBe(false);
    expect((await ids(target)).at(-1)).toBe(q);
  });

  test("beside a heading it stands behind the section on the same level; in a list item at its end", async () => {
    const target = await api.document(notebook, "## A\n\np\n\n# B\n\n- x", "/Places");
    const [a, , , holder] = await ids(target);
    const one = await api.document(notebook, "x", "/One");
    await toHeading(one, a);
    expect((await texts(target)).slice(0, 4)).toEqual(["## A", "p", "## One", "x"]);
    const [item] = await ids(String(holder));
    const two = await api.document(notebook, "y", "/Two");
    await toHeading(two, item);
    expect(await texts(String(item))).toEqual(["x", "# Two", "y"]);
  });

  test("a missing target is a silent nothing, sub-documents are refused, a document as target loses the source", async () => {
    const target = await api.document(notebook, "p", "/Other target");
    const [p] = await ids(target);
    const source = await api.document(notebook, "x", "/Kept");
    expect((await toHeading(source, missing)).data.srcTreePath).toBe("");
    expect(await typeOf(source)).toBe("NodeDocument");
    await api.document(notebook, "x", "/Kept/Child");
    expect((await toHeading(source, p)).code).toBe(-1);
    const lost = await api.document(notebook, "lost words", "/Lost");
    expect((await toHeading(lost, target)).code).toBe(0);
    expect((await list()).some((entry) => entry.id === lost)).toBe(false);
    expect(await api.kramdown(target)).not.toContain("lost words");
  });
});
