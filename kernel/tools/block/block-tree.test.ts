// The prediction of a move: sections of folded headings go along, emptied containers go, order is kept.

import { describe, expect, it } from "vitest";
import { afterMove, ancestorsOf, type BlockTree, foldedSection, heightOf, subtreeOf, treeOf } from "./block-tree.js";

interface Sketch {
  readonly id: string;
  readonly type?: string;
  readonly marks?: string;
  readonly inside?: readonly Sketch[];
}

function dom({ id, type = "NodeParagraph", marks = "", inside }: Sketch): string {
  const content = inside ? inside.map(dom).join("") : `<div contenteditable="true">text <img src="x"> of ${id}</div>`;
  return `<div data-node-id="${id}" data-type="${type}"${marks}>${content}<div class="protyle-attr"></div></div>`;
}

const documents = (sketches: Readonly<Record<string, readonly Sketch[]>>): BlockTree =>
  treeOf(Object.keys(sketches).map((id) => ({ id, dom: (sketches[id] ?? []).map(dom).join("") })));

const folded = ' data-subtype="h1" fold="1"';
const hidden = ' fold="1" heading-fold="1"';
const quote = (id: string, ...inside: Sketch[]): Sketch => ({ id, type: "NodeBlockquote", inside });
const list = (id: string, ...inside: Sketch[]): Sketch => ({
  id,
  type: "NodeList",
  marks: ' data-subtype="u"',
  inside,
});
const item = (id: string, ...inside: Sketch[]): Sketch => ({
  id,
  type: "NodeListItem",
  marks: ' data-subtype="u"',
  inside,
});
const p = (id: string): Sketch => ({ id });

function moved(tree: BlockTree, ids: readonly string[], to: { parentID: string; previousID?: string }) {
  const { children, emptied } = afterMove(tree, ids, { parentID: to.parentID, previousID: to.previousID });
  return { of: (id: string) => children.get(id), emptied };
}

describe("treeOf", () => {
  it("knows places, heights and ancestors", () => {
    const tree = documents({ d: [p("a"), list("l", item("i", p("b"), list("m", item("j", p("c")))))], e: [p("x")] });
    expect(tree.children.get("d")).toEqual(["a", "l"]);
    expect(tree.children.get("e")).toEqual(["x"]);
    expect(ancestorsOf(tree, "c")).toEqual(["j", "m", "i", "l", "d"]);
    expect(subtreeOf(tree, "i")).toEqual(["i", "b", "m", "j", "c"]);
    expect([heightOf(tree, "l"), heightOf(tree, "a")]).toEqual([4, 0]);
    expect(tree.blocks.get("i")).toMatchObject({ type: "NodeListItem", subtype: "u", folded: false, hidden: false });
  });

  it("takes only the hidden blocks behind a folded heading for its section", () => {
    const tree = documents({
      d: [
        { id: "h", type: "NodeHeading", marks: folded },
        { id: "s", marks: hidden },
        { ...quote("t", { id: "u", marks: hidden }), marks: hidden },
        p("n"),
      ],
    });
    expect(foldedSection(tree, "h")).toEqual(["s", "t"]);
    expect(foldedSection(tree, "n")).toEqual([]);
    expect(tree.blocks.get("u")?.hidden).toBe(true);
  });
});

describe("afterMove", () => {
  it("keeps the given order behind an anchor and at the start", () => {
    const tree = documents({ d: [p("a"), p("b"), p("c"), p("e")] });
    expect(moved(tree, ["a", "c"], { parentID: "d", previousID: "e" }).of("d")).toEqual(["b", "e", "a", "c"]);
    expect(moved(tree, ["e", "b"], { parentID: "d" }).of("d")).toEqual(["e", "b", "a", "c"]);
    expect(moved(tree, ["b"], { parentID: "d", previousID: "a" }).of("d")).toEqual(["a", "b", "c", "e"]);
  });

  it("takes out whatever loses its last block, up to the document, but no callout", () => {
    const tree = documents({
      d: [
        list("l", item("i", quote("q", p("a"))), item("j", p("b"))),
        { id: "k", type: "NodeCallout", inside: [p("c")] },
      ],
      e: [p("x")],
    });
    const one = moved(tree, ["a"], { parentID: "e", previousID: "x" });
    expect([one.of("e"), one.of("l"), one.emptied]).toEqual([["x", "a"], ["j"], ["q", "i"]]);
    const all = moved(tree, ["a", "b", "c"], { parentID: "e", previousID: "x" });
    expect([all.of("d"), all.of("k")]).toEqual([["k"], []]);
    expect(Array.from(all.emptied).sort()).toEqual(["i", "j", "l", "q"]);
  });

  it("lets an emptied container be the anchor, and leaves one that was empty before", () => {
    const tree = documents({ d: [quote("q", p("a")), p("x"), quote("empty")] });
    const result = moved(tree, ["a", "x"], { parentID: "d", previousID: "q" });
    expect([result.of("d"), result.emptied]).toEqual([["a", "x", "empty"], ["q"]]);
  });

  it("moves sections with their folded heading and stands behind them", () => {
    const tree = documents({
      d: [{ id: "h", type: "NodeHeading", marks: folded }, { id: "s", marks: hidden }, p("n"), p("z")],
    });
    expect(moved(tree, ["h"], { parentID: "d", previousID: "n" }).of("d")).toEqual(["n", "h", "s", "z"]);
    expect(moved(tree, ["z"], { parentID: "d", previousID: "h" }).of("d")).toEqual(["h", "s", "z", "n"]);
  });
});
