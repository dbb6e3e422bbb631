// The fields of an action as the command line needs them, read from its JSON schema.

import { shapesOf } from "../../shared/surface/json-schema.js";
import { isJsonObject, type Json, type JsonObject } from "../../shared/wire/json.js";
import { flagName } from "./names.js";

export type ScalarKind = "string" | "integer" | "number" | "boolean";

/** `complex` fields are given as JSON only. */
export type FieldKind = ScalarKind | "array" | "complex";

export interface FieldFlag {
  readonly field: string;
  readonly flag: string;
  readonly kind: FieldKind;
  /** What the elements of an array are. */
  readonly items: ScalarKind;
  readonly choices?: readonly string[];
  readonly description: string;
  /** Required by every shape of the input. */
  readonly required: boolean;
}

/** One entry per field; an input of several shapes gives the union of their fields. */
export function fieldFlags(schema: JsonObject): readonly FieldFlag[] {
  const shapes = shapesOf(schema);
  const names = new Set(shapes.flatMap((shape) => Object.keys(shape.properties)));
  return [...names].map((field) => {
    const found = shapes.find((shape) => field in shape.properties)?.properties[field];
    return describe(
      field,
      found ?? {},
      shapes.every((shape) => shape.required.includes(field)),
    );
  });
}

function describe(field: string, schema: JsonObject, required: boolean): FieldFlag {
  const scalar = scalarKind(schema);
  const items = isJsonObject(schema.items) ? scalarKind(schema.items) : undefined;
  const kind = scalar ?? (schema.type === "array" && items ? "array" : "complex");
  const choices = Array.isArray(schema.enum)
    ? (schema.enum as readonly Json[]).filter((value) => typeof value === "string")
    : undefined;
  const description = typeof schema.description === "string" ? schema.description : "";
  return {
    field,
    flag: flagName(field),
    kind,
    items: items ?? "string",
    description,
    required,
    ...(choices && { choices }),
  };
}

function scalarKind(schema: JsonObject): ScalarKind | undefined {
  const { type } = schema;
  if (type === "string" || type === "integer" || type === "number" || type === "boolean") return type;
  const branches = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(branches)) return undefined;
  // A scalar that may also be null: null itself is given as JSON.
  const kinds = (branches as readonly Json[]).filter((branch) => isJsonObject(branch) && branch.type !== "null");
  const [only] = kinds;
  return kinds.length === 1 && isJsonObject(only) ? scalarKind(only) : undefined;
}
