// The removal of documents with everything below them: what the precondition covers and what proves it.

import { SisyphusError } from "../../../shared/errors.js";
import { readLimits, sizeLimits } from "../../../shared/limits.js";
import { isJsonObject, type Json, type JsonObject } from "../../../shared/wire/json.js";
import { blockIds, canonicalDom } from "../../api/dom.js";
import type { DocumentEntry, SiyuanReader } from "../../api/reader.js";
import type { SiyuanWriter } from "../../api/writer.js";
import type { Observation, Plan, Verdict } from "../../safety/contract.js";
import { attributesJson, documentStateJson, ownAttributes, readDocumentState } from "./document-state.js";
import { idsOfPath, type LiveDocument, parentPathOf } from "./live-document.js";

interface RemovedDocument {
  readonly document: LiveDocument;
  readonly title: string;
  readonly below: readonly DocumentEntry[];
}

/** A folder that loses documents, and those in it that must stay. */
interface Folder {
  readonly notebook: string;
  readonly path: string;
  readonly staying: readonly string[];
}

export interface RemovalFacts {
  /** Without those that lie below another one of the list. */
  readonly removed: readonly RemovedDocument[];
  readonly folders: readonly Folder[];
  /** References from elsewhere, as SiYuan's index knows them: up to three seconds old. */
  readonly references: number;
}

export interface RemovalPlan extends Plan {
  readonly facts: RemovalFacts;
}

export interface RemovalAfter {
  /** Documents that stay, per folder of the facts. */
  readonly folders: readonly (readonly string[])[];
  /** Removed documents that a tree still holds, or that a folder still lists. */
  readonly left: readonly string[];
}

/** Documents and titles that a preflight names. */
const shownTitles = 20;

/** Covers the documents and all below them: an edit in a sub-document stops the removal too. `field` names the argument. */
export async function observeRemoval(
  reader: SiyuanReader,
  documents: readonly LiveDocument[],
  field: string,
): Promise<Observation<RemovalFacts>> {
  const roots = documents.filter((document) => !documents.some((other) => isBelow(document, other)));
  const removed: RemovedDocument[] = [];
  const states: Json[] = [];
  const own = new Set<string>();
  let total = 0;
  for (const document of roots) {
    const state = await readDocumentState(reader, document);
    const below = await documentsBelow(reader, document, total, field);
    total += 1 + below.length;
    const [doms, attributes] = [await domsOf(reader, below), await attributesOf(reader, below)];
    for (const dom of doms.concat(state.dom)) for (const id of blockIds(dom)) own.add(id);
    removed.push({ document, title: state.title, below });
    states.push({
      ...documentStateJson(state),
      below: below.map(({ id, path, title, icon, bytes }, index) => ({
        id,
        path,
        title,
        icon,
        bytes,
        attributes: attributes.get(id) ?? {},
        dom: doms[index] ?? "",
      })),
    });
  }
  const references = await referencesTo(reader, idsOf(removed), own);
  return { state: states, facts: { removed, folders: await foldersOf(reader, roots), references } };
}

export function planRemoval(facts: RemovalFacts): RemovalPlan {
  const below = facts.removed.reduce<DocumentEntry[]>((all, entry) => all.concat(entry.below), []);
  const titles = below.slice(0, shownTitles).map((entry) => entry.title);
  const [only] = facts.removed;
  const documents = facts.removed.slice(0, shownTitles).map((entry) => ({
    id: entry.document.id,
    title: entry.title,
    path: entry.document.path,
    subDocuments: entry.below.length,
  }));
  return {
    facts,
    preview: () => ({
      ...(facts.removed.length === 1 && only
        ? { title: only.title, path: only.document.path }
        : { count: facts.removed.length, documents }),
      subDocuments: below.length,
      ...(titles.length > 0 ? { subDocumentTitles: titles } : {}),
      ...(facts.references > 0 ? { referencesFromElsewhere: facts.references } : {}),
    }),
  };
}

/** One dispatch, for any number: SiYuan checks every path before it removes the first. */
export const removalStage = {
  name: "remove",
  apply: ({ facts: { removed } }: RemovalPlan, { writer }: { readonly writer: SiyuanWriter }): Promise<void> => {
    const [only] = removed;
    return removed.length === 1 && only
      ? writer.removeDocument(only.document.id)
      : writer.removeDocuments(removed.map(({ document }) => document.path));
  },
};

/** A failed listing is no proof of absence: it rejects, and the outcome is unknown. */
export async function readRemoval(reader: SiyuanReader, { facts }: RemovalPlan): Promise<RemovalAfter> {
  const folders: (readonly string[])[] = [];
  for (const { notebook, path } of facts.folders)
    folders.push((await reader.documents(notebook, path)).map(({ id }) => id));
  const left = new Set((await reader.treeInfos(idsOf(facts.removed))).keys());
  for (const { document } of facts.removed) {
    if ((await reader.kramdown(document.id)) !== undefined) left.add(document.id);
    for (const { id } of await reader.documents(document.notebook, document.path)) left.add(id);
  }
  return { folders, left: Array.from(left) };
}

