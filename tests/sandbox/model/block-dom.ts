// Block DOM to light tree and back. The DOM must be in Lute's normal form (well formed, quoted attributes).
import { escapeAttribute, shuffled, unescapeAttribute } from "./attribute-text.ts";
import type { BlockNode } from "./block-node.ts";

const shapeNames = new Set([
  "contenteditable",
  "data-marker",
  "data-subtype",
  "data-task",
  "data-content",
  "data-sb-layout",
  "data-av-id",
  "data-av-type",
  "data-type",
  "class",
  "data-loading",
]);
const voidTags = new Set(["img", "col", "br", "hr", "input", "source", "wbr"]);
const tagPattern = /<(\/?)([a-zA-Z][\w-]*)((?:"[^"]*"|'[^']*'|[^"'<>])*)>/g;
const attributePattern = /([^\s=/]+)="([^"]*)"/g;
const placeholder = "\u0000attr\u0000";
const zeroWidthSpace = "\u200b";

function parseAttributes(source: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const match of source.matchAll(attributePattern)) found.set(match[1] as string, match[2] as string);
  return found;
}

function nodeFromTag(tagAttributes: Map<string, string>): BlockNode {
  const node: BlockNode = {
    id: tagAttributes.get("data-node-id") ?? "",
    type: tagAttributes.get("data-type") ?? "",
    shape: new Map(),
    attributes: new Map(),
    parts: [],
    parent: null,
  };
  for (const [name, value] of tagAttributes) {
    if (name === "data-node-id" || name === "data-node-index") continue;
    if (shapeNames.has(name)) node.shape.set(name, value);
    else node.attributes.set(name, unescapeAttribute(value));
  }
  return node;
}

/** Replaces the badge div by a marker, so that badges always follow the attributes. */
function stripBadges(node: BlockNode): void {
  const last = node.parts[node.parts.length - 1];
  if (typeof last !== "string") return;
  const start = last.lastIndexOf('<div class="protyle-attr" contenteditable="false">');
  if (start < 0) return;
  node.parts[node.parts.length - 1] = last.slice(0, start) + placeholder;
}

/** The top-level blocks of a block DOM text. */
export function parseBlockDom(dom: string): BlockNode[] {
  const top: BlockNode[] = [];
  const open: { node: BlockNode | null }[] = [];
  const blocks: BlockNode[] = [];
  let textStart = 0;
  const addText = (end: number) => {
    const node = blocks[blocks.length - 1];
    if (node && end > textStart) node.parts.push(dom.slice(textStart, end));
    textStart = end;
  };
  for (const match of dom.matchAll(tagPattern)) {
    const [whole, slash, name, rest] = match as unknown as [string, string, string, string];
    const end = match.index + whole.length;
    if (slash === "/") {
      const entry = open.pop();
      if (entry?.node) {
        addText(match.index);
        textStart = end;
        blocks.pop();
        stripBadges(entry.node);
        const parent = blocks[blocks.length - 1];
        entry.node.parent = parent ?? null;
        (parent ? parent.parts : top).push(entry.node);
      }
      continue;
    }
    if (rest.endsWith("/") || voidTags.has(name)) continue;
    if (name === "div" && rest.includes("data-node-id=")) {
      addText(match.index);
      textStart = end;
      const node = nodeFromTag(parseAttributes(rest));
      blocks.push(node);
      open.push({ node });
    } else {
      open.push({ node: null });
    }
  }
  return top;
}

function badges(attributes: ReadonlyMap<string, string>): string {
  const icon = (name: string) => `<svg><use xlink:href="#icon${name}"></use></svg>`;
  let html = "";
  const bookmark = attributes.get("bookmark");
  const name = attributes.get("name");
  const alias = attributes.get("alias");
  const memo = attributes.get("memo");
  if (bookmark) html += `<div class="protyle-attr--bookmark">${escapeAttribute(bookmark)}</div>`;
  if (name) html += `<div class="protyle-attr--name">${icon("N")}${escapeAttribute(name)}</div>`;
  if (alias) html += `<div class="protyle-attr--alias">${icon("A")}${escapeAttribute(alias)}</div>`;
  if (memo) {
    html += `<div class="protyle-attr--memo ariaLabel" aria-label="${escapeAttribute(memo)}" data-position="4north">${icon("M")}</div>`;
  }
  return `<div class="protyle-attr" contenteditable="false">${html}${zeroWidthSpace}</div>`;
}

const shapeBeforeId = ["contenteditable", "data-marker", "data-subtype", "data-task", "data-content"];
const shapeAtEnd = new Set(["NodeMathBlock", "NodeHTMLBlock", "NodeSuperBlock", "NodeAttributeView"]);

