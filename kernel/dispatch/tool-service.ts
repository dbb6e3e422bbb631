// One tool call from name and arguments to a structured answer: resolve, check, queue, run, translate errors.

import { catalogue, findAction, findTool } from "../../shared/catalogue/catalogue.js";
import type { ActionDeclaration, ToolDeclaration } from "../../shared/catalogue/declaration.js";
import { businessArguments, parseInput } from "../../shared/catalogue/parse.js";
import { type ErrorCode, errorTable, SisyphusError } from "../../shared/errors.js";
import { helpFor } from "../../shared/surface/help.js";
import { serverInstructions } from "../../shared/surface/instructions.js";
import { schemas } from "../../shared/surface/generated/schemas.js";
import { toolsList } from "../../shared/surface/tools-list.js";
import { type Json, type JsonObject, isJsonObject } from "../../shared/wire/json.js";
import type { Confirmation, TransactionState } from "../../shared/wire/safety.js";
import type { ConfigReader } from "../config/config-reader.js";
import type { Log } from "../host/host.js";
import type { Implementation, ReadImplementation, ReadTools, Targets } from "../safety/contract.js";
import { MismatchError } from "../safety/answers.js";
import type { Coordinator } from "../safety/coordinator.js";
import { requirePermission } from "../safety/permission.js";
import type { CallAnswer, ToolCall, ToolCalls } from "./calls.js";
import type { Dispatcher } from "./dispatcher.js";

export interface ToolServiceParts {
  readonly dispatcher: Dispatcher;
  readonly coordinator: Coordinator;
  readonly readTools: ReadTools;
  readonly config: ConfigReader;
  readonly implementations: Readonly<Record<string, Implementation>>;
  readonly log: Log;
}

export function createToolService(parts: ToolServiceParts): ToolCalls {
  const { dispatcher, coordinator, readTools, config, implementations, log } = parts;

  /** As the last write found it; a refusal tells it without asking again. */
  let strict = true;

  async function enabledSet(): Promise<ReadonlySet<string>> {
    const names = new Set<string>();
    for (const tool of catalogue) {
      for (const action of tool.actions) {
        if ((await config.isEnabled(action)) === "enabled") names.add(`${action.tool}.${action.name}`);
      }
    }
    return names;
  }

  async function run({ tool: toolName, args, confirmation, isCancelled }: ToolCall): Promise<JsonObject> {
    const tool = findTool(toolName);
    if (!tool)
      throw new SisyphusError(
        "unknown_tool",
        `There is no tool ${toolName}; there are ${catalogue.map((entry) => entry.name).join(", ")}`,
      );
    if (typeof args.action !== "string") {
      throw new SisyphusError("invalid_arguments", "action is missing", {
        fields: [{ path: "action", message: `one of ${actionNames(tool)}` }],
      });
    }
    if (args.action === "help") return help(tool, args);
    const action = findAction(tool, args.action);
    if (!action) {
      throw new SisyphusError(
        "unknown_action",
        `${tool.name} has no action ${args.action}; it has ${actionNames(tool)}`,
        {
          fields: [{ path: "action", message: `one of ${actionNames(tool)}` }],
        },
      );
    }
    const implementation = implementations[`${action.tool}.${action.name}`];
    if (!implementation) throw new SisyphusError("internal_error");
    const isCommit = implementation.kind !== "read" && args.validateOnly !== true;
    // The owner's switches are read inside the lane, where the deadlines run.
    return dispatcher.run(isCommit ? "write" : "read", isCancelled, async (control) => {
      const enabled = await config.isEnabled(action);
      if (enabled !== "enabled") throw new SisyphusError(enabled, `${tool.name}.${action.name} is switched off`);
      const given = businessArguments(args);
      const business = action.spelled ? action.spelled(given) : given;
      const input = parseInput(action, business) as never;
      if (implementation.kind === "read") return read(implementation, input);
      const call = { action: implementation, input, business, args };
      strict = await config.strictMode();
      if (!strict && !isCommit) throw new SisyphusError("strict_mode_disabled");
      if (!isCommit) return coordinator.preflight(call);
      if (action.confirm) requireConfirmation(action, args, confirmation);
      return strict ? coordinator.commit(call, control) : coordinator.direct(call, control);
    });
  }

  async function read(implementation: ReadImplementation, input: never): Promise<JsonObject> {
    const targets = await implementation.targets(input, readTools);
    await requirePermission(config, implementation.declaration.permission, targets.notebooks);
    const result = await implementation.read(input, targets as Targets<never>, readTools);
    return isJsonObject(result) ? result : { result };
  }

  async function help(tool: ToolDeclaration, args: JsonObject): Promise<JsonObject> {
    const topic = typeof args.topic === "string" ? args.topic : undefined;
    const enabled = await enabledSet();
    return helpFor(tool.name, topic, schemas, (toolName, name) => enabled.has(`${toolName}.${name}`));
  }

  return {
    async call(call): Promise<CallAnswer> {
      try {
        return { structured: await run(call), isError: false };
      } catch (thrown) {
        const error = thrown instanceof SisyphusError ? thrown : new SisyphusError("internal_error");
        if (error !== thrown) log.warn(`${call.tool}: ${thrown instanceof Error ? thrown.stack : "failed"}`);
        return { structured: refusal(error, call, strict), isError: true };
      }
    },
    async listTools(): Promise<readonly Json[]> {
      const [enabled, strict] = await Promise.all([enabledSet(), config.strictMode()]);
      return toolsList(
        schemas,
        (tool, action) => enabled.has(`${tool}.${action}`),
        strict,
      ) as unknown as readonly Json[];
    },
    instructions: async () => serverInstructions(await config.strictMode()),
  };
}

/** Confirming never replaces permission or preflight. */
function requireConfirmation({ tool, name }: ActionDeclaration, args: JsonObject, confirmation: Confirmation): void {
  if (confirmation === "command" || (confirmation === "convention" && args.confirm === true)) return;
  throw new SisyphusError(
    confirmation === "dialog" ? "confirmation_unavailable" : "dangerous_action_requires_confirmation",
    `${tool}.${name} is dangerous; nothing was executed`,
  );
}

function actionNames(tool: ToolDeclaration): string {
  return tool.actions
    .map((action: ActionDeclaration) => action.name)
    .concat("help")
    .join(", ");
}

function stateOf(code: ErrorCode): TransactionState {
  if (code === "state_unchanged") return "state_unchanged";
  return errorTable[code].executed === "unknown" ? "unknown" : "rejected";
}

/** The wire form of an error. A caller sees whether anything was executed and what to do next. */
function refusal(error: SisyphusError, { tool, args }: ToolCall, strict: boolean): JsonObject {
  const definition = errorTable[error.code];
  const isWrite = args.requestId !== undefined || args.validateOnly !== undefined || errorTable[error.code].exit >= 6;
  const unknown = definition.executed === "unknown";
  const { fields, ...details } = error.details;
  return {
    success: false,
    ...(isWrite
      ? {
          writeSafetyMode: strict ? "strict" : "legacy",
          writeAttempted: unknown,
          // Left out where nobody knows it.
          ...(unknown ? {} : { writeExecuted: false }),
          transactionState: stateOf(error.code),
        }
      : {}),
    error: {
      type: definition.type,
      code: error.code,
      message: error.message,
      tool,
      ...(typeof args.action === "string" ? { action: args.action } : {}),
      next: definition.next,
      ...(fields ? { fields: fields as unknown as Json } : {}),
      ...(details as JsonObject),
      ...(error instanceof MismatchError ? { difference: error.difference } : {}),
    },
  };
}
