// How a route of the simulated SiYuan is written: a read answers, a write says what it will do once its turn comes.

import { type Json, type JsonObject, isJsonObject } from "../../../shared/wire/json.js";
import type { Notes } from "./notes.js";

/** SiYuan's no: a code other than 0. */
export class Refusal extends Error {
  readonly code: number;
  readonly data: Json;

  constructor(code: number, message: string, data: Json = null) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** How SiYuan's parser loses part of a write while it answers code 0 with an echo of everything. */
export type Loss = "none" | "nothing" | "first block only" | "last word" | "attributes";

export interface Write {
  /** SiYuan's `data`; made before the write happens. */
  readonly data: Json;
  /** Changes the notes. Throws nothing: what cannot be done any more is only logged. */
  apply(notes: Notes, loss: Loss): void;
  /** True for the one route that answers before its turn comes. */
  readonly answersFirst?: boolean;
}

export type ReadRoute = (notes: Notes, body: JsonObject) => Json;
export type WriteRoute = (notes: Notes, body: JsonObject) => Write;

export interface Routes {
  readonly reads: Readonly<Record<string, ReadRoute>>;
  readonly writes: Readonly<Record<string, WriteRoute>>;
}

export function text(body: JsonObject, name: string): string {
  const value = body[name];
  if (typeof value !== "string") throw new Refusal(-1, `Field [${name}] is required`);
  return value;
}

export function texts(body: JsonObject, name: string): readonly string[] {
  const value = body[name];
  return Array.isArray(value) ? value.map(String) : [];
}

export function objects(body: JsonObject, name: string): readonly JsonObject[] {
  const value = body[name];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
