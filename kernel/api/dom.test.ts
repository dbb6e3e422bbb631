// The reader of SiYuan's block DOM: what makes two DOMs equal, and what is found in one.

import { describe, expect, it } from "vitest";
import {
  blockIds,
  canonicalDom,
  decodeEntities,
  encodeAttribute,
  referenceIds,
  topLevelNodes,
  userAttributes,
  wordsOf,
} from "./dom.js";

const first = "20260812120000-aaaaaaa";
const second = "20260812120001-bbbbbbb";
const badges = (inner = "\u200b") => `<div class="protyle-attr" contenteditable="false">${inner}</div>`;
const text = (inner: string) => `<div contenteditable="true" spellcheck="false">${inner}</div>`;
const block = (inner: string, attributes = "", id = first) =>
  `<div data-node-id="${id}" data-type="NodeParagraph" class="p" updated="20260812120000"${attributes}>${text(inner)}${badges()}</div>`;
const list = (...items: string[]) =>
  `<div data-subtype="u" data-node-id="${second}" data-type="NodeList" class="list">${items.join("")}${badges()}</div>`;

describe("canonicalDom", () => {
  const equal: [string, string, string][] = [
    ["attribute order", '<div a="1" b="2" c></div>', '<div c b="2" a="1"></div>'],
    ["the updated stamp", block("x"), block("x").replace('20260812120000"', '20270101000000"')],
    ["a missing stamp", block("x"), block("x").replace(' updated="20260812120000"', "")],
    ["the position in an answer", block("x"), block("x", ' data-node-index="7"')],
    ["the reference count", block("x"), block("x", ' refcount="3"')],
    ["database badges", block("x"), block("x", ' av-names="Table"')],
    ["badges", block("x"), block("x").replace(badges(), badges('<div class="protyle-attr--name">n</div>\u200b'))],
    ["badges with line breaks", block("x"), block("x").replace(badges(), badges("<br><b>memo</b><br>"))],
    ["a fold of the section above", block("x"), block("x", ' fold="1" heading-fold="1"')],
    ["a fold of the parent", block("x"), block("x", ' parent-fold="1"')],
    ["entities", block("a&#39;b &quot;c&quot; &amp; &#x3e;"), block('a\'b "c" &amp; >')],
    ["a no-break space as an entity", block("a&nbsp;b"), block("a\u00a0b")],
    ["entities in attributes", '<p title="a&#34;&lt;b"></p>', '<p title="a&quot;<b"></p>'],
    ["the case of tags", '<DIV a="1"></DIV>', '<div a="1"></div>'],
  ];
  it.each(equal)("does not see %s (I-04)", (_name, left, right) => {
    expect(canonicalDom(left)).toBe(canonicalDom(right));
  });

  const item = (inner: string, id: string) =>
    `<div data-node-id="${id}" data-type="NodeListItem">${block(inner)}</div>`;
  const different: [string, string, string][] = [
    ["a letter", block("word"), block("ward")],
    ["the case of a letter", block("word"), block("Word")],
    ["a space", block("a b"), block("a  b")],
    ["a space at the end", block("a"), block("a ")],
    ["a no-break space for a space", block("a b"), block("a\u00a0b")],
    ["a zero-width space in the text", block("ab"), block("a\u200bb")],
    ["composed and decomposed letters", block("é"), block("e\u0301")],
    ["text that looks like an entity", block("&amp;lt;"), block("&lt;")],
    ["text that looks like a tag", block("&lt;br&gt;"), block("<br>")],
    ["a mark", block("a"), block('<span data-type="strong">a</span>')],
    ["the kind of a mark", block('<span data-type="em">a</span>'), block('<span data-type="strong">a</span>')],
    ["where a mark ends", block('<span data-type="em">ab</span>'), block('<span data-type="em">a</span>b')],
    [
      "a link's target",
      block('<span data-type="a" data-href="x">a</span>'),
      block('<span data-type="a" data-href="y">a</span>'),
    ],
    [
      "a reference's target",
      block(`<span data-type="block-ref" data-id="${first}">a</span>`),
      block(`<span data-type="block-ref" data-id="${second}">a</span>`),
    ],
    ["a line break", block("ab"), block("a<br>b")],
    ["a user attribute", block("a"), block("a", ' custom-status="done"')],
    ["a user attribute's value", block("a", ' memo="x"'), block("a", ' memo="y"')],
    ["an empty attribute", block("a"), block("a", ' memo=""')],
    ["a block's own fold", block("a"), block("a", ' fold="1"')],
    ["a block's id", block("a"), block("a", "", second)],
    ["a block's type", block("a"), block("a").replace("NodeParagraph", "NodeHeading")],
    ["child order", list(item("a", first), item("b", second)), list(item("b", second), item("a", first))],
    ["a missing child", list(item("a", first), item("b", second)), list(item("a", first))],
    ["nesting", "<p><b></b><i></i></p>", "<p><b><i></i></b></p>"],
    ["text after the last tag", "<p></p>", "<p></p>x"],
    ["text after the badges", `<div>${badges()}</div>`, `<div>${badges()}x</div>`],
    ["values that only look joined", '<p a="1 b=2"></p>', '<p a="1" b="2"></p>'],
    ["a quote in a value", '<p a="x&quot; b=&quot;y"></p>', '<p a="x" b="y"></p>'],
  ];
  it.each(different)("sees %s (I-03)", (_name, left, right) => {
    expect(canonicalDom(left)).not.toBe(canonicalDom(right));
  });

  it("every changed character of a text changes it", () => {
    const words = "Plain words, 1 & 2 – mit Ümlaut und \u{1f600}.";
    const form = canonicalDom(block(encodeAttribute(words)));
    for (let at = 0; at < words.length; at++) {
      const other = `${words.slice(0, at)}#${words.slice(at + 1)}`;
      expect(canonicalDom(block(encodeAttribute(other))), `at ${at}`).not.toBe(form);
    }
  });

  it("any order of many attributes gives one form", () => {
    const attributes = Array.from({ length: 12 }, (_, index) => ` custom-${index}="${index * 7}"`);
    const form = canonicalDom(`<div${attributes.join("")}></div>`);
    for (let turn = 1; turn < attributes.length; turn++) {
      const turned = attributes.slice(turn).concat(attributes.slice(0, turn)).reverse();
      expect(canonicalDom(`<div${turned.join("")}></div>`)).toBe(form);
    }
  });

  it("is its own canonical form in plain cases", () => {
    const form = canonicalDom(block("a &amp; b", ' memo="x"'));
    expect(canonicalDom(form)).toBe(form);
  });
});

