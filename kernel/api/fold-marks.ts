// Which blocks of a document are folded, and what folding or opening one of them does to the marks of the others.

import { scanDom } from "./dom.js";

export interface FoldMark {
  readonly id: string;
  /** For example `NodeHeading`. */
  readonly type: string;
  /** 1..6 for a heading, else 0. */
  readonly level: number;
  /** "" for a block at the top. */
  readonly parentID: string;
  /** Its own mark, or that of a folded section. */
  readonly fold: boolean;
  /** It lies in the folded section of a heading. */
  readonly hidden: boolean;
}

/** Every block of a document's DOM, in order. */
export function foldMarks(dom: string): readonly FoldMark[] {
  const marks: FoldMark[] = [];
  const open: { readonly id: string; readonly depth: number }[] = [];
  scanDom(dom, (tag, _text, depth) => {
    const inner = open[open.length - 1];
    if (tag.closes) {
      if (inner?.depth === depth) open.pop();
      return;
    }
    const id = tag.attributes.get("data-node-id");
    if (id === undefined) return;
    const type = tag.attributes.get("data-type") ?? "";
    const level = type === "NodeHeading" ? Number((tag.attributes.get("data-subtype") ?? "h0").slice(1)) : 0;
    marks.push({
      id,
      type,
      level,
      parentID: inner?.id ?? "",
      fold: tag.attributes.get("fold") === "1",
      hidden: tag.attributes.get("heading-fold") === "1",
    });
    if (!tag.void) open.push({ id, depth });
  });
  return marks;
}

/** The blocks below a heading up to the next one of its level, with all they hold. */
export function sectionOf(marks: readonly FoldMark[], heading: FoldMark): readonly FoldMark[] {
  const ids = new Set<string>();
  const section: FoldMark[] = [];
  let ended = false;
  for (const mark of marks.slice(marks.indexOf(heading) + 1)) {
    if (mark.parentID === heading.parentID) {
      ended = ended || (mark.level > 0 && mark.level <= heading.level);
      if (!ended) ids.add(mark.id);
    } else if (ids.has(mark.parentID)) ids.add(mark.id);
    if (ids.has(mark.id)) section.push(mark);
  }
  return section;
}

/** The highest folded heading among the block's siblings that hides it: SiYuan opens it together with a heading inside. */
export function coverOf(marks: readonly FoldMark[], block: FoldMark): FoldMark | undefined {
  let level = block.level === 0 ? 7 : block.level;
  let cover: FoldMark | undefined;
  for (const mark of marks.slice(0, marks.indexOf(block)).reverse()) {
    if (mark.parentID !== block.parentID || mark.level === 0 || mark.level >= level) continue;
    level = mark.level;
    if (mark.fold) cover = mark;
  }
  return cover;
}

/** The marks after the block was folded or opened, as SiYuan sets them. */
export function marksAfter(marks: readonly FoldMark[], block: FoldMark, folded: boolean): readonly FoldMark[] {
  const isHeading = block.type === "NodeHeading";
  const section = new Set(isHeading ? sectionOf(marks, block).map(({ id }) => id) : []);
  const cover = isHeading && !folded ? coverOf(marks, block) : undefined;
  const opened = new Set(
    cover
      ? sectionOf(marks, cover)
          .map(({ id }) => id)
          .concat(cover.id)
      : [],
  );
  return marks.map((mark) => {
    if (opened.has(mark.id)) return { ...mark, fold: false, hidden: false };
    if (section.has(mark.id)) return { ...mark, fold: folded, hidden: folded };
    if (mark.id !== block.id) return mark;
    return { ...mark, fold: folded, hidden: isHeading && !folded ? false : mark.hidden };
  });
}
