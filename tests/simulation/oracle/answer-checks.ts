// Checks of what a client is told, against what happened and what still may.

import { type ErrorCode, errorTable, isErrorCode } from "../../../shared/errors.js";
import { callLimits } from "../../../shared/limits.js";
import { type JsonObject, isJsonObject } from "../../../shared/wire/json.js";
import type { CallRecord } from "../world/call-record.js";
import type { CheckParts } from "./dispatch-checks.js";
import { type Intent, sameCall } from "./evidence.js";

/** An answer leaves within its deadline and the turn that this takes. */
const slackMs = 1_000;

/** Codes that say of the id: it authorises nothing, without a word about an execution. */
const forgotten: ReadonlySet<string> = new Set<ErrorCode>(["preflight_lease_invalid", "invalid_request_id"]);

export function checkAnswer(parts: CheckParts, call: CallRecord): void {
  const { evidence } = parts;
  checkDeadline(parts, call);
  if (call.kind === "preflight") return;
  if (evidence.ambiguous.has(String(call.requestId))) return;
  const intent = evidence.intentOf(call);
  if (call.code === undefined) checkSuccess(parts, call, intent);
  else checkError(parts, call, intent, call.code);
}

function checkDeadline({ violations }: CheckParts, call: CallRecord): void {
  const { startedAtMs, admittedAtMs = startedAtMs, answeredAtMs = 0, requestId } = call;
  const longestMs = callLimits.answerDeadlineMs + slackMs;
  if (call.timersFroze) return;
  if (answeredAtMs - admittedAtMs > longestMs)
    violations.add("I-30", `answered ${answeredAtMs - admittedAtMs} ms after its admission`, requestId);
  else if (answeredAtMs - startedAtMs > longestMs)
    violations.add("I-30", `admitted ${admittedAtMs - startedAtMs} ms after it came`, requestId);
}

function checkError(
  { violations, evidence, life }: CheckParts,
  call: CallRecord,
  intent: Intent | undefined,
  code: string,
): void {
  const { requestId } = call;
  if (!isErrorCode(code)) {
    violations.add("errors", `unknown code ${code}`, requestId);
    return;
  }
  if (code === "state_unchanged" && intent) intent.toldUnchanged = true;
  if (code === "internal_error") violations.add("errors", "internal_error", requestId);
  if (code === "queue_full" && call.workAtMs !== undefined)
    violations.add("I-29", "work began for a call that was refused as queue_full", requestId);
  if (!intent) return;
  const possible = intent.dispatches.filter((dispatch) => evidence.mayExecute(dispatch, life()));
  const undone = intent.dispatches.filter((dispatch) => dispatch.fate === "undone");
  if (code !== "api_error" && code !== "preflight_lease_invalid") possible.push(...undone);
  if (errorTable[code].executed === "no" && possible.some((dispatch) => dispatch.call === call))
    violations.add("I-21", `${code} says not executed, and the dispatch was executed or may be`, requestId);
  const earlier = possible.some((dispatch) => dispatch.request.sentAtMs <= call.startedAtMs);
  if (forgotten.has(code) && earlier && sameCall(call, intent) && !intent.recordMayBeLost)
    violations.add("I-21", `${code} for an id that was dispatched`, requestId);
}

function checkSuccess({ violations }: CheckParts, call: CallRecord, intent: Intent | undefined): void {
  const { requestId, answer = {} } = call;
  if (!intent) {
    violations.add("I-14", "success under an id that nobody issued", requestId);
    return;
  }
  if (!sameCall(call, intent)) violations.add("I-16", "success with other arguments", requestId);
  const own = intent.dispatches.some((dispatch) => dispatch.call === call);
  const safety = isJsonObject(answer.safety) ? answer.safety : {};
  // What is as asked already, by whomever, needs no dispatch.
  const needsNone = safety.transactionState === "no_change" || safety.reconciled === true || safety.replayed === true;
  const isIdle = needsNone && intent.calls.some((other) => other.wasAsAsked);
  if (intent.dispatches.length === 0 && !isIdle)
    violations.add("I-35", "success without any dispatch of this id", requestId);
  else if (intent.dispatches.length === 0) intent.held = true;
  else if (!intent.held && !((intent.tookEffect || call.wasAsAsked) && !own) && !intent.effectIsMissing)
    violations.add("I-20", "success, and no read found the asked effect", requestId);
  const running = intent.calls.find(
    (other) =>
      other !== call && other.workAtMs !== undefined && other.workEndedAtMs === undefined && other.run === call.run,
  );
  if (running && intent.dispatches.some((dispatch) => dispatch.call === running))
    violations.add("I-18", "success while the first use is still running", requestId);
  if (own && safety.replayed === true) violations.add("I-17", "a replay dispatched", requestId);
  if (!own && safety.writeExecuted === true)
    violations.add(
      "I-17",
      `says that it executed, and sent nothing${isIdle ? ", which was not needed" : ""}`,
      requestId,
    );
  // What the notes tell of a lost outcome is less than a receipt, and is the receipt from then on.
  if (!intent.success || safety.reconciled === true) intent.success = answer;
  else if (receiptText(answer) !== receiptText(intent.success))
    violations.add("I-17", `replay ${receiptText(answer)} differs from ${receiptText(intent.success)}`, requestId);
}

/** Fields of an answer that the ledger does not keep, or that belong to the single call. */
const notCompared: ReadonlySet<string> = new Set(["safety", "notes", "path", "title", "name", "cover", "titleImg"]);
const ofSettings: ReadonlySet<string> = new Set([
  "refCreateSavePath",
  "docCreateSavePath",
  "dailyNoteSavePath",
  "dailyNoteTemplatePath",
  "reconciled",
]);

function receiptText(answer: JsonObject): string {
  const names = Object.keys(answer).filter((name) => !notCompared.has(name) && !ofSettings.has(name));
  return JSON.stringify(names.sort().map((name) => [name, answer[name]]));
}
