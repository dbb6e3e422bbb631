// Parses a call's business arguments against an action's schema, with an error that names the field.

import en from "zod/v4/locales/en.js";
import * as z from "zod/mini";
import { type FieldProblem, SisyphusError } from "../errors.js";
import type { JsonObject } from "../wire/json.js";
import { transportFields } from "../wire/safety.js";
import type { ActionDeclaration } from "./declaration.js";

z.config(en());

/** The arguments without action and safety fields. */
export function businessArguments(args: JsonObject): JsonObject {
  const business: Record<string, JsonObject[string]> = {};
  for (const key of Object.keys(args))
    if (!transportFields.includes(key)) business[key] = args[key] as JsonObject[string];
  return business;
}

/** Schemas built so far: building one costs more than a parse. */
const schemas = new Map<string, z.ZodMiniType<unknown>>();

function schemaOf(declaration: Pick<ActionDeclaration, "tool" | "name" | "input">): z.ZodMiniType<unknown> {
  const key = `${declaration.tool}.${declaration.name}`;
  const schema = schemas.get(key) ?? declaration.input();
  schemas.set(key, schema);
  return schema;
}

/** Typed input of the action. Throws `invalid_arguments` with one entry per offending field. */
export function parseInput<Input>(
  declaration: ActionDeclaration<never, never, Input> | ActionDeclaration,
  business: JsonObject,
): Input {
  const result = schemaOf(declaration).safeParse(business);
  if (result.success) return result.data as Input;
  const fields = problems(result.error.issues);
  const list = fields.map((field) => `${field.path || "arguments"}: ${field.message}`).join("; ");
  throw new SisyphusError("invalid_arguments", `${declaration.tool}.${declaration.name}: ${list}`, {
    fields,
    hint: `Call ${declaration.tool} with action="help", topic="${declaration.name}" for the schema`,
  });
}

type Issue = z.core.$ZodIssue;

function problems(issues: readonly Issue[]): FieldProblem[] {
  return issues.reduce<FieldProblem[]>((all, issue) => all.concat(problem(issue)), []);
}

function problem(issue: Issue): FieldProblem[] {
  const path = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: path ? `${path}.${key}` : key, message: "unknown field" }));
  }
  if (issue.code === "invalid_union") {
    // Several shapes are possible: report against the one that comes closest.
    const branches = issue.errors.map((errors) => problems(errors)).sort((a, b) => a.length - b.length);
    return (branches[0] ?? []).map((entry) => ({
      ...entry,
      path: [path, entry.path].filter((part) => part !== "").join("."),
    }));
  }
  return [{ path, message: issue.message }];
}
