// Content that becomes new blocks: what append, prepend and insert check before, send, and compare afterwards.

import { blockIds, canonicalDom, type DomNode, topLevelNodes } from "../../api/dom.js";
import type { SiyuanReader, TreePlace } from "../../api/reader.js";
import type { BlockContent, Echo } from "../../api/writer.js";
import { blocksOf, documentOf } from "./document-blocks.js";
import { compareStored, lostReferences, missingWords } from "./comparison.js";
import { type Content, readContent, refusal, requireOwnAttributes } from "./content.js";
import { attributeLineOf, idsInAttributeLines } from "./markdown-source.js";
import { visibleText } from "./text-diff.js";

/** Content as read, with the live blocks whose ids it carries. */
export interface NewContent {
  readonly content: Content;
  readonly taken: readonly string[];
}

/** What is sent, and what must come of it. */
export interface NewBlocks {
  readonly content: Content;
  readonly send: BlockContent;
  /** Blocks that the content makes, as far as the parser tells. */
  readonly expected: number;
  readonly reservedId: string | undefined;
}

export interface StoredBlocks {
  readonly stored: ReadonlyMap<string, string>;
  readonly infos: ReadonlyMap<string, TreePlace>;
}

/** Bindings that SiYuan strips from what is inserted. */
const strippedAttributes = ["custom-avs", "custom-riff-decks", "av-names", "custom-sy-av-view"];

export async function readNewContent(input: BlockContent, field: string, reader: SiyuanReader): Promise<NewContent> {
  const content = await readContent(input, field, reader);
  return { content, taken: Array.from((await reader.treeInfos(idsIn(content))).keys()) };
}

/** Ids of SiYuan's form that the content gives to its blocks. */
export function idsIn(content: Content): readonly string[] {
  return content.kind === "dom" ? blockIds(content.text) : idsInAttributeLines(content.source);
}

/** Throws a refusal for ids and bindings that SiYuan would drop, or tear out of other blocks. */
export function requireNew({ content, taken }: NewContent, field: string): void {
  requireOwnAttributes(content, field);
  if (taken.length > 0) {
    throw refusal(
      "content_would_be_lost",
      field,
      `the id ${taken[0]} belongs to a live block, which would be torn out of its document; remove the ids from the content`,
    );
  }
  const ids = idsIn(content);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw refusal("content_would_be_lost", field, `it carries the id ${twice} twice`);
  const names =
    content.kind === "dom"
      ? namesOf(content.nodes)
      : content.source.attributeLines.reduce<string[]>(
          (all, line) => all.concat(Array.from(line.attributes.keys())),
          [],
        );
  const stripped = names.find((name) => strippedAttributes.includes(name));
  if (stripped !== undefined)
    throw refusal("content_would_be_lost", field, `SiYuan would drop the attribute ${stripped}; remove it`);
}

function namesOf(nodes: readonly DomNode[]): readonly string[] {
  return nodes.reduce<string[]>((all, node) => all.concat(Array.from(node.attributes.keys())), []);
}

/** Pure. The content as it is sent, its last block named by the reserved id where an attribute line can do so. */
export function prepareNewBlocks(content: Content, reserved: string | undefined): NewBlocks {
  const expected = content.kind === "dom" ? content.nodes.length : content.preview.blocks;
  const reservedId = content.kind === "markdown" && canCarryId(content) ? reserved : undefined;
  const text = content.text.trimEnd();
  const data = reservedId === undefined ? content.text : `${text}\n${attributeLineOf(new Map([["id", reservedId]]))}`;
  return { content, send: { dataType: content.kind, data }, expected, reservedId };
}

/** False where an attribute line would not name the last block: below HTML, or where the content ends with its own. */
export function canCarryId({ source, text }: Content & { kind: "markdown" }): boolean {
  return text.trim() !== "" && !source.endsInHtml && !source.attributeLines.some((line) => line.isLastLine);
}

/** The text that a preview shows. */
export function textOf(content: Content): string {
  if (content.kind === "dom") return visibleText(content.text);
  return content.prose ?? visibleText(content.preview.html);
}

export function echoedNodes(echo: Echo | undefined): readonly DomNode[] {
  return topLevelNodes(echo?.dom ?? "").nodes;
}

