// Executes block operations on copies of the trees and writes the changed trees back: all of a transaction or nothing.
import type { LuteEngine } from "../lute/lute-engine.ts";
import { changeAttributes } from "./attribute-rules.ts";
import {
  blockReferences,
  emptyDanglingReferences,
  emptyParagraph,
  parseBlockDom,
  refreshDynamicAnchors,
  reorderAttributes,
} from "./block-dom.ts";
import {
  appendChild,
  type BlockNode,
  childrenOf,
  cloneNode,
  findNode,
  headingLevel,
  insertAfter,
  insertBefore,
  isContainer,
  prependChild,
  sectionOf,
  siblings,
  unlink,
  walk,
} from "./block-node.ts";
import { plainText } from "./block-text.ts";
import type { DocumentStore, StoredDocument } from "./document-store.ts";
import { currentStamp, isIdentifier, newIdentifier } from "./identifiers.ts";
import type { Operation, Transaction } from "./operation.ts";

class TransactionFailed extends Error {}

const strippedOnInsert = /^(custom-avs|av-names|custom-riff-decks|custom-sy-av-s-text.*)$/;
/** These vanish when their last child goes; callouts and list items stay. */
const vanishWhenEmpty = new Set(["NodeList", "NodeBlockquote", "NodeSuperBlock"]);

/** These vanish when their last child moves away. */
const droppedWhenLeft = new Set([...vanishWhenEmpty, "NodeListItem"]);

/** Blocks of a DOM text in normal form. A bare list item is lifted out of the list that Lute wraps around it. */
export function blocksFromDom(dom: string, lute: LuteEngine): BlockNode[] {
  const blocks = parseBlockDom(lute.normaliseDom(dom));
  const first = blocks[0];
  const startsWithItem = /^\s*<div[^>]*data-type="NodeListItem"/.test(dom);
  if (startsWithItem && first?.type === "NodeList") {
    const items = childrenOf(first);
    for (const item of items) item.parent = null;
    return [...items, ...blocks.slice(1)];
  }
  return blocks;
}

class Execution {
  readonly changed = new Map<string, StoredDocument>();
  readonly removedIds: string[] = [];
  /** Parents that blocks were moved out of. */
  readonly left: BlockNode[] = [];

  constructor(
    readonly store: DocumentStore,
    readonly lute: LuteEngine,
  ) {}

  load(blockId: string): StoredDocument | undefined {
    const rootId = this.store.indexEntry(blockId)?.rootId;
    if (rootId === undefined) return undefined;
    const known = this.changed.get(rootId);
    if (known) return known;
    const document = this.store.document(rootId);
    if (!document) return undefined;
    const copy = { ...document, root: cloneNode(document.root) };
    this.changed.set(rootId, copy);
    return copy;
  }

  node(blockId: string): BlockNode {
    const document = this.load(blockId);
    const node = document && (findNode(document.root, blockId) ?? this.#movedNode(blockId));
    if (!node) throw new TransactionFailed(blockId);
    return node;
  }

  /** A block that an earlier operation put into another document: the index learns of it at the end. */
  #movedNode(blockId: string): BlockNode | undefined {
    for (const { root } of this.changed.values()) {
      const node = findNode(root, blockId);
      if (node) return node;
    }
    return undefined;
  }

  newBlocks(data: unknown): BlockNode[] {
    if (typeof data !== "string" || data === "") throw new TransactionFailed("no data");
    const blocks = blocksFromDom(data, this.lute);
    if (blocks.length === 0) throw new TransactionFailed("no block");
    const local = new Set<string>();
    for (const block of blocks) for (const node of walk(block)) local.add(node.id);
    const removed = new Set(this.removedIds);
    const isThere = (id: string) => local.has(id) || (!removed.has(id) && this.store.indexEntry(id) !== undefined);
    for (const block of blocks) {
      emptyDanglingReferences(block, isThere);
      for (const node of walk(block)) {
        if (node.type === "NodeTable" && !node.attributes.has("colgroup")) {
          const columns = JSON.stringify(node.parts).match(/<col\b/g)?.length ?? 1;
          node.attributes.set("colgroup", "|".repeat(Math.max(0, columns - 1)));
        }
        reorderAttributes(node);
      }
    }
    return blocks;
  }
}

function documentRoot(node: BlockNode): BlockNode {
  let root = node;
  while (root.parent) root = root.parent;
  return root;
}

/** The nearest headings of rising rank before a block. */
function headingsAbove(node: BlockNode): BlockNode[] {
  const all = siblings(node);
  const found: BlockNode[] = [];
  let rank = headingLevel(node) || 7;
  for (const candidate of all.slice(0, all.indexOf(node)).reverse()) {
    const level = headingLevel(candidate);
    if (level > 0 && level < rank) {
      found.push(candidate);
      rank = level;
    }
  }
  return found;
}

function stampAround(node: BlockNode, stamp: string, ancestors: boolean): void {
  for (const heading of headingsAbove(node)) heading.attributes.set("updated", stamp);
  if (ancestors) {
    for (let parent = node.parent; parent; parent = parent.parent) {
      parent.attributes.set("updated", stamp);
      for (const heading of headingsAbove(parent)) heading.attributes.set("updated", stamp);
    }
  }
  documentRoot(node).attributes.set("updated", stamp);
}

