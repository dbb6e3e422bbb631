// The JSON Schemas that the surface is derived from, and how the shapes of an action are read out of one.

import { isJsonObject, type Json, type JsonObject } from "../wire/json.js";

/** The strict input schema of every action, by `tool.action`. */
export type Schemas = Readonly<Record<string, JsonObject>>;

/** One accepted form of an action's arguments. */
export interface Shape {
  readonly properties: Readonly<Record<string, JsonObject>>;
  readonly required: readonly string[];
}

/** The forms an action accepts: one, or several where the declaration is a union. */
export function shapesOf(schema: JsonObject): readonly Shape[] {
  const branches = schema.anyOf ?? schema.oneOf;
  return Array.isArray(branches) ? branches.filter(isJsonObject).map(shape) : [shape(schema)];
}

function shape(schema: JsonObject): Shape {
  const properties: Record<string, JsonObject> = {};
  const declared = isJsonObject(schema.properties) ? schema.properties : {};
  for (const name of Object.keys(declared)) properties[name] = declared[name] as JsonObject;
  const required = Array.isArray(schema.required) ? (schema.required as readonly Json[]).map(String) : [];
  return { properties, required };
}
