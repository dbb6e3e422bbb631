// fs.replace: exact edits in the plain blocks of a document, all in one dispatch. The document is not rebuilt: every
// block keeps its id, its attributes and whatever of it no edit names.

import { fsReplace } from "../../../shared/catalogue/fs.js";
import { SisyphusError } from "../../../shared/errors.js";
import type { Json, JsonObject } from "../../../shared/wire/json.js";
import { canonicalDom } from "../../api/dom.js";
import { type DocumentPart, documentParts } from "../../api/document-dom.js";
import type { SiyuanReader } from "../../api/reader.js";
import type { BlockContent, Echo } from "../../api/writer.js";
import { type Evidence, implementMutation, type Plan, type Verdict } from "../../safety/contract.js";
import { compareStored } from "../block/comparison.js";
import { previewForm } from "../block/preview-form.js";
import { otherThanAsked, replacementsOf } from "../block/replace.js";
import type { TextEdit } from "../block/text-edits.js";
import { textDiff, visibleText } from "../block/text-diff.js";
import { type BlockState, verifyBlock } from "../block/update.js";
import { withoutFollowingTexts } from "../document/document-state.js";
import type { LiveDocument } from "../document/live-document.js";
import { areDomEdits, type DocumentEdits, editDocument, type EditedBlock } from "./document-edits.js";
import { sourceByBlock } from "./document-source.js";
import { writableDocument } from "./resolve.js";

interface ReplaceInput {
  readonly path: string;
  readonly edit: TextEdit | readonly TextEdit[];
}

interface ReplaceFacts {
  readonly path: string;
  readonly document: LiveDocument;
  readonly parts: readonly DocumentPart[];
  /** A refusal is kept for `plan`: a change since the preflight comes first. */
  readonly edits: DocumentEdits | SisyphusError;
}

interface ReplacePlan extends Plan {
  readonly document: LiveDocument;
  readonly edits: DocumentEdits;
}

interface ReplaceAfter {
  readonly parts: readonly DocumentPart[];
  /** Previews of the stored sources of blocks that were sent as Markdown. */
  readonly previews: ReadonlyMap<string, string>;
}

/** Blocks whose difference a preflight shows. */
const shownChanges = 5;

const editsOf = ({ edit }: ReplaceInput): readonly TextEdit[] => (Array.isArray(edit) ? edit : [edit as TextEdit]);

export const replace = implementMutation(fsReplace, {
  async targets({ path }: ReplaceInput, tools) {
    const found = await writableDocument(path, tools, "this names no document; edits are made in a document");
    const { id, notebook } = found.document;
    return { ids: [id], notebooks: [notebook], documents: [id], found };
  },

  async observe(input: ReplaceInput, { found: { path, document } }, { reader }) {
    // Makes SiYuan finish what it has pending.
    await reader.documentInfo(document.id);
    const [parts, kramdown] = await Promise.all([readParts(reader, document.id), reader.kramdown(document.id)]);
    const fieldOf = (index: number, name: "old" | "new") =>
      Array.isArray(input.edit) ? `edit.${index}.${name}` : `edit.${name}`;
    const edits = await editDocument(parts, kramdown ?? "", editsOf(input), fieldOf, reader).catch((thrown) => {
      if (thrown instanceof SisyphusError) return thrown;
      throw thrown;
    });
    const facts: ReplaceFacts = { path, document, parts, edits };
    return {
      state: stateOf(document, parts),
      facts,
      witness: () => witnessOf(facts, () => reader.pause()),
      ...(edits instanceof SisyphusError ? {} : { namedIds: sourceIds(edits) }),
    };
  },

  plan(_input: ReplaceInput, { facts: { document, edits } }): ReplacePlan {
    if (edits instanceof SisyphusError) throw edits;
    return { document, edits, preview: () => previewOf(edits) };
  },

  stages: [
    {
      name: "update",
      /** Nothing is sent where the edits leave every block as it is. */
      async apply({ edits: { edited } }: ReplacePlan, { writer }): Promise<readonly Echo[]> {
        if (edited.length === 0) return [];
        if (!areDomEdits(edited))
          return writer.updateBlocks(edited.map(({ part, send }) => ({ id: part.id, ...send })));
        await writer.replaceDoms(edited.map(({ part, send }) => ({ id: part.id, dom: send.data })));
        return [];
      },
    },
  ],

  async readback({ document, edits }: ReplacePlan, _answers, { reader }): Promise<ReplaceAfter> {
    const parts = await readParts(reader, document.id);
    return { parts, previews: await previewsOf(reader, document.id, parts, sourceIds(edits)) };
  },

  verify(
    { document, edits }: ReplacePlan,
    { facts: { path, parts: before } },
    answers,
    { parts: after, previews }: ReplaceAfter,
  ): Verdict {
    const { edited, skipped, counts } = edits;
    const answer: JsonObject = {
      success: true,
      path,
      id: document.id,
      changed: edited.length > 0,
      editsApplied: counts.length,
      replacements: replacementsOf(counts),
      changedBlocks: edited.map(({ part }) => part.id),
      ...(skipped.length > 0 ? { skippedComplexBlocks: skipped as unknown as Json } : {}),
    };
    const state = stateOf(document, after);
    const notes = new Set<string>();
    const problem =
      strayProblem(before, after, edited, notes) ??
      editedProblem(edited, answers[0] as readonly Echo[], after, previews, notes);
    if (problem)
      return { outcome: "mismatch", state, answer, difference: { problem: problem.text, block: problem.block } };
    return {
      outcome: edited.length === 0 ? "no_change" : "committed",
      state,
      answer,
      notes: Array.from(notes),
    };
  },

  /** The edits do not tell what the document was: its state afterwards, digested before the dispatch, does. */
  async reconcile(input: ReplaceInput, { namedIds = [] }, tools): Promise<Evidence> {
    const { path, document } = await writableDocument(input.path, tools, "this names no document");
    const parts = await readParts(tools.reader, document.id);
    const forms = await previewForms(tools.reader, document.id, parts, namedIds);
    const answer = { success: true, path, id: document.id, changed: true, editsApplied: editsOf(input).length };
    return { done: true, answer, witnesses: [stateOf(document, withForms(parts, forms))] };
  },
});

