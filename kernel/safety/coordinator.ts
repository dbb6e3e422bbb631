// The coordinator of strict writes: preflight and commit. Nothing else in the product dispatches a change to SiYuan.

import { errorTable, SisyphusError } from "../../shared/errors.js";
import { safetyLimits } from "../../shared/limits.js";
import type { Json, JsonObject } from "../../shared/wire/json.js";
import { credentialPattern, preconditionFields, requestIdPattern } from "../../shared/wire/safety.js";
import type { Digest, Host } from "../host/host.js";
import type { AliasPool } from "./alias-pool.js";
import type { CallControl } from "./call-control.js";
import { canonical, compareCodeUnits } from "./canonical.js";
import type { MutationImplementation, Observation, Plan, ReadTools, Targets, Verdict, WriteTools } from "./contract.js";
import type { Fence } from "./fence.js";
import type { Ledger, LedgerRecord } from "./ledger.js";
import { newBlockIds } from "./block-ids.js";
import { requirePermission } from "./permission.js";
import type { Preflight, Preflights } from "./preflights.js";
import { withoutWords, wordsOfArguments } from "./receipt.js";
import type { RequestIds } from "./request-ids.js";

export interface CoordinatorParts {
  readonly host: Host;
  readonly instance: string;
  readonly readTools: ReadTools;
  readonly writeTools: WriteTools;
  readonly aliases: AliasPool;
  readonly preflights: Preflights;
  readonly requestIds: RequestIds;
  readonly ledger: Ledger;
  readonly fence: Fence;
}

/** A strict call, parsed. `business` is what the credential is bound to. */
export interface StrictCall {
  readonly action: MutationImplementation;
  readonly input: never;
  readonly business: JsonObject;
  readonly args: JsonObject;
}

/** What a preflight looks at and what a commit looks at again. */
interface Inspection {
  readonly targets: Targets<never>;
  readonly observation: Observation<never>;
  readonly argumentsDigest: Digest;
  /** Absent for additive actions. */
  readonly stateDigest?: Digest;
}

export class Coordinator {
  readonly #parts: CoordinatorParts;
  /** Ids between barrier and recorded outcome. */
  readonly #running = new Set<string>();

  constructor(parts: CoordinatorParts) {
    this.#parts = parts;
  }

  async preflight(call: StrictCall): Promise<JsonObject> {
    const { host, preflights, aliases, requestIds } = this.#parts;
    const { action } = call;
    const inspection = await this.#inspect(call);
    const reservedIds = await newBlockIds(host, action.reserves);
    const plan = action.plan(call.input, inspection.observation, reservedIds);
    const requestId = await requestIds.issue();
    const issuedAtMs = host.clock.nowMs();
    const preflight: Preflight = {
      requestId,
      tool: action.declaration.tool,
      action: action.declaration.name,
      argumentsDigest: inspection.argumentsDigest,
      targetIds: sortedIds(inspection.targets),
      stateDigest: inspection.stateDigest,
      reservedIds,
      issuedAtMs,
      expiresAtMs: issuedAtMs + safetyLimits.leaseTtlMs,
    };
    preflights.add(preflight);
    return {
      action: preflight.action,
      validateOnly: true,
      writeSafetyMode: "strict",
      writeAttempted: false,
      writeExecuted: false,
      requestId,
      requestIdExpiresAt: preflight.expiresAtMs,
      ...this.#credential(action, preflight, aliases),
      targetCount: preflight.targetIds.length,
      preview: plan.preview(),
    };
  }

