// The canonical text of a JSON value: equal states give equal texts, in every engine.

import type { Json } from "../../shared/wire/json.js";

/**
 * Keys sorted by UTF-16 code units, arrays in order, no white space, strings as JSON with every lone surrogate
 * escaped. Compared by code unit explicitly: this engine's `<` compares code points.
 */
export function canonical(value: Json): string {
  const parts: string[] = [];
  print(value, parts);
  return parts.join("");
}

/** Into one list, joined once: a long text is not copied again at each level around it. */
function print(value: Json, parts: string[]): void {
  if (value === null || typeof value === "boolean") parts.push(String(value));
  else if (typeof value === "number") parts.push(canonicalNumber(value));
  // Engines agree on JSON strings, lone surrogates included: those are escaped (tested through both). A document's
  // thousands of blocks are a list of texts: one call instead of one for each.
  else if (typeof value === "string" || isListOfTexts(value)) parts.push(JSON.stringify(value));
  else if (Array.isArray(value)) printList(value, parts);
  else printObject(value as { readonly [key: string]: Json }, parts);
}

function printList(list: readonly Json[], parts: string[]): void {
  parts.push("[");
  for (let index = 0; index < list.length; index++) {
    if (index > 0) parts.push(",");
    print(list[index] as Json, parts);
  }
  parts.push("]");
}

function printObject(object: { readonly [key: string]: Json }, parts: string[]): void {
  parts.push("{");
  let separator = "";
  for (const key of Object.keys(object).sort(compareCodeUnits)) {
    const field = object[key];
    if (field === undefined) continue;
    parts.push(`${separator}${JSON.stringify(key)}:`);
    separator = ",";
    print(field, parts);
  }
  parts.push("}");
}

/** True only for values of one canonical text; sees it without printing them. False proves nothing. */
export function sameState(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a as { readonly [key: string]: Json }, b as { readonly [key: string]: Json }];
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => right[key] !== undefined && sameState(left[key] as Json, right[key] as Json))
  );
}

function isListOfTexts(value: Json): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError("a number in a state must be finite");
  // Tagged integers avoid the engine's rare errors in the shortest decimal form; -0 equals 0.
  return Number.isInteger(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER
    ? String(value + 0 === 0 ? 0 : value)
    : value.toExponential(16);
}

/** Orders two texts by UTF-16 code units. */
export function compareCodeUnits(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = a.charCodeAt(index) - b.charCodeAt(index);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
