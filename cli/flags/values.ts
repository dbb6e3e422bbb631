// Values of flags: where they come from (literal, file, standard input, environment) and what type they have.

import { readFileSync } from "node:fs";
import type { Json } from "../../shared/wire/json.js";
import { usageError } from "../usage.js";
import type { ScalarKind } from "./fields.js";

/** Resolves `@file:path`, `@stdin`, `@env:NAME`; `@@` starts a literal @. One instance per command: stdin is read once. */
export class ValueSources {
  #stdinTakenBy: string | undefined;

  resolve(text: string, flag: string): string {
    if (!text.startsWith("@")) return text;
    if (text.startsWith("@@")) return text.slice(1);
    if (text.startsWith("@file:")) return this.#file(text.slice("@file:".length), flag);
    if (text.startsWith("@env:")) return this.#variable(text.slice("@env:".length), flag);
    if (text === "@stdin") return this.#stdin(flag);
    throw usageError(
      `${flag}: a value that starts with @ names a source, and this one is unknown`,
      "Use @file:path, @stdin or @env:NAME; write @@ for a literal @",
    );
  }

  #file(path: string, flag: string): string {
    try {
      return text(readFileSync(path), flag);
    } catch (error) {
      if (error instanceof Error && "code" in error)
        throw usageError(`${flag}: the file ${path} cannot be read (${String(error.code)})`);
      throw error;
    }
  }

  #variable(name: string, flag: string): string {
    const value = process.env[name];
    if (value === undefined) throw usageError(`${flag}: the environment variable ${name || "(no name)"} is not set`);
    return value;
  }

  #stdin(flag: string): string {
    if (this.#stdinTakenBy !== undefined)
      throw usageError(`${flag}: standard input is already read by ${this.#stdinTakenBy}`);
    this.#stdinTakenBy = flag;
    return text(readStdin(), flag);
  }
}

function readStdin(): Buffer {
  try {
    return readFileSync(0);
  } catch (error) {
    // A terminal or a non-blocking pipe without data yet.
    throw usageError(
      `@stdin: standard input cannot be read (${error instanceof Error ? error.message : String(error)})`,
    );
  }
}

function text(bytes: Buffer, flag: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw usageError(`${flag}: the content is not UTF-8 text`);
  }
}

/** The value as the schema wants it. */
export function typed(value: string, kind: ScalarKind, flag: string): Json {
  switch (kind) {
    case "string":
      return value;
    case "boolean":
      if (value === "true" || value === "false") return value === "true";
      throw usageError(`${flag}: true or false is expected, not ${shown(value)}`);
    case "integer":
      if (/^-?\d+$/.test(value) && Number.isSafeInteger(Number(value))) return Number(value);
      throw usageError(`${flag}: a whole number is expected, not ${shown(value)}`);
    case "number":
      if (value.trim() !== "" && Number.isFinite(Number(value))) return Number(value);
      throw usageError(`${flag}: a number is expected, not ${shown(value)}`);
  }
}

export function parsedJson(value: string, flag: string): Json {
  try {
    return JSON.parse(value) as Json;
  } catch (error) {
    throw usageError(`${flag}: this is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function shown(value: string): string {
  return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
}
