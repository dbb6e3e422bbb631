// The entries of tools/list, derived from the catalogue: one tool with an action enum and the merged fields of its actions.

import { catalogue } from "../catalogue/catalogue.js";
import type { ActionDeclaration, ToolDeclaration } from "../catalogue/declaration.js";
import type { JsonObject } from "../wire/json.js";
import { enabledActions, type IsEnabled } from "./enabled-actions.js";
import type { Schemas } from "./json-schema.js";
import { mergedFields } from "./merged-fields.js";
import { safetyFields } from "./safety-fields.js";

/** Tools without an enabled action are left out. `strict`: writes need a preflight, so its fields are shown. */
export function toolsList(schemas: Schemas, isEnabled: IsEnabled, strict: boolean): readonly JsonObject[] {
  const entries: JsonObject[] = [];
  for (const tool of catalogue) {
    const actions = enabledActions(tool, isEnabled);
    if (actions.length > 0) entries.push(entry(tool, actions, schemas, strict));
  }
  return entries;
}

function entry(
  tool: ToolDeclaration,
  actions: readonly ActionDeclaration[],
  schemas: Schemas,
  strict: boolean,
): JsonObject {
  const readOnly = actions.every((action) => action.class.kind === "read");
  return {
    name: tool.name,
    title: tool.title,
    description: description(tool, actions),
    inputSchema: {
      type: "object",
      properties: {
        action: { type: "string", enum: actions.map(({ name }): string => name).concat("help") },
        topic: { type: "string", description: "For help" },
        ...mergedFields(actions, schemas),
        ...(strict ? safetyFields(actions) : {}),
      },
      required: ["action"],
      additionalProperties: true,
    },
    outputSchema: { type: "object", additionalProperties: true },
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: !readOnly,
      idempotentHint: false,
      openWorldHint: true,
    },
  };
}

function description(tool: ToolDeclaration, actions: readonly ActionDeclaration[]): string {
  const signatures = actions.map(({ name, signature, confirm }) =>
    confirm ? signature.replace(name, `${name}*`) : signature,
  );
  const askFirst = actions.some(({ confirm }) => confirm) ? " *: ask the user first." : "";
  return `${tool.description} Actions: ${signatures.join("; ")}; help(topic?).${askFirst}`;
}
