// Looks at Markdown before it is written: attribute lines, references, nesting, table cells. Fenced code is skipped.

import { idPattern } from "../../../shared/wire/plugin.js";
import { referenceIds } from "../../api/dom.js";
import { type ParserLoss, ParserLossFinder } from "./parser-losses.js";

export interface MarkdownSource {
  /** Attribute lines `{: … }` outside code, in order. */
  readonly attributeLines: readonly {
    readonly attributes: ReadonlyMap<string, string>;
    readonly isLastLine: boolean;
  }[];
  /** Ids that block references point to. */
  readonly references: readonly string[];
  /** Deepest nesting of quotes and lists, or of super blocks. */
  readonly nesting: number;
  /** Number of the first table row with more cells than the table has columns, from 1. */
  readonly overfullRow: number | undefined;
  /** The first place where SiYuan's parser would drop something. */
  readonly loss: ParserLoss | undefined;
  /** Line of an attribute line that SiYuan takes as part of the HTML block above it. */
  readonly attributesInHtml: number | undefined;
  /** True when a footnote is defined: SiYuan's preview knows footnotes, its documents do not. */
  readonly hasFootnotes: boolean;
  /** True when the last block cannot take an attribute line, because it would become part of its HTML. */
  readonly endsInHtml: boolean;
}

/** What `scanMarkdown` finds in a line of prose: nothing. */
export const sourceOfProse: MarkdownSource = {
  attributeLines: [],
  references: [],
  nesting: 0,
  overfullRow: undefined,
  loss: undefined,
  attributesInHtml: undefined,
  hasFootnotes: false,
  endsInHtml: false,
};

