// What a tool call may do to the notes: decides what a lost answer means.

import { findAction, findTool } from "../../shared/catalogue/catalogue.js";
import type { JsonObject } from "../../shared/wire/json.js";

/**
 * - read: changes nothing
 * - preflight: the first half of a write, changes nothing
 * - commit: may change notes; also whatever this program does not know
 */
export type CallPurpose = "read" | "preflight" | "commit";

export function purposeOf(toolName: string, args: JsonObject): CallPurpose {
  const action = args.action;
  if (action === "help") return "read";
  const tool = findTool(toolName);
  const declaration = tool && typeof action === "string" ? findAction(tool, action) : undefined;
  if (declaration?.class.kind === "read") return "read";
  return args.validateOnly === true ? "preflight" : "commit";
}
