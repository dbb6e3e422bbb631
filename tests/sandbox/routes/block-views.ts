// Block routes that answer views: breadcrumb, document infos, word counts, the paragraphs changed last.
import { type Envelope, Refusal, success } from "../http/answer.ts";
import type { RouteCall, RouteTable } from "../http/route.ts";
import type { Kernel } from "../kernel.ts";
import { escapeAttribute, unescapeAttribute } from "../model/attribute-text.ts";
import { blockReferences, renderBlock } from "../model/block-dom.ts";
import { type BlockNode, childrenOf, headingLevel, siblings, subtypeOf, walk } from "../model/block-node.ts";
import { plainText } from "../model/block-text.ts";

const recentLimit = 16;

/** Headings of falling rank above a block at the top of its document, outermost first. */
function headingsAbove(node: BlockNode): BlockNode[] {
  const found: BlockNode[] = [];
  let rank = headingLevel(node) || 7;
  const all = siblings(node);
  for (const candidate of all.slice(0, all.indexOf(node)).reverse()) {
    const level = headingLevel(candidate);
    if (level === 0 || level >= rank) continue;
    found.unshift(candidate);
    rank = level;
  }
  return found;
}

function step(node: BlockNode, name: string): Record<string, unknown> {
  return { id: node.id, name: escapeAttribute(name), type: node.type, subType: subtypeOf(node), children: null };
}

/** Leaves out lists, quotes and super blocks; the block itself comes last, without a name. */
function getBlockBreadcrumb({ kernel, arguments: fields }: RouteCall): Envelope {
  const id = fields.text("id");
  const node = kernel.documents.node(id);
  const document = kernel.documents.documentOf(id);
  if (!node || !document) return success([]);
  if (node === document.root) return success([step(node, "")]);
  let way: Record<string, unknown>[] = [step(node, "")];
  let top = node;
  for (; top.parent?.parent; top = top.parent) {
    const { parent } = top;
    if (parent.type === "NodeListItem") way = [step(parent, plainText(childrenOf(parent)[0] ?? parent).trim()), ...way];
  }
  const headings = headingsAbove(top).map((heading) => step(heading, plainText(heading)));
  const name = `${kernel.notebooks.conf(document.notebook).name}${kernel.documents.humanPath(document)}`;
  return success([step(document.root, name), ...headings, ...way]);
}

/** Blocks that refer to this id. SiYuan asks its index, which is up to three seconds behind; this is always fresh. */
function referencesTo(kernel: Kernel, id: string): string[] {
  const from: string[] = [];
  for (const { root } of kernel.documents.documents()) {
    for (const node of walk(root)) if (blockReferences(node).includes(id)) from.push(node.id);
  }
  return from;
}

function documentInfo(kernel: Kernel, id: string, refCount: boolean): Record<string, unknown> | undefined {
  const document = kernel.documents.documentOf(id);
  if (!document) return undefined;
  const { root } = document;
  const refIDs = refCount ? referencesTo(kernel, id) : null;
  return {
    id,
    rootID: root.id,
    name: kernel.documents.title(document),
    refCount: refIDs?.length ?? 0,
    subFileCount: kernel.documents.children(document.notebook, document.path).length,
    refIDs,
    ial: Object.fromEntries([["id", root.id], ...root.attributes]),
    icon: root.attributes.get("icon") ?? "",
    attrViews: null,
  };
}

/** Unknown ids are left out; nothing but unknown ones is a refusal. Without both switches there is no answer. */
async function getDocsInfo({ kernel, arguments: fields }: RouteCall): Promise<Envelope> {
  const ids = fields.texts("ids");
  if (!fields.has("refCount") || !fields.has("av")) return success(null);
  await kernel.queue.drained();
  const infos = ids
    .map((id) => documentInfo(kernel, id, fields.fields.refCount === true))
    .filter((info) => info !== undefined);
  if (infos.length === 0) throw new Refusal(-1, `Content block with id [[${ids.join(" ")}]] not found`);
  return success(infos);
}

/** Text as it is counted: without the addresses of links, blocks apart. */
function countedText(node: BlockNode): string {
  const dom =
    node.type === "NodeDocument"
      ? childrenOf(node)
          .map((child) => renderBlock(child, 1))
          .join(" ")
      : renderBlock(node, 1);
  return unescapeAttribute(dom.replace(/<\/?(?:div|t[hdr]|table|br)\b[^>]*>/g, " ").replace(/<[^>]*>/g, "")).replaceAll(
    "\u200b",
    "",
  );
}

function getBlocksWordCount({ kernel, arguments: fields }: RouteCall): Envelope {
  const ids = fields.texts("ids");
  const nodes = ids.map((id) => kernel.documents.node(id)).filter((node) => node !== undefined);
  const count = (pattern: RegExp, text: (node: BlockNode) => string) =>
    nodes.reduce((sum, node) => sum + (text(node).match(pattern)?.length ?? 0), 0);
  const dom = (node: BlockNode) =>
    node.type === "NodeDocument"
      ? childrenOf(node)
          .map((child) => renderBlock(child, 1))
          .join("")
      : renderBlock(node, 1);
  const stat = {
    runeCount: count(/\S/gu, countedText),
    wordCount: count(/\p{Script=Han}|[^\s\p{Script=Han}]+/gu, countedText),
    linkCount: count(/<span data-type="a"/g, dom),
    imageCount: count(/data-type="img"/g, dom),
    refCount: count(/data-type="block-ref"/g, dom),
    // Unknown ids count as well.
    blockCount: ids.length,
  };
  return success({ reqId: null, stat });
}

function getRecentUpdatedBlocks({ kernel }: RouteCall): Envelope {
  const rows = kernel.sql.query(
    `SELECT * FROM blocks WHERE type = 'p' AND length > 1 ORDER BY updated DESC LIMIT ${recentLimit}`,
  );
  return success(
    rows.map((row) => ({
      box: row.box,
      path: row.path,
      hPath: escapeAttribute(String(row.hpath)),
      id: row.id,
      rootID: row.root_id,
      parentID: row.parent_id,
      // Quotes are written as numbers here, as nowhere else.
      content: escapeAttribute(String(row.content)).replaceAll("&quot;", "&#34;"),
      markdown: row.markdown,
      type: "NodeParagraph",
      subType: "",
      ial: { id: row.id, updated: row.updated },
    })),
  );
}

export const blockViewRoutes: RouteTable = {
  "block/getBlockBreadcrumb": getBlockBreadcrumb,
  "block/getDocsInfo": getDocsInfo,
  "block/getBlocksWordCount": getBlocksWordCount,
  "block/getRecentUpdatedBlocks": getRecentUpdatedBlocks,
};
