// The border between protocol and product: one tool call in, one structured answer out. It never rejects.

import type { Json, JsonObject } from "../../shared/wire/json.js";
import type { Confirmation } from "../../shared/wire/safety.js";

export interface ToolCall {
  readonly tool: string;
  readonly args: JsonObject;
  /** How the caller confirms dangerous commits. */
  readonly confirmation: Confirmation;
  /** True once the client took the call back; asked before the barrier. */
  readonly isCancelled: () => boolean;
}

export interface CallAnswer {
  readonly structured: JsonObject;
  readonly isError: boolean;
}

export interface ToolCalls {
  call(call: ToolCall): Promise<CallAnswer>;
  /** tools/list entries of what is enabled now. */
  listTools(): Promise<readonly Json[]>;
  /** Text for the protocol's `instructions`. */
  instructions(): Promise<string>;
}
