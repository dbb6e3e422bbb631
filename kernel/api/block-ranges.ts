// Where each block of a DOM begins and ends, so that blocks can be cut out of a document or found behind one another.

import { scanDom } from "./dom.js";

export interface BlockRange {
  readonly id: string;
  /** For example `NodeHeading`. */
  readonly type: string;
  /** 1..6 for a heading, else 0. */
  readonly level: number;
  /** "" for a block at the top. */
  readonly parentID: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Of its outer tags in the DOM. */
  readonly start: number;
  readonly end: number;
}

/** Every block, in document order. */
export function blockRanges(dom: string): readonly BlockRange[] {
  const ranges: BlockRange[] = [];
  const open: { readonly index: number; readonly id: string; readonly depth: number }[] = [];
  scanDom(dom, (tag, _text, depth, start, end) => {
    const inner = open[open.length - 1];
    if (tag.closes) {
      if (inner?.depth !== depth) return;
      ranges[inner.index] = { ...(ranges[inner.index] as BlockRange), end };
      open.pop();
      return;
    }
    const id = tag.attributes.get("data-node-id");
    if (id === undefined) return;
    const type = tag.attributes.get("data-type") ?? "";
    const level = type === "NodeHeading" ? Number((tag.attributes.get("data-subtype") ?? "h0").slice(1)) : 0;
    ranges.push({ id, type, level, parentID: inner?.id ?? "", attributes: tag.attributes, start, end });
    if (!tag.void) open.push({ index: ranges.length - 1, id, depth });
  });
  return ranges;
}

/** The blocks beside a heading that follow it, up to the next one of its level or above. */
export function sectionRanges(ranges: readonly BlockRange[], heading: BlockRange): readonly BlockRange[] {
  const behind = siblingsOf(ranges, heading).filter(({ start }) => start > heading.start);
  const next = behind.findIndex(({ level }) => level > 0 && level <= heading.level);
  return next < 0 ? behind : behind.slice(0, next);
}

/** The block with those beside it, in order. */
export function siblingsOf(ranges: readonly BlockRange[], block: BlockRange): readonly BlockRange[] {
  return ranges.filter(({ parentID }) => parentID === block.parentID);
}

/** A heading's DOM with another level. */
export function withLevel(html: string, level: number): string {
  return html.replace(/ data-subtype="h\d"/, ` data-subtype="h${level}"`).replace(/ class="h\d"/, ` class="h${level}"`);
}

/** The DOM without any mark of folding. */
export function unfolded(html: string): string {
  return html.replace(/ (?:fold|heading-fold)="1"/g, "");
}