/** The document with the edited blocks in their places: as DOM where that is sent, else as their source will read. */
async function witnessOf({ document, parts, edits }: ReplaceFacts, pause: () => Promise<void>) {
  if (edits instanceof SisyphusError) return undefined;
  const sent = await documentParts(edits.edited.map(({ send }) => sentDom(send)).join(""), pause);
  const forms = new Map(sent.map((part) => [part.id, part.form] as const));
  for (const { part, content } of edits.edited)
    if (content.kind === "markdown") forms.set(part.id, previewForm(content.preview.html));
  return stateOf(document, withForms(parts, forms));
}

const sentDom = ({ dataType, data }: BlockContent) => (dataType === "dom" ? data : "");

function sourceIds({ edited }: DocumentEdits): readonly string[] {
  return edited.filter(({ content }) => content.kind === "markdown").map(({ part }) => part.id);
}

function withForms(parts: readonly DocumentPart[], forms: ReadonlyMap<string, string>): readonly DocumentPart[] {
  return parts.map((part) => ({ ...part, form: forms.get(part.id) ?? part.form }));
}

/** How the stored sources of these blocks read. */
async function previewForms(
  reader: SiyuanReader,
  document: string,
  parts: readonly DocumentPart[],
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const previews = await previewsOf(reader, document, parts, ids);
  return new Map(Array.from(previews).map(([id, html]) => [id, previewForm(html)] as const));
}

async function previewsOf(
  reader: SiyuanReader,
  document: string,
  parts: readonly DocumentPart[],
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const previews = new Map<string, string>();
  if (ids.length === 0) return previews;
  const all = parts.map(({ id }) => id);
  const sources = await sourceByBlock((await reader.kramdown(document)) ?? "", all, () => reader.pause());
  for (const id of ids) previews.set(id, await reader.previewHtml(sources.get(id) ?? ""));
  return previews;
}

async function readParts(reader: SiyuanReader, document: string): Promise<readonly DocumentPart[]> {
  return documentParts((await reader.blockDom(document)) ?? "", () => reader.pause());
}

function stateOf({ id, notebook, path }: LiveDocument, parts: readonly DocumentPart[]): JsonObject {
  return { id, notebook, path, blocks: parts.map(({ form }) => form) };
}

function previewOf({ edited, skipped, counts }: DocumentEdits): JsonObject {
  return {
    replacements: replacementsOf(counts),
    changedBlocks: edited.length,
    changes: edited.slice(0, shownChanges).map(({ part, content }) => ({
      id: part.id,
      diff: textDiff(
        visibleText(part.dom),
        visibleText(content.kind === "markdown" ? content.preview.html : content.text),
      ),
    })),
    ...(skipped.length > 0 ? { skippedComplexBlocks: skipped as unknown as Json } : {}),
  };
}

interface Problem {
  readonly text: string;
  readonly block: string;
}

/** Every other block is there, in its place, as it was. */
function strayProblem(
  before: readonly DocumentPart[],
  after: readonly DocumentPart[],
  edited: readonly EditedBlock[],
  notes: Set<string>,
): Problem | undefined {
  const meant = new Set(edited.map(({ part }) => part.id));
  for (let index = 0; index < Math.max(before.length, after.length); index++) {
    const was = before[index];
    const is = after[index];
    if (was?.id !== is?.id) return { text: "a block came, went or moved meanwhile", block: was?.id ?? is?.id ?? "" };
    if (!was || !is || meant.has(was.id) || was.form === is.form) continue;
    if (withoutFollowingTexts(was.form) !== withoutFollowingTexts(is.form))
      return { text: "another block changed meanwhile", block: was.id };
    notes.add("texts of references that follow an edited block were refreshed");
  }
  return undefined;
}

function editedProblem(
  edited: readonly EditedBlock[],
  echoes: readonly Echo[],
  after: readonly DocumentPart[],
  previews: ReadonlyMap<string, string>,
  notes: Set<string>,
): Problem | undefined {
  const byId = new Map(after.map((part) => [part.id, part] as const));
  const echoById = new Map(echoes.map((echo) => [echo.id, echo] as const));
  for (const { part, content, send } of edited) {
    const stored = stateOfPart(byId.get(part.id) ?? { ...part, dom: "" });
    if (echoes.length === 0) {
      // A transaction echoes nothing new: what was sent is what must be there.
      const comparison = compareStored(send.data, stored.form);
      if (!comparison.equal) return { text: "the block is not as it was asked", block: part.id };
      for (const note of comparison.notes) notes.add(note);
      continue;
    }
    const result = verifyBlock(content, stateOfPart(part), echoById.get(part.id), stored);
    const problem = result.problem ?? otherThanAsked(content, send, stored, previews.get(part.id) ?? "");
    if (problem !== undefined) return { text: problem, block: part.id };
    for (const note of result.notes) notes.add(note);
  }
  return undefined;
}

/** Parents are compared with the document's order of blocks. */
function stateOfPart({ id, dom }: DocumentPart): BlockState {
  return { id, parentID: "", path: "", dom, form: canonicalDom(dom) };
}