function removeEmptied(parent: BlockNode | null): void {
  if (parent && vanishWhenEmpty.has(parent.type) && childrenOf(parent).length === 0) {
    const above = parent.parent;
    unlink(parent);
    removeEmptied(above);
  }
}

function finishInsert(operation: Operation, first: BlockNode, inserted: BlockNode[]): void {
  for (const node of inserted) if (!node.attributes.has("updated")) node.attributes.set("updated", currentStamp());
  stampAround(first, currentStamp(), false);
  operation.id = first.id;
  operation.parentID = first.parent?.id ?? "";
}

function insert(execution: Execution, operation: Operation): void {
  const anchorId = [operation.parentID, operation.previousID, operation.nextID].find((id) =>
    execution.store.indexEntry(id),
  );
  if (anchorId === undefined || !execution.load(anchorId)) return;
  const blocks = execution.newBlocks(operation.data);
  let first = blocks[0] as BlockNode;
  if (!isIdentifier(first.id)) first.id = newIdentifier();
  const rest = blocks.slice(1);
  for (const name of [...first.attributes.keys()]) if (strippedOnInsert.test(name)) first.attributes.delete(name);

  const unwrapBesideItem = (anchor: BlockNode) => {
    const item = childrenOf(first)[0];
    if (first.type === "NodeList" && anchor.parent?.type === "NodeList" && item) first = item;
  };
  if (operation.nextID !== "") {
    const anchor = execution.node(operation.nextID);
    unwrapBesideItem(anchor);
    for (const block of [first, ...rest]) insertBefore(anchor, block);
  } else if (operation.previousID !== "") {
    let anchor = execution.node(operation.previousID);
    if (anchor.type === "NodeDocument") {
      // SiYuan reports an id here and writes nothing.
      operation.id = first.id;
      return;
    }
    if (anchor.type === "NodeHeading" && anchor.attributes.get("fold") === "1")
      anchor = sectionOf(anchor).pop() ?? anchor;
    unwrapBesideItem(anchor);
    for (const block of [...rest].reverse()) insertAfter(anchor, block);
    insertAfter(anchor, first);
  } else {
    const parent = execution.node(operation.parentID);
    if (parent.type === "NodeSuperBlock") prependChild(parent, first);
    else if (parent.type === "NodeListItem" && parent.shape.get("data-subtype") === "t") {
      for (const block of [first, ...rest]) prependChild(parent, block);
    } else {
      for (const block of [...rest].reverse()) prependChild(parent, block);
      prependChild(parent, first);
    }
  }
  finishInsert(operation, first, [first]);
}

function newListItemFor(list: BlockNode, block: BlockNode, lute: LuteEngine): BlockNode {
  const subtype = list.shape.get("data-subtype") ?? "u";
  const markdown = subtype === "o" ? "1. x" : subtype === "t" ? "- [ ] x" : "- x";
  const item = childrenOf(parseBlockDom(lute.markdownToDom(markdown))[0] as BlockNode)[0] as BlockNode;
  for (const child of childrenOf(item)) unlink(child);
  unlink(item);
  appendChild(item, block);
  return item;
}

function insertIntoContainer(execution: Execution, operation: Operation, atEnd: boolean): void {
  if (!execution.load(operation.parentID)) return;
  const parent = execution.node(operation.parentID);
  const blocks = execution.newBlocks(operation.data);
  const first = blocks[0] as BlockNode;
  const add = atEnd ? appendChild : prependChild;
  for (const block of atEnd ? blocks : [...blocks].reverse()) {
    if (parent.type === "NodeList" && block.type === "NodeList") {
      const items = childrenOf(block);
      for (const item of atEnd ? items : items.reverse()) add(parent, item);
    } else if (parent.type === "NodeList" && block.type !== "NodeListItem") {
      add(parent, newListItemFor(parent, block, execution.lute));
    } else if (isContainer(parent)) {
      add(parent, block);
    } else {
      insertAfter(parent, block);
    }
  }
  for (const block of blocks) if (!block.attributes.has("updated")) block.attributes.set("updated", currentStamp());
  operation.action = "insert";
  operation.id = first.id;
  operation.parentID = first.parent?.id ?? "";
  const all = first.parent ? siblings(first) : [];
  operation.previousID = all[all.indexOf(first) - 1]?.id ?? "";
  if (first.parent) stampAround(first, currentStamp(), false);
  else documentRoot(parent).attributes.set("updated", currentStamp());
}

function update(execution: Execution, operation: Operation): void {
  const old = execution.node(operation.id);
  if (!old.parent) throw new TransactionFailed("a document root is not replaced");
  let replacement = execution.newBlocks(operation.data)[0] as BlockNode;
  const item = childrenOf(replacement)[0];
  if (replacement.type === "NodeList" && old.parent.type === "NodeList" && item) replacement = item;
  if (replacement.type === "NodeHTMLBlock") dropBlankLines(replacement);
  const oldStamp = old.attributes.get("updated");
  insertAfter(old, replacement);
  unlink(old);
  const stamp = replacement.attributes.get("updated") ?? currentStamp();
  replacement.attributes.set("updated", stamp);
  if (stamp !== oldStamp) stampAround(replacement, stamp, true);
  const kept = new Set([...walk(replacement)].map((node) => node.id));
  if (!kept.has(operation.id)) execution.removedIds.push(operation.id);
}

