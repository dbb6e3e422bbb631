// The fields of several actions as one flat list, as tools/list shows them. Calls are checked against the full schemas.

import type { ActionDeclaration } from "../catalogue/declaration.js";
import { sizeLimits } from "../limits.js";
import { isJsonObject, type Json, type JsonObject } from "../wire/json.js";
import { type Schemas, shapesOf } from "./json-schema.js";

interface Variant {
  /** The field's schema without its description. */
  readonly form: JsonObject;
  readonly description: string;
  readonly action: string;
}

/** One schema per field name, in the order in which the actions declare them. */
export function mergedFields(
  actions: readonly ActionDeclaration[],
  schemas: Schemas,
): Readonly<Record<string, JsonObject>> {
  const variants = new Map<string, Variant[]>();
  for (const action of actions) {
    for (const { properties } of shapesOf(schemas[`${action.tool}.${action.name}`] ?? {})) {
      for (const name of Object.keys(properties)) {
        const known = variants.get(name) ?? [];
        variants.set(name, known.concat(variantOf(action.name, properties[name] as JsonObject)));
      }
    }
  }
  const fields: Record<string, JsonObject> = {};
  variants.forEach((list, name) => {
    fields[name] = merged(list);
  });
  return fields;
}

/** What the list leaves out: calls are checked against the full schema, and every byte here is paid in each session. */
const unlisted: ReadonlySet<string> = new Set([
  "pattern",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "propertyNames",
  "additionalProperties",
]);

/** The schema with its types and choices; descriptions tell the bounds that matter. Fields inside it keep no description: their names say enough. */
function lean(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(lean);
  if (!isJsonObject(schema)) return schema;
  const form: Record<string, Json> = {};
  for (const key of Object.keys(schema)) {
    const value = schema[key] as Json;
    if (key === "properties" && isJsonObject(value)) form[key] = leanFields(value);
    else if (key === "additionalProperties" && isJsonObject(value)) form[key] = lean(value);
    else if (key !== "description" && !unlisted.has(key)) form[key] = lean(value);
  }
  return form;
}

function leanFields(fields: JsonObject): JsonObject {
  const form: Record<string, Json> = {};
  for (const name of Object.keys(fields)) form[name] = lean(fields[name] as Json);
  return form;
}

function variantOf(action: string, schema: JsonObject): Variant {
  const text = typeof schema.description === "string" ? schema.description : "";
  const form = lean(schema) as JsonObject;
  if (JSON.stringify(form).length <= sizeLimits.nestedSchemaChars) return { form, description: text, action };
  // A long nested schema would fill the list; its full form is one help call away.
  const pointer = `Shape: help, topic ${action}`;
  return { form: outline(form), description: text ? `${text}. ${pointer}` : pointer, action };
}

/** Only the types of a schema: its own, its choices', its items'. */
function outline({ type, anyOf, items }: JsonObject): JsonObject {
  if (Array.isArray(anyOf)) return { anyOf: anyOf.filter(isJsonObject).map(outline) };
  return { type: type ?? "object", ...(items !== undefined && isJsonObject(items) ? { items: outline(items) } : {}) };
}

function merged(variants: readonly Variant[]): JsonObject {
  const forms = distinct(variants.map(({ form }) => JSON.stringify(form))).map(
    (text) => JSON.parse(text) as JsonObject,
  );
  const description = mergedDescription(variants);
  const form = forms.length === 1 ? (forms[0] as JsonObject) : { anyOf: forms };
  return description ? { ...form, description } : form;
}

/** One text where all actions agree; otherwise each text with the actions it belongs to, that of most as "others". */
function mergedDescription(variants: readonly Variant[]): string {
  const texts = distinct(variants.map(({ description }) => description).filter((text) => text !== ""));
  if (texts.length < 2) return texts[0] ?? "";
  const groups = texts.map((text) => ({
    text,
    actions: distinct(variants.filter(({ description }) => description === text).map(({ action }) => action)),
  }));
  const most = groups.reduce((one, other) => (other.actions.length > one.actions.length ? other : one));
  return groups
    .filter((group) => group !== most)
    .concat(most)
    .map((group) => `${group === most && most.actions.length > 2 ? "others" : group.actions.join(", ")}: ${group.text}`)
    .join("; ");
}

function distinct(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) === index);
}
