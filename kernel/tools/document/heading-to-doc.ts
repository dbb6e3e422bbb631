// document.heading_to_doc: a heading with its section becomes a document with the heading's id. SiYuan echoes nothing;
// the oracle is the new document against the section, and the old document against what was left.

import { documentHeadingToDoc } from "../../../shared/catalogue/document.js";
import { SisyphusError } from "../../../shared/errors.js";
import { sizeLimits } from "../../../shared/limits.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import {
  type BlockRange,
  blockRanges,
  sectionRanges,
  siblingsOf,
  unfolded,
  withLevel,
} from "../../api/block-ranges.js";
import { canonicalDom, decodeEntities, topLevelNodes, userAttributes } from "../../api/dom.js";
import type { SiyuanReader } from "../../api/reader.js";
import { implementMutation, type Observation, type Plan, type Trace, type Verdict } from "../../safety/contract.js";
import { refusal } from "../block/content.js";
import { documentOf } from "../block/document-blocks.js";
import { blockNotFound, liveBlock, requireOpen } from "../block/location.js";
import { visibleText } from "../block/text-diff.js";
import {
  changedAttributes,
  documentStateJson,
  type DocumentState,
  readDocumentState,
  rereadDocumentState,
  sameForms,
  withoutFollowingTexts,
} from "./document-state.js";
import { titleOfHeading } from "./heading-title.js";
import { documentAt, documentIdOf, idsOfPath, parentPathOf } from "./live-document.js";
import { requireTitle } from "./title.js";

interface HeadingInput {
  readonly headingID: string;
  readonly targetNotebook: string;
  readonly targetPath?: string;
  readonly previousPath?: string;
}

/** The folder that gets the document. */
interface Place {
  /** `/` or the storage path of the parent document. */
  readonly folder: string;
  readonly previous: string | undefined;
}

interface HeadingFacts {
  readonly source: DocumentState;
  readonly heading: BlockRange;
  readonly place: Place;
  /** Documents in the folder, in visible order. */
  readonly beside: readonly { readonly id: string; readonly title: string }[];
}

/** The document that an earlier attempt made, which still has SiYuan's title. */
interface ConvertedFacts {
  readonly converted: DocumentState;
  readonly title: string;
}

interface HeadingPlan extends Plan {
  readonly facts: HeadingFacts;
  readonly headingID: string;
  readonly notebook: string;
  readonly path: string;
  readonly title: string;
  readonly movedBlocks: number;
  /** Canonical form of the new document; "" for one empty paragraph. */
  readonly expected: string;
  /** The same of the document that held the heading. */
  readonly rest: string;
  readonly notes: readonly string[];
}

interface TitlePlan extends Plan {
  readonly facts: ConvertedFacts;
  readonly notebook: string;
  readonly path: string;
  readonly title: string;
}

interface HeadingAfter {
  readonly document: DocumentState | undefined;
  readonly source: DocumentState | undefined;
  readonly isDocument: boolean;
  readonly humanPath: string;
  readonly beside: readonly string[];
}

function isConverted(plan: HeadingPlan | TitlePlan): plan is TitlePlan {
  return "converted" in plan.facts;
}

async function placeOf(input: HeadingInput, reader: SiyuanReader): Promise<Place> {
  const { targetNotebook, targetPath, previousPath } = input;
  await requireOpen(reader, targetNotebook);
  const target =
    targetPath === undefined || targetPath === "/"
      ? targetPath
      : (await documentAt(reader, targetNotebook, targetPath, "targetPath")).path;
  if (previousPath === undefined) return { folder: target ?? "/", previous: undefined };
  const previous = (await documentAt(reader, targetNotebook, previousPath, "previousPath")).path;
  // SiYuan would follow previousPath and forget the other.
  if (target !== undefined && parentPathOf(previous) !== target)
    throw refusal("invalid_arguments", "previousPath", "this document does not lie in targetPath");
  return { folder: parentPathOf(previous), previous };
}

