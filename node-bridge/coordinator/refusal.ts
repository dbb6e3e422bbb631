// The wire form of an error that a Node program raises itself: the same shape as the coordinator's own refusals.

import { errorTable, type SisyphusError } from "../../shared/errors.js";
import type { JsonObject } from "../../shared/wire/json.js";
import type { CallPurpose } from "./purpose.js";

export function refusal(error: SisyphusError, purpose: CallPurpose): JsonObject {
  const { type, executed, next } = errorTable[error.code];
  const details = JSON.parse(JSON.stringify(error.details)) as JsonObject;
  const body = { type, code: error.code, message: error.message, hint: next, ...details };
  if (purpose === "read") return { success: false, error: body };
  return { success: false, transactionState: executed === "no" ? "rejected" : "unknown", error: body };
}
