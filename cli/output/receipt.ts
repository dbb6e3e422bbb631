// What a write answers, for people: the receipt of a commit, and the preflight of a dry run.

import { isJsonObject, type Json, type JsonObject } from "../../shared/wire/json.js";
import { printable } from "./printable.js";
import { keyValues } from "./table.js";

const titles: Readonly<Record<string, string>> = {
  committed: "Committed",
  no_change: "No change: the notes already are as asked",
};

/** The receipt of an executed or replayed commit. */
export function receipt(command: string, answer: JsonObject): string {
  const { safety, success, ...business } = answer;
  const facts = isJsonObject(safety) ? safety : {};
  const state = typeof facts.transactionState === "string" ? facts.transactionState : "done";
  const replayed =
    facts.resumed === true && facts.replayed !== true
      ? " (an earlier attempt had stopped between its steps; the rest was done now)"
      : facts.reconciled === true
        ? " (its answer was lost; the notes hold what was asked, and nothing was sent again)"
        : facts.replayed === true
          ? " (already done earlier; nothing was sent again)"
          : "";
  const lines: Record<string, Json | undefined> = {
    ...business,
    "request id": facts.requestId,
    "state before": facts.previousHash,
    "state after": facts.resultHash,
  };
  return `${titles[state] ?? state}: ${command}${replayed}\n${keyValues(lines as JsonObject)}`;
}

/** A preflight: what would change, until when it may be committed, and how. */
export function dryRun(command: string, answer: JsonObject, commitCommand: string): string {
  const { preview, requestId, requestIdExpiresAt, leaseExpiresAt, preconditionField, targetCount } = answer;
  const hash = typeof preconditionField === "string" ? answer[preconditionField] : undefined;
  const lines: Record<string, Json | undefined> = {
    targets: targetCount,
    "request id": requestId,
    hash,
    "valid until": time(leaseExpiresAt ?? requestIdExpiresAt),
  };
  return [
    `Dry run, nothing was executed: ${command}`,
    previewText(preview),
    keyValues(lines as JsonObject),
    `Commit it with:\n  ${commitCommand}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Diffs are shown as they are, each under what it belongs to. */
function previewText(preview: Json | undefined): string {
  if (typeof preview === "string") return printable(preview);
  if (!isJsonObject(preview)) return preview === undefined ? "" : JSON.stringify(preview);
  const { diff, changes, ...facts } = preview;
  const parts = Array.isArray(changes) ? (changes as readonly Json[]).map(previewText) : [];
  return [keyValues(facts), typeof diff === "string" ? printable(diff) : "", ...parts]
    .filter((part) => part !== "")
    .join("\n");
}

function time(value: Json | undefined): string | undefined {
  if (typeof value === "number") return new Date(value).toLocaleString();
  return typeof value === "string" ? value : undefined;
}