async function besideOf(reader: SiyuanReader, notebook: string, folder: string) {
  return (await reader.documents(notebook, folder)).map(({ id, title }) => ({ id, title }));
}

export const headingToDocument = implementMutation(documentHeadingToDoc, {
  async targets(input: HeadingInput, { reader }) {
    const block = await liveBlock(reader, input.headingID, "headingID");
    // SiYuan makes a document of any block, and lets it swallow what follows.
    if (block.type !== "NodeHeading")
      throw refusal("invalid_arguments", "headingID", `${input.headingID} is no heading`);
    const place = await placeOf(input, reader);
    return {
      ids: [input.headingID],
      notebooks: Array.from(new Set([block.notebook, input.targetNotebook])),
      found: { block, place },
    };
  },

  async observe(input: HeadingInput, { found: { block, place } }, { reader }): Promise<Observation<Facts>> {
    const { headingID, targetNotebook } = input;
    const { notebook, path } = block;
    const source = await readDocumentState(reader, { id: documentOf(path), notebook, path });
    const heading = blockRanges(source.dom).find((range) => range.id === headingID);
    if (!heading) throw blockNotFound(headingID, "headingID");
    const beside = await besideOf(reader, targetNotebook, place.folder);
    const facts: HeadingFacts = { source, heading, place, beside };
    return {
      state: {
        source: documentStateJson(source),
        target: { notebook: targetNotebook, folder: place.folder, previous: place.previous ?? null, beside },
      },
      facts,
      witness: () => {
        const { notebook: into, path: at, title, expected } = planConversion(input, facts);
        return documentWitness({ notebook: into, path: at, title }, expected);
      },
    };
  },

  plan(input: HeadingInput, { facts }): HeadingPlan | TitlePlan {
    if (!("converted" in facts)) return planConversion(input, facts);
    const { converted, title } = facts;
    requireTitle(title, "headingID");
    return { facts, notebook: converted.notebook, path: converted.path, title, preview: () => ({ title }) };
  },

  stages: [
    {
      name: "convert",
      async apply(plan: HeadingPlan | TitlePlan, { writer }): Promise<void> {
        if (isConverted(plan)) throw new SisyphusError("internal_error");
        const { headingID, notebook, facts } = plan;
        const { folder, previous } = facts.place;
        await writer.headingToDocument({
          heading: headingID,
          notebook,
          targetPath: folder,
          ...(previous === undefined ? {} : { previousPath: previous }),
        });
      },
    },
    // SiYuan cuts a long heading and writes its signs as HTML entities. By path: if no document came of the first stage,
    // the heading's id would rename the document that still holds it.
    {
      name: "title",
      apply: ({ notebook, path, title }: HeadingPlan | TitlePlan, { writer }): Promise<void> =>
        writer.renameDocumentAt(notebook, path, title),
    },
  ],

  async readback(plan: HeadingPlan | TitlePlan, _answers, { reader }): Promise<HeadingAfter> {
    const id = documentIdOf(plan.path);
    const infos = await reader.treeInfos([id]);
    const document = await rereadDocumentState(reader, id);
    const folder = isConverted(plan) ? parentPathOf(plan.path) : plan.facts.place.folder;
    return {
      document,
      source: isConverted(plan) ? undefined : await rereadDocumentState(reader, plan.facts.source.id),
      isDocument: infos.get(id)?.type === "NodeDocument",
      humanPath: document ? await reader.humanPath(id) : "",
      beside: (await besideOf(reader, plan.notebook, folder)).map((entry) => entry.id),
    };
  },

  verify(plan: HeadingPlan | TitlePlan, _before, _answers, after: HeadingAfter): Verdict {
    if (isConverted(plan)) return verifyTitle(plan, after);
    const { headingID, notebook, path, title, movedBlocks, facts } = plan;
    const answer: JsonObject = {
      success: true,
      headingID,
      targetNotebook: notebook,
      id: headingID,
      path,
      title,
      hPath: after.humanPath,
      sourceID: facts.source.id,
      movedBlocks,
    };
    const problem = documentProblem(plan, after) ?? sourceProblem(plan, after);
    if (problem !== undefined) return { outcome: "mismatch", answer, difference: { problem } };
    const state = after.document ? documentStateJson(after.document) : null;
    return { outcome: "committed", state, answer, notes: plan.notes };
  },

  async reconcile({ headingID, targetNotebook }: HeadingInput, { stages }, { reader }) {
    const location = await reader.location(headingID);
    const isDocument = location?.notebook === targetNotebook && documentIdOf(location.path) === headingID;
    const document = isDocument ? await readDocumentState(reader, { id: headingID, ...location }) : undefined;
    const answer = { success: true, headingID, targetNotebook, id: headingID, path: location?.path ?? "" };
    // Before the second stage the title is SiYuan's, and the witness has the one that was asked.
    if (!document || !stages.includes("title")) return { done: false, answer };
    return {
      done: true,
      answer: { ...answer, title: document.title },
      witnesses: [documentWitness(document, formOf(document))],
    };
  },

  async trace({ headingID, targetNotebook }: HeadingInput, { stages }, { reader }): Promise<Trace<Facts>> {
    const location = await reader.location(headingID);
    if (!location) return { stages: stages.map(() => "unclear") };
    const isDocument = location.notebook === targetNotebook && documentIdOf(location.path) === headingID;
    if (!isDocument) return { stages: stages.map(() => "absent") };
    const converted = await readDocumentState(reader, { id: headingID, ...location });
    // A title that SiYuan cut is lost: then the witness differs.
    const title = decodeEntities(converted.title).replace(/\u200b/g, "");
    const traces = (["done", title === converted.title ? "unclear" : "absent"] as const).slice(0, stages.length);
    if (stages.length > 1) return { stages: traces };
    return {
      stages: traces,
      rest: {
        witness: documentWitness({ ...converted, title }, formOf(converted)),
        observation: { state: documentStateJson(converted), facts: { converted, title } },
        answers: [undefined],
      },
    };
  },
});

