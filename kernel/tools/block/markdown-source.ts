// Looks at Markdown before it is written: attribute lines, references, nesting, table cells. Fenced code is skipped.

import { idPattern } from "../../../shared/wire/plugin.js";

export interface MarkdownSource {
  /** Attribute lines `{: … }` outside code, in order. */
  readonly attributeLines: readonly { readonly attributes: ReadonlyMap<string, string>; readonly isLastLine: boolean }[];
  /** Ids that block references and embeds point to. */
  readonly references: readonly string[];
  /** Deepest quote or list nesting. */
  readonly nesting: number;
  /** Number of the first table row with more cells than the table has columns, from 1. */
  readonly overfullRow: number | undefined;
  /** True when the last block cannot take an attribute line, because it would become part of its HTML. */
  readonly endsInHtml: boolean;
}

const attributeLine = /^[\s>]*(?:[-*+]|\d{1,9}[.)])?\s*\{:\s*([^}]*)\}/;
const attributePair = /([A-Za-z][A-Za-z0-9-]*)="([^"]*)"/g;
const reference = /\(\((\d{14}-[0-9a-z]{7})(?=[\s)])/g;

export function scanMarkdown(markdown: string): MarkdownSource {
  const lines = markdown.replace(/\r\n?/g, "\n").split("\n");
  const attributeLines: { attributes: ReadonlyMap<string, string>; isLastLine: boolean }[] = [];
  const references: string[] = [];
  let fence = "";
  let nesting = 0;
  let columns = 0;
  let overfullRow: number | undefined;
  lines.forEach((line, index) => {
    const mark = /^[\s>]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== "") {
      if (mark?.startsWith(fence)) fence = "";
      return;
    }
    if (mark) {
      fence = mark;
      return;
    }
    nesting = Math.max(nesting, nestingOf(line));
    const attributes = attributeLine.exec(line)?.[1];
    if (attributes !== undefined) {
      attributeLines.push({ attributes: parseAttributes(attributes), isLastLine: index === lines.length - 1 });
    }
    const plain = line.replace(/`[^`]*`/g, "");
    for (const match of Array.from(plain.matchAll(reference))) references.push(match[1] ?? "");
    // A delimiter row makes the line above it a table head.
    if (/^[\s>]*\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?\s*)?$/.test(line)) columns = cells(lines[index - 1] ?? "");
    else if (!line.includes("|")) columns = 0;
    else if (columns > 0 && overfullRow === undefined && cells(line) > columns) overfullRow = index + 1;
  });
  return { attributeLines, references, nesting, overfullRow, endsInHtml: /^</.test(lastParagraph(markdown)) };
}

function nestingOf(line: string): number {
  const lead = /^(?:\s|>|[-*+]\s|\d{1,9}[.)]\s)*/.exec(line)?.[0] ?? "";
  const quotes = lead.split(">").length - 1;
  const indent = /^\s*/.exec(lead.replace(/>/g, ""))?.[0].length ?? 0;
  const markers = (lead.match(/[-*+]\s|\d{1,9}[.)]\s/g) ?? []).length;
  return quotes + Math.floor(indent / 2) + markers;
}

/** Cells of a table row: SiYuan splits at every pipe that no backslash precedes, inside code too. */
function cells(line: string): number {
  const row = line.trim().replace(/^[\s>]*\|/, "").replace(/\|$/, "");
  return row.replace(/\\\|/g, "").split("|").length;
}

function lastParagraph(markdown: string): string {
  const trimmed = markdown.trim();
  return trimmed.slice(trimmed.lastIndexOf("\n\n") + 1).trim();
}

function parseAttributes(text: string): ReadonlyMap<string, string> {
  return new Map(Array.from(text.matchAll(attributePair)).map((match) => [match[1] ?? "", match[2] ?? ""]));
}

/** The attribute line that carries these values, escaped as SiYuan reads them. */
export function attributeLineOf(attributes: ReadonlyMap<string, string>): string {
  return `{: ${Array.from(attributes).map(([name, value]) => `${name}="${escapeValue(value)}"`).join(" ")}}`;
}

function escapeValue(value: string): string {
  return value
    .replace(/&/g, "&amp;")
    .replace(/"/g, "&quot;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/\{/g, "&#123;")
    .replace(/\}/g, "&#125;")
    .replace(/\n/g, "_esc_newline_");
}

/** Ids in attribute lines that have the form of a SiYuan id. */
export function idsInAttributeLines(source: MarkdownSource): readonly string[] {
  return source.attributeLines.map((line) => line.attributes.get("id") ?? "").filter((id) => idPattern.test(id));
}
