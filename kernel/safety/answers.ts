// The safety part of answers and refusals: credentials of a preflight, receipts of a commit, differences of a mismatch.

import { classOf } from "../../shared/catalogue/declaration.js";
import { SisyphusError } from "../../shared/errors.js";
import type { JsonObject } from "../../shared/wire/json.js";
import { preconditionFields } from "../../shared/wire/safety.js";
import type { Digest } from "../host/host.js";
import type { AliasPool } from "./alias-pool.js";
import type { WriteCall } from "./inspection.js";
import type { Preflight } from "./preflights.js";

/** The fields that a commit must send back. */
export function credentialFields({ action, input }: WriteCall, preflight: Preflight, aliases: AliasPool): JsonObject {
  const actionClass = classOf(action.declaration, input);
  if (actionClass.kind !== "mutation" || preflight.stateDigest === undefined) return {};
  const field = preconditionFields[actionClass.precondition];
  const alias = aliases.alias(preflight.stateDigest);
  return {
    preconditionField: field,
    [field]: alias,
    hashPrefixLength: alias.length,
    leaseExpiresAt: preflight.expiresAtMs,
  };
}

export interface ReceiptFacts {
  readonly requestId: string;
  readonly state: "committed" | "no_change";
  /** True when this call itself sent something to SiYuan: not when an earlier one had, nor when there was nothing to do. */
  readonly sent: boolean;
  /** True when the answer is that of an earlier call. */
  readonly replayed: boolean;
  /** True when the outcome was lost and read from the notes afterwards. */
  readonly reconciled?: boolean;
  /** True when a retry ran the stages that an earlier attempt never started. */
  readonly resumed?: boolean;
  readonly before?: Digest;
  readonly after?: Digest;
}

export function safetyFields(facts: ReceiptFacts, aliases: AliasPool): JsonObject {
  return {
    requestId: facts.requestId,
    writeSafetyMode: "strict",
    writeSafetyGuaranteed: true,
    writeAttempted: facts.sent,
    writeExecuted: facts.sent,
    replayed: facts.replayed,
    ...(facts.reconciled ? { reconciled: true } : {}),
    ...(facts.resumed ? { resumed: true } : {}),
    transactionState: facts.state,
    ...hashFields(aliases, facts.before, facts.after),
  };
}

export function hashFields(aliases: AliasPool, before?: Digest, after?: Digest): JsonObject {
  return {
    ...(before ? { previousHash: aliases.alias(before) } : {}),
    ...(after ? { resultHash: aliases.alias(after) } : {}),
  };
}

/** SiYuan holds something else than was asked. The difference goes to the caller and nowhere else. */
export class MismatchError extends SisyphusError {
  readonly difference: JsonObject;

  constructor(requestId: string | undefined, difference: JsonObject | undefined, hashes: JsonObject) {
    super("readback_mismatch", undefined, requestId === undefined ? {} : { requestId });
    this.difference = { ...difference, ...hashes };
  }
}

export function withRequestId(thrown: unknown, requestId: string): unknown {
  return thrown instanceof SisyphusError
    ? new SisyphusError(thrown.code, thrown.message, { ...thrown.details, requestId })
    : thrown;
}

export function unknownBecause(thrown: unknown, requestId: string): SisyphusError {
  const reason = thrown instanceof SisyphusError ? `: ${thrown.message}` : "";
  return new SisyphusError("outcome_unknown", `The write was sent, but what it did is not known${reason}`, {
    requestId,
  });
}
