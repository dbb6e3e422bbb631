// block.replace: exact edits inside one block. Plain words are exchanged in the block's own DOM, which keeps all else
// as it is; what touches marks goes through the source, if the source says all that the block holds.

import { blockReplace } from "../../../shared/catalogue/block.js";
import type { Json, JsonObject } from "../../../shared/wire/json.js";
import { blockIds, canonicalDom, outerAttributes, referenceIds, userAttributes } from "../../api/dom.js";
import type { SiyuanReader } from "../../api/reader.js";
import type { BlockContent, Echo } from "../../api/writer.js";
import { type Evidence, implementMutation, type Plan, type Verdict } from "../../safety/contract.js";
import { compareStored } from "./comparison.js";
import { type Content, readContent, refusal } from "./content.js";
import { documentOf } from "./document-blocks.js";
import { domTexts, withTexts } from "./dom-texts.js";
import { joinKramdown, kramdownParts, lostBySource, marksOfPreview } from "./kramdown-edit.js";
import { blockNotFound, isDocument, liveBlock } from "./location.js";
import { previewForm } from "./preview-form.js";
import { prepareUpdate } from "./prepare-update.js";
import { applyEdits, refusedEditText, type TextEdit } from "./text-edits.js";
import { textDiff, visibleText } from "./text-diff.js";
import { type BlockState, readStates, stateOf, verifyBlock } from "./update.js";

interface ReplaceInput {
  readonly id: string;
  readonly edit: TextEdit | readonly TextEdit[];
}

/** The block's content after the edits, or why there is none. */
export type Draft =
  | { readonly kind: "refused"; readonly field: string; readonly reason: string }
  | {
      readonly kind: "edited";
      readonly content: Content;
      /** What the source would have lost; undefined where it goes as DOM, or loses nothing. */
      readonly loss: string | undefined;
      readonly counts: readonly number[];
      readonly changed: boolean;
    };

interface ReplaceFacts {
  readonly before: BlockState;
  readonly type: string;
  readonly draft: Draft;
}

interface ReplacePlan extends Plan {
  readonly id: string;
  readonly path: string;
  readonly content: Content;
  readonly send: BlockContent;
  readonly counts: readonly number[];
  readonly changed: boolean;
}

interface ReplaceAfter {
  readonly block: BlockState;
  /** Preview of what is stored, to be read like the preview of what was asked. */
  readonly previewHtml: string;
}

const editsOf = ({ edit }: ReplaceInput): readonly TextEdit[] => (Array.isArray(edit) ? edit : [edit as TextEdit]);

function fieldOf(input: ReplaceInput, index: number, name: "old" | "new"): string {
  return Array.isArray(input.edit) ? `edit.${index}.${name}` : `edit.${name}`;
}

