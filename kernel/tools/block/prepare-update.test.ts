// What an update sends: the content and the block's own attributes, or a refusal of whatever would be lost.

import { describe, expect, it } from "vitest";
import { SisyphusError } from "../../../shared/errors.js";
import { topLevelNodes, userAttributes } from "../../api/dom.js";
import type { BlockContent } from "../../api/writer.js";
import type { Content } from "./content.js";
import { scanMarkdown } from "./markdown-source.js";
import { prepareUpdate } from "./prepare-update.js";
import { readPreview } from "./preview.js";

const id = "20260101000000-aaaaaaa";
const child = "20260101000001-bbbbbbb";
const foreign = "20260101000002-ccccccc";

const markdown = (text: string, html = `<p>${text}</p>`): Content => ({
  kind: "markdown",
  text,
  source: scanMarkdown(text),
  preview: readPreview(text, html),
});
const dom = (text: string): Content => ({ kind: "dom", text, nodes: topLevelNodes(text).nodes });

const block = (attributes = "", type = "NodeParagraph", inner = "") => ({
  id,
  type,
  dom: `<div data-node-id="${id}" data-type="${type}"${attributes}>${inner}<div class="protyle-attr"></div></div>`,
});
const childBlock = (attributes = "") => `<div data-node-id="${child}" data-type="NodeParagraph"${attributes}>c</div>`;
const list = (text: string, items = 1) => markdown(text, `<ul>${"<li>x</li>".repeat(items)}</ul>`);

type Sent = BlockContent | string;

function sent(content: Content, target: ReturnType<typeof block>): Sent {
  try {
    return prepareUpdate(content, target, "data");
  } catch (thrown) {
    if (!(thrown instanceof SisyphusError)) throw thrown;
    expect(thrown.details.fields?.[0]?.path).toBe("data");
    return thrown.code;
  }
}

const asMarkdown = (data: string): Sent => ({ dataType: "markdown", data });

describe("Markdown", () => {
  const cases: [string, Content, ReturnType<typeof block>, Sent][] = [
    ["a block without attributes", markdown("new"), block(), asMarkdown("new")],
    ["a trailing line end", markdown("new\n"), block(), asMarkdown("new")],
    [
      "attributes travel below",
      markdown("new"),
      block(' memo="m" custom-a="1"'),
      asMarkdown('new\n{: memo="m" custom-a="1"}'),
    ],
    [
      "special characters in attributes",
      markdown("new"),
      block(' memo="a &quot;b&quot; {c}"'),
      asMarkdown('new\n{: memo="a &quot;b&quot; &#123;c&#125;"}'),
    ],
    [
      "its own id line is replaced",
      markdown(`new\n{: id="${id}"}`),
      block(' memo="m"'),
      asMarkdown('new\n{: memo="m"}'),
    ],
    [
      "its own id line, with a line end",
      markdown(`new\n{: id="${id}"}\n`),
      block(' memo="m"'),
      asMarkdown('new\n{: memo="m"}'),
    ],
    [
      "its own line with the same attribute",
      markdown('new\n{: memo="m"}'),
      block(' memo="m"'),
      asMarkdown('new\n{: memo="m"}'),
    ],
    [
      "its own line with the same special characters",
      markdown('new\n{: memo="a &quot;b&quot; &amp;lt; _esc_newline_c"}'),
      block(' memo="a &quot;b&quot; &amp;lt; \nc"'),
      asMarkdown('new\n{: memo="a &quot;b&quot; &amp;lt; _esc_newline_c"}'),
    ],
    ["another attribute", markdown('new\n{: memo="other"}'), block(' memo="m"'), "content_would_be_lost"],
    ["one attribute more", markdown('new\n{: custom-k="v"}'), block(), "content_would_be_lost"],
    ["one attribute more, with a line end", markdown('new\n{: custom-k="v"}\n'), block(), "content_would_be_lost"],
    ["the id of another block", markdown(`new\n{: id="${foreign}"}`), block(), "content_would_be_lost"],
    ["the same id twice", markdown(`- {: id="${id}"}a\n{: id="${id}"}`), block(), "content_would_be_lost"],
    ["several blocks", markdown("a\n\nb", "<p>a</p><p>b</p>"), block(), "several_blocks"],
    ["a database", markdown("new"), block("", "NodeAttributeView"), "content_would_be_lost"],
    [
      "a child with an attribute that is not named",
      markdown("> new"),
      block("", "NodeBlockquote", childBlock(' memo="m"')),
      "content_would_be_lost",
    ],
    [
      "a child with an attribute that is named",
      markdown(`> new\n> {: id="${child}"}\n\n{: id="${id}"}`),
      block("", "NodeBlockquote", childBlock(' memo="m"')),
      asMarkdown(`> new\n> {: id="${child}"}\n`),
    ],
    ["a child without attributes", markdown("> new"), block("", "NodeBlockquote", childBlock()), asMarkdown("> new")],
  ];
  it.each(cases)("%s", (_name, content, target, expected) => {
    expect(sent(content, target)).toEqual(expected);
  });
});

