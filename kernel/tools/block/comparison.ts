// The comparisons of a write: the request with SiYuan's echo, and the echo with what is read back.

import { canonicalDom, decodeEntities, type DomNode, referenceIds, scanDom, wordsOf } from "../../api/dom.js";
import type { Content } from "./content.js";

/**
 * Words of the request that the echo lacks. SiYuan's normal form adds and rearranges marks, but keeps every word; the
 * sources of formulas, HTML and embeds stand in attributes and count too, all other markup does not.
 */
export function missingWords(content: Content, echo: readonly Pick<DomNode, "html">[]): readonly string[] {
  const prose = content.kind === "markdown" ? content.prose : undefined;
  if (prose !== undefined && echo.some((node) => node.html.includes(prose))) return [];
  const request = content.kind === "markdown" ? withoutLiteralMarks(content.preview.html) : content.text;
  const echoed = echo.map((node) => contentText(node.html)).join("\n");
  if (holdsAllLines(contentText(request), echoed)) return [];
  const counts = new Map<string, number>();
  for (const word of echo.reduce<string[]>((all, node) => all.concat(wordsOf(node.html, false)), [])) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const missing: string[] = [];
  for (const word of wordsOf(request, false)) {
    const left = counts.get(word) ?? 0;
    if (left > 0) counts.set(word, left - 1);
    // A word may stand inside a longer run: a formula, a word that a mark splits.
    else if (!echoed.includes(word)) missing.push(word);
  }
  return missing;
}

/** HTML marks that the preview prints as text, while SiYuan stores them as marks. */
const literalMark = /&lt;\/?(?:u|kbd|sub|sup|mark|b|strong|i|em|s|del|strike|span|font)(?:\s[^&<]*)?&gt;/gi;

function withoutLiteralMarks(html: string): string {
  return html.includes("&lt;") ? html.replace(literalMark, "") : html;
}

/** Attributes that hold what a person wrote. */
const contentAttributes = ["data-content", "alt", "title", "data-title", "href", "data-href", "src", "data-src"];

/** Texts and sources of a DOM or HTML, decoded, a line per text. */
function contentText(html: string): string {
  const texts: string[] = [];
  let tail = 0;
  scanDom(html, (tag, textBefore, _depth, _start, end) => {
    texts.push(decodeEntities(textBefore));
    for (const name of contentAttributes) {
      const value = tag.attributes.get(name);
      if (value !== undefined) texts.push(value);
    }
    tail = end;
  });
  texts.push(decodeEntities(html.slice(tail)));
  return texts.join("\n");
}

/** True when the lines of the request stand in the echo in the same order: the usual case, and cheap. */
function holdsAllLines(request: string, echo: string): boolean {
  let from = 0;
  return request.split("\n").every((line) => {
    const wanted = line.trim();
    const at = echo.indexOf(wanted, from);
    if (at >= 0) from = at + wanted.length;
    return at >= 0;
  });
}

/** References of the request that the stored block does not hold, neither as such nor as plain text (code, formulas, HTML). */
export function lostReferences(content: Content, stored: readonly Pick<DomNode, "html">[]): readonly string[] {
  const wanted =
    content.kind === "markdown" ? content.source.references : referenceIds(content.text).filter((id) => id !== "");
  if (wanted.length === 0) return [];
  const held = stored.reduce<string[]>((all, node) => all.concat(referenceIds(node.html)), []);
  return wanted.filter((id) => {
    const at = held.indexOf(id);
    if (at >= 0) held.splice(at, 1);
    return at < 0 && !stored.some((node) => node.html.includes(`((${id}`));
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
  normal("editor marks added", (text) => text.replace(/ spellcheck="false"/g, ""));
  normal("table column widths added", (text) =>
    text.replace(/ colgroup="[^"]*"/g, "").replace(/<col(?: style="[^"]*")?>/g, "<col>"),
  );
  normal("no-break spaces became spaces", (text) => text.replace(/\u00a0|&nbsp;/g, " "));
  normal("a joiner was put before an inner fence", (text) => text.replace(/\u200d/g, ""));
  normal("spaces moved out of marks", (text) =>
    text.replace(/(\s+)<\/span>/g, "</span>$1").replace(/(<span[^>]*>)(\s+)/g, "$2$1"),
  );
  normal("SiYuan repeats an image's style", (text) =>
    text.includes('class="img"') ? text.replace(/ style="[^"]*"/g, "") : text,
  );
  normal("editor buttons added", (text) =>
    text.includes("protyle-icons") ? text.replace(/<div class="protyle-icons">[\s\S]*?<\/div>/g, "") : text,
  );
  normal("blank lines in HTML removed by SiYuan", (text) =>
    text.includes("<protyle-html") ? text.replace(htmlSource, withoutBlankLines) : text,
  );
  normal("dynamic anchor text refreshed", (text) => text.replace(/(<span[^>]* data-subtype="d"[^>]*>)[^<]*/g, "$1"));
  return { equal: left === right, notes: left === right ? notes : [] };
}

/** The source of an HTML block in canonical DOM: a JSON string. */
const htmlSource = /(<protyle-html data-content=)("(?:[^"\\]|\\.)*")/g;

function withoutBlankLines(_match: string, head: string, source: string): string {
  const lines = (JSON.parse(source) as string).split("\n").filter((line) => line.trim() !== "");
  return head + JSON.stringify(lines.join("\n"));
}
