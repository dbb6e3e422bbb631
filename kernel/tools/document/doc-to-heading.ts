// document.doc_to_heading: a document becomes a heading with its id beside a block of another document. SiYuan's answer
// tells nothing; the oracle is the other document, which must be the one before with exactly these blocks put in.

import { documentDocToHeading } from "../../../shared/catalogue/document.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import { type BlockRange, blockRanges, sectionRanges, siblingsOf, withLevel } from "../../api/block-ranges.js";
import { canonicalDom } from "../../api/dom.js";
import type { SiyuanReader } from "../../api/reader.js";
import { implementMutation, type Plan, type Verdict } from "../../safety/contract.js";
import { refusal } from "../block/content.js";
import { documentOf } from "../block/document-blocks.js";
import { domTexts } from "../block/dom-texts.js";
import { blockNotFound, isDocument, liveBlock } from "../block/location.js";
import {
  changedAttributes,
  documentStateJson,
  type DocumentState,
  readDocumentState,
  rereadDocumentState,
  sameForms,
} from "./document-state.js";
import { liveDocument, parentPathOf } from "./live-document.js";

interface DocInput {
  readonly srcID: string;
  readonly targetID: string;
  readonly after?: boolean;
}

interface DocFacts {
  readonly source: DocumentState;
  readonly subDocuments: number;
  readonly target: DocumentState;
  /** Documents beside the source. */
  readonly beside: readonly string[];
}

interface DocPlan extends Plan {
  readonly facts: DocFacts;
  readonly srcID: string;
  readonly targetID: string;
  readonly after: boolean;
  /** Where the blocks go in the target document's DOM, and the block that holds them there. */
  readonly offset: number;
  readonly parentID: string;
  readonly moved: readonly BlockRange[];
  readonly tags: readonly string[];
}

interface DocAfter {
  readonly target: DocumentState | undefined;
  readonly path: string;
  readonly beside: readonly string[];
}

/** Said by the new paragraph below the heading. */
const tagsName = "tags";

const besideOf = async (reader: SiyuanReader, { notebook, path }: DocumentState) =>
  (await reader.documents(notebook, parentPathOf(path))).map(({ id }) => id);

