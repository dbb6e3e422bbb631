// The canonical text of a JSON value: equal states give equal texts, in every engine.

import type { Json } from "../../shared/wire/json.js";

/**
 * Keys sorted by UTF-16 code units, arrays in order, no white space, strings as JSON with every lone surrogate
 * escaped. Compared by code unit explicitly: this engine's `<` compares code points.
 */
export function canonical(value: Json): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return canonicalNumber(value);
  if (typeof value === "string") return canonicalString(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const object = value as { readonly [key: string]: Json };
  const keys = Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort(compareCodeUnits);
  return `{${keys.map((key) => `${canonicalString(key)}:${canonical(object[key] as Json)}`).join(",")}}`;
}

function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError("a number in a state must be finite");
  // Tagged integers avoid the engine's rare errors in the shortest decimal form; -0 equals 0.
  return Number.isInteger(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER
    ? String(value + 0 === 0 ? 0 : value)
    : value.toExponential(16);
}

function canonicalString(text: string): string {
  // Engines agree on JSON strings, except on lone surrogates.
  if (!/[\ud800-\udfff]/.test(text)) return JSON.stringify(text);
  const parts: string[] = [];
  let plainFrom = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(index + 1))) {
      index++;
    } else if (isHighSurrogate(unit) || isLowSurrogate(unit)) {
      parts.push(quoted(text.slice(plainFrom, index)), `\\u${unit.toString(16)}`);
      plainFrom = index + 1;
    }
  }
  parts.push(quoted(text.slice(plainFrom)));
  return `"${parts.join("")}"`;
}

/** JSON's form of a well-formed text, without the quotes. */
function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
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