export const replaceInBlock = implementMutation(blockReplace, {
  async targets({ id }: ReplaceInput, { reader }) {
    const block = await liveBlock(reader, id, "id");
    if (isDocument(block))
      throw refusal("not_a_block", "id", `${id} is a document; edit one of its blocks (block get_children lists them)`);
    return { ids: [id], notebooks: [block.notebook], documents: [documentOf(block.path)], found: block };
  },

  async observe(input: ReplaceInput, { found }, { reader }) {
    const [states, kramdown] = await Promise.all([readStates(reader, [found]), reader.kramdown(input.id)]);
    const before = states[0] as BlockState;
    if (kramdown === undefined) throw blockNotFound(input.id, "id");
    const draft = await draftOf(input, { type: found.type, dom: before.dom, kramdown }, reader);
    const facts: ReplaceFacts = { before, type: found.type, draft };
    return { state: stateOf([before]), facts, witness: () => witnessOf(facts) };
  },

  plan({ id }: ReplaceInput, { facts: { before, type, draft } }): ReplacePlan {
    if (draft.kind === "refused") throw refusal("invalid_arguments", draft.field, draft.reason);
    if (draft.loss !== undefined) {
      throw refusal("content_would_be_lost", "edit", `${draft.loss}; use block update with dataType dom`);
    }
    const { content, counts, changed } = draft;
    const after = content.kind === "markdown" ? content.preview.html : content.text;
    return {
      id,
      path: before.path,
      content,
      counts,
      changed,
      send: prepareUpdate(content, { id, type, dom: before.dom }, "edit"),
      preview: () => ({
        replacements: replacementsOf(counts),
        diff: textDiff(visibleText(before.dom), visibleText(after)),
      }),
    };
  },

  stages: [
    {
      name: "update",
      apply: ({ id, send }: ReplacePlan, { writer }): Promise<readonly Echo[]> => writer.updateBlock(id, send),
    },
  ],

  async readback({ id, path, content }: ReplacePlan, _answers, { reader }): Promise<ReplaceAfter> {
    const [infos, [block]] = await Promise.all([
      reader.treeInfos([id]),
      readStates(reader, [{ id, path, parentID: "" }]),
    ]);
    const kramdown = content.kind === "markdown" ? await reader.kramdown(id) : undefined;
    const previewHtml = kramdown === undefined ? "" : await reader.previewHtml(kramdown);
    return { block: { ...(block as BlockState), parentID: infos.get(id)?.parentID ?? "" }, previewHtml };
  },

  verify(plan: ReplacePlan, { facts: { before } }, answers, { block, previewHtml }: ReplaceAfter): Verdict {
    const { id, content, send, counts, changed } = plan;
    const [echo] = answers[0] as readonly Echo[];
    const result = verifyBlock(content, before, echo, block);
    const problem = result.problem ?? otherThanAsked(content, send, block, previewHtml);
    const answer: JsonObject = {
      success: true,
      id,
      changed,
      editsApplied: counts.length,
      replacements: replacementsOf(counts),
      attributesPreserved: true,
    };
    const state = stateOf([block]);
    if (problem !== undefined) {
      return { outcome: "mismatch", state, answer, difference: { problem, block: id, diff: result.diff ?? "" } };
    }
    return { outcome: result.unchanged ? "no_change" : "committed", state, answer, notes: result.notes };
  },

  /** The edits do not tell what the block was: its form afterwards, digested before the dispatch, does. */
  async reconcile(input: ReplaceInput, _lost, { reader }): Promise<Evidence> {
    const { id } = input;
    const [[block], kramdown] = await Promise.all([
      readStates(reader, [await liveBlock(reader, id, "id")]),
      reader.kramdown(id),
    ]);
    const state = block as BlockState;
    const witnesses = [stateOf([state]), sourceWitness(state, await reader.previewHtml(kramdown ?? ""))];
    const answer = { success: true, id, changed: true, editsApplied: editsOf(input).length, attributesPreserved: true };
    return { done: true, answer, witnesses };
  },
});

/** The block as it will be stored, or where its source was edited, as it will read. */
function witnessOf({ before, type, draft }: ReplaceFacts): Json | undefined {
  if (draft.kind === "refused" || draft.loss !== undefined) return undefined;
  const { content } = draft;
  if (content.kind === "markdown") return sourceWitness(before, content.preview.html);
  const { data } = prepareUpdate(content, { id: before.id, type, dom: before.dom }, "edit");
  return stateOf([{ ...before, form: canonicalDom(data) }]);
}

function sourceWitness({ id, parentID, path, dom }: BlockState, previewHtml: string): Json {
  const attributes = Array.from(userAttributes(outerAttributes(dom))).map(([name, value]) => `${name}=${value}`);
  return { id, parentID, path, attributes: attributes.sort(), preview: previewForm(previewHtml) };
}

/** Beyond what every update proves: the DOM is the one that was sent, or the source reads like the one that was asked. */
export function otherThanAsked(
  content: Content,
  send: BlockContent,
  block: BlockState,
  previewHtml: string,
): string | undefined {
  if (content.kind === "dom") {
    return compareStored(send.data, block.form).equal ? undefined : "more of the block changed than the edits";
  }
  const asked = marksOfPreview(content.preview.html).join("\n");
  return asked === marksOfPreview(previewHtml).join("\n") ? undefined : "the marks are not those of the edited source";
}

