// Anchors of block.insert: which one an entry has, whether content may stand there, and what must be its neighbours.

import { blockPlaces } from "../../api/block-places.js";
import { topLevelNodes } from "../../api/dom.js";
import type { SiyuanReader } from "../../api/reader.js";
import type { BlockContent } from "../../api/writer.js";
import { type Content, refusal } from "./content.js";
import { containerTarget } from "./into-container.js";
import { isDocument, type LiveBlock, liveBlock } from "./location.js";

export type AnchorKind = "nextID" | "previousID" | "parentID";

export interface Anchors {
  readonly nextID?: string;
  readonly previousID?: string;
  readonly parentID?: string;
}

export interface InsertEntry extends BlockContent {
  readonly kind: AnchorKind;
  readonly anchorID: string;
  /** Where the content and the anchor stand in the arguments. */
  readonly dataField: string;
  readonly anchorField: string;
}

/** A live anchor and what surrounds it. */
export interface LiveAnchor {
  readonly block: LiveBlock;
  /** Where the new blocks arrive. */
  readonly parentID: string;
  /** List type (`u`, `o`, `t`) when the anchor is a list item. */
  readonly itemType: string;
  /** The block that is sent as anchor: behind a folded heading the last one of its section. */
  readonly sentID: string;
  readonly folded: boolean;
}

const kinds: readonly AnchorKind[] = ["nextID", "previousID", "parentID"];

interface InsertInput extends Anchors, Partial<BlockContent> {
  readonly blocks?: readonly (BlockContent & Anchors)[];
}

/** One entry per block to insert. Throws a refusal where there is no anchor, or more than one. */
export function entriesOf(input: InsertInput): readonly InsertEntry[] {
  const { blocks } = input;
  if (!blocks) return [entryOf(input as BlockContent, input, "", "")];
  return blocks.map((block, index) => {
    const own = kinds.some((kind) => block[kind] !== undefined);
    return entryOf(block, own ? block : input, `blocks.${index}.`, own ? `blocks.${index}.` : "");
  });
}

function entryOf(content: BlockContent, anchors: Anchors, dataPrefix: string, anchorPrefix: string): InsertEntry {
  const given = kinds.filter((kind) => anchors[kind] !== undefined);
  const [kind, second] = given;
  if (!kind)
    throw refusal(
      "invalid_arguments",
      `${dataPrefix}previousID`,
      "an anchor is missing: give nextID, previousID or parentID",
    );
  if (second)
    throw refusal("invalid_arguments", `${anchorPrefix}${second}`, `${kind} is given too; one anchor is enough`);
  return {
    dataType: content.dataType,
    data: content.data,
    kind,
    anchorID: anchors[kind] as string,
    dataField: `${dataPrefix}data`,
    anchorField: `${anchorPrefix}${kind}`,
  };
}

/** Throws `block_not_found`, or a refusal for an anchor beside or in which nothing can stand. */
export async function liveAnchor(
  reader: SiyuanReader,
  { kind, anchorID, anchorField }: InsertEntry,
): Promise<LiveAnchor> {
  if (kind === "parentID") {
    const block = await containerTarget(reader, anchorID, anchorField);
    return { block, parentID: anchorID, itemType: "", sentID: anchorID, folded: false };
  }
  const block = await liveBlock(reader, anchorID, anchorField);
  if (isDocument(block)) throw refusal("not_a_block", anchorField, `${anchorID} is a document; give it as parentID`);
  const plain = { block, parentID: block.parentID, itemType: "", sentID: anchorID, folded: false };
  if (block.type === "NodeListItem") {
    const [node] = topLevelNodes((await reader.blockDom(anchorID)) ?? "").nodes;
    return { ...plain, itemType: node?.attributes.get("data-subtype") ?? "u" };
  }
  if (kind === "previousID" && block.type === "NodeHeading") {
    const [place] = blockPlaces((await reader.blockDom(anchorID)) ?? "");
    const section = place?.folded ? await reader.children(anchorID) : [];
    return { ...plain, folded: place?.folded === true, sentID: section[section.length - 1]?.id ?? anchorID };
  }
  return plain;
}

/** Throws a refusal for content that SiYuan would take apart at this place. */
export function requireFits(content: Content, { kind, dataField }: InsertEntry, { block, itemType }: LiveAnchor): void {
  const count = content.kind === "dom" ? content.nodes.length : content.preview.blocks;
  if (kind === "parentID") {
    if (block.type === "NodeSuperBlock" && count > 1) {
      throw refusal(
        "several_blocks",
        dataField,
        `SiYuan keeps only the first of ${count} blocks at the start of a super block; use block prepend`,
      );
    }
    if (block.type === "NodeListItem" && count > 1) {
      throw refusal(
        "several_blocks",
        dataField,
        `SiYuan may reverse the order of ${count} blocks at the start of a list item; use block prepend`,
      );
    }
  }
  if (itemType === "") {
    if (content.kind === "dom" && content.nodes.some((node) => node.type === "NodeListItem")) {
      throw refusal("content_would_be_lost", dataField, "a list item can only stand beside list items");
    }
    return;
  }
  const shape = listShape(content);
  if (!shape)
    throw refusal(
      "content_would_be_lost",
      dataField,
      'beside a list item only a list item can stand: write it as a list of one item, for example "- text"',
    );
  if (shape.items !== 1) throw refusal("several_blocks", dataField, `${shape.items} list items; give one per block`);
  if (shape.ordered !== (itemType === "o"))
    throw refusal(
      "content_would_be_lost",
      dataField,
      "an ordered and an unordered item in one list; use the marker of that list",
    );
}

/** Items and kind when the content is one list, or one bare item; else undefined. */
function listShape(content: Content): { readonly items: number; readonly ordered: boolean } | undefined {
  if (content.kind === "markdown") {
    const { tag, items } = content.preview;
    return tag === "ul" || tag === "ol" ? { items, ordered: tag === "ol" } : undefined;
  }
  const [node, second] = content.nodes;
  if (!node || second || (node.type !== "NodeList" && node.type !== "NodeListItem")) return undefined;
  const ordered = node.attributes.get("data-subtype") === "o";
  if (node.type === "NodeListItem") return { items: 1, ordered };
  return { items: blockPlaces(node.html).filter((place) => place.parentID === node.id).length, ordered };
}
