// Checks at the moment a dispatch takes effect in SiYuan: what it changed, and what had changed before it.

import { errorTable, isErrorCode } from "../../../shared/errors.js";
import type { State } from "../siyuan/notes.js";
import type { CallRecord } from "../world/call-record.js";
import type { CheckParts } from "./dispatch-checks.js";
import type { Dispatch } from "./evidence.js";

export function checkEffect(parts: CheckParts, dispatch: Dispatch, before: State, after: State): void {
  const { violations, evidence } = parts;
  const { scenario, args, requestId, code, overtakenBy } = dispatch.call;
  const changed = changedKeys(before, after);
  // A later stage works on what an earlier one has made, and a name means what it meant at some read.
  const { states } = evidence.intentOf(dispatch.call) ?? { states: [] };
  const reads = Array.from(dispatch.call.states).concat(Array.from(states), before);
  const strays = reads.map((read) =>
    changed.find((key) => ![before, read].some((base) => scenario.mayChange(key, args, base, after, read))),
  );
  const stray = strays.includes(undefined) ? undefined : strays[0];
  // Whoever says that nothing was executed is right in effect.
  if (changed.length === 0) dispatch.fate = "undone";
  if (stray !== undefined)
    violations.add("I-37", `${stray} changed too: ${before.get(stray)} became ${after.get(stray)}`, requestId);
  if (code !== undefined && isErrorCode(code) && errorTable[code].executed === "no")
    violations.add("I-21", `executed after its call was answered ${code}`, requestId);
  if (changed.length > 0 && evidence.intentOf(dispatch.call)?.toldUnchanged)
    violations.add("I-21", "executed after its client was told that nothing changed", requestId);
  if (overtakenBy !== undefined && changed.length > 0) {
    const how = dispatch.isLate ? "took effect after its answer" : "took effect";
    const other =
      evidence.intents.get(overtakenBy)?.run === dispatch.call.run ? "our own write" : "a write of another run,";
    violations.add("I-01", `${how}, over a state that ${other} ${overtakenBy} made after the check`, requestId);
  }
}

function changedKeys(before: State, after: State): readonly string[] {
  const keys = new Set(Array.from(before.keys()).concat(Array.from(after.keys())));
  return Array.from(keys).filter((key) => before.get(key) !== after.get(key));
}

/** Calls that have looked at the notes and whose effect may still come. */
function openCalls({ evidence, life }: CheckParts): readonly CallRecord[] {
  const pending = evidence.dispatches.filter((dispatch) => dispatch.fate === "sent" && dispatch.life === life());
  const calls = new Set(pending.map((dispatch) => dispatch.call).concat(Array.from(evidence.inWork)));
  return Array.from(calls).filter(({ base }) => base !== undefined);
}

/** Notes for each call that is still to take effect whether this effect of ours changed what it had checked. */
export function markOvertaken(parts: CheckParts, done: Dispatch): void {
  for (const call of openCalls(parts)) {
    if (call.requestId === done.call.requestId || call.overtakenBy !== undefined) continue;
    if (call.scenario.observed?.(parts.notes, call.args) !== call.base) call.overtakenBy = done.call.requestId ?? "";
  }
}

/** Somebody else changed the notes: what is observed from here on is the new base. */
export function rebase(parts: CheckParts): void {
  for (const call of openCalls(parts)) {
    const now = call.scenario.observed?.(parts.notes, call.args);
    if (now !== undefined) call.base = now;
  }
  for (const dispatch of parts.evidence.dispatches) {
    if (dispatch.checked === undefined || dispatch.fate !== "applied" || dispatch.call.answeredAtMs !== undefined)
      continue;
    // SiYuan may have said no, and the effect is gone again: nobody can tell that it ever was.
    const now = dispatch.call.scenario.observed?.(parts.notes, dispatch.call.args);
    if (now === dispatch.checked || (now !== undefined && dispatch.call.seen.has(now))) dispatch.fate = "undone";
  }
}