  async commit(call: StrictCall, control: CallControl): Promise<JsonObject> {
    const { ledger, preflights } = this.#parts;
    const requestId = this.#requestId(call);
    if (this.#running.has(requestId)) throw new SisyphusError("request_running", undefined, { requestId });
    const preflight = preflights.find(requestId);
    // An id with a live preflight was issued in this run and never dispatched: no record can exist.
    if (!preflight) {
      const record = await ledger.find(requestId);
      return record ? this.#answerAgain(call, record, requestId) : this.#refuseUnknownId(requestId);
    }
    this.#checkScope(call, preflight);
    // Asked anew before the inspection looks at them: a revoke since the preflight wins, however fresh the known levels.
    const freshPermissions = this.#parts.readTools.config.freshPermissions();
    const [inspection] = await Promise.all([
      this.#inspect(call).catch((thrown) => {
        throw goneSince(thrown, requestId);
      }),
      this.#parts.fence.check(),
      freshPermissions,
    ]);
    this.#checkTargets(preflight, inspection, call);
    const plan = call.action.plan(call.input, inspection.observation, preflight.reservedIds);
    return this.#execute(call, preflight, inspection, plan, control);
  }

  /** Targets, permission, state: the same for preflight and commit, so that a preflight is faithful. */
  async #inspect(call: StrictCall): Promise<Inspection> {
    const { readTools } = this.#parts;
    const { action } = call;
    const targets = (await action.targets(call.input, readTools)) as Targets<never>;
    await requirePermission(readTools.config, action.declaration.permission, targets.notebooks);
    const observation = (await action.observe(call.input, targets, readTools)) as Observation<never>;
    const isMutation = action.declaration.class.kind === "mutation";
    const [argumentsDigest, stateDigest] = await this.#digests(
      isMutation ? [call.business, observation.state] : [call.business],
    );
    return { targets, observation, argumentsDigest: argumentsDigest as Digest, stateDigest };
  }

  async #execute(
    call: StrictCall,
    preflight: Preflight,
    { targets, observation, stateDigest }: Inspection,
    plan: Plan,
    control: CallControl,
  ): Promise<JsonObject> {
    const { host, ledger, preflights, readTools, writeTools } = this.#parts;
    const { action } = call;
    const { requestId } = preflight;
    const now = host.clock.nowMs();
    let record: LedgerRecord = {
      version: 1,
      requestId,
      tool: preflight.tool,
      action: preflight.action,
      argumentsDigest: preflight.argumentsDigest,
      targetIds: preflight.targetIds,
      notebooks: targets.notebooks,
      state: "executing",
      instance: this.#parts.instance,
      reservedIds: preflight.reservedIds,
      beforeDigest: stateDigest,
      stages: [],
      createdAtMs: now,
      updatedAtMs: now,
    };
    const save = (change: Partial<LedgerRecord>) => {
      record = { ...record, ...change, updatedAtMs: host.clock.nowMs() };
      return ledger.write(record);
    };

    // The inspection took time: meanwhile the lease may have expired, or have been used by the same request.
    if (!preflights.find(requestId)) throw new SisyphusError("preflight_lease_invalid", undefined, { requestId });
    control.crossBarrier();
    preflights.consume(requestId);
    this.#running.add(requestId);
    try {
      const answers: unknown[] = [];
      for (const stage of action.stages) {
        await save({ stages: record.stages.concat(stage.name) }).catch((thrown) => {
          // Without its record nothing is dispatched; what earlier stages did stays.
          throw answers.length === 0 ? thrown : new SisyphusError("outcome_unknown", undefined, { requestId });
        });
        try {
          answers.push(await stage.apply(plan as never, writeTools, answers));
        } catch (thrown) {
          const refused = await this.#changedNothing(call, observation, thrown, answers.length === 0);
          await save({ state: refused ? "state_unchanged" : "unknown" }).catch(() => undefined);
          throw refused ? withRequestId(thrown, requestId) : unknownBecause(thrown, requestId);
        }
      }
      let verdict: Verdict;
      try {
        const after = await action.readback(plan as never, answers, readTools);
        verdict = action.verify(plan as never, observation, answers, after as never);
      } catch (thrown) {
        await save({ state: "unknown" }).catch(() => undefined);
        throw unknownBecause(thrown, requestId);
      }
      const [afterDigest] = verdict.state === undefined ? [] : await this.#digests([verdict.state]).catch(() => []);
      if (verdict.outcome === "mismatch") {
        await save({ state: "unknown", afterDigest }).catch(() => undefined);
        throw new MismatchError(requestId, verdict.difference, this.#hashes(stateDigest, afterDigest));
      }
      const receipt = verdict.notes?.length ? { ...verdict.answer, notes: verdict.notes } : verdict.answer;
      await save({ state: verdict.outcome, afterDigest, receipt: withoutWords(receipt) }).catch((thrown) => {
        throw unknownBecause(thrown, requestId);
      });
      return { ...receipt, safety: this.#safety(requestId, verdict.outcome, false, stateDigest, afterDigest) };
    } finally {
      this.#running.delete(requestId);
    }
  }

  /** True when a failed dispatch is proven to have changed nothing: SiYuan said no, and a read shows the old state. */
  async #changedNothing(
    call: StrictCall,
    before: Observation<never>,
    thrown: unknown,
    first: boolean,
  ): Promise<boolean> {
    if (!first || !(thrown instanceof SisyphusError)) return false;
    if (thrown.code === "host_token_rejected") return true;
    if (thrown.code !== "api_error" || call.action.declaration.class.kind !== "mutation") return false;
    return this.#inspect(call).then(
      (now) => canonical(now.observation.state) === canonical(before.state),
      () => false,
    );
  }

  /** The ledger knows the id: replay, conflict or unknown. Nothing is dispatched again. */
  async #answerAgain(call: StrictCall, record: LedgerRecord | "damaged", requestId: string): Promise<JsonObject> {
    if (record === "damaged") {
      throw new SisyphusError(
        "outcome_unknown",
        "The ledger record of this id is damaged: the write may have been executed",
        { requestId },
      );
    }
    const { tool, name, permission } = call.action.declaration;
    await requirePermission(this.#parts.readTools.config, permission, record.notebooks);
    const [argumentsDigest] = await this.#digests([call.business]);
    if (record.tool !== tool || record.action !== name || record.argumentsDigest !== argumentsDigest) {
      throw new SisyphusError("idempotency_conflict", undefined, { requestId });
    }
    switch (record.state) {
      case "committed":
      case "no_change":
        return {
          ...wordsOfArguments(call.business),
          ...record.receipt,
          safety: this.#safety(requestId, record.state, true, record.beforeDigest, record.afterDigest),
        };
      case "state_unchanged":
        throw new SisyphusError(
          "preflight_lease_invalid",
          "SiYuan refused this write and changed nothing; run a new preflight",
          { requestId },
        );
      default:
        throw new SisyphusError("outcome_unknown", "This id was sent to SiYuan and its outcome is not known", {
          requestId,
        });
    }
  }

  async #refuseUnknownId(requestId: string): Promise<never> {
    if (await this.#parts.requestIds.mayBeOurs(requestId))
      throw new SisyphusError("preflight_lease_invalid", undefined, { requestId });
    throw new SisyphusError("invalid_request_id", undefined, { requestId });
  }

  #requestId(call: StrictCall): string {
    const { requestId } = call.args;
    if (typeof requestId !== "string") {
      throw new SisyphusError("precondition_required", "requestId is missing", { expectedField: "requestId" });
    }
    const id = requestId.toLowerCase();
    if (!requestIdPattern.test(id))
      throw new SisyphusError("invalid_request_id", undefined, { expectedField: "requestId" });
    return id;
  }

  /** The preflight authorises exactly this tool, action and credential; its arguments and state are compared next. */
  #checkScope(call: StrictCall, preflight: Preflight): void {
    const { declaration } = call.action;
    const { requestId } = preflight;
    if (preflight.tool !== declaration.tool || preflight.action !== declaration.name) throw otherCall(requestId);
    if (declaration.class.kind !== "mutation") return;
    const field = preconditionFields[declaration.class.precondition];
    const credential = call.args[field];
    if (typeof credential !== "string") {
      throw new SisyphusError("precondition_required", `${field} is missing`, { requestId, expectedField: field });
    }
    const digest = credentialPattern.test(credential.toLowerCase())
      ? this.#parts.aliases.resolve(credential)
      : undefined;
    if (digest === undefined || digest !== preflight.stateDigest) {
      throw new SisyphusError("preflight_lease_invalid", `${field} is not the hash that this preflight returned`, {
        requestId,
        expectedField: field,
      });
    }
  }

  /** The guard of the whole product: two complete digests. */
  #checkTargets(preflight: Preflight, inspection: Inspection, call: StrictCall): void {
    if (inspection.argumentsDigest !== preflight.argumentsDigest) throw otherCall(preflight.requestId);
    const sameTargets = sortedIds(inspection.targets).join(" ") === preflight.targetIds.join(" ");
    if (sameTargets && inspection.stateDigest === preflight.stateDigest) return;
    const { aliases } = this.#parts;
    this.#parts.preflights.consume(preflight.requestId);
    const { class: actionClass } = call.action.declaration;
    throw new SisyphusError("state_changed", undefined, {
      requestId: preflight.requestId,
      ...(actionClass.kind === "mutation" ? { expectedField: preconditionFields[actionClass.precondition] } : {}),
      ...(preflight.stateDigest ? { expectedHash: aliases.alias(preflight.stateDigest) } : {}),
      ...(inspection.stateDigest ? { currentHash: aliases.alias(inspection.stateDigest) } : {}),
    });
  }

  #credential(action: MutationImplementation, preflight: Preflight, aliases: AliasPool): JsonObject {
    const { class: actionClass } = action.declaration;
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

  #safety(
    requestId: string,
    state: "committed" | "no_change",
    replayed: boolean,
    before?: Digest,
    after?: Digest,
  ): JsonObject {
    return {
      requestId,
      writeSafetyMode: "strict",
      writeSafetyGuaranteed: true,
      writeAttempted: !replayed,
      writeExecuted: !replayed,
      replayed,
      transactionState: state,
      ...this.#hashes(before, after),
    };
  }

  #hashes(before?: Digest, after?: Digest): JsonObject {
    const { aliases } = this.#parts;
    return {
      ...(before ? { previousHash: aliases.alias(before) } : {}),
      ...(after ? { resultHash: aliases.alias(after) } : {}),
    };
  }

  async #digests(values: readonly Json[]): Promise<readonly Digest[]> {
    return this.#parts.host.digest.sha256(values.map(canonical));
  }
}

