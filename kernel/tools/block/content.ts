// Content on its way into SiYuan: what it refers to, what it would become, and every reason not to send it.

import { SisyphusError } from "../../../shared/errors.js";
import { sizeLimits } from "../../../shared/limits.js";
import { isId } from "../../../shared/wire/plugin.js";
import { blockIds, referenceIds, scanDom, topLevelNodes, type DomNode } from "../../api/dom.js";
import type { SiyuanReader } from "../../api/reader.js";
import type { BlockContent } from "../../api/writer.js";
import { type Preview, previewOfProse, proseOf, readPreview } from "./preview.js";
import { footnote, type MarkdownSource, scanMarkdown, sourceOfProse } from "./markdown-source.js";

/** Content as read: Markdown with its preview, or DOM with its nodes. */
export type Content =
  | {
      readonly kind: "markdown";
      readonly text: string;
      /** The text, trimmed, where it is one line of prose and nothing in it can mean anything else. */
      readonly prose?: string;
      readonly source: MarkdownSource;
      readonly preview: Preview;
    }
  | { readonly kind: "dom"; readonly text: string; readonly nodes: readonly DomNode[] };

/** Throws a refusal that names the field for content that SiYuan would damage or choke on. */
export async function readContent(content: BlockContent, field: string, reader: SiyuanReader): Promise<Content> {
  const text = content.data;
  const prose = content.dataType === "markdown" ? proseOf(text) : undefined;
  if (prose !== undefined)
    return { kind: "markdown", text, prose, source: sourceOfProse, preview: previewOfProse(prose) };
  if (/[\ud800-\udfff]/.test(text) && hasLoneSurrogate(text)) {
    throw refusal("content_would_be_lost", field, "it holds half of a character pair (a lone surrogate)");
  }
  if (text.includes("\u0000"))
    throw refusal("content_would_be_lost", field, "it holds a NUL character, which SiYuan replaces");
  if (content.dataType === "dom") {
    const { nodes, balanced } = topLevelNodes(text);
    if (nodes.length === 0 || !balanced || nodes.some((node) => !isId(node.id))) {
      throw refusal(
        "invalid_arguments",
        field,
        "not block DOM: every top-level element needs data-node-id, and all tags must be closed",
      );
    }
    if (domNesting(text) > sizeLimits.maxNestingLevels) throw refusal("nesting_too_deep", field);
    await requireReferences(
      referenceIds(text).filter((id) => id !== ""),
      blockIds(text),
      field,
      reader,
    );
    return { kind: "dom", text, nodes };
  }
  const source = scanMarkdown(text);
  // SiYuan writes nothing for one, and says so nowhere.
  const malformed = source.attributeLines.find(
    (line) => line.attributes.has("id") && !isId(line.attributes.get("id") ?? ""),
  );
  if (malformed)
    throw refusal(
      "invalid_arguments",
      field,
      `${malformed.attributes.get("id")} in its attribute line is no SiYuan id`,
    );
  if (source.nesting > sizeLimits.maxNestingLevels) throw refusal("nesting_too_deep", field);
  if (source.overfullRow !== undefined) {
    throw refusal(
      "content_would_be_lost",
      field,
      `line ${source.overfullRow}: the row has more cells than the table has columns; write \\| for a pipe inside a cell`,
    );
  }
  if (source.loss) throw refusal("content_would_be_lost", field, `line ${source.loss.line}: ${source.loss.message}`);
  await requireReferences(source.references, [], field, reader);
  const preview = readPreview(text, await reader.previewHtml(asParsed(text, source)));
  return { kind: "markdown", text, source, preview };
}

/** Throws for attributes that a new block would not get. An update strips the line and sends them another way. */
export function requireOwnAttributes(content: Content, field: string): void {
  if (content.kind !== "markdown" || content.source.attributesInHtml === undefined) return;
  const reason = "SiYuan takes an attribute line below HTML as part of it; set the attributes with block set_attrs";
  throw refusal("content_would_be_lost", field, `line ${content.source.attributesInHtml}: ${reason}`);
}

/** The text with footnotes as plain text, as which SiYuan's documents take them. */
function asParsed(text: string, { hasFootnotes }: MarkdownSource): string {
  if (!hasFootnotes) return text;
  return text
    .split("\n")
    .map((line) => (footnote.test(line) ? line.replace("[^", "[\\^") : line))
    .join("\n");
}

/** SiYuan empties a reference whose target it does not find, without a word. */
async function requireReferences(
  references: readonly string[],
  own: readonly string[],
  field: string,
  reader: SiyuanReader,
): Promise<void> {
  const foreign = Array.from(new Set(references.filter((id) => !own.includes(id))));
  const known = await reader.treeInfos(foreign);
  const missing = foreign.filter((id) => !known.has(id));
  if (missing.length > 0) throw refusal("missing_reference", field, `no live block ${missing.join(", ")}`);
}

export function refusal(
  code:
    | "invalid_arguments"
    | "several_blocks"
    | "content_would_be_lost"
    | "missing_reference"
    | "nesting_too_deep"
    | "not_a_block",
  field: string,
  message?: string,
): SisyphusError {
  const error = new SisyphusError(code);
  const text = message ? `${error.message}: ${field}: ${message}` : `${error.message}: ${field}`;
  return new SisyphusError(code, text, { fields: [{ path: field, message: message ?? error.message }] });
}

/** True for half of a character pair. By code unit: this engine's patterns see whole characters. */
export function hasLoneSurrogate(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const next = text.charCodeAt(index + 1);
    if (unit > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) return true;
    index++;
  }
  return false;
}

/** Blocks within blocks; of other elements, two count as one. */
function domNesting(html: string): number {
  let elements = 0;
  let blocks = 0;
  const open: number[] = [];
  scanDom(html, (tag, _text, depth) => {
    elements = Math.max(elements, depth);
    if (tag.closes && open[open.length - 1] === depth) open.pop();
    if (tag.closes || tag.void || !tag.attributes.has("data-node-id")) return;
    open.push(depth);
    blocks = Math.max(blocks, open.length - 1);
  });
  return Math.max(blocks, Math.floor(elements / 2));
}