/** Of its source, where an update replaces an HTML block; an insert keeps them. */
function dropBlankLines(block: BlockNode): void {
  block.parts = block.parts.map((part) =>
    typeof part === "string"
      ? part.replace(/(<protyle-html data-content=")([^"]*)/g, (_match, head: string, html: string) => {
          const lines = html.split("\n").filter((line) => line.trim() !== "");
          return head + lines.join("\n");
        })
      : part,
  );
}

function remove(execution: Execution, operation: Operation): void {
  if (!execution.store.indexEntry(operation.id) || !execution.load(operation.id)) return;
  const document = execution.load(operation.id) as StoredDocument;
  const node = findNode(document.root, operation.id);
  if (!node || node.type === "NodeDocument") return;
  for (const below of walk(node)) execution.removedIds.push(below.id);
  const parent = node.parent;
  unlink(node);
  if (parent?.type === "NodeListItem" && childrenOf(parent).length === 0) {
    appendChild(parent, emptyParagraph(newIdentifier(), currentStamp()));
  }
  removeEmptied(parent);
}

function contains(ancestor: BlockNode, node: BlockNode): boolean {
  for (let current: BlockNode | null = node; current; current = current.parent) if (current === ancestor) return true;
  return false;
}

function hiddenSection(node: BlockNode): BlockNode[] {
  if (node.type !== "NodeHeading" || node.attributes.get("fold") !== "1") return [];
  return sectionOf(node).filter((block) => block.attributes.get("heading-fold") === "1");
}

/** A folded heading takes its hidden section along. What loses its last block stays until the transaction is over. */
function move(execution: Execution, operation: Operation): void {
  const node = execution.node(operation.id);
  let target = execution.node(operation.previousID || operation.parentID);
  if (contains(node, target) || node.type === "NodeDocument") return;
  const group = [node, ...hiddenSection(node)];
  const source = node.parent;
  if (operation.previousID !== "") {
    target = hiddenSection(target).pop() ?? target;
    if (group.includes(target)) return;
    for (const member of [...group].reverse()) insertAfter(target, member);
  } else if (isContainer(target)) {
    for (const member of [...group].reverse()) prependChild(target, member);
  }
  if (source) execution.left.push(source);
  const stamp = currentStamp();
  node.attributes.set("updated", stamp);
  stampAround(node, stamp, false);
}

/** SiYuan drops empty containers whenever it loads a document; here they go at once. Callouts stay. */
function dropEmptied(parent: BlockNode | null): void {
  if (!parent || !droppedWhenLeft.has(parent.type) || childrenOf(parent).length > 0) return;
  const above = parent.parent;
  unlink(parent);
  dropEmptied(above);
}

function setAttributes(execution: Execution, operation: Operation): void {
  if (typeof operation.data !== "string") return;
  changeAttributes(execution.node(operation.id), JSON.parse(operation.data) as Record<string, unknown>);
}

const actions: Record<string, (execution: Execution, operation: Operation) => void> = {
  insert,
  update,
  delete: remove,
  move,
  setAttrs: setAttributes,
  appendInsert: (execution, operation) => insertIntoContainer(execution, operation, true),
  prependInsert: (execution, operation) => insertIntoContainer(execution, operation, false),
};

/** Unknown actions (updateAttrs among them) are ignored; a failing one discards the whole transaction. */
export function executeTransaction(transaction: Transaction, store: DocumentStore, lute: LuteEngine): void {
  const execution = new Execution(store, lute);
  for (const operation of transaction.doOperations) actions[operation.action]?.(execution, operation);
  for (const parent of execution.left) dropEmptied(parent);
  store.dropFromIndex(execution.removedIds);
  for (const document of execution.changed.values()) {
    if (childrenOf(document.root).length === 0) {
      appendChild(document.root, emptyParagraph(newIdentifier(), currentStamp()));
    }
    store.write(document);
  }
  const updated = transaction.doOperations.filter((operation) => operation.action === "update");
  if (updated.length > 0) followDynamicAnchors(store, new Set(updated.map((operation) => operation.id)));
}

/** References with a dynamic anchor, in any document, show a changed target's new text at once. */
function followDynamicAnchors(store: DocumentStore, changedIds: ReadonlySet<string>): void {
  const textOf = (id: string) => {
    const target = changedIds.has(id) ? store.node(id) : undefined;
    return target ? plainText(target).trim() : "";
  };
  for (const document of store.documents()) {
    if (![...walk(document.root)].some((node) => blockReferences(node).some((id) => changedIds.has(id)))) continue;
    const copy = { ...document, root: cloneNode(document.root) };
    if (refreshDynamicAnchors(copy.root, textOf)) store.write(copy);
  }
}