const attributeLine = /^[\s>]*(?:[-*+]|\d{1,9}[.)])?\s*\{:\s*([^}]*)\}/;
const attributePair = /([A-Za-z][A-Za-z0-9-]*)="([^"]*)"/g;
const reference = /\(\((\d{14}-[0-9a-z]{7})(?=[\s)]|$)/g;
/** A fence may follow the marks of quotes, list items and tasks, and an item's attributes. */
const fenceOpening = /^((?:[\s>]|[-*+]\s|\d{1,9}[.)]\s|\[.\]\s|\{:[^}]*\})*)(`{3,}|~{3,})(.*)$/;
const fenceClosing = /^[\s>]*(`{3,}|~{3,})\s*$/;
/** Prose without a character that means anything here: most lines of a long text. */
const plainLine = /^[A-Za-z\u00c0-\uffff][^`~{}()<>[\]|&\\$]*$/;
/** The definition of a footnote. */
export const footnote = /^\s*\[\^[^\]\s]+\]:/;
const ownAttributeLine = /^[\s>]*\{:[^}]*\}\s*$/;

/** An open code fence, and what closes it with its container: fewer quote marks, or less indentation than its item. */
interface Fence {
  readonly mark: string;
  readonly info: string;
  readonly quotes: number;
  readonly indent: number;
}

export function scanMarkdown(markdown: string): MarkdownSource {
  const text = markdown.replace(/\r\n?/g, "\n").trimEnd();
  const lines = text.split("\n");
  const attributeLines: { attributes: ReadonlyMap<string, string>; isLastLine: boolean }[] = [];
  const references: string[] = [];
  let fence: Fence | undefined;
  let nesting = 0;
  let columns = 0;
  let overfullRow: number | undefined;
  let hasFootnotes = false;
  let openFence: number | undefined;
  const losses = new ParserLossFinder();
  lines.forEach((line, index) => {
    if (!fence && plainLine.test(line)) {
      losses.plain();
      columns = 0;
      return;
    }
    if (fence && !leaves(line, fence)) {
      if (line.includes(fence.mark) && fenceClosing.exec(line)?.[1]?.startsWith(fence.mark)) fence = undefined;
      return;
    }
    fence = openedFence(line);
    if (fence) {
      openFence = index + 1;
      losses.fence(fence.info, openFence);
      return;
    }
    hasFootnotes = hasFootnotes || footnote.test(line);
    nesting = Math.max(nesting, nestingOf(line));
    const attributes = attributeLine.exec(line)?.[1];
    if (attributes !== undefined) {
      attributeLines.push({
        attributes: parseAttributes(attributes),
        isLastLine: index === lines.length - 1 && ownAttributeLine.test(line),
      });
    }
    const { kept, codeSpans } = withoutCode(line);
    losses.prose(line, codeSpans, index + 1);
    const plain = withoutLiterals(kept);
    for (const match of Array.from(plain.matchAll(reference))) references.push(match[1] ?? "");
    if (plain.includes("block-ref")) references.push(...referenceIds(plain).filter((id) => id !== ""));
    // A delimiter row makes the line above it a table head.
    if (/^[\s>]*\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?\s*)?$/.test(line)) columns = cells(lines[index - 1] ?? "");
    else if (!line.includes("|")) columns = 0;
    else if (columns > 0 && overfullRow === undefined && cells(line) > columns) overfullRow = index + 1;
  });
  // A fence in a quote or list item ends with it.
  const loss = losses.end(fence && fence.quotes === 0 && fence.indent === 0 ? openFence : undefined);
  return {
    attributeLines,
    references,
    nesting: Math.max(nesting, losses.nesting),
    overfullRow,
    loss,
    attributesInHtml: losses.attributesInHtml,
    hasFootnotes,
    endsInHtml: /^</.test(lastParagraph(text)),
  };
}

function openedFence(line: string): Fence | undefined {
  const [, lead = "", mark = "", info = ""] = fenceOpening.exec(line) ?? [];
  // A run of backticks with another one behind it is code inside a line.
  if (mark === "" || (mark.startsWith("`") && info.includes("`"))) return undefined;
  const inner = lead.replace(/\{:[^}]*\}|\[.\]\s|>\s?/g, "");
  return { mark, info, quotes: lead.split(">").length - 1, indent: inner.trim() === "" ? 0 : inner.length };
}

/** True when the line lies outside the quote or list item that the fence was opened in. */
function leaves(line: string, { quotes, indent }: Fence): boolean {
  if (quotes === 0 && indent === 0) return false;
  const lead = /^[\s>]*/.exec(line)?.[0] ?? "";
  if (lead.split(">").length - 1 < quotes) return true;
  return line.trim() !== "" && lead.replace(/>\s?/g, "").length < indent;
}

/** The line without its code spans, and what they hold. */
function withoutCode(line: string): { readonly kept: string; readonly codeSpans: readonly string[] } {
  // Runs of backticks stand at odd places; a code span reaches to the next run of the same length.
  const parts = line.split(/(`+)/);
  const kept: string[] = [];
  const codeSpans: string[] = [];
  for (let index = 0; index < parts.length; index++) {
    const end = index % 2 === 1 ? parts.indexOf(parts[index] as string, index + 1) : -1;
    kept.push(end >= 0 ? " " : (parts[index] as string));
    if (end < 0) continue;
    codeSpans.push(parts.slice(index + 1, end).join(""));
    index = end;
  }
  return { kept: kept.join(""), codeSpans };
}

/** What is left beside embeds and escaped characters, which SiYuan takes as they are. */
function withoutLiterals(line: string): string {
  return line.replace(/\{\{.*\}\}/g, "").replace(/\\[\\(]/g, "");
}

function nestingOf(line: string): number {
  const lead = /^(?:\s|>|[-*+]\s|\d{1,9}[.)]\s)*/.exec(line)?.[0] ?? "";
  const quotes = lead.split(">").length - 1;
  const indent = /^\s*/.exec(lead.replace(/>\s?/g, ""))?.[0].length ?? 0;
  const markers = (lead.match(/[-*+]\s|\d{1,9}[.)]\s/g) ?? []).length;
  return quotes + Math.floor(indent / 2) + markers;
}

/** Cells of a table row: SiYuan splits at every pipe that no backslash precedes, inside code too. */
function cells(line: string): number {
  const row = line
    .trim()
    .replace(/^[\s>]*\|/, "")
    .replace(/\|$/, "");
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
  return `{: ${Array.from(attributes)
    .map(([name, value]) => `${name}="${escapeValue(value)}"`)
    .join(" ")}}`;
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
