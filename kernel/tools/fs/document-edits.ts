// Exact edits over all plain blocks of a document: where each edit hits, and the blocks as they will be.

import { SisyphusError } from "../../../shared/errors.js";
import { sizeLimits } from "../../../shared/limits.js";
import { type DocumentPart, withoutStamp } from "../../api/document-dom.js";
import type { SiyuanReader } from "../../api/reader.js";
import type { BlockContent } from "../../api/writer.js";
import { type Content, refusal } from "../block/content.js";
import { kramdownParts } from "../block/kramdown-edit.js";
import { isPlainBlock } from "../block/plain-blocks.js";
import { prepareUpdate } from "../block/prepare-update.js";
import { draftOf } from "../block/replace.js";
import { placesOf, refusedEditText, type TextEdit } from "../block/text-edits.js";
import { sourceByBlock } from "./document-source.js";

/** A block that the edits change. */
export interface EditedBlock {
  readonly part: DocumentPart;
  readonly content: Content;
  readonly send: BlockContent;
}

/** A block that holds a passage and is left as it is. */
export interface SkippedBlock {
  readonly id: string;
  readonly type: string;
}

export interface DocumentEdits {
  readonly edited: readonly EditedBlock[];
  readonly skipped: readonly SkippedBlock[];
  /** Replacements per edit. */
  readonly counts: readonly number[];
}

/** The passages of one block, with those edits that hit it so far. */
interface Candidate {
  readonly part: DocumentPart;
  readonly kramdown: string;
  texts: readonly string[];
  /** Indexes into the list of edits. */
  readonly hits: number[];
}

/** All edits are in the DOM, so that one transaction takes them. */
export function areDomEdits(edited: readonly EditedBlock[]): boolean {
  return edited.every(({ send }) => send.dataType === "dom");
}

/** Blocks looked at, and blocks worked on, between two pauses. */
const partsPerSlice = 100;
const blocksPerSlice = 20;

/**
 * Throws a refusal that names the edit: not found, ambiguous, or more than SiYuan would keep.
 *
 * @param fieldOf the argument that names part of an edit
 */
export async function editDocument(
  parts: readonly DocumentPart[],
  kramdown: string,
  edits: readonly TextEdit[],
  fieldOf: (edit: number, name: "old" | "new") => string,
  reader: SiyuanReader,
): Promise<DocumentEdits> {
  const pause = () => reader.pause();
  const sources = await sourceByBlock(
    kramdown,
    parts.map(({ id }) => id),
    pause,
  );
  const candidates: Candidate[] = [];
  const skipped: SkippedBlock[] = [];
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] as DocumentPart;
    const source = sources.get(part.id) ?? "";
    if (mayHold(source, edits)) {
      if (part.blocks.every(isPlainBlock)) candidates.push(candidateOf(part, source));
      else skipped.push({ id: part.id, type: part.type.replace(/^Node/, "") });
    }
    if (index % partsPerSlice === partsPerSlice - 1) await pause();
  }
  const counts: number[] = [];
  for (let index = 0; index < edits.length; index++) {
    const edit = edits[index] as TextEdit;
    const found = await applyToAll(candidates, edit, index, pause);
    if (found === 0 || (found > 1 && !edit.replace_all)) {
      const reason = refusedEditText({ edit: index, found });
      const elsewhere =
        found === 0 && skipped.length > 0 ? `; blocks that Markdown cannot carry are left out (${skipped[0]?.id})` : "";
      throw refusal("invalid_arguments", fieldOf(index, "old"), reason + elsewhere);
    }
    counts.push(found);
  }
  const hit = candidates.filter(({ hits }) => hits.length > 0);
  if (hit.length > sizeLimits.maxEditedBlocks) {
    throw refusal(
      "invalid_arguments",
      "edit",
      `it would change ${hit.length} blocks; at most ${sizeLimits.maxEditedBlocks} in one call`,
    );
  }
  const edited: EditedBlock[] = [];
  let onlyWords = true;
  for (let index = 0; index < hit.length; index++) {
    const block = await editBlock(hit[index] as Candidate, edits, fieldOf, reader);
    if (block) edited.push(block);
    if (block && block.send.dataType !== "dom") onlyWords = false;
    if (!onlyWords) requireOneBatch(edited, hit.length);
    if (index % blocksPerSlice === blocksPerSlice - 1) await pause();
  }
  return { edited, skipped, counts };
}

