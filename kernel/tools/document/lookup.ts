// document.lookup: id, storage path and human path of a document, from any one of them.

import { documentLookup } from "../../../shared/catalogue/document.js";
import type { Json, JsonObject } from "../../../shared/wire/json.js";
import type { DocumentInfo, SiyuanReader } from "../../api/reader.js";
import { implementRead, type Targets } from "../../safety/contract.js";
import { refusal } from "../block/content.js";
import { requireOpen } from "../block/location.js";
import { attributesJson } from "./document-state.js";
import {
  documentAt,
  documentNotFound,
  idsOfPath,
  isStoragePath,
  type LiveDocument,
  liveDocument,
} from "./live-document.js";

type Field = "id" | "ids" | "path" | "hpath" | "docInfo";

interface LookupInput {
  readonly id?: string;
  readonly notebook?: string;
  readonly path?: string;
  readonly hpath?: string;
  readonly hPath?: string;
  readonly include?: Field | readonly Field[];
}

/** What the arguments name: a document that was found already, or a place that is looked at once it may be read. */
type Sought =
  | { readonly kind: "document"; readonly document: LiveDocument }
  | { readonly kind: "storage path"; readonly notebook: string; readonly path: string }
  | {
      readonly kind: "human path";
      readonly notebook: string;
      readonly path: string;
      readonly field: string;
      readonly note?: string;
    };

const allFields: readonly Field[] = ["id", "path", "hpath"];

export const lookup = implementRead(documentLookup, {
  async targets(input: LookupInput, { reader }): Promise<Targets<Sought>> {
    if (input.id !== undefined) {
      const field = (["notebook", "path", "hpath", "hPath"] as const).find((name) => input[name] !== undefined);
      if (field !== undefined)
        throw refusal("invalid_arguments", field, "give id, or notebook with path or hpath, not both");
      const document = await liveDocument(reader, input.id, "id");
      return { ids: [document.id], notebooks: [document.notebook], found: { kind: "document", document } };
    }
    const sought = placeOf(input);
    await requireOpen(reader, sought.notebook);
    return { ids: [], notebooks: [sought.notebook], found: sought };
  },

  async read(input: LookupInput, { found }, { reader }): Promise<Json> {
    const fields =
      input.include === undefined ? allFields : typeof input.include === "string" ? [input.include] : input.include;
    if (found.kind === "document") return answer(reader, found.document, fields);
    if (found.kind === "storage path")
      return answer(reader, await documentAt(reader, found.notebook, found.path, "path"), fields);
    const { notebook, path, field, note } = found;
    const ids = await reader.idsByHumanPath(notebook, path);
    const notes: JsonObject = note === undefined ? {} : { note };
    if (ids.length > 1) return { notebook, hpath: path, ids, ...notes };
    const [id] = ids;
    const location = id === undefined ? undefined : await reader.location(id);
    if (id === undefined || location?.notebook !== notebook)
      throw documentNotFound(
        `No document of the notebook has the path ${path}${await nameInFront(reader, found)}`,
        field,
      );
    return { ...(await answer(reader, { id, ...location }, fields, path)), ...notes };
  },
});

function placeOf({ notebook, path, hpath, hPath }: LookupInput): Exclude<Sought, { kind: "document" }> {
  const human = hpath ?? hPath;
  if (hpath !== undefined && hPath !== undefined && hpath !== hPath)
    throw refusal("invalid_arguments", "hPath", "differs from hpath");
  if (notebook === undefined) {
    throw refusal(
      "invalid_arguments",
      path === undefined && human === undefined ? "id" : "notebook",
      "give id, or notebook with path or hpath",
    );
  }
  if (path !== undefined && human !== undefined)
    throw refusal("invalid_arguments", "path", "give path or hpath, not both");
  if (path !== undefined && isStoragePath(path)) return { kind: "storage path", notebook, path };
  const text = path ?? human;
  const field = path === undefined ? "hpath" : "path";
  if (text === undefined) throw refusal("invalid_arguments", "path", "give notebook with path or hpath");
  const parts = text.split("/").filter((part) => part !== "");
  if (parts.length === 0) throw refusal("invalid_arguments", field, "the path names no document");
  const note = path === undefined ? undefined : "path is not a storage path and was read as hpath";
  return { kind: "human path", notebook, path: `/${parts.join("/")}`, field, ...(note === undefined ? {} : { note }) };
}

/** What helps a caller who put the notebook's name in front, as fs takes it. */
async function nameInFront(reader: SiyuanReader, { notebook, path }: Extract<Sought, { kind: "human path" }>) {
  const named = (await reader.notebooks()).some(({ id, name }) => id === notebook && path.startsWith(`/${name}/`));
  return named ? "; paths here are inside the notebook, without its name" : "";
}

async function answer(
  reader: SiyuanReader,
  document: LiveDocument,
  fields: readonly Field[],
  knownHumanPath?: string,
): Promise<JsonObject> {
  const { id, notebook, path } = document;
  const has = (field: Field) => fields.includes(field);
  const humanPath = knownHumanPath ?? (has("hpath") || has("ids") ? await reader.humanPath(id) : "");
  const [ids, info] = await Promise.all([
    has("ids") ? reader.idsByHumanPath(notebook, humanPath) : undefined,
    has("docInfo") ? reader.documentInfo(id) : undefined,
  ]);
  return {
    notebook,
    ...(has("id") ? { id } : {}),
    ...(ids ? { ids } : {}),
    ...(has("path") ? { path, idPath: idsOfPath(path) } : {}),
    ...(has("hpath") ? { hpath: humanPath } : {}),
    ...(info ? { docInfo: infoRow(id, info) } : {}),
  };
}

function infoRow(id: string, { title, attributes, subDocuments }: DocumentInfo): JsonObject {
  return {
    id,
    title,
    icon: attributes.get("icon") ?? "",
    subFileCount: subDocuments,
    attributes: attributesJson(attributes),
  };
}