describe("a list item", () => {
  const item = (attributes = "") => block(attributes, "NodeListItem", childBlock());
  const cases: [string, Content, ReturnType<typeof block>, Sent][] = [
    ["a list of one item", list("- new"), item(), asMarkdown("- new")],
    ["attributes stand behind the mark", list("- new"), item(' custom-a="1"'), asMarkdown('- {: custom-a="1"}new')],
    [
      "a numbered item",
      markdown("1. new", "<ol><li>new</li></ol>"),
      item(' custom-a="1"'),
      asMarkdown('1. {: custom-a="1"}new'),
    ],
    [
      "a dollar in an attribute",
      list("- new"),
      item(' memo="$1 $&amp; $$"'),
      asMarkdown('- {: memo="$1 $&amp; $$"}new'),
    ],
    ["its own id behind the mark", list(`- {: id="${id}"}new`), item(), asMarkdown(`- {: id="${id}"}new`)],
    [
      "its own id behind the mark, and attributes",
      list(`- {: id="${id}"}new`),
      item(' custom-a="1"'),
      asMarkdown('- {: custom-a="1"}new'),
    ],
    [
      "SiYuan's own source",
      list(`- {: id="${id}"}new\n  {: id="${child}"}`),
      item(),
      asMarkdown(`- {: id="${id}"}new\n  {: id="${child}"}`),
    ],
    ["two items", list("- a\n- b", 2), item(), "several_blocks"],
    ["no list", markdown("new"), item(), "content_would_be_lost"],
  ];
  it.each(cases)("%s", (_name, content, target, expected) => {
    expect(sent(content, target)).toEqual(expected);
  });
});

describe("HTML", () => {
  const html = "<div>new</div>";
  it("without attributes goes as it is", () => {
    expect(sent(markdown(html, html), block("", "NodeHTMLBlock"))).toEqual(asMarkdown(html));
  });

  it("with attributes goes as DOM that carries both", () => {
    const result = sent(markdown(html, html), block(' memo="a &quot;b&quot;"', "NodeHTMLBlock")) as BlockContent;
    expect(result.dataType).toBe("dom");
    const { nodes, balanced } = topLevelNodes(result.data);
    expect([nodes.length, balanced, nodes[0]?.id, nodes[0]?.type]).toEqual([1, true, id, "NodeHTMLBlock"]);
    expect(Object.fromEntries(userAttributes(nodes[0]?.attributes ?? new Map()))).toEqual({ memo: 'a "b"' });
    expect(result.data).toContain('data-content="&lt;div&gt;new&lt;/div&gt;"');
  });

  it("with attributes and entities is refused: SiYuan decodes twice", () => {
    const text = "<div>a &amp; b</div>";
    expect(sent(markdown(text, text), block(' memo="m"', "NodeHTMLBlock"))).toBe("content_would_be_lost");
  });
});

describe("DOM", () => {
  const paragraph = (attributes = "", of = id) =>
    `<div data-node-id="${of}" data-type="NodeParagraph"${attributes}>new</div>`;
  const carrying = (attributes: string, after = "") =>
    `<div${attributes} data-node-id="${id}" data-type="NodeParagraph"${after}>new</div>`;
  const cases: [string, string, ReturnType<typeof block>, string][] = [
    ["as it is", paragraph(), block(), paragraph()],
    ["white space around", `\n ${paragraph()} \n`, block(), paragraph()],
    [
      "missing attributes are added",
      paragraph(),
      block(' memo="a &quot;b&quot;" custom-a="1"'),
      carrying(' memo="a &quot;b&quot;" custom-a="1"'),
    ],
    [
      "equal attributes stay",
      paragraph(' memo="m"'),
      block(' memo="m" custom-a="1"'),
      carrying(' custom-a="1"', ' memo="m"'),
    ],
    ["a changed attribute", paragraph(' memo="n"'), block(' memo="m"'), "content_would_be_lost"],
    ["another id", paragraph("", foreign), block(), "invalid_arguments"],
    ["two blocks", paragraph() + paragraph("", child), block(), "several_blocks"],
    [
      "a foreign child",
      `<div data-node-id="${id}" data-type="NodeBlockquote">${paragraph("", foreign)}</div>`,
      block("", "NodeBlockquote"),
      "content_would_be_lost",
    ],
    [
      "a child that lost its id",
      `<div data-node-id="${id}" data-type="NodeBlockquote">x</div>`,
      block("", "NodeBlockquote", childBlock(' memo="m"')),
      "content_would_be_lost",
    ],
    [
      "a child that keeps its id",
      `<div data-node-id="${id}" data-type="NodeBlockquote">${childBlock(' memo="m"')}</div>`,
      block("", "NodeBlockquote", childBlock(' memo="m"')),
      `<div data-node-id="${id}" data-type="NodeBlockquote">${childBlock(' memo="m"')}</div>`,
    ],
  ];
  it.each(cases)("%s", (_name, text, target, expected) => {
    const result = sent(dom(text), target);
    expect(typeof result === "string" ? result : result.data).toBe(expected);
  });
});
