// The comparisons of a write: the request with SiYuan's echo, and the echo with what is read back.

import { canonicalDom, type DomNode, referenceIds, scanDom, wordsOf } from "../../api/dom.js";
import type { Content } from "./content.js";

/**
 * Words of the request that the echo lacks. SiYuan's normal form adds and rearranges marks, but keeps every word;
 * attribute values of the echo count too (links, formulas, code).
 */
export function missingWords(content: Content, echo: readonly DomNode[]): readonly string[] {
  const request = content.kind === "markdown" ? content.preview.html : content.text;
  const whole = echo.map((node) => node.html).join(" ");
  if (holdsAllTexts(request, whole)) return [];
  const wanted = wordsOf(request, false);
  const counts = new Map<string, number>();
  for (const word of echo.reduce<string[]>((all, node) => all.concat(wordsOf(node.html, true)), [])) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const missing: string[] = [];
  for (const word of wanted) {
    const left = counts.get(word) ?? 0;
    if (left > 0) counts.set(word, left - 1);
    // A word may stand inside a longer run of an attribute value.
    else if (!whole.includes(word)) missing.push(word);
  }
  return missing;
}

/** True when the texts between the request's tags stand in the echo in the same order: the usual case, and cheap. */
function holdsAllTexts(request: string, echo: string): boolean {
  let from = 0;
  const holds = (text: string) => {
    for (const line of text.split("\n")) {
      const wanted = line.trim();
      if (wanted === "") continue;
      const at = echo.indexOf(wanted, from);
      if (at < 0) return false;
      from = at + wanted.length;
    }
    return true;
  };
  let all = true;
  let tail = 0;
  scanDom(request, (_tag, textBefore, _depth, _start, end) => {
    all = all && holds(textBefore);
    tail = end;
  });
  return all && holds(request.slice(tail));
}

/** References of the request that the stored block does not hold. */
export function lostReferences(content: Content, stored: readonly DomNode[]): readonly string[] {
  const wanted = content.kind === "markdown" ? content.source.references : referenceIds(content.text).filter((id) => id !== "");
  const held = stored.reduce<string[]>((all, node) => all.concat(referenceIds(node.html)), []);
  return wanted.filter((id) => {
    const at = held.indexOf(id);
    if (at >= 0) held.splice(at, 1);
    return at < 0;
  });
}

export interface StoredComparison {
  readonly equal: boolean;
  /** SiYuan's documented normalisations that made the difference. */
  readonly notes: readonly string[];
}

/**
 * Compares an echo node with the block read back, allowing SiYuan's documented normal forms.
 *
 * @param found canonical DOM of the block read back
 */
export function compareStored(echo: string, found: string): StoredComparison {
  const expected = canonicalDom(echo);
  if (expected === found) return { equal: true, notes: [] };
  const notes: string[] = [];
  let left = expected;
  let right = found;
  const normal = (note: string, normalise: (text: string) => string) => {
    if (left === right) return;
    const before = [left, right];
    left = normalise(left);
    right = normalise(right);
    if (before[0] !== left || before[1] !== right) notes.push(note);
  };
  normal("table column widths added", (text) => text.replace(/ colgroup="[^"]*"/g, "").replace(/<col(?: style="[^"]*")?>/g, "<col>"));
  normal("no-break spaces became spaces", (text) => text.replace(/\u00a0|&nbsp;/g, " "));
  normal("a joiner was put before an inner fence", (text) => text.replace(/\u200d/g, ""));
  normal("spaces moved out of marks", (text) => text.replace(/(\s+)<\/span>/g, "</span>$1").replace(/(<span[^>]*>)(\s+)/g, "$2$1"));
  normal("SiYuan repeats an image's style", (text) => (text.includes('class="img"') ? text.replace(/ style="[^"]*"/g, "") : text));
  normal("dynamic anchor text refreshed", (text) => text.replace(/(<span[^>]* data-subtype="d"[^>]*>)[^<]*/g, "$1"));
  return { equal: left === right, notes: left === right ? notes : [] };
}
