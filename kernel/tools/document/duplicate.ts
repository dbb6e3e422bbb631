// document.duplicate: a copy beside the document. SiYuan echoes only an id; the oracle is the copy, which must read like
// the original once ids are counted through instead of named.

import { documentDuplicate } from "../../../shared/catalogue/document.js";
import { sizeLimits } from "../../../shared/limits.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import { blockIds, referenceIds, scanDom, topLevelNodes } from "../../api/dom.js";
import type { SiyuanReader } from "../../api/reader.js";
import { type Evidence, implementMutation, type Plan, type Verdict } from "../../safety/contract.js";
import { refusal } from "../block/content.js";
import {
  changedAttributes,
  documentStateJson,
  type DocumentState,
  readDocumentState,
  rereadDocumentState,
  sameContent,
  sameForms,
} from "./document-state.js";
import { liveDocument, parentPathOf } from "./live-document.js";

interface DuplicateFacts {
  readonly source: DocumentState;
  readonly subDocuments: number;
  /** References that point to nothing: SiYuan would empty them in the copy. */
  readonly dangling: readonly string[];
  /** Documents beside it, in visible order. */
  readonly beside: readonly string[];
}

interface DuplicatePlan extends Plan {
  readonly facts: DuplicateFacts;
}

interface DuplicateAfter {
  readonly copy: DocumentState | undefined;
  readonly source: DocumentState | undefined;
  readonly humanPath: string;
  readonly beside: readonly string[];
}

/** Bindings that belong to one block only; SiYuan leaves them out of a copy. */
const uncopied = /^(?:custom-avs|custom-riff-decks|av-names|custom-sy-av-s-text.*)$/;

const besideOf = async (reader: SiyuanReader, { notebook, path }: DocumentState) =>
  (await reader.documents(notebook, parentPathOf(path))).map((entry) => entry.id);

export const duplicateDocument = implementMutation(documentDuplicate, {
  async targets({ id }: { readonly id: string }, { reader }) {
    const document = await liveDocument(reader, id, "id");
    return { ids: [id], notebooks: [document.notebook], found: document };
  },

  async observe(_input: { readonly id: string }, { found }, { reader }) {
    const source = await readDocumentState(reader, found);
    const own = new Set(blockIds(source.dom).concat(found.id));
    const references = Array.from(new Set(referenceIds(source.dom))).filter((id) => id !== "" && !own.has(id));
    const [known, below, beside] = await Promise.all([
      reader.treeInfos(references),
      reader.documents(found.notebook, found.path),
      besideOf(reader, source),
    ]);
    const dangling = references.filter((id) => !known.has(id));
    const facts: DuplicateFacts = { source, subDocuments: below.length, dangling, beside };
    return { state: stateOf(source, beside), facts };
  },

  plan(_input: { readonly id: string }, { facts }): DuplicatePlan {
    const { source, dangling, subDocuments } = facts;
    if (dangling.length > 0) {
      throw refusal(
        "missing_reference",
        "id",
        `the document refers to ${dangling.slice(0, 5).join(", ")}, which SiYuan would empty in the copy`,
      );
    }
    const preview = (): JsonObject => ({
      title: source.title,
      blocks: topLevelNodes(source.dom).nodes.length,
      ...(subDocuments > 0 ? { subDocumentsNotCopied: subDocuments } : {}),
      notes: notesOf(facts),
    });
    return { facts, preview };
  },

  stages: [
    {
      name: "duplicate",
      apply: ({ facts }: DuplicatePlan, { writer }): Promise<string> => writer.duplicateDocument(facts.source.id),
    },
  ],

  async readback({ facts: { source } }: DuplicatePlan, [id], { reader }): Promise<DuplicateAfter> {
    const copy = await rereadDocumentState(reader, id as string);
    return {
      copy,
      source: await rereadDocumentState(reader, source.id),
      humanPath: copy ? await reader.humanPath(copy.id) : "",
      beside: await besideOf(reader, source),
    };
  },

  verify({ facts }: DuplicatePlan, _before, [id], after: DuplicateAfter): Verdict {
    const ids = after.copy ? topLevelNodes(after.copy.dom).nodes.map((node) => node.id) : [];
    const answer: JsonObject = {
      success: true,
      sourceID: facts.source.id,
      id: id as string,
      notebook: facts.source.notebook,
      path: after.copy?.path ?? "",
      hPath: after.humanPath,
      title: after.copy?.title ?? "",
      blocks: ids.length,
      ...(ids.length <= sizeLimits.maxBatchItems ? { createdBlockIDs: ids } : {}),
      ...(facts.subDocuments > 0 ? { subDocumentsNotCopied: facts.subDocuments } : {}),
    };
    const problem = problemOf(facts, id as string, after);
    if (problem !== undefined) return { outcome: "mismatch", answer, difference: { problem } };
    return { outcome: "committed", state: stateOf(facts.source, after.beside), answer, notes: notesOf(facts) };
  },

  /** Done when, without the newest document beside it, all is as before, and that one is a faithful copy. */
  async reconcile({ id: sourceID }: { readonly id: string }, _lost, { reader }): Promise<Evidence> {
    const source = await readDocumentState(reader, await liveDocument(reader, sourceID, "id"));
    const beside = await besideOf(reader, source);
    const others = beside.filter((each) => each !== sourceID);
    // Ids begin with the time of their making.
    const [id] = others.sort().reverse();
    const copy = id === undefined ? undefined : await rereadDocumentState(reader, id);
    if (id === undefined || !copy) return { done: false, answer: {} };
    const before = beside.filter((each) => each !== id);
    const answer: JsonObject = {
      success: true,
      sourceID,
      id,
      notebook: source.notebook,
      path: copy.path,
      hPath: await reader.humanPath(id),
      title: copy.title,
    };
    const facts: DuplicateFacts = { source, subDocuments: 0, dangling: [], beside: before };
    const problem = problemOf(facts, id, { copy, source, humanPath: "", beside });
    return { done: problem === undefined, answer, before: stateOf(source, before) };
  },
});

