// The blocks of documents as a tree of ids, and what a move makes of it: the prediction that a move is verified with.

import { scanDom } from "../../api/dom.js";

export interface TreeBlock {
  readonly id: string;
  /** For example `NodeParagraph`. */
  readonly type: string;
  /** For lists and their items `u`, `o` or `t`. */
  readonly subtype: string;
  /** True for a heading whose section is folded away. */
  readonly folded: boolean;
  /** True for a block that lies in such a section. */
  readonly hidden: boolean;
}

/** Children by the id of their parent, a document for its top-level blocks. */
export type Children = ReadonlyMap<string, readonly string[]>;

export interface BlockTree {
  readonly blocks: ReadonlyMap<string, TreeBlock>;
  readonly parents: ReadonlyMap<string, string>;
  readonly children: Children;
}

/** Where a block goes: behind another one, or to the start of a container. */
export interface Destination {
  readonly parentID: string;
  readonly previousID: string | undefined;
}

/** The trees of several documents as one. */
export function treeOf(documents: readonly { readonly id: string; readonly dom: string }[]): BlockTree {
  const blocks = new Map<string, TreeBlock>();
  const parents = new Map<string, string>();
  const children = new Map<string, string[]>();
  for (const { id: document, dom } of documents) {
    const open: { readonly id: string; readonly depth: number }[] = [];
    children.set(document, []);
    scanDom(dom, ({ closes, void: isVoid, attributes }, _text, depth) => {
      if (closes) {
        if (open[open.length - 1]?.depth === depth) open.pop();
        return;
      }
      const id = attributes.get("data-node-id");
      if (id === undefined) return;
      const type = attributes.get("data-type") ?? "";
      const hidden = attributes.get("heading-fold") === "1";
      const parent = open[open.length - 1]?.id ?? document;
      blocks.set(id, {
        id,
        type,
        subtype: attributes.get("data-subtype") ?? "",
        folded: type === "NodeHeading" && attributes.get("fold") === "1",
        hidden,
      });
      parents.set(id, parent);
      const siblings = children.get(parent);
      if (siblings) siblings.push(id);
      else children.set(parent, [id]);
      if (!isVoid) open.push({ id, depth });
    });
  }
  return { blocks, parents, children };
}

export function childrenIn(children: Children, id: string): readonly string[] {
  return children.get(id) ?? [];
}

/** The block and everything inside it. */
export function subtreeOf({ children }: BlockTree, id: string): readonly string[] {
  return childrenIn(children, id).reduce<string[]>(
    (all, child) => all.concat(subtreeOf({ children } as BlockTree, child)),
    [id],
  );
}

/** Ids from the parent up to the document. */
export function ancestorsOf({ parents }: BlockTree, id: string): readonly string[] {
  const above: string[] = [];
  for (let parent = parents.get(id); parent !== undefined; parent = parents.get(parent)) above.push(parent);
  return above;
}

/** Levels of the deepest block inside, 0 for a leaf. */
export function heightOf(tree: BlockTree, id: string): number {
  return childrenIn(tree.children, id).reduce((most, child) => Math.max(most, 1 + heightOf(tree, child)), 0);
}

/** The hidden blocks behind a folded heading, which go where it goes; empty for every other block. */
export function foldedSection({ blocks, parents, children }: BlockTree, id: string): readonly string[] {
  if (!blocks.get(id)?.folded) return [];
  const siblings = childrenIn(children, parents.get(id) ?? "");
  const section: string[] = [];
  for (const sibling of siblings.slice(siblings.indexOf(id) + 1)) {
    if (!blocks.get(sibling)?.hidden) break;
    section.push(sibling);
  }
  return section;
}

const vanishWhenEmpty: ReadonlySet<string> = new Set(["NodeList", "NodeListItem", "NodeBlockquote", "NodeSuperBlock"]);

/**
 * The children of every parent once these blocks stand at the destination, in this order. Containers that a move
 * empties are gone: SiYuan drops them when it next loads the document, callouts stay.
 */
export function afterMove(
  tree: BlockTree,
  ids: readonly string[],
  { parentID, previousID }: Destination,
): { readonly children: Children; readonly emptied: readonly string[] } {
  const moved = ids.reduce<string[]>((all, id) => all.concat(id, foldedSection(tree, id)), []);
  const gone = new Set(moved);
  const children = new Map<string, readonly string[]>();
  tree.children.forEach((list, parent) => {
    const left = list.filter((id) => !gone.has(id));
    children.set(parent, left);
  });
  const target = childrenIn(children, parentID);
  const anchor = previousID === undefined ? undefined : [previousID, ...foldedSection(tree, previousID)];
  const at = anchor ? target.indexOf(anchor[anchor.length - 1] as string) + 1 : 0;
  children.set(parentID, target.slice(0, at).concat(moved, target.slice(at)));
  return { children, emptied: withoutEmpty(tree, children) };
}

/** Takes out the containers that became empty, innermost first; their ids. */
function withoutEmpty(tree: BlockTree, children: Map<string, readonly string[]>): readonly string[] {
  const emptied: string[] = [];
  const drop = (id: string): void => {
    const block = tree.blocks.get(id);
    if (!block || !vanishWhenEmpty.has(block.type) || childrenIn(children, id).length > 0) return;
    const parent = tree.parents.get(id);
    // A container that moved is elsewhere now.
    const holder = Array.from(children.keys()).find((key) => childrenIn(children, key).includes(id)) ?? parent;
    if (holder === undefined) return;
    emptied.push(id);
    children.delete(id);
    children.set(
      holder,
      childrenIn(children, holder).filter((child) => child !== id),
    );
    drop(holder);
  };
  tree.children.forEach((list, parent) => {
    if (list.length > 0 && childrenIn(children, parent).length === 0) drop(parent);
  });
  return emptied;
}
