// Which actions a caller may see: the surface shows nothing that is switched off.

import { catalogue } from "../catalogue/catalogue.js";
import type { ActionDeclaration, ToolDeclaration, ToolName } from "../catalogue/declaration.js";

export type IsEnabled = (tool: ToolName, action: string) => boolean;

/** What is on as long as the owner changes nothing. */
export const enabledByDefault: IsEnabled = (tool, action) =>
  catalogue.some((entry) =>
    entry.actions.some((known) => known.tool === tool && known.name === action && known.enabled),
  );

export function enabledActions(tool: ToolDeclaration, isEnabled: IsEnabled): readonly ActionDeclaration[] {
  return tool.actions.filter((action) => isEnabled(action.tool, action.name));
}
