// The answer of a read, for people: note text as it is, lists as tables, the rest as key and value.

import { isJsonObject, type Json, type JsonObject } from "../../shared/wire/json.js";
import { printable } from "./printable.js";
import { keyValues, table } from "./table.js";

/** Fields that hold the text of a note. */
const textFields = ["content", "kramdown", "markdown", "text", "help"];
/** Bookkeeping that only a program needs. */
const hidden = new Set(["success", "readInfo", "nextSteps", "nextWindow", "nextWindowHint", "outline", "tokenMode"]);

export interface HumanAnswer {
  readonly text: string;
  /** What belongs on stderr, beside the answer. */
  readonly notes: readonly string[];
}

export function humanRead(answer: JsonObject): HumanAnswer {
  const textField = textFields.find((field) => typeof answer[field] === "string");
  if (textField) return documentText(answer, String(answer[textField]));
  const listField = Object.keys(answer).find((key) => isRowList(answer[key]));
  const rest = Object.fromEntries(Object.entries(answer).filter(([key]) => key !== listField && !hidden.has(key)));
  const notes = answer.hasNextPage === true ? [`There is more: continue with --page ${Number(answer.page) + 1}`] : [];
  const parts = [listField ? table(answer[listField] as readonly JsonObject[]) : "", keyValues(rest)];
  return { text: parts.filter((part) => part !== "").join("\n\n"), notes };
}

function documentText(answer: JsonObject, text: string): HumanAnswer {
  const refs = answer.blockRefs;
  const notes: string[] = [];
  if (answer.hasNextWindow === true && isJsonObject(answer.nextWindow)) {
    const { blockStart, blockLimit } = answer.nextWindow;
    notes.push(
      `Only a part: ${String(answer.returnedBlocks)} of ${String(answer.totalBlocks)} blocks. ` +
        `Continue with --block-start ${String(blockStart)}${blockLimit === undefined ? "" : ` --block-limit ${String(blockLimit)}`}`,
    );
  }
  const shown = printable(text);
  return { text: isRowList(refs) ? `${shown}\n\n${table(refs as readonly JsonObject[])}` : shown, notes };
}

function isRowList(value: Json | undefined): boolean {
  return Array.isArray(value) && (value as readonly Json[]).every(isJsonObject);
}
