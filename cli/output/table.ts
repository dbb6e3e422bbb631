// Tables and key/value lists for people.

import Table from "cli-table3";
import type { JsonObject } from "../../shared/wire/json.js";
import { oneLine } from "./printable.js";

const noLines = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "  ",
};

/** One row per object, one column per key that any of them has. */
export function table(rows: readonly JsonObject[]): string {
  if (rows.length === 0) return "(none)";
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return columnsOf(
    columns,
    rows.map((row) => columns.map((column) => oneLine(row[column]))),
  );
}

/** Wide characters count double, which is why this is a library's work. */
export function columnsOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const drawn = new Table({
    head: [...head],
    chars: noLines,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  for (const row of rows) drawn.push([...row]);
  return drawn.toString().replace(/[ ]+$/gm, "");
}

export function keyValues(values: JsonObject): string {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const width = Math.max(0, ...entries.map(([key]) => key.length));
  return entries.map(([key, value]) => `${key.padEnd(width)}  ${oneLine(value)}`).join("\n");
}
