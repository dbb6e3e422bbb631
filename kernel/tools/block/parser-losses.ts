// What SiYuan's parser would drop from Markdown, or swallow with what stands behind it, and say nowhere. Measured, line
// by line outside fenced code; a preview cannot tell, because it comes from the same parser.

import { isStoredName } from "./attribute-names.js";

export interface ParserLoss {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

const attributeLine = /^\{:(?:\s+[A-Za-z][A-Za-z0-9-]*="[^"{}]*")*\s*\}$/;
const attributeName = /([A-Za-z][A-Za-z0-9-]*)="/g;
const listMark = /^(?:[-*+]|\d{1,9}[.)])\s+/;
const reference = /\(\(\d{14}-[0-9a-z]{7}[\s)]/;
const entity = /&(?:#?[A-Za-z0-9]+);/;

export class ParserLossFinder {
  #found: ParserLoss | undefined;
  /** Lines that opened what is still open at the top level. */
  #formula: number | undefined;
  #superBlocks: number[] = [];
  #emptySince: number | undefined;
  #inHtml = false;
  #attributesInHtml: number | undefined;
  #deepest = 0;

  /** Deepest nesting of super blocks. */
  get nesting(): number {
    return this.#deepest;
  }

  /** Line of the first attribute line that would become part of an HTML block. */
  get attributesInHtml(): number | undefined {
    return this.#attributesInHtml;
  }

  #lose(line: number, message: string): void {
    this.#found ??= { line, message };
  }

  /** A line that opens fenced code. */
  fence(info: string, line: number): void {
    this.#emptySince = undefined;
    if (/\S\s+\S/.test(info)) this.#lose(line, "SiYuan keeps only the first word behind the mark of a code fence");
  }

  /** A line of plain prose: nothing can be lost in it. */
  plain(): void {
    this.#emptySince = undefined;
  }

  /** A line outside fenced code; `codeSpans` are what its backticks enclose. */
  prose(text: string, codeSpans: readonly string[], line: number): void {
    if (this.#formula !== undefined) {
      if (text.trimEnd().endsWith("$$")) this.#formula = undefined;
      return;
    }
    if (/^\$\$/.test(text)) {
      const own = text.trim();
      if (own.length < 4 || !own.endsWith("$$")) this.#formula = line;
      this.#emptySince = undefined;
      return;
    }
    const inner = text.replace(/^[\s>]*/, "");
    const plain = inner.replace(listMark, "");
    this.#superBlock(inner.trimEnd(), line);
    this.#attributes(plain, plain !== inner, line);
    this.#html(plain, line);
    if (codeSpans.some((code) => reference.test(code)))
      this.#lose(line, "SiYuan would empty the reference inside inline code; use a code fence");
    if (text.includes("](")) this.#links(text, line);
  }

  #superBlock(inner: string, line: number): void {
    if (/^\{\{\{\s*(?:row|col)?$/.test(inner)) {
      this.#superBlocks.push(line);
      this.#deepest = Math.max(this.#deepest, this.#superBlocks.length);
      this.#emptySince = line;
    } else if (inner === "}}}" && this.#superBlocks.length > 0) {
      if (this.#emptySince !== undefined) this.#lose(line, "SiYuan would drop a super block without content");
      this.#superBlocks.pop();
      this.#emptySince = undefined;
    } else if (inner !== "") this.#emptySince = undefined;
  }

  /** SiYuan takes what looks like an attribute line as one, also with single quotes, and drops what it cannot read. */
  #attributes(plain: string, behindMark: boolean, line: number): void {
    if (!plain.startsWith("{: ")) return;
    const text = behindMark ? plain.slice(0, plain.indexOf("}") + 1) : plain.trimEnd();
    if (!text.endsWith("}")) return;
    if (!attributeLine.test(text)) {
      this.#lose(line, 'an attribute line that SiYuan would misread; write {: name="value"}, values without braces');
      return;
    }
    const names = Array.from(text.matchAll(attributeName), (match) => match[1] as string);
    const dropped = names.find((name, index) => names.indexOf(name) !== index || !isStoredName(name));
    if (dropped !== undefined) this.#lose(line, `SiYuan would drop the attribute ${dropped}, or change its name`);
  }

  #html(plain: string, line: number): void {
    this.#inHtml = plain !== "" && (this.#inHtml || /^<div[\s>]/.test(plain));
    if (this.#inHtml && plain.startsWith("{: ")) this.#attributesInHtml ??= line;
    if (this.#inHtml && entity.test(plain))
      this.#lose(line, "SiYuan would decode the character entities of an HTML block; write the characters themselves");
  }

  #links(text: string, line: number): void {
    if (/\]\(\s*<?\s*javascript:/i.test(text.replace(/!\[[^\]]*\]\(/g, "")))
      this.#lose(line, "SiYuan would empty a link to javascript:");
    if (/!\[[^\]]*(?:"|&quot;)[^\]]*\]\(/.test(text))
      this.#lose(line, "SiYuan would cut an image's description at a double quote");
  }

  /** The first loss; `openFence` is the line of a code fence at the top level that never closes. */
  end(openFence: number | undefined): ParserLoss | undefined {
    const [superBlock] = this.#superBlocks;
    if (openFence !== undefined) this.#lose(openFence, "the code fence is never closed and would take in what follows");
    if (this.#formula !== undefined)
      this.#lose(this.#formula, "the formula is never closed with $$ and would take in what follows");
    if (superBlock !== undefined)
      this.#lose(superBlock, "the super block is never closed with }}} and would take in what follows");
    return this.#found;
  }
}
