// An error for people: what is wrong, where, and what to do next; fields are named as flags.

import { errorTable, isErrorCode } from "../../shared/errors.js";
import { isJsonObject, type Json, type JsonObject } from "../../shared/wire/json.js";
import { kebab } from "../flags/names.js";
import { oneLine, printable } from "./printable.js";

const shownElsewhere = new Set(["type", "code", "message", "hint", "fields"]);

export function errorText(refusal: JsonObject): string {
  const error = isJsonObject(refusal.error) ? refusal.error : {};
  const code = typeof error.code === "string" ? error.code : "error";
  const lines = [`siyuan-sisyphus: ${code}: ${printable(String(error.message ?? ""))}`];
  for (const field of Array.isArray(error.fields) ? (error.fields as readonly Json[]) : []) {
    if (isJsonObject(field)) lines.push(`  ${flagOf(String(field.path ?? ""))}: ${oneLine(field.message)}`);
  }
  for (const [key, value] of Object.entries(error)) if (!shownElsewhere.has(key)) lines.push(`  ${key}: ${oneLine(value)}`);
  const next = typeof error.hint === "string" ? error.hint : isErrorCode(code) ? errorTable[code].next : undefined;
  if (next) lines.push(`  next: ${printable(next)}`);
  if (refusal.transactionState === "rejected") lines.push("  Nothing was executed.");
  return lines.join("\n");
}

/** `items.0.parentID` belongs to --items-json; a plain field to its flag; anything else is shown as it is. */
function flagOf(path: string): string {
  const [field = "", ...inner] = path.split(".");
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(field) || /^[A-Z_]+$/.test(field)) return path || "arguments";
  return inner.length === 0 ? `--${kebab(field)}` : `--${kebab(field)}-json ${inner.join(".")}`;
}
