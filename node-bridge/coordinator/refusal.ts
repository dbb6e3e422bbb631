// The wire form of an error that a Node program raises itself: the same shape as the coordinator's own refusals.

import { errorTable, type SisyphusError } from "../../shared/errors.js";
import type { JsonObject } from "../../shared/wire/json.js";
import type { CallPurpose } from "./purpose.js";

/** The call that failed; absent for an error that came before any call. */
export interface FailedCall {
  readonly tool: string;
  readonly action?: string;
  readonly purpose: CallPurpose;
}

export function refusal(error: SisyphusError, call?: FailedCall): JsonObject {
  const { type, executed, next } = errorTable[error.code];
  const details = JSON.parse(JSON.stringify(error.details)) as JsonObject;
  const body = {
    type,
    code: error.code,
    message: error.message,
    ...(call && { tool: call.tool }),
    ...(call?.action !== undefined && { action: call.action }),
    next,
    ...details,
  };
  if (!call || call.purpose === "read") return { success: false, error: body };
  return {
    success: false,
    writeSafetyMode: "strict",
    // A sent write without an answer may have been executed or not: no field claims either.
    ...(executed === "no" ? { writeAttempted: false, writeExecuted: false } : { writeAttempted: true }),
    transactionState: executed === "no" ? "rejected" : "unknown",
    error: body,
  };
}
