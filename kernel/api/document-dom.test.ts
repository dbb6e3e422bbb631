// A document's DOM cut at its top-level blocks: the same cuts as a scan of every tag, and equal forms for equal content.

import { describe, expect, it } from "vitest";
import { documentParts } from "./document-dom.js";
import { topLevelNodes } from "./dom.js";

let pauses = 0;
const pause = async () => {
  pauses++;
};

const paragraph = (id: string, text: string, index = 0, extra = "") =>
  `<div data-node-id="${id}"${index > 0 ? ` data-node-index="${index}"` : ""} data-type="NodeParagraph" class="p"${extra} updated="20260101000000"><div contenteditable="true">${text}</div><div class="protyle-attr" contenteditable="false">\u200b</div></div>`;
const a = "20260101000000-aaaaaaa";
const b = "20260101000000-bbbbbbb";
const c = "20260101000000-ccccccc";

describe("the parts of a document", () => {
  it("are the nodes that a full scan finds, with the blocks inside them", async () => {
    const quote = `<div data-node-id="${b}" data-node-index="2" data-type="NodeBlockquote" class="bq">${paragraph(c, "in <b>it</b>")}</div>`;
    const dom = paragraph(a, "one", 1) + quote + paragraph("20260101000000-ddddddd", "日本語 😀", 3);
    const parts = await documentParts(dom, pause);
    expect(parts.map(({ id, dom: html }) => [id, html])).toEqual(
      topLevelNodes(dom).nodes.map(({ id, html }) => [id, html]),
    );
    expect(parts.map(({ blocks }) => blocks.map(({ type }) => type))).toEqual([
      ["NodeParagraph"],
      ["NodeBlockquote", "NodeParagraph"],
      ["NodeParagraph"],
    ]);
  });

  it("are not deceived by text that looks like a block's tag", async () => {
    const text = `<span data-type="code">\u200b data-node-id="${c}" data-node-id="x"</span> and data-node-id=&quot;q&quot;`;
    const dom = paragraph(a, text, 1) + paragraph(b, "two", 2);
    const parts = await documentParts(dom, pause);
    expect(parts.map(({ id }) => id)).toEqual([a, b]);
    expect(parts[0]?.blocks).toHaveLength(1);
    expect(parts[0]?.form).toContain(text);
  });

  it("have one form whatever the order of attributes, and another for any other content", async () => {
    const form = async (dom: string) => (await documentParts(dom, pause)).map((part) => part.form).join("");
    const plain = await form(paragraph(a, "x", 1, ' memo="m &gt; n" name="n"'));
    expect(
      await form(paragraph(a, "x", 4, ' name="n" memo="m &gt; n"').replace('20260101000000"', '20270101000000"')),
    ).toBe(plain);
    expect(await form(paragraph(a, "x", 1, ' memo="m &gt; o" name="n"'))).not.toBe(plain);
    expect(await form(paragraph(a, "y", 1, ' memo="m &gt; n" name="n"'))).not.toBe(plain);
    expect(await form(paragraph(b, "x", 1, ' memo="m &gt; n" name="n"'))).not.toBe(plain);
    expect(await form(paragraph(a, "x", 1) + paragraph(b, "y", 2))).not.toBe(
      await form(paragraph(b, "y", 1) + paragraph(a, "x", 2)),
    );
  });

  it("are none for no document, and are cut with pauses", async () => {
    expect(await documentParts("", pause)).toEqual([]);
    pauses = 0;
    const ids = Array.from({ length: 600 }, (_, index) => `20260101000000-${String(index).padStart(7, "0")}`);
    const parts = await documentParts(ids.map((id, index) => paragraph(id, "x", index + 1)).join(""), pause);
    expect(parts.map(({ id }) => id)).toEqual(ids);
    expect(pauses).toBeGreaterThanOrEqual(2);
  });
});
