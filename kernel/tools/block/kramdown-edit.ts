// Edits in a block's source as SiYuan prints it, and whether that source says all that the block holds.

import { decodeEntities, isBadgeArea, scanDom } from "../../api/dom.js";

/** A block's source, cut at the attribute lines of the block and of what it holds: texts and lines alternate. */
export interface KramdownParts {
  readonly texts: readonly string[];
  readonly lines: readonly string[];
}

export function kramdownParts(kramdown: string, ownIds: ReadonlySet<string>): KramdownParts {
  const texts: string[] = [];
  const lines: string[] = [];
  let last = 0;
  // Searched, not matched: this engine's regular expressions walk a long text again for each of its many lines.
  for (let start = kramdown.indexOf("{:"); start >= 0; start = kramdown.indexOf("{:", Math.max(start + 2, last))) {
    const line = attributeLineAt(kramdown, start);
    const id = line && / id="([^"]*)"/.exec(line)?.[1];
    if (line === undefined || id === undefined || !ownIds.has(id)) continue;
    texts.push(withoutJoiners(kramdown.slice(last, start)));
    lines.push(line);
    last = start + line.length;
  }
  texts.push(withoutJoiners(kramdown.slice(last)));
  return { texts, lines };
}

/** An attribute line as SiYuan prints it; its values hold no braces. Look-alikes in code carry ids of no block here. */
function attributeLineAt(kramdown: string, start: number): string | undefined {
  const line = kramdown.slice(start, kramdown.indexOf("}", start) + 1);
  return line === "" || line.includes("\n") ? undefined : line;
}

export function joinKramdown({ texts, lines }: KramdownParts): string {
  return texts.reduce((all, text, index) => all + (index === 0 ? "" : (lines[index - 1] ?? "")) + text, "");
}

/** The zero-width space that SiYuan prints behind code, keys and tags, and adds again by itself. */
function withoutJoiners(text: string): string {
  return text.replace(/(`|<\/kbd>|#)\u200b/g, "$1");
}

/** Types whose source is printed as it is. */
const verbatimTypes: ReadonlySet<string> = new Set([
  "NodeCodeBlock",
  "NodeMathBlock",
  "NodeHTMLBlock",
  "NodeIFrame",
  "NodeVideo",
  "NodeAudio",
  "NodeWidget",
  "NodeThematicBreak",
]);

/**
 * What would change if the block's source were read again, undefined if nothing: text that a person typed in the form
 * of a mark, or marks that Markdown cannot carry.
 *
 * @param previewHtml SiYuan's preview of the unchanged source
 */
export function lostBySource(type: string, dom: string, previewHtml: string): string | undefined {
  if (verbatimTypes.has(type)) return undefined;
  const mark = markWithoutSource(dom);
  if (mark !== undefined) return mark;
  return readAs(dom) === readAs(realMarks(previewHtml))
    ? undefined
    : "it holds text in the form of a mark, which would become one";
}

function markWithoutSource(dom: string): string | undefined {
  let found: string | undefined;
  scanDom(dom, (tag) => {
    if (tag.name !== "span") return;
    const types = (tag.attributes.get("data-type") ?? "").split(" ");
    if (types.includes("inline-memo")) found = "it holds a memo on words";
    else if (types.includes("file-annotation-ref")) found = "it holds a reference to a file annotation";
    else if (types.includes("block-ref") && tag.attributes.has("style")) found = "it holds a reference with a style";
  });
  return found;
}

/** The preview prints these marks as text, SiYuan stores them as marks. */
function realMarks(html: string): string {
  return html.replace(/&lt;(\/?(?:u|kbd|sub|sup)|span[^&]*|\/span)&gt;/g, "<$1>");
}

/**
 * The words of a DOM or preview in one form: without spaces and quotes, which the preview puts around references, and
 * with tags told apart from text with hashes.
 */
function readAs(html: string): string {
  const parts: string[] = [];
  let skippedDepth = -1;
  let tail = 0;
  let emphasised = false;
  scanDom(html, (tag, textBefore, depth, _start, end) => {
    tail = end;
    if (skippedDepth >= 0) {
      if (tag.closes && depth === skippedDepth) skippedDepth = -1;
      return;
    }
    const text = decodeEntities(textBefore);
    // The preview shows a tag as emphasised text between hashes.
    parts.push(emphasised ? text.replace(/^#([^#]+)#$/, "\u0001$1") : text);
    emphasised = tag.name === "em" && !tag.closes;
    if (tag.closes || tag.void) return;
    if (isBadgeArea(tag) || /(?:^| )protyle-(?:action|icons)/.test(tag.attributes.get("class") ?? ""))
      skippedDepth = depth;
    const content = tag.attributes.get("data-content");
    if (content !== undefined) parts.push(content);
    if ((tag.attributes.get("data-type") ?? "").split(" ").includes("tag")) parts.push("\u0001");
  });
  parts.push(decodeEntities(html.slice(tail)));
  return parts.join("").replace(/[\s\u200b\u200d\ufe0f\u00a0"']/g, "");
}

const markTags: Readonly<Record<string, string>> = {
  strong: "strong",
  em: "em",
  del: "del",
  mark: "mark",
  code: "code",
  a: "a",
  u: "u",
  kbd: "kbd",
  sup: "sup",
  sub: "sub",
};

/** The inline marks of a preview, each with its text, in any order: what two sources must share to say the same. */
export function marksOfPreview(html: string): readonly string[] {
  const marks: string[] = [];
  const open: { readonly name: string; readonly from: number }[] = [];
  let text = "";
  scanDom(realMarks(html), (tag, textBefore) => {
    text += decodeEntities(textBefore).replace(/[\s\u200b]/g, "");
    const name = markTags[tag.name];
    if (name === undefined || tag.void) return;
    if (!tag.closes) {
      open.push({ name: `${name} ${tag.attributes.get("href") ?? ""}`, from: text.length });
      return;
    }
    const mark = open.pop();
    if (mark) marks.push(`${mark.name}:${text.slice(mark.from)}`);
  });
  return marks.sort();
}
