// Block writes: insert, prepend, append, update, delete, move, fold, attributes, raw transactions.
import { setTimeout as sleep } from "node:timers/promises";
import { type Envelope, HandlerPanic, Refusal, success } from "../http/answer.ts";
import { asObject, checkedIdentifier, RequestArguments } from "../http/arguments.ts";
import type { RouteCall, RouteTable } from "../http/route.ts";
import type { Kernel } from "../kernel.ts";
import { LutePanic } from "../lute/lute-engine.ts";
import { BadAttribute, changeAttributes, checkAttributes } from "../model/attribute-rules.ts";
import { emptyParagraph, renderBlocks, retargetReferences } from "../model/block-dom.ts";
import {
  type BlockNode,
  childrenOf,
  cloneNode,
  findNode,
  headingLevel,
  isContainer,
  sectionOf,
  siblings,
  walk,
} from "../model/block-node.ts";
import { plainText } from "../model/block-text.ts";
import { currentStamp, isIdentifier, newIdentifier } from "../model/identifiers.ts";
import { operation, type Transaction, transaction } from "../model/operation.ts";
import { blocksFromDom } from "../model/transaction-executor.ts";

const unknownBlockDelayMs = 1000;

/** The request's data as block DOM; a panic inside Lute or a bad id in an attribute line answers code 0, null. */
export function dataAsDom(kernel: Kernel, data: string, dataType: string): string {
  if (dataType !== "markdown") return data;
  let dom: string;
  try {
    dom = kernel.lute.markdownToDom(data);
  } catch (error) {
    if (error instanceof LutePanic) throw new HandlerPanic("bad id");
    throw error;
  }
  if (dom === "") return renderBlocks([emptyParagraph(newIdentifier(), currentStamp())]);
  for (const match of dom.matchAll(/data-node-id="([^"]*)"/g))
    if (!isIdentifier(match[1] ?? "")) throw new HandlerPanic("bad id");
  return dom;
}

function requireContainer(kernel: Kernel, id: string): void {
  const entry = kernel.documents.indexEntry(id);
  if (!entry) throw new Refusal(-1, `parent block not found: ${id}`);
  const node = kernel.documents.node(id);
  if (node && !isContainer(node)) {
    throw new Refusal(-1, `parent block [${id}] is a leaf block and cannot have children`);
  }
}

export async function finish(call: RouteCall, transactions: Transaction[]): Promise<Envelope> {
  if (call.withoutEffect) return success(transactions);
  await call.kernel.perform(transactions);
  return success(transactions);
}

function insertTransaction(kernel: Kernel, fields: RequestArguments): Transaction {
  const data = fields.text("data");
  const dataType = fields.text("dataType");
  const [parentID, previousID, nextID] = ["parentID", "previousID", "nextID"].map((name) => {
    const id = fields.optionalText(name);
    return id === "" ? "" : checkedIdentifier(id);
  }) as [string, string, string];
  if (parentID !== "" && previousID === "" && nextID === "") requireContainer(kernel, parentID);
  return transaction(operation("insert", { data: dataAsDom(kernel, data, dataType), parentID, previousID, nextID }));
}

function intoContainer(action: "appendInsert" | "prependInsert") {
  return (kernel: Kernel, fields: RequestArguments): Transaction => {
    const data = fields.text("data");
    const dataType = fields.text("dataType");
    const parentID = fields.identifier("parentID");
    requireContainer(kernel, parentID);
    return transaction(operation(action, { data: dataAsDom(kernel, data, dataType), parentID }));
  };
}

type TransactionBuilder = (kernel: Kernel, fields: RequestArguments) => Transaction;

function single(build: TransactionBuilder) {
  return (call: RouteCall) => finish(call, [build(call.kernel, call.arguments)]);
}

function batch(build: TransactionBuilder) {
  return (call: RouteCall) => {
    const items = call.arguments.list("blocks").map((item) => new RequestArguments(asObject(item)));
    if (items.length === 0) return success(null);
    return finish(
      call,
      items.map((item) => build(call.kernel, item)),
    );
  };
}

/** The block to update; an unknown id costs a second, as SiYuan waits for its index. */
async function blockToUpdate(kernel: Kernel, id: string): Promise<BlockNode> {
  if (!kernel.documents.indexEntry(id)) await sleep(unknownBlockDelayMs);
  if (!kernel.documents.indexEntry(id)) throw new Refusal(-1, "get block failed: tree not found");
  const node = kernel.documents.node(id);
  if (!node) throw new Refusal(-1, "get block failed: block not found");
  return node;
}

