// Resolves workspace paths: /Notebook/Folder/Document, or without the notebook where only one readable note fits.

import { SisyphusError } from "../../../shared/errors.js";
import type { Notebook, SiyuanReader } from "../../api/reader.js";
import type { ReadTools } from "../../safety/contract.js";
import { inParallel } from "../parallel.js";
import type { LiveDocument } from "../document/live-document.js";
import { type VirtualFile, virtualFiles, virtualIsReadOnly } from "./virtual-files.js";

export type Resolved =
  | { readonly kind: "root" }
  | { readonly kind: "virtual"; readonly file: VirtualFile }
  | { readonly kind: "notebook"; readonly notebook: Notebook }
  | {
      readonly kind: "document";
      readonly notebook: Notebook;
      readonly id: string;
      readonly path: string;
    };

export type ResolvedDocument = Extract<Resolved, { kind: "document" }>;
export type ResolvedPlace = Extract<Resolved, { kind: "notebook" | "document" }>;

/** The names on a workspace path; empty for the root. Throws `invalid_path`. */
export function pathParts(path: string): readonly string[] {
  const parts = path.split("/").filter((part) => part !== "");
  if (parts.some((part) => part === "." || part === "..")) throw invalid(path, "the path may not hold . or ..");
  return parts;
}

/** Throws `document_not_found`, `ambiguous_path`, `invalid_path` or `notebook_closed`. */
export async function resolvePath(path: string, tools: ReadTools): Promise<Resolved> {
  const parts = pathParts(path);
  if (parts.length === 0) return { kind: "root" };
  const file = virtualFiles.find((entry) => entry.path === `/${parts.join("/")}`);
  if (file) return { kind: "virtual", file };
  const readable = await readableNotebooks(tools);
  const named = readable.filter((notebook) => notebook.name === parts[0]);
  let matches: readonly Resolved[] =
    parts.length === 1
      ? named.map((notebook) => ({ kind: "notebook", notebook }))
      : await documentsAt(named, `/${parts.slice(1).join("/")}`, tools);
  // The notebook's name may be left out.
  if (matches.length === 0) matches = await documentsAt(readable, `/${parts.join("/")}`, tools);
  if (matches.length > 1) {
    const ids = matches.map((match) =>
      match.kind === "document" ? match.id : match.kind === "notebook" ? match.notebook.id : "/",
    );
    throw ambiguous(path, ids);
  }
  const [match] = matches;
  if (!match) throw nothingFits(path);
  if (match.kind === "notebook" && match.notebook.closed)
    throw new SisyphusError("notebook_closed", `Notebook ${match.notebook.name} is closed`);
  return match;
}

export async function readableNotebooks({ reader, config }: ReadTools): Promise<readonly Notebook[]> {
  const readable: Notebook[] = [];
  for (const notebook of await reader.notebooks()) if (await config.mayRead(notebook.id)) readable.push(notebook);
  return readable;
}

/** The documents at a human path of the open ones among the notebooks. */
async function documentsAt(
  notebooks: readonly Notebook[],
  path: string,
  { reader }: ReadTools,
): Promise<readonly ResolvedDocument[]> {
  const open = notebooks.filter((notebook) => !notebook.closed);
  const found = await inParallel(open, async (notebook) => {
    const ids = await reader.idsByHumanPath(notebook.id, path);
    return ids.map((id): ResolvedDocument => ({ kind: "document", notebook, id, path: `/${notebook.name}${path}` }));
  });
  return found.reduce<ResolvedDocument[]>((all, documents) => all.concat(documents), []);
}

/** Where a notebook or document keeps its children. Throws `document_not_found` when no tree holds it any more. */
export async function storagePathOf(found: ResolvedPlace, reader: SiyuanReader): Promise<string> {
  if (found.kind === "notebook") return "/";
  const location = await reader.location(found.id);
  if (!location) throw nothingFits(found.path);
  return location.path;
}

/** A document that a call changes, and the workspace path it was found at. */
export interface WritableDocument {
  readonly path: string;
  readonly document: LiveDocument;
}

/** The document at a workspace path. `otherwise` tells a caller who named something else what the action wants. */
export async function writableDocument(path: string, tools: ReadTools, otherwise: string): Promise<WritableDocument> {
  const found = await resolvePath(path, tools);
  if (found.kind === "virtual") throw virtualIsReadOnly(found.file);
  if (found.kind !== "document") throw invalid(path, otherwise);
  const storagePath = await storagePathOf(found, tools.reader);
  return { path: found.path, document: { id: found.id, notebook: found.notebook.id, path: storagePath } };
}

export function nothingFits(path: string): SisyphusError {
  return new SisyphusError("document_not_found", `No readable note fits ${path}`, {
    fields: [{ path: "path", message: "nothing fits" }],
  });
}

export function ambiguous(path: string, ids: readonly string[]): SisyphusError {
  return new SisyphusError("ambiguous_path", `${ids.length} notes fit ${path}: ${ids.join(", ")}`, {
    fields: [{ path: "path", message: "ambiguous" }],
  });
}

export function invalid(path: string, message: string): SisyphusError {
  return new SisyphusError("invalid_path", `${path}: ${message}`, { fields: [{ path: "path", message }] });
}
