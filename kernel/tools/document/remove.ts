// document.remove: documents by id or storage path, with everything below them.

import { documentRemove } from "../../../shared/catalogue/document.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import type { SiyuanReader } from "../../api/reader.js";
import { implementMutation } from "../../safety/contract.js";
import { refusal } from "../block/content.js";
import {
  documentAt,
  documentIdOf,
  documentNotFound,
  isStoragePath,
  type LiveDocument,
  liveDocument,
} from "./live-document.js";
import {
  areAbsent,
  observeRemoval,
  planRemoval,
  readRemoval,
  type RemovalAfter,
  type RemovalPlan,
  removalStage,
  verifyRemoval,
} from "./removal.js";

interface RemoveInput {
  readonly id?: string;
  readonly ids?: readonly string[];
  readonly notebook?: string;
  readonly path?: string;
  readonly paths?: readonly string[];
}

/** The argument that names the documents; exactly one of four. */
function formOf(input: RemoveInput): "id" | "ids" | "path" | "paths" {
  const given = (["id", "ids", "path", "paths"] as const).filter((name) => input[name] !== undefined);
  const [form] = given;
  const choice = "give exactly one of id, ids, notebook with path, paths";
  if (form === undefined) throw refusal("invalid_arguments", input.notebook === undefined ? "id" : "path", choice);
  if (given.length > 1) throw refusal("invalid_arguments", given[1] as string, choice);
  if (form === "path" && input.notebook === undefined)
    throw refusal("invalid_arguments", "notebook", "a path needs its notebook");
  if ((form === "id" || form === "ids") && input.notebook !== undefined)
    throw refusal("invalid_arguments", "notebook", "an id says its notebook; leave it out");
  return form;
}

async function documentsOf(input: RemoveInput, reader: SiyuanReader): Promise<readonly LiveDocument[]> {
  const { id, ids = [], notebook, path, paths = [] } = input;
  switch (formOf(input)) {
    case "id":
      return [await liveDocument(reader, id as string, "id")];
    case "path":
      return [await documentAt(reader, notebook as string, path as string, "path")];
    case "ids":
      return oneByOne(ids, (each, field) => liveDocument(reader, each, field), "ids");
    default:
      return oneByOne(paths, (each, field) => atPath(reader, notebook, each, field), "paths");
  }
}

async function oneByOne(
  names: readonly string[],
  find: (name: string, field: string) => Promise<LiveDocument>,
  field: string,
): Promise<readonly LiveDocument[]> {
  const found = new Map<string, LiveDocument>();
  for (const [index, name] of Array.from(names.entries())) {
    const document = await find(name, `${field}.${index}`);
    if (found.has(document.id)) throw refusal("invalid_arguments", `${field}.${index}`, "this document is named twice");
    found.set(document.id, document);
  }
  return Array.from(found.values());
}

/** A storage path of any notebook: its last id tells which. */
async function atPath(
  reader: SiyuanReader,
  notebook: string | undefined,
  path: string,
  field: string,
): Promise<LiveDocument> {
  const home = notebook ?? (isStoragePath(path) ? (await reader.location(documentIdOf(path)))?.notebook : undefined);
  if (home !== undefined) return documentAt(reader, home, path, field);
  if (!isStoragePath(path)) return documentAt(reader, "", path, field);
  throw documentNotFound(`No live document lies at ${path}`, field);
}

function answerOf(input: RemoveInput, ids: readonly string[]): JsonObject {
  const [only] = ids;
  if (input.ids === undefined && input.paths === undefined) return { success: true, id: only ?? "" };
  return { success: true, ids, count: ids.length };
}

export const removeDocument = implementMutation(documentRemove, {
  async targets(input: RemoveInput, { reader }) {
    const documents = await documentsOf(input, reader);
    return {
      ids: documents.map(({ id }) => id),
      notebooks: Array.from(new Set(documents.map(({ notebook }) => notebook))),
      found: documents,
    };
  },

  async observe(input: RemoveInput, { found }, { reader }) {
    const { state, facts } = await observeRemoval(reader, found, formOf(input));
    return { state, facts: { ...facts, ids: found.map(({ id }) => id), input } };
  },

  plan: (_input: RemoveInput, { facts }) => planRemoval(facts),

  stages: [removalStage],

  readback: (plan: RemovalPlan, _answers, { reader }) => readRemoval(reader, plan),

  verify: (_plan: RemovalPlan, { facts }, _answers, after: RemovalAfter) =>
    verifyRemoval(facts, after, answerOf(facts.input, facts.ids)),

  async reconcile(input: RemoveInput, _lost, { reader }) {
    const { id, ids, path, paths } = input;
    const named = ids ?? (id === undefined ? (paths ?? [path as string]).map(documentIdOf) : [id]);
    return { done: await areAbsent(reader, named), answer: answerOf(input, named) };
  },
});
