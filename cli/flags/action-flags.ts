// An action as a command: its flags, its help, and the business arguments that a command line gives.

import { type ActionDeclaration, preconditionOf } from "../../shared/catalogue/declaration.js";
import type { Json, JsonObject } from "../../shared/wire/json.js";
import { preconditionFields } from "../../shared/wire/safety.js";
import { usageError } from "../usage.js";
import { type FieldFlag, fieldFlags } from "./fields.js";
import { globalFlags } from "./global.js";
import { kebab, spellings } from "./names.js";
import type { CommandSpec, FlagSpec, ParsedFlags } from "./parser.js";
import { shellWord } from "./shell.js";
import { parsedJson, typed, type ValueSources } from "./values.js";

export const dryRunFlag = "dry-run";
export const requestIdFlag = "request-id";

/** The credential flag of an action that has a precondition, with its wire name. */
export function hashFlag(action: ActionDeclaration): { readonly flag: string; readonly field: string } | undefined {
  const kind = preconditionOf(action);
  if (kind === undefined) return undefined;
  const field = preconditionFields[kind];
  return { flag: kebab(field), field };
}

export function actionSpec(action: ActionDeclaration, schema: JsonObject): CommandSpec {
  const fields = fieldFlags(schema);
  const positionals = action.positionals ?? [];
  const command = `${action.tool} ${action.name}`;
  return {
    usage: [command, ...positionals.map((name) => `[${kebab(name)}]`), "[flags]"].join(" "),
    summary: action.summary,
    flags: [...fields.flatMap((field) => flagsOf(field)), ...safetyFlags(action), ...globalFlags],
    examples: action.examples.map((example) => [commandLine(action, fields, example), ""]),
    notes: [
      ...(action.guidance ?? []),
      ...(action.confirm ? ["This is a dangerous action; typing the command is the confirmation."] : []),
      "A value can be @file:path, @stdin or @env:NAME; @@ starts a literal @.",
    ],
  };
}

function flagsOf(field: FieldFlag): FlagSpec[] {
  const group = "Arguments:";
  const { description, required } = field;
  const jsonForm: FlagSpec = {
    flag: `${field.flag}-json`,
    kind: "value",
    description: `${description}`,
    group,
    typeName: "JSON",
  };
  const aliases = spellings(field.flag, field.field).slice(1);
  switch (field.kind) {
    case "complex":
      return [{ ...jsonForm, required }];
    case "array":
      return [
        {
          flag: field.flag,
          kind: "value",
          description: `${description}; repeat for several`,
          group,
          typeName: field.items,
          required,
          aliases,
        },
        { ...jsonForm, description: `The whole list of --${field.flag}` },
      ];
    case "boolean":
      return [{ flag: field.flag, kind: "switch", description, group, required, aliases }];
    default:
      return [
        {
          flag: field.flag,
          kind: "value",
          description,
          group,
          required,
          aliases,
          ...(field.choices ? { choices: field.choices } : { typeName: field.kind }),
        },
      ];
  }
}

function safetyFlags(action: ActionDeclaration): FlagSpec[] {
  if (action.class.kind === "read") return [];
  const group = "Safety:";
  const hash = hashFlag(action);
  return [
    {
      flag: dryRunFlag,
      kind: "switch",
      description: "Preflight only: show what would change, execute nothing",
      group,
      aliases: ["validate-only", "validateOnly"],
    },
    { flag: requestIdFlag, kind: "value", description: "Commit the preflight with this id", group, typeName: "id" },
    ...(hash
      ? [
          {
            flag: hash.flag,
            kind: "value",
            description: "The hash that preflight printed",
            group,
            typeName: "hash",
          } as const,
        ]
      : []),
  ];
}

/** The business arguments. Throws a usage error for extra words and values of the wrong kind. */
export function readArguments(
  action: ActionDeclaration,
  schema: JsonObject,
  parsed: ParsedFlags,
  sources: ValueSources,
): JsonObject {
  const fields = fieldFlags(schema);
  const given = new Map(parsed.values);
  takePositionals(action, parsed.words, given);
  const args: Record<string, Json> = {};
  for (const field of fields) {
    const value = readField(field, given, parsed.switches, sources);
    if (value !== undefined) args[field.field] = value;
  }
  return args;
}

function takePositionals(
  action: ActionDeclaration,
  words: readonly string[],
  given: Map<string, readonly string[]>,
): void {
  const names = action.positionals ?? [];
  words.forEach((word, index) => {
    const name = names[index];
    if (name === undefined) {
      const allowed =
        names.length === 0
          ? "no arguments without a flag"
          : `only ${names.map((known) => `[${kebab(known)}]`).join(" ")}`;
      throw usageError(`unexpected argument ${JSON.stringify(word)}: ${action.tool} ${action.name} takes ${allowed}`);
    }
    const flag = kebab(name);
    if (given.has(flag)) throw usageError(`${flag} is given twice: as an argument and as --${flag}`);
    given.set(flag, [word]);
  });
}

function readField(
  field: FieldFlag,
  given: ReadonlyMap<string, readonly string[]>,
  switches: ReadonlyMap<string, boolean>,
  sources: ValueSources,
): Json | undefined {
  const flag = `--${field.flag}`;
  const asJson = given.get(`${field.flag}-json`);
  if (asJson) return parsedJson(sources.resolve(single(asJson, `${flag}-json`), `${flag}-json`), `${flag}-json`);
  if (field.kind === "boolean") return switches.get(field.flag);
  const values = given.get(field.flag);
  if (!values || field.kind === "complex") return undefined;
  if (field.kind === "array") return values.map((value) => arrayItem(field, sources.resolve(value, flag), flag));
  return typed(sources.resolve(single(values, flag), flag), field.kind, flag);
}

function arrayItem(field: FieldFlag, value: string, flag: string): Json {
  if (/^\s*\[[\s\S]*\]\s*$/.test(value))
    throw usageError(`${flag} takes one element each time`, `Give a JSON list as ${flag}-json '[…]'`);
  return typed(value, field.items, flag);
}

function single(values: readonly string[], flag: string): string {
  if (values.length > 1) throw usageError(`${flag} is given more than once`);
  return values[0] ?? "";
}

/** How these arguments are typed, without the program's name. */
export function commandLine(action: ActionDeclaration, fields: readonly FieldFlag[], args: JsonObject): string {
  const words: string[] = [action.tool, action.name];
  const positionals = action.positionals ?? [];
  const first = positionals.filter((name) => args[name] !== undefined);
  words.push(...first.map((name) => shellWord(String(args[name]))));
  for (const field of fields) {
    const value = args[field.field];
    if (value === undefined || first.includes(field.field)) continue;
    if (field.kind === "boolean") words.push(value === true ? `--${field.flag}` : `--no-${field.flag}`);
    else if (field.kind === "complex") words.push(`--${field.flag}-json`, shellWord(JSON.stringify(value)));
    else if (Array.isArray(value)) words.push(...value.flatMap((item) => [`--${field.flag}`, shellWord(String(item))]));
    else words.push(`--${field.flag}`, shellWord(String(value)));
  }
  return words.join(" ");
}
