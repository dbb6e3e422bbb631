// fs.write with overwrite: the body of a document made anew in one transaction, refused where something would be lost.

import { type ErrorCode, SisyphusError } from "../../../shared/errors.js";
import type { Json, JsonObject } from "../../../shared/wire/json.js";
import type { DocumentPart } from "../../api/document-dom.js";
import { type DomNode, userAttributes } from "../../api/dom.js";
import type { TreePlace } from "../../api/reader.js";
import type { Echo } from "../../api/writer.js";
import type { Evidence, LostCall, Plan, ReadTools, Targets, Verdict } from "../../safety/contract.js";
import { missingWords } from "../block/comparison.js";
import { type Content, refusal } from "../block/content.js";
import { inboundReferences } from "../block/inbound-references.js";
import {
  compareNewBlocks,
  echoedNodes,
  type NewBlocks,
  type NewContent,
  prepareNewBlocks,
  readNewContent,
  requireNew,
  textOf,
} from "../block/new-blocks.js";
import { isPlainBlock } from "../block/plain-blocks.js";
import { textDiff, visibleText } from "../block/text-diff.js";
import {
  changedAttributes,
  documentStateJson,
  type DocumentState,
  readDocumentState,
  rereadDocumentState,
} from "../document/document-state.js";
import type { LiveDocument } from "../document/live-document.js";
import { writableDocument } from "./resolve.js";

export interface OverwriteInput {
  readonly path: string;
  readonly markdown: string;
}

/** The document as found: its place and its workspace path. */
export interface OverwriteFound {
  readonly document: LiveDocument;
  readonly path: string;
}

export interface OverwriteFacts {
  readonly kind: "overwrite";
  readonly path: string;
  readonly before: DocumentState;
  readonly content: NewContent;
  /** Live blocks elsewhere or inside that refer to a block of the body. */
  readonly references: readonly { readonly holder: string; readonly target: string }[];
}

export interface OverwritePlan extends Plan {
  readonly kind: "overwrite";
  readonly id: string;
  readonly blocks: NewBlocks;
}

export interface OverwriteAfter {
  readonly kind: "overwrite";
  readonly document: DocumentState | undefined;
}

export async function overwriteTargets({ path }: OverwriteInput, tools: ReadTools): Promise<Targets<OverwriteFound>> {
  const found = await writableDocument(path, tools, "this names no document; overwrite replaces a document's body");
  const { id, notebook } = found.document;
  return { ids: [id], notebooks: [notebook], documents: [id], found };
}

export async function observeOverwrite(
  markdown: (title: string) => string,
  { document, path }: OverwriteFound,
  { reader }: ReadTools,
): Promise<{ readonly state: Json; readonly facts: OverwriteFacts }> {
  const before = await readDocumentState(reader, document);
  const [content, holders] = await Promise.all([
    readNewContent({ dataType: "markdown", data: markdown(before.title) }, "markdown", reader),
    inboundReferences(reader, { insideDocument: document.id }),
  ]);
  const references = holders.map(({ holder, target }) => ({ holder, target }));
  return {
    state: { ...documentStateJson(before), references },
    facts: { kind: "overwrite", path, before, content, references },
  };
}

/** Pure. Throws a refusal that lists what would be lost. */
export function planOverwrite({ before, content, references }: OverwriteFacts, reservedId: string): OverwritePlan {
  requireExpendable(before, references);
  requireNew(content, "markdown");
  requireSurvivingReferences(content.content, before);
  const blocks = prepareNewBlocks(content.content, reservedId);
  const preview = () => ({
    blocksBefore: before.parts.length,
    blocksAfter: blocks.expected,
    diff: textDiff(beginningOf(before), textOf(blocks.content)),
  });
  return { kind: "overwrite", id: before.id, blocks, preview };
}

export async function readOverwritten({ id }: OverwritePlan, { reader }: ReadTools): Promise<OverwriteAfter> {
  return { kind: "overwrite", document: await rereadDocumentState(reader, id) };
}

/** Pure. The body is exactly what SiYuan announced, which lacks nothing of the request; all else is as before. */
export function verifyOverwrite(
  plan: OverwritePlan,
  { path, before }: OverwriteFacts,
  echoes: readonly Echo[],
  { document: after }: OverwriteAfter,
): Verdict {
  const stored: readonly DomNode[] = (after?.parts ?? []).map(nodeOf);
  const answer: JsonObject = { success: true, path, id: plan.id, overwritten: true, blocks: stored.length };
  const mismatch = (problem: string): Verdict => ({
    outcome: "mismatch",
    answer,
    ...(after ? { state: documentStateJson(after) } : {}),
    difference: { problem, diff: textDiff(textOf(plan.blocks.content), after ? beginningOf(after) : "") },
  });
  if (!after) return mismatch("the document is gone");
  // The deletions come first and carry no content.
  const echo = echoes[echoes.length - 1];
  const nodes = echoedNodes(echo);
  const announced = new Set(nodes.map(({ id }) => id));
  const leftOver = stored.find(({ id }) => !announced.has(id));
  if (leftOver) return mismatch(`block ${leftOver.id} is there besides the new body`);
  if (stored.some(({ id }, index) => id !== nodes[index]?.id)) return mismatch("the new blocks stand in another order");
  const comparison = compareNewBlocks(plan.blocks, echo, nodes, plan.id, storedIn(plan.id, stored));
  if ("problem" in comparison) return mismatch(comparison.problem);
  const changed = changedAttributes(before, after, []);
  if (changed.length > 0) return mismatch(`attributes of the document changed meanwhile: ${changed.join(", ")}`);
  if (after.path !== before.path || after.notebook !== before.notebook || after.title !== before.title)
    return mismatch("the document was moved or renamed meanwhile");
  return { outcome: "committed", state: documentStateJson(after), answer, notes: comparison.notes };
}

