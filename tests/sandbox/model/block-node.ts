// The light tree: a block with its outer tag, its attributes, and its inside as text and child blocks in order.

export interface BlockNode {
  id: string;
  /** SiYuan's node name, for instance NodeParagraph. */
  type: string;
  /** Tag attributes that belong to the type (data-subtype, class, data-marker …), still escaped as in the DOM. */
  shape: Map<string, string>;
  /** The block's own attributes (name, updated, custom-* …) without id, decoded; the order is the order in the DOM. */
  attributes: Map<string, string>;
  /** Raw inner DOM between child blocks. */
  parts: (string | BlockNode)[];
  parent: BlockNode | null;
}

const containers = new Set([
  "NodeDocument",
  "NodeList",
  "NodeListItem",
  "NodeBlockquote",
  "NodeSuperBlock",
  "NodeCallout",
]);

const abbreviations: Record<string, string> = {
  NodeDocument: "d",
  NodeHeading: "h",
  NodeParagraph: "p",
  NodeList: "l",
  NodeListItem: "i",
  NodeBlockquote: "b",
  NodeSuperBlock: "s",
  NodeCallout: "callout",
  NodeCodeBlock: "c",
  NodeMathBlock: "m",
  NodeTable: "t",
  NodeThematicBreak: "tb",
  NodeHTMLBlock: "html",
  NodeBlockQueryEmbed: "query_embed",
  NodeAttributeView: "av",
  NodeIFrame: "iframe",
  NodeWidget: "widget",
  NodeVideo: "video",
  NodeAudio: "audio",
};

export function isContainer(node: BlockNode): boolean {
  return containers.has(node.type);
}

export function abbreviation(node: BlockNode): string {
  return abbreviations[node.type] ?? node.type;
}

export function subtypeOf(node: BlockNode): string {
  return ["NodeHeading", "NodeList", "NodeListItem", "NodeCallout"].includes(node.type)
    ? (node.shape.get("data-subtype") ?? "")
    : "";
}

export function childrenOf(node: BlockNode): BlockNode[] {
  return node.parts.filter((part): part is BlockNode => typeof part !== "string");
}

/** The node and everything below it, parents first. */
export function* walk(node: BlockNode): Generator<BlockNode> {
  yield node;
  for (const child of childrenOf(node)) yield* walk(child);
}

export function findNode(root: BlockNode, id: string): BlockNode | undefined {
  for (const node of walk(root)) if (node.id === id) return node;
  return undefined;
}

export function cloneNode(node: BlockNode, parent: BlockNode | null = null): BlockNode {
  const copy: BlockNode = {
    id: node.id,
    type: node.type,
    shape: new Map(node.shape),
    attributes: new Map(node.attributes),
    parts: [],
    parent,
  };
  copy.parts = node.parts.map((part) => (typeof part === "string" ? part : cloneNode(part, copy)));
  return copy;
}

export function indexInParent(node: BlockNode): number {
  return node.parent ? node.parent.parts.indexOf(node) : -1;
}

export function unlink(node: BlockNode): void {
  const index = indexInParent(node);
  if (index >= 0) node.parent?.parts.splice(index, 1);
  node.parent = null;
}

export function insertAt(parent: BlockNode, index: number, node: BlockNode): void {
  unlink(node);
  node.parent = parent;
  parent.parts.splice(index, 0, node);
}

export function insertAfter(anchor: BlockNode, node: BlockNode): void {
  unlink(node);
  if (anchor.parent) insertAt(anchor.parent, indexInParent(anchor) + 1, node);
}

export function insertBefore(anchor: BlockNode, node: BlockNode): void {
  unlink(node);
  if (anchor.parent) insertAt(anchor.parent, indexInParent(anchor), node);
}

/** Where the first child goes: behind the list item's bullet or the callout's head. */
function firstChildIndex(parent: BlockNode): number {
  const child = parent.parts.findIndex((part) => typeof part !== "string");
  if (child >= 0) return child;
  return parent.type === "NodeListItem" || parent.type === "NodeCallout" ? Math.min(1, parent.parts.length) : 0;
}

export function prependChild(parent: BlockNode, node: BlockNode): void {
  unlink(node);
  insertAt(parent, firstChildIndex(parent), node);
}

export function appendChild(parent: BlockNode, node: BlockNode): void {
  unlink(node);
  const children = childrenOf(parent);
  const last = children[children.length - 1];
  if (last) insertAfter(last, node);
  else prependChild(parent, node);
}

export function siblings(node: BlockNode): BlockNode[] {
  return node.parent ? childrenOf(node.parent) : [node];
}

export function neighbour(node: BlockNode, step: -1 | 1): BlockNode | undefined {
  const all = siblings(node);
  return all[all.indexOf(node) + step];
}

export function headingLevel(node: BlockNode): number {
  return node.type === "NodeHeading" ? Number((node.shape.get("data-subtype") ?? "h0").slice(1)) : 0;
}

/** The blocks that follow a heading up to the next heading of its level or above. */
export function sectionOf(heading: BlockNode): BlockNode[] {
  const all = siblings(heading);
  const section: BlockNode[] = [];
  for (const node of all.slice(all.indexOf(heading) + 1)) {
    const level = headingLevel(node);
    if (level > 0 && level <= headingLevel(heading)) break;
    section.push(node);
  }
  return section;
}
