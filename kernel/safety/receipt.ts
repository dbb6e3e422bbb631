// What of an answer the ledger keeps: ids, counts and states. Words of notes go to the caller only.

import type { JsonObject } from "../../shared/wire/json.js";

/** Fields of answers that hold titles, names, paths or other words that a person wrote. */
const wordFields: readonly string[] = [
  "path",
  "from",
  "to",
  "movedTo",
  "hPath",
  "title",
  "name",
  "cover",
  "titleImg",
  "refCreateSavePath",
  "docCreateSavePath",
  "dailyNoteSavePath",
  "dailyNoteTemplatePath",
  "notes",
  "k",
  "r",
];

/** The answer without them. */
export function withoutWords(answer: JsonObject): JsonObject {
  return keep(answer, (field) => !wordFields.includes(field));
}

/** Those of the arguments: a replay has them from its caller, whose arguments are the same. */
export function wordsOfArguments(business: JsonObject): JsonObject {
  return keep(business, (field) => wordFields.includes(field));
}

function keep(fields: JsonObject, isKept: (field: string) => boolean): JsonObject {
  const kept: Record<string, JsonObject[string]> = {};
  for (const field of Object.keys(fields)) if (isKept(field)) kept[field] = fields[field] as JsonObject[string];
  return kept;
}