/** Done when the last block is the reserved one and nothing of the request is missing: the transaction ran as a whole. */
export async function reconcileOverwrite(
  markdown: (title: string) => string,
  { document, path }: OverwriteFound,
  { reservedIds: [reserved] }: LostCall,
  { reader }: ReadTools,
): Promise<Evidence> {
  const now = await readDocumentState(reader, document);
  const nodes = now.parts.map(nodeOf);
  const answer: JsonObject = { success: true, path, id: document.id, overwritten: true, blocks: nodes.length };
  const isNew = reserved !== undefined && nodes[nodes.length - 1]?.id === reserved;
  if (!isNew) return { done: false, answer };
  const { content } = await readNewContent({ dataType: "markdown", data: markdown(now.title) }, "markdown", reader);
  const { expected } = prepareNewBlocks(content, undefined);
  return { done: nodes.length >= expected && missingWords(content, nodes).length === 0, answer };
}

function nodeOf({ id, type, dom, blocks: [first] }: DocumentPart): DomNode {
  return { id, type, html: dom, attributes: first?.attributes ?? new Map() };
}

/** One read of the document instead of one per block. */
function storedIn(document: string, nodes: readonly DomNode[]) {
  const place = ({ type }: DomNode): TreePlace => ({ type, parentID: document, previousID: "", nextID: "" });
  return {
    stored: new Map(nodes.map((node) => [node.id, node.html] as const)),
    infos: new Map(nodes.map((node) => [node.id, place(node)] as const)),
  };
}

/** Blocks whose text a preview shows. */
const shownBlocks = 50;

function beginningOf({ parts }: DocumentState): string {
  return visibleText(
    parts
      .slice(0, shownBlocks)
      .map(({ dom }) => dom)
      .join(""),
  );
}

interface Obstacle {
  readonly id: string;
  readonly reason: string;
}

/** Attributes that a person or SiYuan tied to the block, and that would go with it. */
function isTied(name: string): boolean {
  return ["name", "alias", "memo", "bookmark", "style"].includes(name) || name.startsWith("custom-");
}

/** The whole live tree, to its full depth: the index would not know of an attribute set a moment ago. */
function requireExpendable({ parts }: DocumentState, references: OverwriteFacts["references"]): void {
  const complex: Obstacle[] = [];
  const structured: Obstacle[] = [];
  for (const part of parts) {
    for (const { id, type, attributes } of part.blocks) {
      if (!isPlainBlock({ type })) complex.push({ id, reason: type.replace(/^Node/, "") });
      const tied = Array.from(userAttributes(attributes).keys()).filter(isTied);
      if (tied.length > 0) structured.push({ id, reason: tied.join(", ") });
    }
  }
  for (const { holder, target } of references) structured.push({ id: target, reason: `block ${holder} refers to it` });
  refuse("complex_blocks_not_supported_by_fs", complex);
  refuse("structured_assets_overwrite_rejected", structured);
}

/** Obstacles named in a refusal. */
const shownObstacles = 20;

function refuse(code: ErrorCode, obstacles: readonly Obstacle[]): void {
  if (obstacles.length === 0) return;
  const shown = obstacles.slice(0, shownObstacles);
  const list = shown.map(({ id, reason }) => `${id} (${reason})`).join(", ");
  const more = obstacles.length > shown.length ? ` and ${obstacles.length - shown.length} more` : "";
  const error = new SisyphusError(code);
  throw new SisyphusError(code, `${error.message}: ${list}${more}`, {
    fields: [{ path: "overwrite", message: `${obstacles.length} in the way` }],
    blocks: shown,
  });
}

/** The old blocks go, and SiYuan would empty a reference to one of them. */
function requireSurvivingReferences(content: Content, { parts }: DocumentState): void {
  const references = content.kind === "markdown" ? content.source.references : [];
  if (references.length === 0) return;
  const old = new Set(parts.reduce<string[]>((all, { blocks }) => all.concat(blocks.map(({ id }) => id)), []));
  const lost = references.filter((id) => old.has(id));
  if (lost.length > 0)
    throw refusal("missing_reference", "markdown", `${lost.join(", ")} would be deleted with the old body`);
}