describe("topLevelNodes", () => {
  it("finds the blocks in order, with type, attributes and their own DOM", () => {
    const html = block("a", ' memo="m"') + list(block("b", "", "20260812120002-ccccccc"));
    const { nodes, balanced } = topLevelNodes(html);
    expect(balanced).toBe(true);
    expect(nodes.map(({ id, type }) => [id, type])).toEqual([
      [first, "NodeParagraph"],
      [second, "NodeList"],
    ]);
    expect(nodes.map((node) => node.html).join("")).toBe(html);
    expect(nodes[0]?.attributes.get("memo")).toBe("m");
  });

  const shapes: [string, string, number, boolean][] = [
    ["nothing", "", 0, true],
    ["text only", "words", 0, true],
    ["text around blocks", `before${block("a")}after`, 1, true],
    ["a void tag", "<hr>", 1, true],
    ["a void tag inside", `<div data-node-id="${first}"><img src="x"></div>`, 1, true],
    ["a self-closed tag", "<div/>", 1, true],
    ["a tag left open", "<div><p></div>", 0, false],
    ["a tag never closed", "<div>", 0, false],
    ["one closing tag too many", "<div></div></div>", 1, false],
    ["a bracket in a value", '<div title="a>b"></div>', 1, true],
    ["tags in a value", '<div data-content="<p><p><p>"></div>', 1, true],
    ["a smaller sign in the text", "<p>a < b</p>", 1, true],
    ["an apostrophe in a value", `<p title="it's"></p><p title="it's"></p>`, 2, true],
  ];
  it.each(shapes)("%s", (_name, html, count, balanced) => {
    const found = topLevelNodes(html);
    expect([found.nodes.length, found.balanced]).toEqual([count, balanced]);
  });
});

