// Blocks as SiYuan's block DOM, in its normal form.

import { topLevelNodes } from "../../../kernel/api/dom.js";
import type { Block } from "./notes.js";

const editable = (text: string) => `<div contenteditable="true" spellcheck="false">${text}</div>`;
const badges = '<div class="protyle-attr" contenteditable="false">\u200b</div>';

/** `index` counts from 1 at the top of an answer; nested blocks have none. */
export function domOf(block: Block, index = 0): string {
  const { type, id, text, attributes, children } = block;
  const own = Array.from(attributes, ([name, value]) => ` ${name}="${value.replace(/"/g, "&quot;")}"`).join("");
  const position = index > 0 ? ` data-node-index="${index}"` : "";
  const inner = children.map((child) => domOf(child)).join("");
  const open = (shape: string, className: string) =>
    `<div${shape} data-node-id="${id}"${position} data-type="${type}" class="${className}"${own}>`;
  switch (type) {
    case "NodeHeading": {
      const [marks = "", ...words] = text.split(" ");
      return `${open(` data-subtype="h${marks.length}"`, `h${marks.length}`)}${editable(words.join(" "))}${badges}</div>`;
    }
    case "NodeBlockquote":
      return `${open("", "bq")}${inner}${badges}</div>`;
    case "NodeList":
      return `${open(' data-subtype="u"', "list")}${inner}${badges}</div>`;
    case "NodeListItem":
      return `${open(' data-marker="-" data-subtype="u"', "li")}<div class="protyle-action" draggable="true"></div>${inner}${badges}</div>`;
    default:
      return `${open("", "p")}${editable(text)}${badges}</div>`;
  }
}

export function domsOf(blocks: readonly Block[]): string {
  return blocks.map((block, index) => domOf(block, index + 1)).join("");
}

const ofTheShape: ReadonlySet<string> = new Set([
  "data-node-id",
  "data-node-index",
  "data-type",
  "data-subtype",
  "class",
]);

/** The blocks of a DOM that came back from a client. */
export function parseDoms(html: string): Block[] {
  return topLevelNodes(html)
    .nodes.filter(({ id }) => id !== "")
    .map(({ id, type, attributes, html: own }) => {
      const inner = own.slice(own.indexOf(">") + 1, own.lastIndexOf("</div>"));
      const text = /^<div contenteditable="true"[^>]*>([^<]*)<\/div>/.exec(inner)?.[1];
      const level = attributes.get("data-subtype") ?? "";
      return {
        id,
        type,
        text: text === undefined ? "" : type === "NodeHeading" ? `${"#".repeat(Number(level.slice(1)))} ${text}` : text,
        attributes: new Map(Array.from(attributes).filter(([name]) => !ofTheShape.has(name) && name !== "data-marker")),
        children: text === undefined ? parseDoms(inner) : [],
      };
    });
}