type Facts = HeadingFacts | ConvertedFacts;

/** The new document, as the section announces it. */
function documentWitness({ notebook, path, title }: Pick<DocumentState, "notebook" | "path" | "title">, form: string) {
  return { notebook, path, title, form: withoutFollowingTexts(form) };
}

/** Like `expected`: a document without a block has an empty paragraph. */
function formOf(document: DocumentState): string {
  return sameDocument("", document) ? "" : canonicalDom(document.dom);
}

/** The document that was there has its title now, and nothing else of it changed. */
function verifyTitle({ facts: { converted }, notebook, path, title }: TitlePlan, after: HeadingAfter): Verdict {
  const { document, isDocument, humanPath, beside } = after;
  const { id } = converted;
  const answer: JsonObject = {
    success: true,
    headingID: id,
    targetNotebook: notebook,
    id,
    path,
    title,
    hPath: humanPath,
  };
  const isAsAsked =
    document !== undefined &&
    isDocument &&
    document.path === path &&
    document.title === title &&
    humanPath.endsWith(`/${title}`) &&
    beside.includes(id) &&
    changedAttributes(converted, document, []).length === 0 &&
    sameForms(converted.form, document.form);
  return isAsAsked
    ? { outcome: "committed", state: documentStateJson(document), answer }
    : { outcome: "mismatch", answer, difference: { problem: "the document is not as it was, with its new title" } };
}

