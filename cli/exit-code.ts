// The exit code of an answer: that of its error code in the table; whatever is not known to be harmless is unknown.

import { errorTable, exitCodes, isErrorCode } from "../shared/errors.js";
import { isJsonObject, type JsonObject } from "../shared/wire/json.js";

export function exitCodeOf(refusal: JsonObject): number {
  if (refusal.transactionState === "unknown") return exitCodes.unknownOutcome;
  const code = isJsonObject(refusal.error) ? refusal.error.code : undefined;
  return isErrorCode(code) ? errorTable[code].exit : exitCodes.error;
}
