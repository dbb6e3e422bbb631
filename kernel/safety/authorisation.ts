// What a commit needs: an id of ours, the preflight it belongs to, and two complete digests that agree.

import { classOf } from "../../shared/catalogue/declaration.js";
import { errorTable, SisyphusError } from "../../shared/errors.js";
import { credentialPattern, preconditionFields, requestIdPattern } from "../../shared/wire/safety.js";
import type { AliasPool } from "./alias-pool.js";
import { type Inspection, sortedIds, type WriteCall } from "./inspection.js";
import type { Preflight } from "./preflights.js";

export function requestIdOf({ args }: WriteCall): string {
  const { requestId } = args;
  if (typeof requestId !== "string") {
    throw new SisyphusError("precondition_required", "requestId is missing", { expectedField: "requestId" });
  }
  const id = requestId.toLowerCase();
  if (!requestIdPattern.test(id))
    throw new SisyphusError("invalid_request_id", undefined, { expectedField: "requestId" });
  return id;
}

/** The preflight authorises exactly this tool, action and credential; its arguments and state are compared next. */
export function checkScope(call: WriteCall, preflight: Preflight, aliases: AliasPool): void {
  const { declaration } = call.action;
  const { requestId } = preflight;
  if (preflight.tool !== declaration.tool || preflight.action !== declaration.name) throw otherCall(requestId);
  const actionClass = classOf(declaration, call.input);
  if (actionClass.kind !== "mutation") return;
  const field = preconditionFields[actionClass.precondition];
  const credential = call.args[field];
  if (typeof credential !== "string") {
    throw new SisyphusError("precondition_required", `${field} is missing`, { requestId, expectedField: field });
  }
  const digest = credentialPattern.test(credential.toLowerCase()) ? aliases.resolve(credential) : undefined;
  if (digest === undefined || digest !== preflight.stateDigest) {
    throw new SisyphusError("preflight_lease_invalid", `${field} is not the hash that this preflight returned`, {
      requestId,
      expectedField: field,
    });
  }
}

/** The guard of the whole product: two complete digests. Throws `state_changed` for a state the preflight did not see. */
export function checkState(call: WriteCall, preflight: Preflight, inspection: Inspection, aliases: AliasPool): void {
  if (inspection.argumentsDigest !== preflight.argumentsDigest) throw otherCall(preflight.requestId);
  const sameTargets = sortedIds(inspection.targets).join(" ") === preflight.targetIds.join(" ");
  if (sameTargets && inspection.stateDigest === preflight.stateDigest) return;
  const actionClass = classOf(call.action.declaration, call.input);
  throw new SisyphusError("state_changed", undefined, {
    requestId: preflight.requestId,
    ...(actionClass.kind === "mutation" ? { expectedField: preconditionFields[actionClass.precondition] } : {}),
    ...(preflight.stateDigest ? { expectedHash: aliases.alias(preflight.stateDigest) } : {}),
    ...(inspection.stateDigest ? { currentHash: aliases.alias(inspection.stateDigest) } : {}),
  });
}

/** A target that the preflight found and that is not there any more has changed. */
export function goneSince(thrown: unknown, requestId: string): unknown {
  const isGone = thrown instanceof SisyphusError && errorTable[thrown.code].type === "not_found";
  return isGone
    ? new SisyphusError("state_changed", `The target is gone since the preflight: ${thrown.message}`, { requestId })
    : thrown;
}

function otherCall(requestId: string): SisyphusError {
  return new SisyphusError("preflight_lease_invalid", "The preflight of this id was for another call", { requestId });
}
