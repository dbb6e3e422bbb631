// SiYuan's preview of a source in a form to compare: marks, structure and words without what names the block. Two sources
// of equal form say the same, whatever their spelling.

import { scanDom } from "../../api/dom.js";

/** Attributes of a block itself: its id, its stamp, and what a person set on it. */
const ofTheBlock = /^(?:id|updated|name|alias|memo|bookmark|fold|heading-fold|style|colgroup|custom-.*)$/;

export function previewForm(html: string): string {
  const parts: string[] = [];
  let tail = 0;
  scanDom(html, (tag, textBefore, _depth, _start, end) => {
    parts.push(textBefore);
    tail = end;
    if (tag.closes) {
      parts.push(`</${tag.name}>`);
      return;
    }
    const attributes = Array.from(tag.attributes)
      .filter(([name]) => !ofTheBlock.test(name))
      .map(([name, value]) => ` ${name}="${value}"`)
      .sort();
    parts.push(`<${tag.name}${attributes.join("")}>`);
  });
  parts.push(html.slice(tail));
  return parts
    .join("")
    .replace(/\u200b/g, "")
    .trim();
}
