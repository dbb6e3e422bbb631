// Where blocks may go. SiYuan checks almost nothing of this: it puts documents into documents, paragraphs between list
// items and hidden blocks where nobody sees them, each with code 0.

import { sizeLimits } from "../../../shared/limits.js";
import { ancestorsOf, type BlockTree, type Destination, heightOf, subtreeOf, type TreeBlock } from "./block-tree.js";
import { refusal } from "./content.js";
import { containers } from "./into-container.js";

export interface MoveRequest {
  readonly ids: readonly string[];
  readonly to: Destination;
  /** The document that the destination lies in. */
  readonly document: string;
}

/** Names of the arguments: of the block at an index, and of the destination. */
export interface MoveFields {
  block(index: number): string;
  readonly target: string;
}

/** Throws a refusal for a move that SiYuan would not make, or that would leave an invalid or hidden piece of a note. */
export function requireFits(tree: BlockTree, { ids, to, document }: MoveRequest, fields: MoveFields): void {
  const refuse = (field: string, message: string) => refusal("invalid_arguments", field, message);
  const inside = new Set(
    ids.reduce<string[]>((all, id) => all.concat(subtreeOf(tree, id).filter((other) => other !== id)), []),
  );
  const anchor = to.previousID ?? to.parentID;
  if (ids.includes(anchor)) throw refuse(fields.target, `${anchor} is itself to be moved`);
  if (inside.has(anchor)) throw refuse(fields.target, `${anchor} lies inside a block that is to be moved`);
  const parent = tree.blocks.get(to.parentID);
  if (to.previousID === undefined) requireContainer(parent, document, to.parentID, fields.target);
  const hiddenTarget = [anchor].concat(ancestorsOf(tree, anchor)).find((id) => tree.blocks.get(id)?.hidden);
  if (hiddenTarget !== undefined)
    throw refuse(
      fields.target,
      `${anchor} lies in a folded section, where nobody would see the block; unfold it first`,
    );
  ids.forEach((id, index) => {
    const field = fields.block(index);
    const block = tree.blocks.get(id) as TreeBlock;
    if (inside.has(id))
      throw refuse(field, `${id} lies inside another block of the list and goes with it; leave it out`);
    if (block.hidden)
      throw refuse(field, `${id} lies in a folded section and would stay hidden; unfold its heading first`);
    requireListRules(tree, block, parent, field);
    const depth = ancestorsOf(tree, to.parentID).length + 1 + heightOf(tree, id);
    if (depth > sizeLimits.maxNestingLevels) throw refusal("nesting_too_deep", field);
  });
}

function requireContainer(parent: TreeBlock | undefined, document: string, id: string, field: string): void {
  if (id === document || (parent && (containers.has(parent.type) || parent.type === "NodeList"))) return;
  throw refusal(
    "invalid_arguments",
    field,
    parent?.type === "NodeHeading"
      ? "a heading has no children; give it, or the last block of its section, as previousID"
      : `${id} can hold no blocks; give it as previousID`,
  );
}

/** Items stay among items of their kind, everything else stays out of lists. */
function requireListRules(tree: BlockTree, block: TreeBlock, parent: TreeBlock | undefined, field: string): void {
  const isItem = block.type === "NodeListItem";
  const toList = parent?.type === "NodeList";
  if (isItem && !toList) {
    throw refusal(
      "content_would_be_lost",
      field,
      `${block.id} is a list item and can only stand in a list; move the list, or the blocks inside the item`,
    );
  }
  if (!isItem && toList) {
    throw refusal(
      "content_would_be_lost",
      field,
      `${block.id} is no list item and cannot stand in a list; move it into one of the items`,
    );
  }
  if (isItem && parent && tree.parents.get(block.id) !== parent.id && block.subtype !== parent.subtype) {
    throw refusal("content_would_be_lost", field, `${block.id} is an item of another kind of list`);
  }
}