/** SiYuan holds something else than was asked. The difference goes to the caller and nowhere else. */
export class MismatchError extends SisyphusError {
  readonly difference: JsonObject;

  constructor(requestId: string, difference: JsonObject | undefined, hashes: JsonObject) {
    super("readback_mismatch", undefined, { requestId });
    this.difference = { ...difference, ...hashes };
  }
}

/** A target that the preflight found and that is not there any more has changed. */
function goneSince(thrown: unknown, requestId: string): unknown {
  const isGone = thrown instanceof SisyphusError && errorTable[thrown.code].type === "not_found";
  return isGone
    ? new SisyphusError("state_changed", `The target is gone since the preflight: ${thrown.message}`, { requestId })
    : thrown;
}

function otherCall(requestId: string): SisyphusError {
  return new SisyphusError("preflight_lease_invalid", "The preflight of this id was for another call", { requestId });
}

function sortedIds(targets: Targets): readonly string[] {
  return Array.from(new Set(targets.ids)).sort(compareCodeUnits);
}

function withRequestId(thrown: unknown, requestId: string): unknown {
  return thrown instanceof SisyphusError
    ? new SisyphusError(thrown.code, thrown.message, { ...thrown.details, requestId })
    : thrown;
}

function unknownBecause(thrown: unknown, requestId: string): SisyphusError {
  const reason = thrown instanceof SisyphusError ? `: ${thrown.message}` : "";
  return new SisyphusError("outcome_unknown", `The write was sent, but what it did is not known${reason}`, {
    requestId,
  });
}