/** The echo of an update: normal form of the data, its first block under the target's id. */
function updateDom(kernel: Kernel, target: BlockNode, dom: string): string {
  let blocks = blocksFromDom(dom, kernel.lute);
  const first = blocks[0];
  if (target.type === "NodeListItem" && first?.type === "NodeList") {
    const item = childrenOf(first)[0];
    if (item) blocks = [...blocks.slice(1), item];
  }
  const head = blocks[0];
  if (!head) return renderBlocks([emptyParagraph(target.id, currentStamp())]);
  head.id = target.id;
  if (!/^\s*<div[^>]* updated="/.test(dom)) head.attributes.set("updated", currentStamp());
  return renderBlocks(blocks);
}

async function updateOperations(kernel: Kernel, fields: RequestArguments): Promise<Transaction["doOperations"]> {
  const data = fields.text("data");
  const dataType = fields.text("dataType");
  const id = fields.identifier("id");
  const dom = dataAsDom(kernel, data, dataType);
  const target = await blockToUpdate(kernel, id);
  if (target.type !== "NodeDocument") return [operation("update", { id, data: updateDom(kernel, target, dom) })];
  const deletions = childrenOf(target).map((child) =>
    operation("delete", { id: child.id, data: { createEmptyParagraph: false } }),
  );
  return [...deletions, operation("appendInsert", { data: dom, parentID: id })];
}

async function updateBlock(call: RouteCall): Promise<Envelope> {
  return finish(call, [transaction(...(await updateOperations(call.kernel, call.arguments)))]);
}

async function batchUpdateBlock(call: RouteCall): Promise<Envelope> {
  if (!call.arguments.has("blocks")) throw new Refusal(-1, "Field [blocks] is required");
  const items = call.arguments.list("blocks").map((item) => new RequestArguments(asObject(item)));
  if (items.length === 0) throw new Refusal(-1, "Field [blocks] must not be empty");
  const operations: Transaction["doOperations"] = [];
  for (const item of items) operations.push(...(await updateOperations(call.kernel, item)));
  return finish(call, [transaction(...operations)]);
}

/** Answers before the queue acts: the block stays readable for up to a tick. */
function deleteBlock(call: RouteCall): Envelope {
  const id = call.arguments.identifier("id");
  const answer = [transaction(operation("delete", { id }))];
  if (!call.withoutEffect) call.kernel.queue.add([transaction(operation("delete", { id }))]);
  return success(answer);
}

async function moveBlock(call: RouteCall): Promise<Envelope> {
  const { kernel } = call;
  const id = call.arguments.identifier("id");
  const { documents } = kernel;
  if (!documents.indexEntry(id)) throw new Refusal(-1, `block not found [id=${id}]`);
  const parentID = call.arguments.optionalText("parentID");
  const previousID = call.arguments.optionalText("previousID");
  if (parentID !== "") checkedIdentifier(parentID);
  if (call.arguments.has("previousID")) {
    if (previousID !== "") checkedIdentifier(previousID);
    const previous = documents.indexEntry(previousID);
    if (!previous || previous.type === "NodeDocument") {
      throw new Refusal(-1, "`previousID` can not be the ID of a document");
    }
  }
  const targetId = previousID || parentID;
  if (!documents.indexEntry(targetId)) throw new Refusal(-1, `target block not found [id=${parentID}]`);
  if (previousID === "") requireContainer(kernel, parentID);
  await finish(call, [transaction(operation("move", { id, previousID, parentID }))]);
  return success(null);
}

function foldRoute(fold: boolean) {
  return async (call: RouteCall): Promise<Envelope> => {
    const id = call.arguments.identifier("id");
    const node = call.kernel.documents.node(id);
    if (!node) throw new Refusal(-1, `block tree not found [id=${id}]`);
    if (node.type === "NodeDocument") throw new Refusal(-1, "document can not be folded");
    await call.kernel.queue.drained();
    if (call.withoutEffect) return success(null);
    writeNode(call.kernel, id, (target) => {
      const set = (block: BlockNode, name: string) => {
        if (fold) block.attributes.set(name, "1");
        else block.attributes.delete(name);
      };
      set(target, "fold");
      if (target.type !== "NodeHeading") return;
      const section = (heading: BlockNode) => {
        for (const block of sectionOf(heading)) {
          for (const below of walk(block)) {
            set(below, "fold");
            set(below, "heading-fold");
          }
        }
      };
      if (!fold) {
        target.attributes.delete("heading-fold");
        // A heading in a folded section opens that section too.
        const cover = foldedHeadingAbove(target);
        if (cover) {
          section(cover);
          cover.attributes.delete("fold");
          cover.attributes.delete("heading-fold");
        }
      }
      section(target);
    });
    return success(null);
  };
}

/** The highest folded heading whose section holds this one. */
function foldedHeadingAbove(heading: BlockNode): BlockNode | undefined {
  const all = siblings(heading);
  let level = headingLevel(heading);
  let found: BlockNode | undefined;
  for (const node of all.slice(0, all.indexOf(heading)).reverse()) {
    const above = headingLevel(node);
    if (above === 0 || above >= level) continue;
    level = above;
    if (node.attributes.get("fold") === "1") found = node;
  }
  return found;
}

/** Changes one node on a copy of its tree and stores the tree. */
function writeNode(kernel: Kernel, id: string, change: (node: BlockNode) => void): void {
  const document = kernel.documents.documentOf(id);
  if (!document) return;
  const copy = { ...document, root: cloneNode(document.root) };
  const node = findNode(copy.root, id);
  if (!node) return;
  change(node);
  kernel.documents.write(copy);
}

async function applyAttributes(
  call: RouteCall,
  items: { id: string; attrs: Record<string, unknown> }[],
): Promise<Envelope> {
  const { kernel } = call;
  await kernel.queue.drained();
  try {
    for (const { id, attrs } of items) {
      if (!kernel.documents.node(id)) throw new Refusal(-1, "tree not found");
      checkAttributes(id, attrs);
    }
    if (!call.withoutEffect) {
      for (const { id, attrs } of items) writeNode(kernel, id, (node) => changeAttributes(node, attrs));
    }
  } catch (error) {
    if (error instanceof BadAttribute) throw new Refusal(-1, error.message);
    throw error;
  }
  return success(null);
}

function setBlockAttrs(call: RouteCall): Promise<Envelope> {
  const id = call.arguments.identifier("id");
  return applyAttributes(call, [{ id, attrs: call.arguments.object("attrs") }]);
}

function batchSetBlockAttrs(call: RouteCall): Promise<Envelope> {
  const items = call.arguments.list("blockAttrs").map((item) => {
    const fields = new RequestArguments(asObject(item));
    return { id: fields.identifier("id"), attrs: fields.object("attrs") };
  });
  return applyAttributes(call, items);
}

/** Code 0 whatever happens inside; only the request's own shape is checked. */
async function transactions(call: RouteCall): Promise<Envelope> {
  for (const name of ["transactions", "reqId"]) {
    if (!call.arguments.has(name)) throw new Refusal(-1, `Field [${name}] is required`);
  }
  if (call.arguments.list("transactions").length === 0) throw new Refusal(-1, "Field [transactions] must not be empty");
  const timestamp = call.arguments.number("reqId", 0);
  const list = call.arguments.list("transactions").map((item) => {
    const operations = asObject(item).doOperations;
    if (!Array.isArray(operations)) throw new HandlerPanic("doOperations");
    return { ...transaction(...operations.map((fields) => operation("", asObject(fields)))), timestamp };
  });
  return finish(call, list);
}

/** Chooses by the index as it is now, unless the holders are named; waits for no queue. */
function transferBlockRef({ kernel, arguments: fields, withoutEffect }: RouteCall): Envelope {
  const fromID = fields.optionalText("fromID");
  const toID = fields.optionalText("toID");
  if (fromID === "" || toID === "") throw new HandlerPanic("ids");
  const target = kernel.documents.node(toID);
  if (!target) throw new Refusal(-1, "block not found");
  const named = fields.has("refIDs") ? fields.texts("refIDs") : [];
  const holders =
    named.length > 0
      ? named
      : kernel.sql
          .query(`SELECT DISTINCT block_id FROM refs WHERE def_block_id = '${fromID}' LIMIT 100000`)
          .map((row) => String(row.block_id));
  if (withoutEffect) return success(null);
  const text = target.type === "NodeDocument" ? (target.attributes.get("title") ?? "") : plainText(target).trim();
  for (const id of holders) writeNode(kernel, id, (node) => retargetReferences(node, fromID, toID, text));
  kernel.sql.flush();
  return success(null);
}

export const blockWriteRoutes: RouteTable = {
  "block/insertBlock": single(insertTransaction),
  "block/batchInsertBlock": batch(insertTransaction),
  "block/appendBlock": single(intoContainer("appendInsert")),
  "block/batchAppendBlock": batch(intoContainer("appendInsert")),
  "block/prependBlock": single(intoContainer("prependInsert")),
  "block/batchPrependBlock": batch(intoContainer("prependInsert")),
  "block/updateBlock": updateBlock,
  "block/batchUpdateBlock": batchUpdateBlock,
  "block/deleteBlock": deleteBlock,
  "block/moveBlock": moveBlock,
  "block/foldBlock": foldRoute(true),
  "block/unfoldBlock": foldRoute(false),
  "block/transferBlockRef": transferBlockRef,
  "attr/setBlockAttrs": setBlockAttrs,
  "attr/batchSetBlockAttrs": batchSetBlockAttrs,
  transactions,
};
