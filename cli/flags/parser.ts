// One command's flags on yargs: parsing with exact errors, and its help text.

import yargs from "yargs";
import { didYouMean } from "../closest.js";
import { usageError } from "../usage.js";
import { spellings } from "./names.js";

export interface FlagSpec {
  /** Kebab case, without dashes. */
  readonly flag: string;
  /** `switch` takes no value; `value` takes one, and may be repeated where the command allows it. */
  readonly kind: "switch" | "value";
  readonly description: string;
  readonly group: string;
  /** More accepted spellings. */
  readonly aliases?: readonly string[];
  readonly choices?: readonly string[];
  readonly typeName?: string;
  readonly required?: boolean;
}

export interface CommandSpec {
  /** After the program's name, for example `fs ls [path]`. */
  readonly usage: string;
  readonly summary: string;
  readonly flags: readonly FlagSpec[];
  readonly commands?: readonly (readonly [name: string, summary: string])[];
  readonly examples?: readonly (readonly [command: string, explanation: string])[];
  readonly notes?: readonly string[];
}

export interface ParsedFlags {
  /** By kebab-case flag; a flag given several times has several values. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly switches: ReadonlyMap<string, boolean>;
  readonly words: readonly string[];
  readonly help: boolean;
}

const programName = "siyuan-sisyphus";

/** Parses what follows the command's words. Throws a usage error that names the flag. */
export function parseFlags(spec: CommandSpec, words: readonly string[]): ParsedFlags {
  const parser = base().parserConfiguration({
    // A value may start with a dash: Markdown lists do.
    "nargs-eats-options": true,
    "camel-case-expansion": false,
    "dot-notation": false,
    "greedy-arrays": false,
    "parse-numbers": false,
    "parse-positional-numbers": false,
    "short-option-groups": false,
    "strip-aliased": true,
  });
  for (const { flag, kind, aliases } of spec.flags) {
    const alias = [...spellings(flag).slice(1), ...(aliases ?? [])];
    if (kind === "switch") parser.option(flag, { boolean: true, alias, default: undefined });
    else parser.option(flag, { string: true, nargs: 1, alias });
  }
  refuseOddSwitches(spec, words);
  const argv: Record<string, unknown> = parser
    .string("_")
    .fail((message, error) => {
      throw usageError(translated(message || error?.message || "the command line cannot be read"));
    })
    .parseSync([...words]);
  const help = argv.help === true;
  const values = new Map<string, readonly string[]>();
  const switches = new Map<string, boolean>();
  for (const [name, value] of Object.entries(argv)) {
    if (name === "_" || name === "$0" || value === undefined) continue;
    const found = spec.flags.find((flag) => flag.flag === name);
    if (!found) {
      if (help) continue;
      const known = spec.flags.map((flag) => flag.flag);
      throw usageError(
        `unknown flag ${dashed(name)}${didYouMean(name, known, "--")}`,
        `See ${programName} ${spec.usage.split(" [")[0]} --help`,
      );
    }
    if (found.kind === "switch") switches.set(name, value === true);
    else values.set(name, valueList(value, name));
  }
  return { values, switches, help, words: (argv._ as unknown[]).map(String) };
}

export async function helpText(spec: CommandSpec): Promise<string> {
  const parser = base()
    .usage(`${spec.summary}\n\n  ${programName} ${spec.usage}`)
    .wrap(Math.min(110, Math.max(60, process.stdout.columns ?? 100)));
  for (const { flag, kind, description, group, choices, typeName, required } of spec.flags) {
    parser.option(flag, {
      describe: description + (required ? " (required)" : "") + (typeName ? ` <${typeName}>` : ""),
      group,
      ...(kind === "switch" && { boolean: true }),
      ...(choices && { choices }),
    });
  }
  for (const [name, summary] of spec.commands ?? []) parser.command(name, summary);
  // Examples are to be copied, so they are never wrapped.
  const examples = (spec.examples ?? []).map(
    ([command, explanation]) => `  ${programName} ${command}${explanation && `\n      ${explanation}`}`,
  );
  return [
    await parser.getHelp(),
    examples.length > 0 ? ["Examples:", ...examples].join("\n") : "",
    (spec.notes ?? []).join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function base() {
  return yargs([])
    .scriptName(programName)
    .locale("en")
    .help(false)
    .version(false)
    .exitProcess(false)
    .showHelpOnFail(false);
}

/** yargs reads `--json=maybe` as false; nobody means that. */
function refuseOddSwitches(spec: CommandSpec, words: readonly string[]): void {
  const kinds = new Map(
    spec.flags.flatMap(({ flag, kind, aliases = [] }) => [...spellings(flag), ...aliases].map((name) => [name, kind])),
  );
  for (let index = 0; index < words.length; index++) {
    const [, name = "", value] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(words[index] ?? "") ?? [];
    const kind = kinds.get(name);
    if (kind === "value" && value === undefined) index++;
    if (kind === "switch" && value !== undefined && value !== "true" && value !== "false") {
      throw usageError(`--${name} is a switch: write --${name}, --no-${name} or --${name}=false`);
    }
  }
}

function valueList(value: unknown, name: string): readonly string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.map((item) => {
    if (typeof item === "string") return item;
    throw usageError(
      item === false ? `--no-${name}: --${name} takes a value and cannot be negated` : `--${name} needs a value`,
    );
  });
}

function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}

function translated(message: string): string {
  const missing = /^Not enough arguments following: (.+)$/.exec(message);
  return missing ? `--${missing[1]} needs a value` : message;
}