export const documentToHeading = implementMutation(documentDocToHeading, {
  async targets({ srcID, targetID }: DocInput, { reader }) {
    const source = await liveDocument(reader, srcID, "srcID");
    const target = await liveBlock(reader, targetID, "targetID");
    // SiYuan deletes the source for such targets, or ends a minute later.
    if (isDocument(target))
      throw refusal("not_a_block", "targetID", `${targetID} is a document; name one of its blocks`);
    if (documentOf(target.path) === srcID)
      throw refusal(
        "invalid_arguments",
        "targetID",
        "the block lies in the document itself; name a block of another one",
      );
    return {
      ids: [srcID, targetID],
      notebooks: Array.from(new Set([source.notebook, target.notebook])),
      found: { source, target },
    };
  },

  async observe({ targetID }: DocInput, { found }, { reader }) {
    const source = await readDocumentState(reader, found.source);
    const { notebook, path } = found.target;
    const target = await readDocumentState(reader, { id: documentOf(path), notebook, path });
    const [below, beside] = await Promise.all([
      reader.documents(source.notebook, source.path),
      besideOf(reader, source),
    ]);
    const facts: DocFacts = { source, subDocuments: below.length, target, beside };
    return {
      state: {
        source: documentStateJson(source),
        subDocuments: below.map(({ id }) => id),
        target: documentStateJson(target),
        targetID,
      },
      facts,
    };
  },

  plan({ srcID, targetID, after = true }: DocInput, { facts }): DocPlan {
    const { source, subDocuments, target } = facts;
    if (subDocuments > 0)
      throw refusal("invalid_arguments", "srcID", `the document has ${subDocuments} sub-documents; move them first`);
    const ranges = blockRanges(target.dom);
    const block = ranges.find((range) => range.id === targetID);
    if (!block) throw blockNotFound(targetID, "targetID");
    if (block.attributes.get("heading-fold") === "1")
      throw refusal(
        "invalid_arguments",
        "targetID",
        "the block lies in the folded section of a heading; open that first",
      );
    const { pivot, offset } = placeOf(ranges, block, after);
    const all = blockRanges(source.dom);
    const moved = all.filter(({ parentID }) => parentID === "");
    const tags = (source.attributes.get(tagsName) ?? "").split(",").filter((tag) => tag !== "");
    return {
      facts,
      srcID,
      targetID,
      after,
      offset,
      parentID: pivot.parentID,
      moved,
      tags,
      preview: () => ({ title: source.title, document: target.title, movedBlocks: moved.length, tags: tags.length }),
    };
  },

  stages: [
    {
      name: "convert",
      apply: ({ srcID, targetID, after }: DocPlan, { writer }): Promise<void> =>
        writer.documentToHeading(srcID, targetID, after),
    },
  ],

  async readback({ srcID, facts }: DocPlan, _answers, { reader }): Promise<DocAfter> {
    const target = await rereadDocumentState(reader, facts.target.id);
    return {
      target,
      path: (await reader.location(srcID))?.path ?? "",
      beside: await besideOf(reader, facts.source),
    };
  },

  verify(plan: DocPlan, _before, _answers, after: DocAfter): Verdict {
    const { srcID, targetID, facts } = plan;
    const found = findMoved(plan, after);
    const answer: JsonObject = {
      success: true,
      srcID,
      targetID,
      after: plan.after,
      id: srcID,
      documentID: facts.target.id,
      movedBlocks: plan.moved.length,
      ...("problem" in found ? {} : { level: found.heading.level }),
      ...("problem" in found || found.tagParagraph === undefined ? {} : { createdBlockIDs: [found.tagParagraph] }),
    };
    const problem = "problem" in found ? found.problem : undefined;
    const left = problem ?? sourceProblem(plan, after);
    if (left !== undefined) return { outcome: "mismatch", answer, difference: { problem: left } };
    return {
      outcome: "committed",
      state: after.target ? documentStateJson(after.target) : null,
      answer,
      notes: "problem" in found ? [] : found.notes,
    };
  },

  async reconcile({ srcID, targetID, after = true }: DocInput, _lost, { reader }) {
    const [source, target, infos] = await Promise.all([
      reader.location(srcID),
      reader.location(targetID),
      reader.treeInfos([srcID]),
    ]);
    const done = source !== undefined && source.path === target?.path && infos.get(srcID)?.type === "NodeHeading";
    const documentID = source ? documentOf(source.path) : "";
    return { done, answer: { success: true, srcID, targetID, after, id: srcID, documentID } };
  },
});

/** As SiYuan chooses it: behind a heading's section; in a list item beside its last block. */
function placeOf(
  ranges: readonly BlockRange[],
  block: BlockRange,
  after: boolean,
): { readonly pivot: BlockRange; readonly offset: number } {
  const children = ranges.filter(({ parentID }) => parentID === block.id);
  const pivot = block.type === "NodeListItem" ? (children[children.length - 1] ?? block) : block;
  const section = pivot.level > 0 ? sectionRanges(ranges, pivot) : [];
  const end = section[section.length - 1]?.end ?? pivot.end;
  return { pivot, offset: after ? end : pivot.start };
}

type Moved =
  | { readonly problem: string }
  | {
      readonly heading: BlockRange;
      readonly tagParagraph: string | undefined;
      readonly notes: readonly string[];
    };

