// The removal of one document with everything below it: what the precondition covers and what proves it.

import { SisyphusError } from "../../../shared/errors.js";
import { readLimits, sizeLimits } from "../../../shared/limits.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import { canonicalDom } from "../../api/dom.js";
import type { DocumentEntry, SiyuanReader } from "../../api/reader.js";
import type { Observation, Plan, Verdict } from "../../safety/contract.js";
import { documentStateJson, readDocumentState } from "./document-state.js";
import { type LiveDocument, parentPathOf } from "./live-document.js";

export interface RemovalFacts {
  readonly document: LiveDocument;
  readonly title: string;
  readonly below: readonly DocumentEntry[];
  /** Documents beside it, which must still be there afterwards. */
  readonly beside: readonly string[];
}

export interface RemovalPlan extends Plan {
  readonly document: LiveDocument;
}

export interface RemovalAfter {
  readonly beside: readonly string[];
  readonly below: number;
  readonly hasContent: boolean;
}

/** Titles of sub-documents that a preflight names. */
const shownTitles = 20;

/** Covers the document and all below it: an edit in a sub-document stops the removal too. */
export async function observeRemoval(reader: SiyuanReader, document: LiveDocument): Promise<Observation<RemovalFacts>> {
  const state = await readDocumentState(reader, document);
  const below = await documentsBelow(reader, document);
  const doms = await domsOf(reader, below);
  const beside = await reader.documents(document.notebook, parentPathOf(document.path));
  return {
    state: {
      ...documentStateJson(state),
      below: below.map(({ id, path, title, icon, bytes }, index) => ({
        id,
        path,
        title,
        icon,
        bytes,
        dom: doms[index] ?? "",
      })),
    },
    facts: {
      document,
      title: state.title,
      below,
      beside: beside.map(({ id }) => id).filter((id) => id !== document.id),
    },
  };
}

export function planRemoval({ document, title, below }: RemovalFacts): RemovalPlan {
  const titles = below.slice(0, shownTitles).map((entry) => entry.title);
  return {
    document,
    preview: () => ({
      title,
      path: document.path,
      subDocuments: below.length,
      ...(titles.length > 0 ? { subDocumentTitles: titles } : {}),
    }),
  };
}

/** A failed listing is no proof of absence: it rejects, and the outcome is unknown. */
export async function readRemoval(reader: SiyuanReader, { document }: RemovalPlan): Promise<RemovalAfter> {
  const beside = await reader.documents(document.notebook, parentPathOf(document.path));
  const [kramdown, below] = await Promise.all([
    reader.kramdown(document.id),
    reader.documents(document.notebook, document.path),
  ]);
  return { beside: beside.map(({ id }) => id), below: below.length, hasContent: kramdown !== undefined };
}

/** `answer` is what the action says of the document; the number of sub-documents is added. */
export function verifyRemoval(
  { document, below, beside }: RemovalFacts,
  after: RemovalAfter,
  answer: JsonObject,
): Verdict {
  const receipt = { ...answer, removedSubDocuments: below.length };
  const mismatch = (problem: string): Verdict => ({ outcome: "mismatch", answer: receipt, difference: { problem } });
  if (after.beside.includes(document.id) || after.hasContent) return mismatch("the document is still there");
  if (after.below > 0) return mismatch(`${after.below} sub-documents are still there`);
  const lost = beside.filter((id) => !after.beside.includes(id));
  if (lost.length > 0) return mismatch(`documents beside it are gone too: ${lost.join(", ")}`);
  return { outcome: "committed", state: null, answer: receipt };
}

async function documentsBelow(reader: SiyuanReader, document: LiveDocument): Promise<readonly DocumentEntry[]> {
  const found: DocumentEntry[] = [];
  const folders = [document.path];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const entries = await reader.documents(document.notebook, folder);
    found.push(...entries);
    folders.push(...entries.filter((entry) => entry.children > 0).map((entry) => entry.path));
    if (found.length > sizeLimits.maxRemovedDocuments) {
      const limit = `more than ${sizeLimits.maxRemovedDocuments} documents lie below it; remove some of them first`;
      throw new SisyphusError("invalid_arguments", limit, { fields: [{ path: "id", message: limit }] });
    }
  }
  return found;
}

async function domsOf(reader: SiyuanReader, documents: readonly DocumentEntry[]): Promise<readonly string[]> {
  const doms: string[] = [];
  for (let start = 0; start < documents.length; start += readLimits.parallelRequests) {
    const group = documents.slice(start, start + readLimits.parallelRequests);
    doms.push(...(await Promise.all(group.map(({ id }) => reader.blockDom(id)))).map((dom) => canonicalDom(dom ?? "")));
  }
  return doms;
}
