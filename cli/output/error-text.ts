// An error for people: what is wrong, where, and what to do next; fields are named as flags.

import { errorTable, isErrorCode } from "../../shared/errors.js";
import { isJsonObject, type Json, type JsonObject } from "../../shared/wire/json.js";
import { kebab } from "../flags/names.js";
import { oneLine, printable } from "./printable.js";

const shownElsewhere = new Set(["type", "code", "message", "tool", "action", "hint", "next", "fields"]);

export function errorText(refusal: JsonObject): string {
  const error = isJsonObject(refusal.error) ? refusal.error : {};
  const code = typeof error.code === "string" ? error.code : "error";
  const lines = [`siyuan-sisyphus: ${code}: ${printable(String(error.message ?? ""))}`];
  for (const field of Array.isArray(error.fields) ? (error.fields as readonly Json[]) : []) {
    if (isJsonObject(field)) lines.push(`  ${flagOf(String(field.path ?? ""))}: ${oneLine(field.message)}`);
  }
  for (const [key, value] of Object.entries(error))
    if (!shownElsewhere.has(key)) lines.push(`  ${key}: ${oneLine(value)}`);
  const next = nextStep(code, error);
  if (next) lines.push(`  next: ${printable(next)}`);
  if (refusal.transactionState === "rejected") lines.push("  Nothing was executed.");
  return lines.join("\n");
}

/** What to do, in the words of this program where the table speaks to an agent. */
function nextStep(code: string, { hint, next, tool, action }: JsonObject): string | undefined {
  if (typeof hint === "string") return hint;
  const command = `siyuan-sisyphus ${String(tool ?? "<tool>")} ${String(action ?? "<action>")}`;
  switch (code) {
    case "invalid_arguments":
      return `Correct the named flags; see ${command} --help`;
    case "precondition_required":
      return "Run the command with --dry-run and copy its request id and hash";
    case "preflight_lease_invalid":
      return "Run the same command again with --dry-run, or without a request id";
    default:
      return typeof next === "string" ? next : isErrorCode(code) ? errorTable[code].next : undefined;
  }
}

/** `items.0.parentID` belongs to --items-json; a plain field to its flag; anything else is shown as it is. */
function flagOf(path: string): string {
  const [field = "", ...inner] = path.split(".");
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(field) || /^[A-Z_]+$/.test(field)) return path || "arguments";
  return inner.length === 0 ? `--${kebab(field)}` : `--${kebab(field)}-json ${inner.join(".")}`;
}
