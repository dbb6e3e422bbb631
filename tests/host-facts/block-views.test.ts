// Facts: breadcrumb, document infos, word counts and the list of recent paragraphs.
import { describe, expect, test } from "vitest";
import { missing } from "./host.ts";
import { useHost } from "./use-host.ts";

let notebook: string;

const { api } = useHost((made) => {
  notebook = made;
});

interface Step {
  id: string;
  name: string;
  type: string;
  subType: string;
}

const ids = async (parent: string) => (await api.children(parent)).map((block) => block.id);
const breadcrumb = (id: string) => api.data<Step[]>("block/getBlockBreadcrumb", { id });

describe("getBlockBreadcrumb", { timeout: 30_000 }, () => {
  test("names the headings above and the list items around, escaped, and leaves its own name empty", async () => {
    const doc = await api.document(notebook, "# a < b\n\n- one\n\n  - two");
    const [heading = "", list = ""] = await ids(doc);
    const [item = ""] = await ids(list);
    const [text = ""] = await ids(item);
    expect((await breadcrumb(text)).map(({ id, name, type }) => [id, id === doc ? "" : name, type])).toEqual([
      [doc, "", "NodeDocument"],
      [heading, "a &lt; b", "NodeHeading"],
      [item, "one", "NodeListItem"],
      [text, "", "NodeParagraph"],
    ]);
    expect((await breadcrumb(list)).map((step) => step.id)).toEqual([doc, heading, list]);
    expect(await breadcrumb(doc)).toMatchObject([{ id: doc, name: "", type: "NodeDocument" }]);
  });

  test("is empty for an unknown and for a malformed id", async () => {
    expect(await breadcrumb(missing)).toEqual([]);
    expect(await breadcrumb("zz")).toEqual([]);
  });
});

describe("getDocsInfo", { timeout: 30_000 }, () => {
  test("answers each known id, also twice, and leaves out the others", async () => {
    const doc = await api.document(notebook, "text");
    const [block = ""] = await ids(doc);
    const call = (list: string[]) =>
      api.call<{ id: string; rootID: string }[]>("block/getDocsInfo", { ids: list, refCount: false, av: false });
    expect((await call([doc, block, missing, doc])).data).toMatchObject([
      { id: doc },
      { id: block, rootID: doc, refIDs: null },
      { id: doc },
    ]);
    expect(await call([missing])).toMatchObject({ code: -1 });
  });

  test("answers nothing without its two switches", async () => {
    const doc = await api.document(notebook, "text");
    expect(await api.call("block/getDocsInfo", { ids: [doc] })).toMatchObject({ code: 0, data: null });
  });
});

describe("getBlocksWordCount", { timeout: 30_000 }, () => {
  test("counts Chinese characters singly, links without their address, and unknown ids as blocks", async () => {
    const doc = await api.document(notebook, "para x [l](u) 中文");
    const [block = ""] = await ids(doc);
    const { stat } = await api.data<{ stat: object }>("block/getBlocksWordCount", { ids: [block, missing] });
    expect(stat).toEqual({ runeCount: 8, wordCount: 5, linkCount: 1, imageCount: 0, refCount: 0, blockCount: 2 });
  });
});

describe("getRecentUpdatedBlocks", { timeout: 30_000 }, () => {
  test("lists at most sixteen paragraphs from the index, with escaped text", async () => {
    const doc = await api.document(notebook, 'recent a < b & "c"');
    const [block = ""] = await ids(doc);
    await api.data("sqlite/flushTransaction");
    const rows =
      await api.data<{ id: string; content: string; type: string; box: string }[]>("block/getRecentUpdatedBlocks");
    expect(rows.length).toBeLessThanOrEqual(16);
    expect(rows.find((row) => row.id === block)).toMatchObject({
      type: "NodeParagraph",
      box: notebook,
      content: "recent a &lt; b &amp; &#34;c&#34;",
    });
  });
});
