// Finds live documents and refuses ids that name none, a block, or something in a closed notebook.

import { SisyphusError } from "../../../shared/errors.js";
import type { Location, SiyuanReader } from "../../api/reader.js";
import { requireOpen } from "../block/location.js";

export interface LiveDocument extends Location {
  readonly id: string;
}

const storagePath = /^(?:\/\d{14}-[a-z0-9]{7})+(?:\.sy)?$/;

/** True for `/<id>/<id>.sy`, with or without the ending; anything else is a human path. */
export function isStoragePath(path: string): boolean {
  return storagePath.test(path);
}

/** Ids on the way from the notebook to the document, the document last. */
export function idsOfPath(path: string): readonly string[] {
  return path
    .replace(/\.sy$/, "")
    .split("/")
    .filter((part) => part !== "");
}

export function documentIdOf(path: string): string {
  const ids = idsOfPath(path);
  return ids[ids.length - 1] ?? "";
}

/** Storage path of the parent document, or `/`. */
export function parentPathOf(path: string): string {
  const parents = idsOfPath(path).slice(0, -1);
  return parents.length === 0 ? "/" : `/${parents.join("/")}.sy`;
}

/** Throws `document_not_found`, `not_a_document` or `notebook_closed`. One read: a block's path is its document's. */
export async function liveDocument(reader: SiyuanReader, id: string, field: string): Promise<LiveDocument> {
  const location = await reader.location(id);
  if (!location) throw documentNotFound(`No live document has the id ${id}`, field);
  const document = documentIdOf(location.path);
  if (document !== id) {
    throw new SisyphusError("not_a_document", `${id} is a block; its document is ${document}`, {
      fields: [{ path: field, message: "a block, not a document" }],
    });
  }
  await requireOpen(reader, location.notebook);
  return { id, ...location };
}

/** The document at a storage path of a notebook. */
export async function documentAt(
  reader: SiyuanReader,
  notebook: string,
  path: string,
  field: string,
): Promise<LiveDocument> {
  if (!isStoragePath(path)) {
    throw new SisyphusError("invalid_path", `${path} is not a storage path`, {
      fields: [{ path: field, message: "must be a storage path, /<id>/<id>.sy" }],
    });
  }
  await requireOpen(reader, notebook);
  const id = documentIdOf(path);
  const location = await reader.location(id);
  const isThere = location?.notebook === notebook && idsOfPath(location.path).join("/") === idsOfPath(path).join("/");
  if (!location || !isThere) throw documentNotFound(`No live document lies at ${path} in notebook ${notebook}`, field);
  return { id, ...location };
}

export function documentNotFound(message: string, field: string): SisyphusError {
  return new SisyphusError("document_not_found", message, {
    fields: [{ path: field, message: "no live document fits" }],
  });
}
