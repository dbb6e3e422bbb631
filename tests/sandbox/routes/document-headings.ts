// heading2Doc and doc2Heading, with what they do to wrong targets.
import { posix } from "node:path";
import { closeLater, type Envelope, Refusal, success } from "../http/answer.ts";
import type { RouteCall, RouteTable } from "../http/route.ts";
import type { Kernel } from "../kernel.ts";
import { emptyParagraph, parseBlockDom } from "../model/block-dom.ts";
import {
  appendChild,
  type BlockNode,
  childrenOf,
  cloneNode,
  findNode,
  headingLevel,
  insertAfter,
  insertBefore,
  sectionOf,
  siblings,
  unlink,
  walk,
} from "../model/block-node.ts";
import { plainText } from "../model/block-text.ts";
import { newRoot, type StoredDocument } from "../model/document-store.ts";
import { currentStamp, newIdentifier } from "../model/identifiers.ts";
import { putBehind } from "./document-copies.ts";
import { putOnTop } from "./documents.ts";

const maxAnchorLength = 96;
const vanishWhenEmpty = new Set(["NodeList", "NodeBlockquote", "NodeSuperBlock"]);

function setLevel(node: BlockNode, level: number): void {
  node.shape.set("data-subtype", `h${level}`);
  node.shape.set("class", `h${level}`);
}

function topLevel(nodes: BlockNode[]): number {
  return nodes.reduce((top, node) => (headingLevel(node) > 0 ? Math.min(top, headingLevel(node)) : top), 7);
}

/** SiYuan escapes the heading's text as HTML for the title, cuts it, and turns slashes into underscores. */
function titleOf(heading: BlockNode): string {
  return [...plainText(heading)]
    .slice(0, maxAnchorLength)
    .join("")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&#34;")
    .replaceAll("'", "&#39;")
    .replaceAll("/", "_");
}

function documentAt(kernel: Kernel, notebook: string, path: string): StoredDocument {
  const found = kernel.documents.documents().find((each) => each.notebook === notebook && each.path === path);
  if (!found) throw new Refusal(-1, "block not found", closeLater);
  return found;
}

function folderFor(kernel: Kernel, notebook: string, targetPath: string, previous: StoredDocument | undefined): string {
  if (previous) return posix.dirname(previous.path);
  return targetPath === "/" ? "/" : documentAt(kernel, notebook, targetPath).path.replace(/\.sy$/, "");
}

/** Takes any block for a heading; a block without a level swallows all that follows. */
async function heading2Doc(call: RouteCall): Promise<Envelope> {
  const { kernel, arguments: fields } = call;
  const id = fields.text("srcHeadingID");
  const notebook = fields.text("targetNoteBook");
  const previousPath = fields.optionalText("previousPath");
  await kernel.queue.drained();
  const source = kernel.documents.documentOf(id);
  const copy = source && { ...source, root: cloneNode(source.root) };
  const heading = copy && findNode(copy.root, id);
  if (!copy || !heading) throw new Refusal(-1, "block not found", closeLater);
  const previous = previousPath === "" ? undefined : documentAt(kernel, notebook, previousPath);
  const folder = folderFor(kernel, notebook, fields.optionalText("targetPath"), previous);
  if (call.withoutEffect) return success(null);
  const section = sectionOf(heading);
  const container = heading.parent;
  const title = titleOf(heading);
  const top = topLevel(section);
  for (const node of section) {
    for (const below of walk(node)) {
      below.attributes.delete("fold");
      below.attributes.delete("heading-fold");
    }
    unlink(node);
    if (headingLevel(node) > 0) setLevel(node, Math.min(6, headingLevel(node) - top + 2));
  }
  unlink(heading);
  dropEmpty(container);
  if (childrenOf(copy.root).length === 0) appendChild(copy.root, emptyParagraph(newIdentifier(), currentStamp()));
  copy.root.attributes.set("updated", currentStamp());
  kernel.documents.write(copy);
  kernel.documents.dropFromIndex([id]);
  const kept = [...heading.attributes].filter(([name]) => !["fold", "heading-fold", "updated"].includes(name));
  const attributes: [string, string][] = [...kept, ["title", title], ["type", "doc"], ["updated", currentStamp()]];
  const blocks = section.length > 0 ? section : [emptyParagraph(newIdentifier(), currentStamp())];
  const root = newRoot(id, attributes, blocks);
  const made = { notebook, path: posix.join(folder, `${id}.sy`), root };
  kernel.documents.write(made);
  if (previous) putBehind(kernel, made, previous);
  else putOnTop(kernel, made);
  await kernel.queue.drained();
  return success(null);
}

