// Documents on their way to another parent: what is read before and after, for every action that moves them.

import type { Json, JsonObject } from "../../../shared/wire/json.js";
import type { SiyuanReader } from "../../api/reader.js";
import { inParallel } from "../parallel.js";
import { type DocumentState, documentStateJson, readDocumentState, rereadDocumentState } from "./document-state.js";
import { type Folder, folderJson, type FolderPlace, pathIn, readFolder } from "./folder.js";
import { idsOfPath, type LiveDocument, parentPathOf } from "./live-document.js";

/** A document that is to move, with what goes along. */
export interface Mover {
  readonly state: DocumentState;
  /** Its stored place in the manual order. */
  readonly sort: number;
  /** Files below it, hidden ones included, relative to its own folder. */
  readonly below: readonly string[];
  /** Files that already lie where those below it would arrive. */
  readonly blocking: readonly string[];
}

export interface MoveFacts {
  /** As asked. */
  readonly movers: readonly Mover[];
  readonly target: Folder;
  /** The folders that documents leave, without the target. */
  readonly sources: readonly Folder[];
  readonly allowsDeeper: boolean;
  /** True for a call that moved them in an earlier attempt. */
  readonly arrived?: boolean;
}

/** One document afterwards. */
export interface Arrival {
  /** Undefined when no live tree holds it. */
  readonly state: DocumentState | undefined;
  /** Files below its new place. */
  readonly below: readonly string[];
  /** Files that are still below its old place. */
  readonly left: readonly string[];
}

export interface MoveAfter {
  /** In the order of the movers. */
  readonly arrivals: readonly Arrival[];
  readonly target: Folder;
  readonly sources: readonly Folder[];
}

/** The folder that a document lies in. */
export function placeOf({ notebook, path }: Pick<LiveDocument, "notebook" | "path">): FolderPlace {
  const parents = idsOfPath(path).slice(0, -1);
  return { notebook, path: parentPathOf(path), parentID: parents[parents.length - 1] ?? notebook };
}

export function isIn(document: Pick<LiveDocument, "notebook" | "path">, place: FolderPlace): boolean {
  const own = placeOf(document);
  return own.notebook === place.notebook && own.parentID === place.parentID;
}

/** The file system's account of what lies below a document, by paths relative to its folder. */
async function filesBelow(reader: SiyuanReader, notebook: string, path: string): Promise<readonly string[]> {
  const folder = path.replace(/\.sy$/, "");
  const files = await reader.storedDocuments(notebook, folder);
  return files.map((file) => file.path.slice(folder.length)).sort();
}

export async function observeMove(
  reader: SiyuanReader,
  documents: readonly LiveDocument[],
  to: FolderPlace,
): Promise<{ readonly state: JsonObject; readonly facts: MoveFacts }> {
  const leaving = documents.filter((document) => !isIn(document, to)).map(placeOf);
  const places = leaving.filter(
    (place, index) => leaving.findIndex((other) => other.parentID === place.parentID) === index,
  );
  const [target, ...sources] = await inParallel([to].concat(places), (place) => readFolder(reader, place));
  const { allowsDeeper } = await reader.folders.treeSettings();
  const folders = [target as Folder].concat(sources);
  const movers = await inParallel(documents, async (document): Promise<Mover> => {
    const state = await readDocumentState(reader, document);
    const entries = folders.find((folder) => isIn(document, folder));
    const entry = entries?.visible.concat(entries.hidden).find(({ id }) => id === document.id);
    const arrives = isIn(document, to) ? [] : await filesBelow(reader, to.notebook, pathIn(to, document.id));
    return {
      state,
      sort: entry?.sort ?? 0,
      below: await filesBelow(reader, document.notebook, document.path),
      blocking: arrives,
    };
  });
  return {
    state: {
      target: folderJson(target as Folder),
      sources: sources.map(folderJson),
      moved: movers.map(({ state, below, blocking }) => ({ ...documentStateJson(state), below, blocking })),
    },
    facts: { movers, target: target as Folder, sources, allowsDeeper },
  };
}

export async function readMoved(reader: SiyuanReader, { movers, target, sources }: MoveFacts): Promise<MoveAfter> {
  const [after, ...left] = await inParallel([target].concat(sources), (folder) => readFolder(reader, folder));
  const arrivals = await inParallel(movers, async ({ state: before }): Promise<Arrival> => {
    const stayed = isIn(before, target);
    return {
      state: await rereadDocumentState(reader, before.id),
      below: await filesBelow(reader, target.notebook, pathIn(target, before.id)),
      left: stayed ? [] : await filesBelow(reader, before.notebook, before.path),
    };
  });
  return { arrivals, target: after as Folder, sources: left };
}

/** Files below the documents that this call brought along, now or in an earlier attempt. */
export function broughtAlong({ movers, target, arrived = false }: MoveFacts): number {
  return movers.reduce((sum, { state, below }) => sum + (arrived || !isIn(state, target) ? below.length : 0), 0);
}

/** What a move leaves as it is: the documents with their content and their place in the order, wherever they lie. */
export function carriedJson({ movers }: MoveFacts): Json {
  return movers.map(({ state, sort, below }) => {
    const { notebook: _notebook, path: _path, ...carried } = documentStateJson(state);
    return { ...carried, sort, below };
  });
}

/** The state after, in the form of the observed one. */
export function movedJson({ arrivals, target, sources }: MoveAfter): JsonObject {
  return {
    target: folderJson(target),
    sources: sources.map(folderJson),
    moved: arrivals.map(({ state, below, left }) => ({
      ...(state ? documentStateJson(state) : {}),
      below,
      blocking: left,
    })),
  };
}
