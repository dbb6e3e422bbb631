// The Markdown that the simulated SiYuan knows: paragraphs, headings, quotes, flat lists and attribute lines.

import type { Block, Notes } from "./notes.js";

const attributeLine = /^\{:\s*([^}]*)\}$/;

export function parseMarkdown(markdown: string, notes: Notes): Block[] {
  const chunks = markdown.split(/\n{2,}/).map((chunk) => chunk.trim());
  const blocks = chunks.filter((chunk) => chunk !== "").map((chunk) => parseChunk(chunk, notes));
  return blocks.length > 0 ? blocks : [notes.newBlock("NodeParagraph", "")];
}

function parseChunk(chunk: string, notes: Notes): Block {
  const lines = chunk.split("\n");
  const own = attributeLine.exec(lines[lines.length - 1] as string);
  if (own) lines.pop();
  const attributes = parseAttributes(own?.[1] ?? "");
  const id = attributes.get("id");
  const block = named(parseLines(lines, notes), id);
  for (const [name, value] of attributes) if (name !== "id") block.attributes.set(name, value);
  return block;
}

function named(block: Block, id: string | undefined): Block {
  return id === undefined ? block : { ...block, id };
}

function parseLines(lines: readonly string[], notes: Notes): Block {
  const [first = ""] = lines;
  const heading = /^(#{1,6}) (.*)$/.exec(first);
  if (heading) return notes.newBlock("NodeHeading", `${heading[1]} ${heading[2]}`);
  if (first.startsWith("> ")) {
    const inner = lines.map((line) => line.replace(/^> ?/, "")).join("\n");
    return notes.newBlock("NodeBlockquote", "", parseMarkdown(inner, notes));
  }
  if (first.startsWith("- ")) {
    const items = lines.map((line) => parseItem(line.replace(/^- /, ""), notes));
    return notes.newBlock("NodeList", "", items);
  }
  return notes.newBlock("NodeParagraph", lines.join("\n"));
}

function parseItem(text: string, notes: Notes): Block {
  const marked = /^\{:\s*([^}]*)\}(.*)$/.exec(text);
  const attributes = parseAttributes(marked?.[1] ?? "");
  const paragraph = notes.newBlock("NodeParagraph", marked ? (marked[2] as string) : text);
  const item = named(notes.newBlock("NodeListItem", "", [paragraph]), attributes.get("id"));
  for (const [name, value] of attributes) if (name !== "id") item.attributes.set(name, value);
  return item;
}

function parseAttributes(text: string): Map<string, string> {
  const pairs = Array.from(text.matchAll(/([A-Za-z][A-Za-z0-9-]*)="([^"]*)"/g));
  return new Map(pairs.map((pair) => [pair[1] as string, pair[2] as string]));
}

/** What `md2html` answers. */
export function previewHtml(blocks: readonly Block[]): string {
  return blocks.map(htmlOf).join("\n");
}

function htmlOf(block: Block): string {
  switch (block.type) {
    case "NodeHeading": {
      const [marks = "", ...words] = block.text.split(" ");
      return `<h${marks.length}>${words.join(" ")}</h${marks.length}>`;
    }
    case "NodeBlockquote":
      return `<blockquote>\n${previewHtml(block.children)}\n</blockquote>`;
    case "NodeList":
      return `<ul>\n${previewHtml(block.children)}\n</ul>`;
    case "NodeListItem":
      return `<li>${block.children.map((child) => child.text).join("\n")}</li>`;
    default:
      return `<p>${block.text}</p>`;
  }
}

/** A document's source: each block with its attribute line, and the root's line at the end. */
export function kramdownOf(root: Block, attributes: ReadonlyMap<string, string>): string {
  return `${root.children.map(sourceOf).join("\n\n")}\n\n${lineOf(attributes)}`;
}

function sourceOf(block: Block): string {
  const own = lineOf(new Map([["id", block.id], ...block.attributes]));
  if (block.children.length === 0) return `${block.text}\n${own}`;
  const mark = block.type === "NodeBlockquote" ? "> " : "  ";
  const inner = block.children.map(sourceOf).join("\n\n").split("\n");
  return `${inner.map((line) => mark + line).join("\n")}\n${own}`;
}

export function textOf(block: Block): string {
  return block.children.length === 0 ? block.text : block.children.map(textOf).join("\n\n");
}

export function lineOf(attributes: ReadonlyMap<string, string>): string {
  return `{: ${Array.from(attributes, ([name, value]) => `${name}="${value.replace(/"/g, "&quot;")}"`).join(" ")}}`;
}
