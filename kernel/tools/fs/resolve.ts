// Resolves workspace paths: /Notebook/Folder/Document, or without the notebook where only one readable note fits.

import { SisyphusError } from "../../../shared/errors.js";
import type { Notebook } from "../../api/reader.js";
import type { ReadTools } from "../../safety/contract.js";
import { type VirtualFile, virtualFiles } from "./virtual-files.js";

export type Resolved =
  | { readonly kind: "root" }
  | { readonly kind: "virtual"; readonly file: VirtualFile }
  | { readonly kind: "notebook"; readonly notebook: Notebook }
  | {
      readonly kind: "document";
      readonly notebook: Notebook;
      readonly id: string;
      readonly storagePath: string;
      readonly path: string;
    };

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
  const matches: Resolved[] = [];
  const inNotebook = `/${parts.slice(1).join("/")}`;
  for (const notebook of named) {
    if (parts.length === 1) matches.push({ kind: "notebook", notebook });
    else matches.push(...(await documentsAt(notebook, inNotebook, tools)));
  }
  // The notebook's name may be left out.
  if (matches.length === 0)
    for (const notebook of readable) matches.push(...(await documentsAt(notebook, `/${parts.join("/")}`, tools)));
  if (matches.length > 1) {
    const ids = matches.map((match) =>
      match.kind === "document" ? match.id : match.kind === "notebook" ? match.notebook.id : "/",
    );
    throw ambiguous(path, ids);
  }
  const [match] = matches;
  if (!match)
    throw new SisyphusError("document_not_found", `No readable note fits ${path}`, {
      fields: [{ path: "path", message: "nothing fits" }],
    });
  if (match.kind === "notebook" && match.notebook.closed)
    throw new SisyphusError("notebook_closed", `Notebook ${match.notebook.name} is closed`);
  return match;
}

export async function readableNotebooks({ reader, config }: ReadTools): Promise<readonly Notebook[]> {
  const readable: Notebook[] = [];
  for (const notebook of await reader.notebooks()) if (await config.mayRead(notebook.id)) readable.push(notebook);
  return readable;
}

async function documentsAt(notebook: Notebook, path: string, { reader }: ReadTools): Promise<readonly Resolved[]> {
  if (notebook.closed) return [];
  const ids = await reader.idsByHumanPath(notebook.id, path);
  const found: Resolved[] = [];
  for (const id of ids) {
    const location = await reader.location(id);
    if (location)
      found.push({ kind: "document", notebook, id, storagePath: location.path, path: `/${notebook.name}${path}` });
  }
  return found;
}

export function ambiguous(path: string, ids: readonly string[]): SisyphusError {
  return new SisyphusError("ambiguous_path", `${ids.length} notes fit ${path}: ${ids.join(", ")}`, {
    fields: [{ path: "path", message: "ambiguous" }],
  });
}

export function invalid(path: string, message: string): SisyphusError {
  return new SisyphusError("invalid_path", `${path}: ${message}`, { fields: [{ path: "path", message }] });
}
