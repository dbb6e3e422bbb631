// Visible text of blocks, as getChildBlocks and the SQL content column show it.
import { unescapeAttribute } from "./attribute-text.ts";
import type { BlockNode } from "./block-node.ts";

/** These put one space before their text; paragraphs beside each other are joined without one. */
const spaced = new Set(["NodeListItem", "NodeBlockquote", "NodeSuperBlock", "NodeCallout"]);

const imagePattern =
  /<span contenteditable="false" data-type="img"[\s\S]*?<img ([^>]*)>[\s\S]*?<span class="protyle-action__title"><span>[\s\S]*?<\/span><\/span><\/span><span> <\/span><\/span>/g;

function attributeOf(tag: string, name: string): string {
  return new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
}

function joined(...words: string[]): string {
  return words.filter(Boolean).join(" ");
}

/** Inline DOM to text: images and links keep their addresses, tags their marks, formulas their source. */
function inlineText(dom: string): string {
  return dom
    .replace(imagePattern, (_, tag: string) =>
      joined(attributeOf(tag, "alt"), attributeOf(tag, "src"), attributeOf(tag, "title")),
    )
    .replace(/<span data-type="[^"]*inline-math[^"]*"([^>]*)><\/span>/g, (_, tag: string) =>
      attributeOf(tag, "data-content"),
    )
    .replace(/<span data-type="a"([^>]*)>([\s\S]*?)<\/span>/g, (_, tag: string, text: string) =>
      joined(text, attributeOf(tag, "data-title"), attributeOf(tag, "data-href")),
    )
    .replace(/<span data-type="tag">\u200b?([\s\S]*?)<\/span>/g, "#$1#")
    .replace(/<\/t[hd]>(?!<\/tr><\/tbody>)/g, " ")
    .replace(/<[^>]*>/g, "");
}

function ownText(part: string, node: BlockNode): string {
  const withoutBadges = part.replace("\u0000attr\u0000", "");
  if (node.type === "NodeHTMLBlock") return attributeOf(/<protyle-html([^>]*)>/.exec(part)?.[1] ?? "", "data-content");
  if (node.type === "NodeMathBlock" || node.type === "NodeListItem") return "";
  if (node.type === "NodeCodeBlock")
    return inlineText(withoutBadges.replace(/^<div class="protyle-action">[\s\S]*?<\/div>/, ""));
  if (node.type === "NodeCallout" && part.includes("callout-title")) {
    const icon = /callout-icon">([^<]*)</.exec(part)?.[1] ?? "";
    const title = /callout-title">([\s\S]*?)<\/span><\/div>/.exec(part)?.[1] ?? "";
    return `${joined(node.shape.get("data-subtype") ?? "", icon, title.replace(/<[^>]*>/g, ""))} `;
  }
  return node.type === "NodeTable" ? inlineText(withoutBadges).trimEnd() : inlineText(withoutBadges);
}

function rawText(node: BlockNode): string {
  const before = spaced.has(node.type) ? " " : "";
  if (node.type === "NodeMathBlock") return node.shape.get("data-content") ?? "";
  return before + node.parts.map((part) => (typeof part === "string" ? ownText(part, node) : rawText(part))).join("");
}

export function plainText(node: BlockNode): string {
  return unescapeAttribute(rawText(node)).replaceAll("\u200b", "");
}
