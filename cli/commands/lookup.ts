// Finds tools and actions by the words of the command line, with the likely one on a typo.

import { catalogue, findAction, findTool } from "../../shared/catalogue/catalogue.js";
import type { ActionDeclaration, ToolDeclaration } from "../../shared/catalogue/declaration.js";
import { SisyphusError } from "../../shared/errors.js";
import { didYouMean } from "../closest.js";

const ownCommands = ["list", "help", "config"];

export function toolNamed(name: string): ToolDeclaration {
  const tool = findTool(name);
  if (tool) return tool;
  const known = [...catalogue.map((declared) => declared.name), ...ownCommands];
  throw new SisyphusError("unknown_tool", `there is no command ${name}${didYouMean(name, known)}`, {
    hint: `Commands: ${known.join(", ")}`,
  });
}

export function actionNamed(tool: ToolDeclaration, name: string): ActionDeclaration {
  const action = findAction(tool, name);
  if (action) return action;
  const known = tool.actions.map((declared) => declared.name);
  throw new SisyphusError(
    "unknown_action",
    `${tool.name} has no action ${name}${didYouMean(name.replace(/-/g, "_"), known)}`,
    {
      hint: `Actions of ${tool.name}: ${known.join(", ")}`,
    },
  );
}
