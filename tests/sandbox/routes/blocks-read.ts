// Block reads: kramdown, DOM, children, tree positions, document info, attributes.
import { closeLater, type Envelope, HandlerPanic, Refusal, success } from "../http/answer.ts";
import { checkedIdentifier, type RequestArguments } from "../http/arguments.ts";
import type { RouteCall, RouteTable } from "../http/route.ts";
import type { Kernel } from "../kernel.ts";
import { renderBlock, renderBlocks, reorderAttributes } from "../model/block-dom.ts";
import {
  abbreviation,
  type BlockNode,
  childrenOf,
  neighbour,
  sectionOf,
  subtypeOf,
  walk,
} from "../model/block-node.ts";
import { plainText } from "../model/block-text.ts";
import type { StoredDocument } from "../model/document-store.ts";
import { isIdentifier } from "../model/identifiers.ts";
import { type KramdownMode, toKramdown, toMarkdown } from "../model/kramdown.ts";

function kramdownMode(fields: RequestArguments): KramdownMode {
  const mode = fields.optionalText("mode") || "md";
  if (mode !== "md" && mode !== "textmark") throw new Refusal(-1, "Invalid mode");
  return mode;
}

function getBlockKramdown({ kernel, arguments: fields }: RouteCall): Envelope {
  const id = fields.identifier("id");
  const mode = kramdownMode(fields);
  const node = kernel.documents.node(id);
  return success({ id, kramdown: node ? toKramdown(node, kernel.lute, mode) : "" });
}

function getBlockKramdowns({ kernel, arguments: fields }: RouteCall): Envelope {
  const ids = fields.texts("ids");
  // One malformed id and the whole answer is empty.
  if (!ids.every(isIdentifier)) throw new HandlerPanic("ids");
  const mode = kramdownMode(fields);
  const found: Record<string, string> = {};
  for (const id of ids) {
    const node = kernel.documents.node(id);
    if (node) found[id] = toKramdown(node, kernel.lute, mode);
  }
  return success(found);
}

/** Trees are read from maps, so the order of attributes is another one at each read. */
function domOf(node: BlockNode): string {
  for (const block of walk(node)) reorderAttributes(block);
  return node.type === "NodeDocument" ? renderBlocks(childrenOf(node)) : renderBlock(node, 1);
}

function getBlockDom({ kernel, arguments: fields }: RouteCall): Envelope {
  const id = fields.identifier("id");
  const node = kernel.documents.node(id);
  return success({ id, dom: node ? domOf(node) : "" });
}

function getBlockDoms({ kernel, arguments: fields }: RouteCall): Envelope {
  const found: Record<string, string> = {};
  for (const id of fields.texts("ids")) {
    const node = kernel.documents.node(id);
    if (node) found[id] = domOf(node);
  }
  return success(found);
}

/** Omits empty fields, as SiYuan's serialiser does. */
function childEntry(kernel: Kernel, node: BlockNode): Record<string, string> {
  const entry: Record<string, string> = { id: node.id, type: abbreviation(node) };
  const details: Record<string, string> = {
    subType: subtypeOf(node),
    content: plainText(node),
    markdown: toMarkdown(node, kernel.lute),
  };
  for (const [name, value] of Object.entries(details)) if (value !== "") entry[name] = value;
  return entry;
}

function getChildBlocks({ kernel, arguments: fields }: RouteCall): Envelope {
  const node = kernel.documents.node(fields.identifier("id"));
  if (!node) return success([]);
  const children = node.type === "NodeHeading" ? sectionOf(node) : childrenOf(node);
  return success(children.map((child) => childEntry(kernel, child)));
}

function getBlockTreeInfos({ kernel, arguments: fields }: RouteCall): Envelope {
  const found: Record<string, unknown> = {};
  for (const id of fields.texts("ids")) {
    if (!kernel.documents.indexEntry(id)) continue;
    const node = kernel.documents.node(id);
    const [previous, next] = node ? [neighbour(node, -1), neighbour(node, 1)] : [];
    found[id] = {
      id,
      type: node?.type ?? "",
      parentID: node?.parent?.id ?? "",
      parentType: node?.parent?.type ?? "",
      previousID: previous?.id ?? "",
      previousType: previous?.type ?? "",
      nextID: next?.id ?? "",
      nextType: next?.type ?? "",
    };
  }
  return success(found);
}

