// What action="help" answers: the overview of a tool, or everything about one action. Disabled actions are not documented.

import { findAction, findTool } from "../catalogue/catalogue.js";
import {
  type ActionDeclaration,
  preconditionOf,
  type ToolDeclaration,
  type ToolName,
} from "../catalogue/declaration.js";
import { SisyphusError } from "../errors.js";
import type { JsonObject } from "../wire/json.js";
import { preconditionFields } from "../wire/safety.js";
import { enabledActions, type IsEnabled } from "./enabled-actions.js";
import { type Schemas, type Shape, shapesOf } from "./json-schema.js";

const overviewTopic = "overview";

/** Throws `unknown_help_topic` with the topics there are. */
export function helpFor(
  toolName: ToolName,
  topic: string | undefined,
  schemas: Schemas,
  isEnabled: IsEnabled,
): JsonObject {
  const tool = findTool(toolName);
  if (!tool) throw new SisyphusError("unknown_tool");
  const actions = enabledActions(tool, isEnabled);
  if (topic === undefined || topic === "" || topic === overviewTopic) return overview(tool, actions);
  const named = findAction(tool, topic);
  const action = actions.find((enabled) => enabled === named);
  if (!action) {
    const validTopics = [overviewTopic].concat(actions.map(({ name }) => name));
    throw new SisyphusError(
      "unknown_help_topic",
      `${tool.name} has no help on ${topic}; there is ${validTopics.join(", ")}`,
      {
        validTopics,
      },
    );
  }
  return actionHelp(action, schemas[`${action.tool}.${action.name}`] ?? {});
}

function overview(tool: ToolDeclaration, actions: readonly ActionDeclaration[]): JsonObject {
  const hints: Record<string, JsonObject> = {};
  for (const action of actions) hints[action.name] = { hint: action.signature, requiresConfirmation: action.confirm };
  return {
    tool: tool.name,
    guidance: [tool.description],
    actions: hints,
    actionSummaries: summaries(actions),
    requiresConfirmation: actions.filter(({ confirm }) => confirm).map(({ name }) => name),
    detailsHint: `${tool.name} with action="help", topic="<action>" gives the schema, examples and advice of one action`,
  };
}

function summaries(actions: readonly ActionDeclaration[]): JsonObject {
  const texts: Record<string, string> = {};
  for (const { name, summary } of actions) texts[name] = summary;
  return texts;
}

function actionHelp(action: ActionDeclaration, schema: JsonObject): JsonObject {
  const shapes = shapesOf(schema);
  const examples = action.examples.map((example) => ({ action: action.name, ...example }));
  return {
    tool: action.tool,
    action: action.name,
    hint: action.summary,
    shapes: shapes.map(shapeText),
    requiredFields:
      shapes[0]?.required.filter((field) => shapes.every(({ required }) => required.includes(field))) ?? [],
    example: examples[0] ?? { action: action.name },
    examples,
    schema,
    guidance: action.guidance ?? [],
    ...writeSafety(action),
    requiresConfirmation: action.confirm,
    cliExamples: [`siyuan-sisyphus ${action.tool} ${action.name} --help`],
  };
}

/** `{id, data, page?}`: the fields of one accepted form, optional ones with a question mark. */
function shapeText({ properties, required }: Shape): string {
  const fields = Object.keys(properties).map((name) => {
    const list = properties[name]?.type === "array" ? "[]" : "";
    return `${name}${list}${required.includes(name) ? "" : "?"}`;
  });
  return `{${fields.join(", ")}}`;
}

function writeSafety(action: ActionDeclaration): JsonObject {
  if (action.class.kind === "read") return {};
  const kind = preconditionOf(action);
  const field = kind && preconditionFields[kind];
  const when = field && action.class.kind !== "mutation" ? " where the preflight returned it" : "";
  return {
    writeSafety: {
      protocol: "strict",
      ...(field ? { preconditionField: field } : {}),
      steps: [
        "Call with validateOnly=true: nothing is executed; check targetCount and preview",
        `Call again within ten minutes with the same arguments and the returned requestId${field ? ` and ${field}${when}` : ""}, without validateOnly`,
        "On a lost answer send exactly the same call with the same requestId: it is never executed twice",
      ],
    },
  };
}
