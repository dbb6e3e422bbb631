// What there is: the program's own help, `list`, and the help of a tool.

import { catalogue } from "../../shared/catalogue/catalogue.js";
import type { ActionDeclaration, ToolDeclaration } from "../../shared/catalogue/declaration.js";
import { exitCodes } from "../../shared/errors.js";
import type { JsonObject } from "../../shared/wire/json.js";
import { globalFlags } from "../flags/global.js";
import { type CommandSpec, helpText, parseFlags } from "../flags/parser.js";
import { table } from "../output/table.js";
import type { Terminal } from "../terminal.js";
import { usageError } from "../usage.js";
import { toolNamed } from "./lookup.js";

export const programSpec: CommandSpec = {
  usage: "<tool> <action> [flags]",
  summary: "Read and safely write SiYuan notes",
  flags: globalFlags,
  commands: [
    ...catalogue.map((tool) => [tool.name, tool.title] as const),
    ["list [tool]", "The tools, or the actions of one"],
    ["help <tool> [action]", "Flags and examples"],
    ["config <list|get|set|use>", "Profiles: addresses and tokens of SiYuan"],
  ],
  examples: [
    ["fs ls /", "The notebooks"],
    ["fs read /Work/Plan", "A document as Markdown"],
    [
      "block update --id 20260812120000-abcdefg --data-type markdown --data @file:new.md --dry-run",
      "What would change",
    ],
  ],
  notes: [
    "Exit codes: 0 done, 1 error, 2 usage, 3 coordinator unavailable, 4 authentication, 5 permission, 6 conflict,",
    "7 unknown outcome, 130 interrupted.",
  ],
};

export function toolSpec(tool: ToolDeclaration): CommandSpec {
  return {
    usage: `${tool.name} <action> [flags]`,
    summary: `${tool.title}. ${tool.description}`,
    flags: globalFlags,
    commands: tool.actions.map((action) => [`${tool.name} ${action.name}`, action.summary] as const),
  };
}

const listSpec: CommandSpec = { usage: "list [tool]", summary: "The tools, or the actions of one", flags: globalFlags };

export async function runList(words: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseFlags(listSpec, words);
  if (parsed.help) {
    process.stdout.write(`${await helpText(listSpec)}\n`);
    return exitCodes.done;
  }
  const [name, extra] = parsed.words;
  if (extra !== undefined) throw usageError(`unexpected argument ${JSON.stringify(extra)}: list takes only [tool]`);
  if (name === undefined) {
    const tools = catalogue.map((tool) => ({
      tool: tool.name,
      title: tool.title,
      actions: tool.actions.map((action) => action.name),
    }));
    await terminal.data({ tools }, () => table(tools.map((row) => ({ ...row, actions: row.actions.join(", ") }))));
    return exitCodes.done;
  }
  const tool = toolNamed(name);
  const actions = tool.actions.map(actionRow);
  await terminal.data({ tool: tool.name, actions }, () => table(actions));
  return exitCodes.done;
}

function actionRow(action: ActionDeclaration): JsonObject {
  const kind = action.class.kind === "read" ? "read" : "write";
  return {
    action: action.name,
    kind: action.confirm ? `${kind}, dangerous` : kind,
    default: action.enabled ? "on" : "off",
    summary: action.summary,
  };
}