/** Up to here asking for each block is cheaper than reading its document. */
const fewBlocks = 8;

/** What the live trees hold of these blocks. */
export async function readStored(reader: SiyuanReader, nodes: readonly DomNode[]): Promise<StoredBlocks> {
  const ids = nodes.map((node) => node.id);
  if (ids.length === 0) return { infos: new Map(), stored: new Map() };
  if (ids.length <= fewBlocks) {
    const [infos, stored] = await Promise.all([reader.treeInfos(ids), reader.blockDoms(ids)]);
    return { infos, stored };
  }
  const infos = new Map<string, TreePlace>();
  const stored = new Map<string, string>();
  const pending = new Set(ids);
  for (const id of ids) {
    if (!pending.delete(id)) continue;
    const location = await reader.location(id);
    if (!location) continue;
    const document = documentOf(location.path);
    const blocks = blocksOf(document, (await reader.blockDom(document)) ?? "", new Set([id, ...Array.from(pending)]));
    blocks.forEach((block) => {
      infos.set(block.id, block);
      stored.set(block.id, block.dom);
      pending.delete(block.id);
    });
  }
  return { infos, stored };
}

/**
 * Whether the notes hold all of the content whose last block got the reserved id. SiYuan makes all blocks of a call or
 * none, but it may have dropped words on the way.
 */
export async function holdsNewContent(
  reader: SiyuanReader,
  input: BlockContent,
  reservedId: string | undefined,
  parentID: string | undefined,
): Promise<boolean> {
  const location = reservedId === undefined ? undefined : await reader.location(reservedId);
  if (!location || reservedId === undefined) return false;
  const document = documentOf(location.path);
  const dom = (await reader.blockDom(document)) ?? "";
  const places = blocksOf(document, dom, new Set(blockIds(dom)));
  const content = await readContent(input, "data", reader);
  const expected = content.kind === "dom" ? content.nodes.length : content.preview.blocks;
  const nodes: { readonly html: string }[] = [];
  let place = places.get(reservedId);
  if (!place || (parentID !== undefined && place.parentID !== parentID)) return false;
  for (let count = 0; place && count < expected; count++) {
    nodes.unshift({ html: place.dom });
    place = places.get(place.previousID);
  }
  return (
    nodes.length === expected &&
    missingWords(content, nodes).length === 0 &&
    lostReferences(content, nodes).length === 0
  );
}

export type Comparison = { readonly problem: string } | { readonly notes: readonly string[] };

/** Pure. The request with the echo, the echo with what is stored, and the parent. */
export function compareNewBlocks(
  blocks: NewBlocks,
  echo: Echo | undefined,
  nodes: readonly DomNode[],
  parentID: string,
  { stored, infos }: StoredBlocks,
): Comparison {
  if (!echo || echo.id === "") return { problem: "SiYuan wrote nothing" };
  if (nodes.length < blocks.expected) return { problem: `${nodes.length} of ${blocks.expected} blocks were made` };
  const missing = missingWords(blocks.content, nodes);
  if (missing.length > 0) return { problem: `SiYuan dropped words of the request: ${missing.slice(0, 5).join(" ")}` };
  if (blocks.reservedId !== undefined && !nodes.some((node) => node.id === blocks.reservedId))
    return { problem: "the reserved id is not among the new blocks" };
  const notes: string[] = [];
  const storedNodes: { readonly html: string }[] = [];
  for (const node of nodes) {
    const html = stored.get(node.id) ?? "";
    if (html === "" || infos.get(node.id)?.parentID !== parentID)
      return { problem: `block ${node.id} is not below the parent` };
    const comparison = compareStored(node.html, canonicalDom(html));
    if (!comparison.equal) return { problem: `block ${node.id} is not what SiYuan announced` };
    notes.push(...comparison.notes);
    storedNodes.push({ html });
  }
  const lost = lostReferences(blocks.content, storedNodes);
  if (lost.length > 0) return { problem: `references were emptied: ${lost.join(" ")}` };
  return { notes };
}

/** Pure. True when the blocks stand one behind the other, in this order. */
export function standInOrder(ids: readonly string[], infos: ReadonlyMap<string, TreePlace>): boolean {
  return ids.every((id, index) => index === 0 || infos.get(id)?.previousID === ids[index - 1]);
}