function dropEmpty(container: BlockNode | null): void {
  if (!container?.parent || childrenOf(container).length > 0 || !vanishWhenEmpty.has(container.type)) return;
  const above = container.parent;
  unlink(container);
  dropEmpty(above);
}

function headingFor(source: StoredDocument, title: string, level: number): BlockNode {
  const escaped = title.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const [heading] = parseBlockDom(
    `<div data-subtype="h${level}" data-node-id="${source.root.id}" data-type="NodeHeading" class="h${level}"><div contenteditable="true" spellcheck="false">${escaped}</div><div class="protyle-attr" contenteditable="false">\u200b</div></div>`,
  );
  for (const [name, value] of source.root.attributes) {
    if (!["title", "type", "tags", "scroll"].includes(name)) heading?.attributes.set(name, value);
  }
  heading?.attributes.set("updated", currentStamp());
  return heading as BlockNode;
}

function tagParagraph(tags: string): BlockNode {
  const marks = tags
    .split(",")
    .filter(Boolean)
    .map((tag) => `<span data-type="tag">\u200b${tag}</span>\u200b`)
    .join(" ");
  const id = newIdentifier();
  return parseBlockDom(
    `<div data-node-id="${id}" data-type="NodeParagraph" class="p" updated="${currentStamp()}"><div contenteditable="true" spellcheck="false">${marks}</div><div class="protyle-attr" contenteditable="false">\u200b</div></div>`,
  )[0] as BlockNode;
}

/** Level of the heading that the block stands under, or of the heading itself. */
function levelAt(node: BlockNode): number {
  if (headingLevel(node) > 0) return headingLevel(node);
  const all = siblings(node);
  const above = all
    .slice(0, all.indexOf(node))
    .reverse()
    .find((each) => headingLevel(each) > 0);
  return above ? headingLevel(above) : 0;
}

async function doc2Heading(call: RouteCall): Promise<Envelope> {
  const { kernel, arguments: fields } = call;
  const srcID = fields.text("srcID");
  const targetID = fields.text("targetID");
  const after = fields.fields.after === true;
  await kernel.queue.drained();
  const source = kernel.documents.documentOf(srcID);
  if (!source) throw new Refusal(-1, "block not found", closeLater);
  if (kernel.documents.children(source.notebook, source.path).length > 0)
    throw new Refusal(-1, "The document has sub-documents", closeLater);
  const target = kernel.documents.documentOf(targetID);
  const copy = target && { ...target, root: cloneNode(target.root) };
  const found = copy && findNode(copy.root, targetID);
  if (!copy || !found) return success({ srcTreeBox: "", srcTreePath: "" });
  const answer = success({ srcTreeBox: source.notebook, srcTreePath: source.path });
  if (call.withoutEffect) return answer;
  // A document as target: the source goes and nothing arrives.
  if (found.type === "NodeDocument") {
    kernel.documents.remove(source);
    return answer;
  }
  const last = childrenOf(found);
  let pivot = found.type === "NodeListItem" ? (last[last.length - 1] ?? found) : found;
  const blocks = childrenOf(cloneNode(source.root));
  const title = kernel.documents.title(source);
  const tags = source.root.attributes.get("tags") ?? "";
  const level = levelAt(pivot);
  const isHeading = headingLevel(pivot) > 0;
  const shift = level - topLevel(blocks) + 1 + (isHeading ? 0 : 1);
  if (isHeading && after) pivot = sectionOf(pivot).at(-1) ?? pivot;
  for (const node of blocks) {
    if (headingLevel(node) > 0) setLevel(node, Math.min(6, headingLevel(node) + shift));
  }
  const heading = headingFor(source, title, Math.min(6, level + (isHeading ? 0 : 1)));
  const arriving = [heading, ...(tags === "" ? [] : [tagParagraph(tags)]), ...blocks];
  let place = pivot;
  for (const node of arriving) {
    node.parent = null;
    if (!after) insertBefore(pivot, node);
    else insertAfter(place, node);
    place = node;
  }
  kernel.documents.remove(source);
  copy.root.attributes.set("updated", currentStamp());
  kernel.documents.write(copy);
  return answer;
}

export const documentHeadingRoutes: RouteTable = {
  "filetree/heading2Doc": heading2Doc,
  "filetree/doc2Heading": doc2Heading,
};
