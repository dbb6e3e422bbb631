// What SiYuan's parser would make of Markdown, from its preview HTML: how many blocks, and of which kind.

import { scanDom, topLevelNodes } from "../../api/dom.js";
import { rememberLast } from "../../api/remember-last.js";

export interface Preview {
  readonly blocks: number;
  /** Tag of the only block, for example `ul`; "" for none or several. */
  readonly tag: string;
  /** Direct items when the only block is a list. */
  readonly items: number;
  readonly html: string;
}

export function readPreview(markdown: string, printed: string): Preview {
  const text = markdown.trim();
  // SiYuan forgets to close the body of a table that has none.
  const html = printed.split("<tbody>\n</table>").join("<tbody>\n</tbody>\n</table>");
  const { nodes, balanced } = topLevelNodes(html);
  // An HTML block prints as it is: its own tags are no blocks. Without a blank line it stays one block.
  const oneHtmlBlock = /^<[A-Za-z]/.test(text) && !/\n\s*\n/.test(text) && !/<p id="/.test(html);
  const blocks =
    isOneSuperBlock(text) || oneHtmlBlock ? 1 : text === "" ? 1 : balanced ? nodes.length : nodes.length + 2;
  const only = nodes.length === 1 && blocks === 1 && !oneHtmlBlock ? nodes[0] : undefined;
  const tag = only ? tagOf(only.html) : oneHtmlBlock ? (embedTag.exec(text)?.[1] ?? "html") : "";
  return { blocks, tag, items: only ? listItems(only.html) : 0, html };
}

/**
 * One line of prose, which needs no parser: words, digits, spaces and punctuation without a meaning in Markdown, begun
 * by a letter. Trimmed; undefined for anything else.
 */
export const proseOf = rememberLast((markdown: string): string | undefined =>
  /^[A-Za-z\u00c0-\u024f\u3040-\u30ff\u4e00-\u9fff](?:[A-Za-z0-9 .,;?\u00c0-\u024f\u3001\u3002\u3040-\u30ff\u4e00-\u9fff\uff0c\uff1f])*$/.test(
    markdown,
  )
    ? markdown.trim()
    : undefined,
);

/** What `readPreview` would make of a line of prose. */
export function previewOfProse(text: string): Preview {
  return { blocks: 1, tag: "p", items: 0, html: `<p>${text}</p>` };
}

/** A super block loses its wrapper in the preview, so its braces are counted in the source. */
function isOneSuperBlock(text: string): boolean {
  if (!/^\{\{\{\s*(?:row|col)/.test(text)) return false;
  let depth = 0;
  const lines = text.split("\n").filter((line) => !/^\{:/.test(line));
  return (
    lines.every((line, index) => {
      if (/^\{\{\{/.test(line)) depth++;
      if (/^\}\}\}/.test(line)) depth--;
      return depth > 0 || index === lines.length - 1;
    }) && depth === 0
  );
}

/** Written as HTML, but blocks of their own, which take an attribute line. */
const embedTag = /^<(iframe|video|audio)[\s>]/;

function tagOf(html: string): string {
  return /^<([a-z0-9]+)/.exec(html)?.[1] ?? "";
}

function listItems(html: string): number {
  let count = 0;
  scanDom(html, (tag, _text, depth) => {
    if (tag.name === "li" && !tag.closes && depth === 1) count++;
  });
  return count;
}
