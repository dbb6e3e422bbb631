// The texts that a person can edit in a block's DOM, and the DOM with other texts in their places.

import { decodeEntities, encodeText, scanDom } from "../../api/dom.js";

export interface DomText {
  /** Decoded. */
  readonly text: string;
  /** Where it stands in the DOM, encoded. */
  readonly start: number;
  readonly end: number;
  /** Part of a reference whose text follows its target. */
  readonly follows: boolean;
}

const emptyMark = /<span data-type="[a-z ]+">\u200b?<\/span>/g;

interface OpenElement {
  readonly editable: boolean;
  readonly follows: boolean;
}

/** Every piece of text between two tags that lies in an editable area, in order. */
export function domTexts(dom: string): readonly DomText[] {
  const texts: DomText[] = [];
  const open: OpenElement[] = [];
  scanDom(dom, (tag, textBefore, _depth, start) => {
    const inner = open[open.length - 1];
    if (inner?.editable && textBefore !== "") {
      const text = decodeEntities(textBefore);
      texts.push({ text, start: start - textBefore.length, end: start, follows: inner.follows });
    }
    if (tag.closes) {
      if (!tag.void) open.pop();
      return;
    }
    if (tag.void) return;
    const editable = tag.attributes.get("contenteditable");
    open.push({
      editable: editable === undefined ? (inner?.editable ?? false) : editable === "true",
      follows:
        inner?.follows === true ||
        (tag.attributes.get("data-subtype") === "d" &&
          (tag.attributes.get("data-type") ?? "").split(" ").includes("block-ref")),
    });
  });
  return texts;
}

/** The DOM with these texts in those places. A mark that is left without text goes, as SiYuan drops it too. */
export function withTexts(dom: string, places: readonly DomText[], texts: readonly string[]): string {
  const parts: string[] = [];
  let last = 0;
  places.forEach(({ text, start, end }, index) => {
    const replacement = texts[index] as string;
    if (replacement === text) return;
    parts.push(dom.slice(last, start), encodeText(replacement));
    last = end;
  });
  const edited = parts.concat(dom.slice(last)).join("");
  return texts.some((text) => text === "" || text === "\u200b") ? edited.replace(emptyMark, "") : edited;
}
