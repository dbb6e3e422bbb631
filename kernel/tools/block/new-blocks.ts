// Content that becomes new blocks: what append, prepend and insert check before, send, and compare afterwards.

import { blockIds, canonicalDom, type DomNode, topLevelNodes } from "../../api/dom.js";
import type { SiyuanReader, TreePlace } from "../../api/reader.js";
import type { BlockContent, Echo } from "../../api/writer.js";
import { compareStored, lostReferences, missingWords } from "./comparison.js";
import { type Content, readContent, refusal } from "./content.js";
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

/** What the live trees hold of these blocks. */
export async function readStored(reader: SiyuanReader, nodes: readonly DomNode[]): Promise<StoredBlocks> {
  const ids = nodes.map((node) => node.id);
  if (ids.length === 0) return { infos: new Map(), stored: new Map() };
  const [infos, stored] = await Promise.all([reader.treeInfos(ids), reader.blockDoms(ids)]);
  return { infos, stored };
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
  const storedNodes: DomNode[] = [];
  for (const node of nodes) {
    const [found] = topLevelNodes(stored.get(node.id) ?? "").nodes;
    if (!found || infos.get(node.id)?.parentID !== parentID)
      return { problem: `block ${node.id} is not below the parent` };
    const comparison = compareStored(node.html, canonicalDom(found.html));
    if (!comparison.equal) return { problem: `block ${node.id} is not what SiYuan announced` };
    notes.push(...comparison.notes);
    storedNodes.push(found);
  }
  const lost = lostReferences(blocks.content, storedNodes);
  if (lost.length > 0) return { problem: `references were emptied: ${lost.join(" ")}` };
  return { notes };
}

/** Pure. True when the blocks stand one behind the other, in this order. */
export function standInOrder(ids: readonly string[], infos: ReadonlyMap<string, TreePlace>): boolean {
  return ids.every((id, index) => index === 0 || infos.get(id)?.previousID === ids[index - 1]);
}
