// Runs one command line: finds the command, and turns every failure into a message and an exit code.

import { exitCodes, SisyphusError } from "../shared/errors.js";
import { refusal } from "../node-bridge/coordinator/refusal.js";
import { version } from "../node-bridge/version.js";
import { runAction } from "./commands/action.js";
import { configSpec, runConfig } from "./commands/config.js";
import { actionNamed, toolNamed } from "./commands/lookup.js";
import { programSpec, runList, toolSpec } from "./commands/overview.js";
import { exitCodeOf } from "./exit-code.js";
import { globalFlags, takeWords } from "./flags/global.js";
import { type CommandSpec, helpText, parseFlags } from "./flags/parser.js";
import { errorText } from "./output/error-text.js";
import { Terminal } from "./terminal.js";
import { usageError } from "./usage.js";

export async function run(args: readonly string[]): Promise<void> {
  // Asked before the flags are parsed: a parse error must already be reported in the right form.
  const terminal = new Terminal(args.includes("--json") || args.includes("--json=true"));
  // Somebody who reads only the first lines of the answer has not found an error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) =>
    process.exit(error.code === "EPIPE" ? exitCodes.done : exitCodes.error),
  );
  try {
    process.exitCode = await dispatch(args, terminal);
  } catch (error) {
    process.exitCode = report(error, terminal, args.includes("--debug"));
  }
}

async function dispatch(args: readonly string[], terminal: Terminal): Promise<number> {
  const { words, rest } = takeWords(args, 1);
  const [command] = words;
  if (command === undefined) return withoutCommand(args);
  switch (command) {
    case "list":
      return runList(rest, terminal);
    case "config":
      return runConfig(rest, terminal);
    case "help":
      return runHelp(rest);
    default:
      return runTool(command, args, terminal);
  }
}

async function withoutCommand(args: readonly string[]): Promise<number> {
  if (args.includes("--version") || args.includes("-v")) {
    process.stdout.write(`${version}\n`);
    return exitCodes.done;
  }
  const { help } = parseFlags(programSpec, args);
  if (!help && args.length > 0) throw usageError("a command is missing", "See siyuan-sisyphus --help");
  return print(programSpec);
}

async function runTool(name: string, args: readonly string[], terminal: Terminal): Promise<number> {
  const tool = toolNamed(name);
  const { words, rest } = takeWords(args, 2);
  const actionName = words[1];
  if (actionName === "help") return runHelp([name, ...rest]);
  if (actionName !== undefined) return runAction(actionNamed(tool, actionName), rest, args, terminal);
  if (parseFlags({ ...toolSpec(tool) }, rest).help) return print(toolSpec(tool));
  throw usageError(`${tool.name} needs an action`, `One of ${tool.actions.map((action) => action.name).join(", ")}`);
}

const helpSpec: CommandSpec = {
  usage: "help <tool> [action]",
  summary: "Flags and examples of an action",
  flags: [
    ...globalFlags,
    { flag: "topic", kind: "value", description: "The action", group: "Arguments:", typeName: "action" },
  ],
};

async function runHelp(args: readonly string[]): Promise<number> {
  const { values, words } = parseFlags(helpSpec, args);
  const [toolName, actionName = values.get("topic")?.[0], extra] = words;
  if (extra !== undefined) throw usageError(`unexpected argument ${JSON.stringify(extra)}: help takes <tool> [action]`);
  if (toolName === undefined) return print(programSpec);
  if (toolName === "config") return print(configSpec);
  const tool = toolNamed(toolName);
  if (actionName === undefined) return print(toolSpec(tool));
  return runAction(actionNamed(tool, actionName), ["--help"], [], new Terminal(false));
}

async function print(spec: CommandSpec): Promise<number> {
  process.stdout.write(`${await helpText(spec)}\n`);
  return exitCodes.done;
}

function report(error: unknown, terminal: Terminal, debug: boolean): number {
  const known =
    error instanceof SisyphusError
      ? error
      : new SisyphusError("internal_error", error instanceof Error ? error.message : String(error));
  if (debug && error instanceof Error && error !== known) terminal.notice(error.stack ?? "");
  // Raised before any call; a call's own failures are answers and do not come here.
  const value = refusal(known);
  terminal.failure(value, errorText(value));
  return exitCodeOf(value);
}