/** Words go in one transaction, however many blocks; with a source among them all go as a batch, so the first too many ends it. */
function requireOneBatch(edited: readonly EditedBlock[], hits: number): void {
  if (edited.length <= sizeLimits.maxBatchItems) return;
  throw refusal(
    "invalid_arguments",
    "edit",
    `it hits ${hits} blocks, some by their source; at most ${sizeLimits.maxBatchItems} in one call, or edit words without marks`,
  );
}

/** A cheap look before the exact one: zero-width spaces come and go around marks. */
function mayHold(source: string, edits: readonly TextEdit[]): boolean {
  const plain = source.includes("\u200b") ? source.split("\u200b").join("") : source;
  return edits.some(({ old }) => source.includes(old) || plain.includes(old));
}

function candidateOf(part: DocumentPart, kramdown: string): Candidate {
  const { texts } = kramdownParts(kramdown, new Set(part.blocks.map(({ id }) => id)));
  return { part, kramdown, texts, hits: [] };
}

function countIn(texts: readonly string[], { old, replace_all: all }: TextEdit): number {
  return texts.reduce((sum, text) => sum + placesOf(text, old, all ? old.length : 1).length, 0);
}

/** Makes one edit in every candidate that it hits; how often it does. */
async function applyToAll(
  candidates: readonly Candidate[],
  edit: TextEdit,
  index: number,
  pause: () => Promise<void>,
): Promise<number> {
  let found = 0;
  for (let looked = 0; looked < candidates.length; looked++) {
    const candidate = candidates[looked] as Candidate;
    const own = countIn(candidate.texts, edit);
    if (own > 0) {
      candidate.texts = candidate.texts.map((text) => text.split(edit.old).join(edit.new));
      candidate.hits.push(index);
      found += own;
    }
    if (looked % partsPerSlice === partsPerSlice - 1) await pause();
  }
  return found;
}

/** The block after its edits; undefined where they leave it as it is. */
async function editBlock(
  { part, kramdown, hits }: Candidate,
  edits: readonly TextEdit[],
  fieldOf: (edit: number, name: "old" | "new") => string,
  reader: SiyuanReader,
): Promise<EditedBlock | undefined> {
  const { id, type, dom } = part;
  const own = hits.map((index) => ({ ...(edits[index] as TextEdit), replace_all: true }));
  try {
    const draft = await draftOf({ id, edit: own }, { type, dom, kramdown }, reader);
    if (draft.kind === "refused") throw refusal("invalid_arguments", draft.field, draft.reason);
    if (!draft.changed) return undefined;
    if (draft.loss !== undefined)
      throw refusal("content_would_be_lost", "edit", `${draft.loss}; use block update with dataType dom`);
    const send = prepareUpdate(draft.content, { id, type, dom }, "edit");
    return {
      part,
      content: draft.content,
      send: send.dataType === "dom" ? { ...send, data: withoutStamp(send.data) } : send,
    };
  } catch (thrown) {
    throw ofTheDocument(thrown, id, hits, fieldOf);
  }
}

/** The refusal of one block's edits, in terms of the call: which edit, and in which block. */
function ofTheDocument(
  thrown: unknown,
  id: string,
  hits: readonly number[],
  fieldOf: (edit: number, name: "old" | "new") => string,
): unknown {
  if (!(thrown instanceof SisyphusError)) return thrown;
  const fields = (thrown.details.fields ?? []).map(({ path, message }) => {
    const [, index, name] = /^edit\.(\d+)\.(old|new)$/.exec(path) ?? [];
    const edit = index === undefined ? undefined : hits[Number(index)];
    return { path: edit === undefined ? "edit" : fieldOf(edit, name as "old" | "new"), message };
  });
  return new SisyphusError(thrown.code, `${thrown.message} (block ${id})`, {
    ...thrown.details,
    fields,
    blocks: [{ id, reason: fields[0]?.message ?? "refused" }],
  });
}