function openTag(node: BlockNode, position: number): string {
  const shape = (names: Iterable<string>) =>
    [...names]
      .filter((name) => node.shape.has(name))
      .map((name) => ` ${name}="${node.shape.get(name)}"`)
      .join("");
  const late = shapeAtEnd.has(node.type);
  const own = [...node.attributes].map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`).join("");
  const rest = [...node.shape.keys()].filter((name) => !["data-type", "class"].includes(name));
  return (
    `<div${late ? "" : shape(shapeBeforeId)} data-node-id="${node.id}"` +
    (position > 0 ? ` data-node-index="${position}"` : "") +
    shape(["data-type", "class"]) +
    own +
    (late ? shape(rest) : shape(rest.filter((name) => !shapeBeforeId.includes(name)))) +
    ">"
  );
}

/** One block as DOM; `position` is the 1-based place in the answer, 0 for nested blocks. */
export function renderBlock(node: BlockNode, position: number): string {
  let inner = "";
  for (const part of node.parts) inner += typeof part === "string" ? part : renderBlock(part, 0);
  return `${openTag(node, position)}${inner.replace(placeholder, () => badges(node.attributes))}</div>`;
}

/** A list of blocks, or the body of a document, as DOM. */
export function renderBlocks(nodes: readonly BlockNode[]): string {
  return nodes.map((node, index) => renderBlock(node, index + 1)).join("");
}

/** A new empty paragraph. */
export function emptyParagraph(id: string, stamp: string): BlockNode {
  const dom =
    `<div data-node-id="${id}" data-type="NodeParagraph" class="p" updated="${stamp}">` +
    '<div contenteditable="true" spellcheck="false"></div>' +
    `<div class="protyle-attr" contenteditable="false">${zeroWidthSpace}</div></div>`;
  return parseBlockDom(dom)[0] as BlockNode;
}

/** SiYuan keeps attributes in a map: no order survives. */
export function reorderAttributes(node: BlockNode): void {
  node.attributes = new Map(shuffled([...node.attributes]));
}

export function blockReferences(node: BlockNode): string[] {
  const ids: string[] = [];
  for (const part of node.parts) {
    if (typeof part !== "string") continue;
    for (const match of part.matchAll(/<span data-type="[^"]*block-ref[^"]*"[^>]*data-id="([^"]+)"/g)) {
      ids.push(match[1] as string);
    }
  }
  return ids;
}

/** Empties references whose target does not exist; SiYuan takes an unknown target for one beyond a boundary. */
export function emptyDanglingReferences(node: BlockNode, exists: (id: string) => boolean): void {
  node.parts = node.parts.map((part) => {
    if (typeof part !== "string") {
      emptyDanglingReferences(part, exists);
      return part;
    }
    return part.replace(/<span data-type="[^"]*block-ref[^"]*"[^>]*>/g, (tag) => {
      const id = /data-id="([^"]*)"/.exec(tag)?.[1] ?? "";
      if (id === "" || exists(id)) return tag;
      return tag.replace(/data-id="[^"]*"/, 'data-id=""').replace(/data-subtype="[^"]*"/, 'data-subtype=""');
    });
  });
}

const dynamicReference = /(<span data-type="block-ref" data-subtype="d" data-id="([^"]+)">)([^<]*)(<\/span>)/g;

/** Gives dynamic references the present text of their target; true when any changed. `textOf` gives "" for "keep". */
export function refreshDynamicAnchors(node: BlockNode, textOf: (id: string) => string): boolean {
  let changed = false;
  node.parts = node.parts.map((part) => {
    if (typeof part !== "string") {
      changed = refreshDynamicAnchors(part, textOf) || changed;
      return part;
    }
    return part.replace(dynamicReference, (whole, open: string, id: string, anchor: string, close: string) => {
      const text = escapeAttribute(textOf(id));
      if (text === "" || text === anchor) return whole;
      changed = true;
      return open + text + close;
    });
  });
  return changed;
}

const anyReference =
  /(<span data-type="[^"]*block-ref[^"]*" data-subtype=")([sd])(" data-id=")([^"]+)("[^>]*>)([^<]*)(<\/span>)/g;

/** Lets references inside the block point to another one; those with a dynamic anchor show its text. */
export function retargetReferences(node: BlockNode, fromId: string, toId: string, text: string): void {
  node.parts = node.parts.map((part) => {
    if (typeof part !== "string") {
      retargetReferences(part, fromId, toId, text);
      return part;
    }
    return part.replace(
      anyReference,
      (whole, open: string, kind: string, middle: string, id: string, rest: string, anchor: string, close: string) =>
        id === fromId
          ? open + kind + middle + toId + rest + (kind === "d" ? escapeAttribute(text) : anchor) + close
          : whole,
    );
  });
}