/** The heading and the blocks behind it in the target document, when all is as it must be. */
function findMoved(plan: DocPlan, { target }: DocAfter): Moved {
  const { facts, srcID, moved, tags, offset } = plan;
  if (!target) return { problem: "the target document is gone" };
  const ranges = blockRanges(target.dom);
  const heading = ranges.find(({ id }) => id === srcID);
  if (!heading || heading.type !== "NodeHeading") return { problem: "the heading is not in the target document" };
  if (heading.parentID !== plan.parentID) return { problem: "the heading lies in another block than the target" };
  const text = textOf(target.dom, heading);
  if (text !== facts.source.title) return { problem: `the heading reads ${text}` };
  for (const [name, value] of Array.from(facts.source.attributes)) {
    if (name !== tagsName && plainValue(heading.attributes.get(name)) !== plainValue(value))
      return { problem: `the document's attribute ${name} did not come along` };
  }
  const behind = siblingsOf(ranges, heading).filter(({ start }) => start > heading.start);
  const tagParagraph = tags.length > 0 ? behind.shift() : undefined;
  if (tags.some((tag) => !tagParagraph || !textOf(target.dom, tagParagraph).includes(tag)))
    return { problem: "the document's tags are not below the heading" };
  const arrived = behind.slice(0, moved.length);
  if (arrived.map(({ id }) => id).join(" ") !== moved.map(({ id }) => id).join(" "))
    return { problem: "the blocks of the document did not all arrive in their order" };
  const different = moved.find((block, index) => {
    const now = arrived[index] as BlockRange;
    return !sameForms(levelless(facts.source.dom, block), levelless(target.dom, now));
  });
  if (different) return { problem: `block ${different.id} is not what it was` };
  const levels = moved
    .map((block, index) => [block.level, arrived[index]?.level ?? 0] as const)
    .filter(([old]) => old > 0);
  if (!shiftedTogether(levels)) return { problem: "the headings do not have their ranks any more" };
  const end = (arrived[arrived.length - 1] ?? tagParagraph ?? heading).end;
  const untouched =
    sameForms(canonicalDom(facts.target.dom.slice(0, offset)), canonicalDom(target.dom.slice(0, heading.start))) &&
    sameForms(canonicalDom(facts.target.dom.slice(offset)), canonicalDom(target.dom.slice(end)));
  if (!untouched) return { problem: "the target document changed elsewhere, or the blocks are in another place" };
  const follows = behind[moved.length];
  const notes = [
    ...(tags.length > 0 ? ["the document's tags are a new paragraph below the heading"] : []),
    ...(levels.some(([old, now]) => now === 6 && levels.some(([other, same]) => same === 6 && other !== old))
      ? ["deep headings are all on level six now"]
      : []),
    ...(follows && follows.level === 0 ? ["the blocks behind it stand below its headings now"] : []),
  ];
  return { heading, tagParagraph: tagParagraph?.id, notes };
}

/** True when one shift explains all levels, cut at six. */
function shiftedTogether(levels: readonly (readonly [number, number])[]): boolean {
  for (let shift = -5; shift <= 6; shift++) {
    if (levels.every(([old, now]) => now === Math.min(6, old + shift))) return true;
  }
  return false;
}

function levelless(dom: string, { start, end, level }: BlockRange): string {
  const html = dom.slice(start, end);
  return canonicalDom(level === 0 ? html : withLevel(html, 0));
}

function textOf(dom: string, { start, end }: BlockRange): string {
  return domTexts(dom.slice(start, end))
    .map((part) => part.text)
    .join("")
    .replace(/\u200b/g, "");
}

/** Line feeds in one spelling. */
function plainValue(value: string | undefined): string | undefined {
  return value?.replace(/_esc_newline_/g, "\n");
}

function sourceProblem({ srcID, facts }: DocPlan, { target, path, beside }: DocAfter): string | undefined {
  if (beside.includes(srcID)) return "the document is still listed";
  if (path !== facts.target.path) return `the heading lies at ${path}`;
  if (target && (target.title !== facts.target.title || changedAttributes(facts.target, target, []).length > 0))
    return "the target document was renamed or its attributes changed meanwhile";
  const others = facts.beside.filter((id) => id !== srcID);
  return others.join(" ") === beside.join(" ") ? undefined : "the documents beside it, or their order, changed";
}