function notFound(id: string): Refusal {
  return new Refusal(-1, `Content block with id [${id}] not found`);
}

function getBlockInfo({ kernel, arguments: fields }: RouteCall): Envelope {
  const id = fields.identifier("id");
  const node = kernel.documents.node(id);
  const document = kernel.documents.documentOf(id);
  if (!node || !document) throw notFound(id);
  let top = node;
  while (top.parent?.parent) top = top.parent;
  return success({
    box: document.notebook,
    path: document.path,
    rootChildID: top.id,
    rootID: document.root.id,
    rootIcon: document.root.attributes.get("icon") ?? "",
    rootTitle: kernel.documents.title(document),
    rootTitleEmpty: document.root.attributes.get("custom-sy-title-empty") === "true",
  });
}

function attributesOf(node: BlockNode): Record<string, string> {
  return Object.fromEntries(
    [["id", node.id], ...node.attributes].sort(([left = ""], [right = ""]) => (left < right ? -1 : 1)),
  );
}

/** Drains the write queue first: the one read that proves a delete. */
async function getDocInfo({ kernel, arguments: fields }: RouteCall): Promise<Envelope> {
  const id = fields.identifier("id");
  await kernel.queue.drained();
  const document: StoredDocument | undefined = kernel.documents.documentOf(id);
  if (!document) throw notFound(id);
  return success({
    id,
    rootID: document.root.id,
    name: kernel.documents.title(document),
    refCount: 0,
    subFileCount: kernel.documents.children(document.notebook, document.path).length,
    refIDs: [],
    ial: attributesOf(document.root),
    icon: document.root.attributes.get("icon") ?? "",
    attrViews: null,
  });
}

function getBlockRelevantIDs({ kernel, arguments: fields }: RouteCall): Envelope {
  const node = kernel.documents.node(fields.identifier("id"));
  if (!node) throw new Refusal(-1, "tree not found", closeLater);
  return success({
    parentID: node.parent?.id ?? "",
    previousID: neighbour(node, -1)?.id ?? "",
    nextID: neighbour(node, 1)?.id ?? "",
  });
}

/** Answers from the index: vanished children are still "there". */
function checkBlockExist({ kernel, arguments: fields }: RouteCall): Envelope {
  return success(kernel.documents.indexEntry(fields.text("id")) !== undefined);
}

function checkBlocksExist({ kernel, arguments: fields }: RouteCall): Envelope {
  return success(
    Object.fromEntries(fields.texts("ids").map((id) => [id, kernel.documents.indexEntry(id) !== undefined])),
  );
}

function getBlockAttrs({ kernel, arguments: fields }: RouteCall): Envelope {
  const node = kernel.documents.node(checkedIdentifier(fields.text("id")));
  return success(node ? attributesOf(node) : {});
}

function batchGetBlockAttrs({ kernel, arguments: fields }: RouteCall): Envelope {
  const found: Record<string, unknown> = {};
  for (const id of fields.texts("ids")) {
    const node = kernel.documents.node(id);
    if (node) found[id] = attributesOf(node);
  }
  return success(found);
}

export const blockReadRoutes: RouteTable = {
  "block/getBlockKramdown": getBlockKramdown,
  "block/getBlockKramdowns": getBlockKramdowns,
  "block/getBlockDOM": getBlockDom,
  "block/getBlockDOMs": getBlockDoms,
  "block/getChildBlocks": getChildBlocks,
  "block/getBlockTreeInfos": getBlockTreeInfos,
  "block/getBlockInfo": getBlockInfo,
  "block/getDocInfo": getDocInfo,
  "block/getBlockRelevantIDs": getBlockRelevantIDs,
  "block/checkBlockExist": checkBlockExist,
  "block/checkBlocksExist": checkBlocksExist,
  "attr/getBlockAttrs": getBlockAttrs,
  "attr/batchGetBlockAttrs": batchGetBlockAttrs,
};