function planConversion({ headingID, targetNotebook }: HeadingInput, facts: HeadingFacts): HeadingPlan {
  const { source, heading, place, beside } = facts;
  const parents = idsOfPath(place.folder);
  if (parents.length >= sizeLimits.maxHumanPathLevels)
    throw refusal("invalid_arguments", "targetPath", `it lies ${parents.length} levels deep already`);
  const ranges = blockRanges(source.dom);
  const section = sectionRanges(ranges, heading);
  if (heading.parentID !== "" && siblingsOf(ranges, heading).length === section.length + 1) {
    throw refusal(
      "invalid_arguments",
      "headingID",
      `it is all that the block ${heading.parentID} holds, which would be left empty; move it out of there first`,
    );
  }
  const { title, notes } = titleOfHeading(source.dom.slice(heading.start, heading.end), "headingID");
  const end = section[section.length - 1]?.end ?? heading.end;
  const twins = beside.filter((entry) => entry.title === title).map(({ id }) => id);
  const allNotes = notes.concat(
    twins.length > 0 ? [`${twins.length} more documents there have this title; use ids`] : [],
    section.some(({ attributes }) => attributes.get("fold") === "1")
      ? ["folded blocks of the section are open now"]
      : [],
  );
  return {
    facts,
    headingID,
    notebook: targetNotebook,
    path: `${parents.length === 0 ? "" : `/${parents.join("/")}`}/${headingID}.sy`,
    title,
    movedBlocks: section.length,
    expected: canonicalDom(documentOfSection(source.dom, section)),
    rest: canonicalDom(source.dom.slice(0, heading.start) + source.dom.slice(end)),
    notes: allNotes,
    preview: () => ({
      title,
      targetFolder: place.folder,
      movedBlocks: section.length,
      ...(twins.length > 0 ? { sameTitle: twins } : {}),
      notes: allNotes,
    }),
  };
}

/** The section as a document of its own: open, and with its highest heading on level two. */
function documentOfSection(dom: string, section: readonly BlockRange[]): string {
  const top = section.reduce((level, range) => (range.level > 0 ? Math.min(level, range.level) : level), 7);
  return section
    .map(({ start, end, level }) => {
      const html = unfolded(dom.slice(start, end));
      return level === 0 ? html : withLevel(html, Math.min(6, level - top + 2));
    })
    .join("");
}

function documentProblem(
  plan: HeadingPlan,
  { document, isDocument, humanPath, beside }: HeadingAfter,
): string | undefined {
  if (!document || !isDocument) return "the document is not there";
  if (document.notebook !== plan.notebook || document.path !== plan.path)
    return `the document lies at ${document.path}`;
  if (document.title !== plan.title || !humanPath.endsWith(`/${plan.title}`)) return `the title is ${document.title}`;
  for (const [name, value] of Array.from(userAttributes(plan.facts.heading.attributes))) {
    if (name !== "fold" && name !== "custom-hidden" && document.attributes.get(name) !== value)
      return `the heading's attribute ${name} did not come along`;
  }
  if (!sameDocument(plan.expected, document)) return "the content of the document is not the section";
  if (!beside.includes(plan.headingID)) return "the document is not listed in its folder";
  const others = beside.filter((id) => id !== plan.headingID);
  const before = plan.facts.beside.map(({ id }) => id);
  return others.join(" ") === before.join(" ") ? undefined : "the documents beside it, or their order, changed";
}

function sourceProblem({ facts, rest }: HeadingPlan, { source }: HeadingAfter): string | undefined {
  const before = facts.source;
  if (!source) return "the document that held the heading is gone";
  if (source.path !== before.path || source.notebook !== before.notebook || source.title !== before.title)
    return "the document that held the heading was moved or renamed meanwhile";
  if (changedAttributes(before, source, []).length > 0) return "attributes of the old document changed meanwhile";
  return sameDocument(rest, source) ? undefined : "the old document does not hold just what was left";
}

/** A document without a block gets an empty paragraph. */
function sameDocument(expected: string, { dom }: DocumentState): boolean {
  if (expected !== "") return sameForms(expected, canonicalDom(dom));
  const [only, ...more] = topLevelNodes(dom).nodes;
  return only?.type === "NodeParagraph" && more.length === 0 && visibleText(dom) === "";
}