/** `answer` is what the action says of the documents; what went with them is added. */
export function verifyRemoval(facts: RemovalFacts, after: RemovalAfter, answer: JsonObject): Verdict {
  const below = facts.removed.reduce<string[]>((all, entry) => all.concat(entry.below.map(({ id }) => id)), []);
  const receipt = {
    ...answer,
    removedSubDocuments: below.length,
    ...(below.length > 0 ? { subDocumentIDs: below } : {}),
  };
  const mismatch = (problem: string, ids: readonly string[]): Verdict => ({
    outcome: "mismatch",
    answer: receipt,
    difference: { problem, ids },
  });
  const roots = facts.removed.map(({ document }) => document.id);
  const listed = after.folders.reduce<string[]>((all, ids) => all.concat(ids), []);
  const left = after.left.concat(roots.filter((id) => listed.includes(id) && !after.left.includes(id)));
  if (left.length > 0) return mismatch(`${left.length} of the documents are still there`, left);
  const lost = facts.folders.reduce<string[]>(
    (all, { staying }, index) => all.concat(staying.filter((id) => !after.folders[index]?.includes(id))),
    [],
  );
  if (lost.length > 0) return mismatch("documents beside them are gone too", lost);
  const notes =
    facts.references > 0 ? [`${facts.references} references elsewhere keep their text and point to nothing now`] : [];
  return { outcome: "committed", state: null, answer: receipt, notes };
}

/** True when no notebook's folder and no tree holds these documents or anything below them. */
export async function areAbsent(reader: SiyuanReader, ids: readonly string[]): Promise<boolean> {
  if ((await reader.treeInfos(ids)).size > 0) return false;
  for (const { id: notebook } of await reader.freshNotebooks()) {
    const stored = await reader.storedDocuments(notebook);
    if (stored.some(({ path }) => idsOfPath(path).some((id) => ids.includes(id)))) return false;
  }
  return true;
}

function isBelow(document: LiveDocument, other: LiveDocument): boolean {
  return (
    document.notebook === other.notebook &&
    document.id !== other.id &&
    idsOfPath(document.path).slice(0, -1).includes(other.id)
  );
}

function idsOf(removed: readonly RemovedDocument[]): readonly string[] {
  return removed.reduce<string[]>(
    (all, { document, below }) =>
      all.concat(
        document.id,
        below.map(({ id }) => id),
      ),
    [],
  );
}

async function foldersOf(reader: SiyuanReader, roots: readonly LiveDocument[]): Promise<readonly Folder[]> {
  const folders: Folder[] = [];
  for (const { notebook, path } of roots) {
    const parent = parentPathOf(path);
    if (folders.some((folder) => folder.notebook === notebook && folder.path === parent)) continue;
    const staying = (await reader.documents(notebook, parent))
      .map(({ id }) => id)
      .filter((id) => !roots.some((root) => root.id === id));
    folders.push({ notebook, path: parent, staying });
  }
  return folders;
}

/** Blocks elsewhere that refer to one of the documents. */
async function referencesTo(
  reader: SiyuanReader,
  documents: readonly string[],
  own: ReadonlySet<string>,
): Promise<number> {
  const from = new Set<string>();
  for (const info of await reader.docsInfo(documents, true, false)) {
    for (const id of Array.isArray(info.refIDs) ? info.refIDs.map(String) : []) if (!own.has(id)) from.add(id);
  }
  return from.size;
}

async function documentsBelow(
  reader: SiyuanReader,
  document: LiveDocument,
  others: number,
  field: string,
): Promise<readonly DocumentEntry[]> {
  const found: DocumentEntry[] = [];
  const folders = [document.path];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const entries = await reader.documents(document.notebook, folder);
    found.push(...entries);
    folders.push(...entries.filter((entry) => entry.children > 0).map((entry) => entry.path));
    if (others + found.length > sizeLimits.maxRemovedDocuments) {
      const limit = `more than ${sizeLimits.maxRemovedDocuments} documents would go; remove some of them first`;
      throw new SisyphusError("invalid_arguments", limit, { fields: [{ path: field, message: limit }] });
    }
  }
  return found;
}

/** What somebody set on the roots: a value of equal length changes no file's size, and is in no block's DOM. */
async function attributesOf(
  reader: SiyuanReader,
  documents: readonly DocumentEntry[],
): Promise<ReadonlyMap<string, JsonObject>> {
  if (documents.length === 0) return new Map();
  const infos = await reader.docsInfo(
    documents.map(({ id }) => id),
    false,
    false,
  );
  return new Map(
    infos.map(({ id, ial }) => {
      const all = isJsonObject(ial) ? Object.keys(ial).map((name) => [name, String(ial[name])] as const) : [];
      return [String(id), attributesJson(ownAttributes(new Map(all)))] as const;
    }),
  );
}

async function domsOf(reader: SiyuanReader, documents: readonly DocumentEntry[]): Promise<readonly string[]> {
  const doms: string[] = [];
  for (let start = 0; start < documents.length; start += readLimits.parallelRequests) {
    const group = documents.slice(start, start + readLimits.parallelRequests);
    doms.push(...(await Promise.all(group.map(({ id }) => reader.blockDom(id)))).map((dom) => canonicalDom(dom ?? "")));
  }
  return doms;
}
