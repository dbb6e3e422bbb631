// The methods both eras share: tools/list and tools/call. An era wraps their results in its own form.

import { type JsonObject, isJsonObject } from "../../shared/wire/json.js";
import type { Confirmation } from "../../shared/wire/safety.js";
import type { ToolCalls } from "../dispatch/calls.js";
import type { RpcRequest } from "./json-rpc.js";

/** A method's result, or why its parameters are refused. */
export type MethodOutcome =
  | { readonly result: JsonObject; readonly structuredJson?: string }
  | { readonly invalidParams: string };

export async function listTools(calls: ToolCalls, request: RpcRequest): Promise<MethodOutcome> {
  if (request.params.cursor !== undefined) return { invalidParams: "there is no such cursor: the list has one page" };
  return { result: { tools: await calls.listTools() } };
}

export async function callTool(
  calls: ToolCalls,
  request: RpcRequest,
  confirmation: Confirmation,
  isCancelled: () => boolean,
): Promise<MethodOutcome> {
  const { name } = request.params;
  const args = request.params.arguments ?? {};
  if (typeof name !== "string") return { invalidParams: "name must be a string" };
  if (!isJsonObject(args)) return { invalidParams: "arguments must be an object" };
  const answer = await calls.call({ tool: name, args, confirmation, isCancelled });
  const structuredJson = JSON.stringify(answer.structured);
  const content = [{ type: "text", text: structuredJson }];
  return { result: answer.isError ? { content, isError: true } : { content }, structuredJson };
}
