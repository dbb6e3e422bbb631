// The coordinator of strict writes: preflight and commit. Nothing else in the product dispatches a change to SiYuan.

import { SisyphusError } from "../../shared/errors.js";
import { safetyLimits } from "../../shared/limits.js";
import type { JsonObject } from "../../shared/wire/json.js";
import type { Host } from "../host/host.js";
import type { AliasPool } from "./alias-pool.js";
import { credentialFields } from "./answers.js";
import { checkScope, checkState, goneSince, requestIdOf } from "./authorisation.js";
import { newBlockIds } from "./block-ids.js";
import type { CallControl } from "./call-control.js";
import type { Observation, Plan, ReadTools, WriteTools } from "./contract.js";
import { writeDirectly } from "./direct.js";
import { execute, type ExecutionParts, type Job } from "./execution.js";
import type { Fence } from "./fence.js";
import { type Inspection, inspect, sortedIds, type WriteCall } from "./inspection.js";
import type { Ledger, LedgerRecord } from "./ledger.js";
import type { OpenWrites } from "./open-writes.js";
import type { Preflight, Preflights } from "./preflights.js";
import type { RequestIds } from "./request-ids.js";
import { Resumptions } from "./resumptions.js";
import { Retries } from "./retries.js";

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
  readonly openWrites: OpenWrites;
}

export class Coordinator {
  readonly #parts: CoordinatorParts;
  readonly #retries: Retries;
  /** Ids between barrier and recorded outcome. */
  readonly #running: ExecutionParts["running"] = new Map();
  readonly #executionParts: ExecutionParts;

  constructor(parts: CoordinatorParts) {
    this.#parts = parts;
    this.#executionParts = { ...parts, running: this.#running };
    this.#retries = new Retries(
      { ...parts, running: this.#running },
      new Resumptions(this.#executionParts, parts.instance),
    );
  }

  async preflight(call: WriteCall): Promise<JsonObject> {
    const { host, preflights, aliases, requestIds, readTools } = this.#parts;
    const { action } = call;
    const inspection = await inspect(call, readTools, host.digest);
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
      ...credentialFields(call, preflight, aliases),
      targetCount: preflight.targetIds.length,
      preview: plan.preview(),
    };
  }

  async commit(call: WriteCall, control: CallControl): Promise<JsonObject> {
    const { host, ledger, preflights, aliases, readTools, fence, openWrites } = this.#parts;
    const requestId = requestIdOf(call);
    if (this.#running.has(requestId)) throw new SisyphusError("request_running", undefined, { requestId });
    const preflight = preflights.find(requestId);
    // An id with a live preflight was issued in this run and never dispatched: no record can exist.
    if (!preflight) {
      const record = await ledger.find(requestId);
      return record ? this.#retries.answer(call, record, requestId, control) : this.#refuseUnknownId(requestId);
    }
    checkScope(call, preflight, aliases);
    // What an earlier instance had under way must be known, and its effect must be there, before the state is read.
    await openWrites.load();
    // Asked anew before the inspection looks at them: a revoke since the preflight wins, however fresh the known levels.
    // All that does not depend on the targets goes out first, so that SiYuan answers while the inspection computes.
    const freshPermissions = readTools.config.freshPermissions();
    // So are the notebooks: one may have been closed in the last second, and a path may name another one by now.
    readTools.reader.freshNotebooks().catch(() => undefined);
    const isOwner = fence.check();
    let planned = (): Plan => {
      throw new SisyphusError("internal_error");
    };
    // A refusal counts only when the state is the one that was seen: its change comes first.
    const planMeanwhile = (observation: Observation<never>) => {
      try {
        const plan = call.action.plan(call.input, observation, preflight.reservedIds);
        planned = () => plan;
      } catch (thrown) {
        planned = () => {
          throw thrown;
        };
      }
    };
    const [process, inspection] = await Promise.all([
      host.processMark(),
      inspect(call, readTools, host.digest, planMeanwhile).catch((thrown) => {
        throw goneSince(thrown, requestId);
      }),
      isOwner,
      freshPermissions,
    ]);
    await openWrites.check(inspection.targets, requestId);
    try {
      checkState(call, preflight, inspection, aliases);
    } catch (thrown) {
      if (thrown instanceof SisyphusError && thrown.code === "state_changed") preflights.consume(requestId);
      throw thrown;
    }
    const plan = planned();
    // The inspection took time: meanwhile the lease may have expired, or have been used by the same request.
    if (!preflights.find(requestId)) throw new SisyphusError("preflight_lease_invalid", undefined, { requestId });
    control.crossBarrier();
    preflights.consume(requestId);
    const { observation, stateDigest } = inspection;
    const job: Job = {
      call,
      record: this.#recordOf(preflight, inspection, process),
      observation,
      ...(stateDigest ? { observedDigest: stateDigest } : {}),
      plan,
      answers: [],
    };
    return execute(job, control, this.#executionParts);
  }

  /** The same write with strict mode switched off. */
  direct(call: WriteCall, control: CallControl): Promise<JsonObject> {
    return writeDirectly(call, control, this.#parts);
  }

  /** Makes known to the next run what this one leaves open. */
  async stop(): Promise<void> {
    if (this.#running.size === 0) return;
    const leaving = Array.from(this.#running.values(), (leave) => leave().catch(() => undefined));
    await Promise.all([...leaving, this.#parts.openWrites.store()]);
  }

  #recordOf(
    preflight: Preflight,
    { targets, observation: { namedIds }, stateDigest, witnessDigest }: Inspection,
    process: string | undefined,
  ): LedgerRecord {
    const now = this.#parts.host.clock.nowMs();
    return {
      version: 1,
      requestId: preflight.requestId,
      tool: preflight.tool,
      action: preflight.action,
      argumentsDigest: preflight.argumentsDigest,
      targetIds: preflight.targetIds,
      notebooks: targets.notebooks,
      ...(targets.documents ? { documents: targets.documents } : {}),
      state: "executing",
      instance: this.#parts.instance,
      ...(process ? { process } : {}),
      answered: false,
      reservedIds: preflight.reservedIds,
      beforeDigest: stateDigest,
      ...(witnessDigest ? { witnessDigest } : {}),
      ...(namedIds ? { namedIds } : {}),
      stages: [],
      createdAtMs: now,
      updatedAtMs: now,
    };
  }

  async #refuseUnknownId(requestId: string): Promise<never> {
    // An orphan knows nothing of what its successor issues.
    await this.#parts.fence.check();
    if (await this.#parts.requestIds.mayBeOurs(requestId))
      throw new SisyphusError("preflight_lease_invalid", undefined, { requestId });
    throw new SisyphusError("invalid_request_id", undefined, { requestId });
  }
}
