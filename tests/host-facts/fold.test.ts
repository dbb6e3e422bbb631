// Facts: what folding and opening leaves on the blocks of a document.
import { describe, expect, test } from "vitest";
import { missing } from "./host.ts";
import { useHost } from "./use-host.ts";

let notebook: string;

const { api } = useHost((made) => {
  notebook = made;
});

/** Letters of folded blocks; a dash for those in a folded section. */
async function folded(doc: string): Promise<string[]> {
  const { dom } = await api.data<{ dom: string }>("block/getBlockDOM", { id: doc });
  const tags = dom.match(/<div [^>]*data-node-id="[^"]*"[^>]*>/g) ?? [];
  return tags
    .filter((tag) => / (?:heading-)?fold="1"/.test(tag))
    .map((tag) => {
      const type = /data-type="Node(\w+)"/.exec(tag)?.[1] ?? "";
      return `${type}${tag.includes(' fold="1"') ? "" : " open"}${tag.includes(' heading-fold="1"') ? " -" : ""}`;
    });
}

describe("foldBlock and unfoldBlock", { timeout: 30_000 }, () => {
  test("a heading marks its section, nested blocks too; opening clears all marks inside", async () => {
    const doc = await api.document(notebook, "# A\n\np\n\n## B\n\n- x\n\n# C");
    const [a, , b] = (await api.children(doc)).map((block) => block.id);
    expect(await api.data("block/foldBlock", { id: b })).toBeNull();
    expect(await folded(doc)).toEqual(["Heading", "List -", "ListItem -", "Paragraph -"]);
    await api.data("block/foldBlock", { id: a });
    expect(await folded(doc)).toEqual(["Heading", "Paragraph -", "Heading -", "List -", "ListItem -", "Paragraph -"]);
    await api.data("block/unfoldBlock", { id: a });
    expect(await folded(doc)).toEqual([]);
  });

  test("opening a heading in a folded section opens that section; another block there only loses its own mark", async () => {
    const doc = await api.document(notebook, "# A\n\np\n\n## B\n\nq\n\n# C");
    const [a, p, b] = (await api.children(doc)).map((block) => block.id);
    await api.data("block/foldBlock", { id: a });
    await api.data("block/unfoldBlock", { id: p });
    expect(await folded(doc)).toEqual(["Heading", "Paragraph open -", "Heading -", "Paragraph -"]);
    await api.data("block/unfoldBlock", { id: b });
    expect(await folded(doc)).toEqual([]);
  });

  test("other blocks fold alone; documents and missing blocks are refused", async () => {
    const doc = await api.document(notebook, "- x\n- y\n\npara");
    const [list, paragraph] = (await api.children(doc)).map((block) => block.id);
    await api.data("block/foldBlock", { id: list });
    await api.data("block/foldBlock", { id: paragraph });
    expect(await folded(doc)).toEqual(["List", "Paragraph"]);
    expect((await api.call("block/foldBlock", { id: doc })).code).toBe(-1);
    expect((await api.call("block/unfoldBlock", { id: doc })).code).toBe(-1);
    expect((await api.call("block/foldBlock", { id: missing })).code).toBe(-1);
  });
});
