// The canonical text of a JSON value: equal states give equal texts, in every engine.

import type { Json } from "../../shared/wire/json.js";

/**
 * Keys sorted by UTF-16 code units, arrays in order, no white space, strings as JSON with every lone surrogate
 * escaped. Compared by code unit explicitly: this engine's `<` compares code points.
 */
export function canonical(value: Json): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return canonicalNumber(value);
  // Engines agree on JSON strings, lone surrogates included: those are escaped (tested through both).
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const object = value as { readonly [key: string]: Json };
  const keys = Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort(compareCodeUnits);
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(object[key] as Json)}`).join(",")}}`;
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