export function replacementsOf(counts: readonly number[]): JsonObject[] {
  return counts.map((count, edit) => ({ edit, count }));
}

export interface Source {
  readonly type: string;
  readonly dom: string;
  readonly kramdown: string;
}

export async function draftOf(input: ReplaceInput, source: Source, reader: SiyuanReader): Promise<Draft> {
  const edits = editsOf(input);
  const refused = (index: number, name: "old" | "new", reason: string): Draft => ({
    kind: "refused",
    field: fieldOf(input, index, name),
    reason,
  });
  const isCode = source.type === "NodeCodeBlock";
  const withLine = isCode ? -1 : edits.findIndex((edit) => edit.new.includes("{:") && !edit.old.includes("{:"));
  if (withLine >= 0)
    return refused(withLine, "new", "it may hold an attribute line; use block set_attrs for attributes");
  const parts = kramdownParts(source.kramdown, new Set(blockIds(source.dom)));
  const edited = applyEdits(parts.texts, edits);
  if (!("texts" in edited)) return refused(edited.edit, "old", refusedEditText(edited));
  const { counts } = edited;
  const changed = edited.texts.some((text, index) => text !== parts.texts[index]);

  const places = domTexts(source.dom);
  const inDom = applyEdits(
    places.map((place) => place.text),
    edits,
  );
  const samePlaces = "texts" in inDom && inDom.counts.every((count, index) => count === counts[index]);
  if (samePlaces && (isCode || edits.every((edit) => isPlain(edit.new)))) {
    const following = places.findIndex((place, index) => place.follows && place.text !== inDom.texts[index]);
    if (following >= 0) {
      return refused(
        0,
        "old",
        "it matches the text of a reference that follows its target; change the target, or replace the whole reference ((…))",
      );
    }
    const dom = withTexts(source.dom, places, inDom.texts);
    // Text at the start of a block could read as a list or heading afterwards.
    if (isCode || !startsLikeBlock(dom) || startsLikeBlock(source.dom)) {
      const content = await readContent({ dataType: "dom", data: dom }, "edit", reader);
      return { kind: "edited", content, loss: undefined, counts, changed };
    }
  }

  const kramdown = joinKramdown({ texts: edited.texts, lines: parts.lines });
  const torn = tornReference(source.dom, kramdown, edits);
  if (torn !== undefined) return refused(0, "old", `it would break the reference to ${torn}; replace it as a whole`);
  const [content, ownPreview] = await Promise.all([
    readContent({ dataType: "markdown", data: kramdown }, "edit", reader),
    reader.previewHtml(source.kramdown),
  ]);
  return { kind: "edited", content, loss: lostBySource(source.type, source.dom, ownPreview), counts, changed };
}

/** True for text that reads the same as Markdown and as words: no sign that may begin or end a mark, no line break. */
function isPlain(text: string): boolean {
  return !/[*_~=`#[\]$^<>{}|\\&\n\r]|\(\(|:[A-Za-z0-9_+-]+:/.test(text);
}

function startsLikeBlock(dom: string): boolean {
  return domTexts(dom).some(
    ({ text, start }) =>
      dom.slice(dom.lastIndexOf("<", start - 1), start).includes('contenteditable="true"') &&
      /^\s*(?:[-+*>]|#{1,6}|\d{1,9}[.)])(?:\s|$)/.test(text),
  );
}

/** A reference of the block that the edited source lacks although no edit names it. */
function tornReference(dom: string, kramdown: string, edits: readonly TextEdit[]): string | undefined {
  return referenceIds(dom).find(
    (id) => id !== "" && !kramdown.includes(`((${id}`) && !edits.some((edit) => edit.old.includes(`((${id}`)),
  );
}