/** With the documents beside it: of a lost copy they are the trace. */
function stateOf(source: DocumentState, beside: readonly string[]): JsonObject {
  return { ...documentStateJson(source), beside };
}

function problemOf(facts: DuplicateFacts, id: string, { copy, source, beside }: DuplicateAfter): string | undefined {
  const before = facts.source;
  if (id === before.id || facts.beside.includes(id)) return "SiYuan answered a document that was there before";
  if (!copy) return "the copy is not there";
  if (copy.notebook !== before.notebook || parentPathOf(copy.path) !== parentPathOf(before.path))
    return `the copy lies at ${copy.path}`;
  if (copy.title === "" || copy.title === before.title || !copy.title.startsWith(before.title.slice(0, 64)))
    return `the copy's title is ${copy.title}`;
  const lost = changedAttributes(before, copy, []).filter((name) => !uncopied.test(name));
  if (lost.length > 0) return `attributes differ: ${lost.join(", ")}`;
  if (blockIds(copy.dom).some((each) => blockIds(before.dom).includes(each))) return "the copy shares block ids";
  if (!sameForms(anonymous(before), anonymous(copy))) return "the content of the copy differs";
  if (!source) return "the original is gone";
  if (source.path !== before.path || changedAttributes(before, source, []).length > 0 || !sameContent(before, source))
    return "the original changed meanwhile";
  const others = beside.filter((each) => each !== id);
  if (others.join(" ") !== facts.beside.join(" ")) return "the documents beside it, or their order, changed";
  if (!beside.includes(id)) return "the copy is not listed beside the original";
  return undefined;
}

/** The form with the document's own ids counted through, and without what a copy does not take. */
function anonymous({ dom, form }: DocumentState): string {
  const numbers = new Map(blockIds(dom).map((id, index) => [id, `#${index}`]));
  return form
    .split('"')
    .map((part) => numbers.get(part) ?? part)
    .join('"')
    .replace(/ (?:custom-avs|custom-riff-decks|custom-sy-av-s-text[\w-]*)="(?:[^"\\]|\\.)*"/g, "");
}

function notesOf({ source, subDocuments, beside }: DuplicateFacts): readonly string[] {
  let named = source.attributes.has("name") || source.attributes.has("alias") ? 1 : 0;
  let bound = 0;
  let databases = 0;
  scanDom(source.dom, (tag) => {
    if (!tag.attributes.has("data-node-id")) return;
    if (tag.attributes.has("name") || tag.attributes.has("alias")) named++;
    if (tag.attributes.has("custom-avs") || tag.attributes.has("custom-riff-decks")) bound++;
    if (tag.attributes.has("data-av-id")) databases++;
  });
  return [
    ...(subDocuments > 0 ? [`${subDocuments} sub-documents were not copied`] : []),
    ...(named > 0 ? [`${named} names or aliases are there twice now`] : []),
    ...(bound > 0 ? [`${bound} blocks are flashcards or database rows in the original only`] : []),
    ...(databases > 0 ? [`${databases} databases are shown in both documents`] : []),
    ...(beside.length > 1 ? ["the documents beside it have new sort values, their order is the same"] : []),
  ];
}