describe("what a DOM holds", () => {
  it("blockIds: all of them, in order", () => {
    expect(blockIds(list(block("a"), block("b")))).toEqual([second, first, first]);
    expect(blockIds("<p>none</p>")).toEqual([]);
  });

  const references: [string, string, readonly string[]][] = [
    ["one", `<span data-type="block-ref" data-id="${first}" data-subtype="d">a</span>`, [first]],
    ["with another mark", `<span data-type="strong block-ref" data-id="${first}">a</span>`, [first]],
    ["twice", `<span data-type="block-ref" data-id="${first}">a</span>`.repeat(2), [first, first]],
    ["emptied", '<span data-type="block-ref" data-id="">a</span>', [""]],
    ["without an id", '<span data-type="block-ref">a</span>', [""]],
    ["another mark that holds an id", `<span data-type="file-annotation-ref" data-id="${first}">a</span>`, []],
    ["a word that only begins so", `<span data-type="block-refs" data-id="${first}">a</span>`, []],
    ["text that looks like one", `&lt;span data-type="block-ref" data-id="${first}"&gt;`, []],
  ];
  it.each(references)("referenceIds: %s", (_name, html, ids) => {
    expect(referenceIds(html)).toEqual(ids);
  });

  it("userAttributes: what belongs to the user, without the form of the content", () => {
    const [node] = topLevelNodes(
      block("a", ' name="n" alias="" custom-x="1" fold="1" style="color: red;" data-subtype="h1" refcount="2"'),
    ).nodes;
    const kept = userAttributes(node?.attributes ?? new Map());
    expect(Object.fromEntries(kept)).toEqual({
      name: "n",
      alias: "",
      "custom-x": "1",
      fold: "1",
      style: "color: red;",
    });
  });

  it("userAttributes: the fold of a section above belongs to its heading", () => {
    expect(
      Array.from(
        userAttributes(
          new Map([
            ["fold", "1"],
            ["heading-fold", "1"],
            ["memo", "m"],
          ]),
        ).keys(),
      ),
    ).toEqual(["memo"]);
  });

  const words: [string, string, readonly string[]][] = [
    ["plain words", "<p>one two</p>", ["one", "two"]],
    ["across a mark", "<p>wo<strong>rd</strong>s</p>", ["words"]],
    ["across blocks", "<p>one</p><p>two</p>", ["one", "two"]],
    ["across a line break", "<p>one<br>two</p>", ["one", "two"]],
    ["across cells", "<tr><td>one</td><td>two</td></tr>", ["one", "two"]],
    ["entities", "<p>a&amp;b &lt;c&gt; d&nbsp;e</p>", ["a", "b", "c", "d", "e"]],
    ["punctuation", "<p>a.b,c;d—e…f「g」h！i</p>", ["a", "b", "c", "d", "e", "f", "g", "h", "i"]],
    ["Chinese", "<p>你好，世界</p>", ["你好", "世界"]],
    ["letters with marks", "<p>naïve Über</p>", ["naïve", "Über"]],
    ["an emoji", "<p>\u{1f600}\ufe0f a</p>", ["\u{1f600}", "a"]],
    ["zero-width characters", "<p>a\u200bb\u200dc</p>", ["abc"]],
    ["nothing", "<p></p>", []],
    ["text behind the last tag", "<br>end", ["end"]],
  ];
  it.each(words)("wordsOf: %s", (_name, html, found) => {
    expect(wordsOf(html, false)).toEqual(found);
  });

  it("wordsOf: attribute values only on request", () => {
    const html = '<p><span data-href="https://host/path?a=b&amp;c">link</span></p>';
    expect(wordsOf(html, false)).toEqual(["link"]);
    expect(wordsOf(html, true)).toEqual(["link", "https", "host", "path", "a", "b", "c"]);
  });
});

describe("entities", () => {
  const cases: [string, string][] = [
    ["no entity", "no entity"],
    ["&amp;&lt;&gt;&quot;&apos;&nbsp;", "&<>\"'\u00a0"],
    ["&#65;&#x42;&#X43;", "ABC"],
    ["&#128512;", "\u{1f600}"],
    ["&amp;lt;", "&lt;"],
    ["&unknown;", "&unknown;"],
    ["&#0;&#1114112;&#x110000;", "&#0;&#1114112;&#x110000;"],
    ["a & b; &;", "a & b; &;"],
    ["&#9999999999;", "&#9999999999;"],
  ];
  it.each(cases)("decodes %s once", (encoded, decoded) => {
    expect(decodeEntities(encoded)).toBe(decoded);
  });

  it.each(['a"b', "<&>", "&amp;", "it's", "line\nbreak", "\u00a0"])("encodeAttribute keeps %j", (value) => {
    const encoded = encodeAttribute(value);
    expect(encoded).not.toMatch(/["<>]/);
    expect(topLevelNodes(`<p title="${encoded}"></p>`).nodes[0]?.attributes.get("title")).toBe(value);
  });
});
