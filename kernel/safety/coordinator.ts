// The coordinator of strict writes: preflight and commit. Nothing else in the product dispatches a change to SiYuan.

import { classOf } from "../../shared/catalogue/declaration.js";
import { SisyphusError } from "../../shared/errors.js";
import { safetyLimits } from "../../shared/limits.js";
import type { Json, JsonObject } from "../../shared/wire/json.js";
import type { Digest, Host } from "../host/host.js";
import type { AliasPool } from "./alias-pool.js";
import { credentialFields, hashFields, MismatchError, safetyFields, unknownBecause, withRequestId } from "./answers.js";
import { checkScope, checkState, goneSince, requestIdOf } from "./authorisation.js";
import { newBlockIds } from "./block-ids.js";
import type { CallControl } from "./call-control.js";
import { canonical, sameState } from "./canonical.js";
import type { Observation, Plan, ReadTools, Verdict, WriteTools } from "./contract.js";
import { writeDirectly } from "./direct.js";
import type { Fence } from "./fence.js";
import { type Inspection, inspect, sortedIds, type WriteCall } from "./inspection.js";
import type { Ledger, LedgerRecord } from "./ledger.js";
import type { OpenWrites } from "./open-writes.js";
import type { Preflight, Preflights } from "./preflights.js";
import { withoutWords } from "./receipt.js";
import type { RequestIds } from "./request-ids.js";
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

interface Foreseen {
  readonly state: Json;
  readonly digest: Promise<Digest | undefined>;
}

export class Coordinator {
  readonly #parts: CoordinatorParts;
  readonly #retries: Retries;
  /** Ids between barrier and recorded outcome. */
  readonly #running = new Set<string>();

  constructor(parts: CoordinatorParts) {
    this.#parts = parts;
    this.#retries = new Retries(parts);
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
      return record ? this.#retries.answer(call, record, requestId) : this.#refuseUnknownId(requestId);
    }
    checkScope(call, preflight, aliases);
    // Asked anew before the inspection looks at them: a revoke since the preflight wins, however fresh the known levels.
    const freshPermissions = readTools.config.freshPermissions();
    // So are the notebooks: one may have been closed in the last second.
    readTools.reader.freshNotebooks().catch(() => undefined);
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
    const [inspection, process] = await Promise.all([
      inspect(call, readTools, host.digest, planMeanwhile).catch((thrown) => {
        throw goneSince(thrown, requestId);
      }),
      host.processMark(),
      fence.check(),
      openWrites.load(),
      freshPermissions,
    ]);
    openWrites.check(inspection.targets, requestId);
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
    this.#running.add(requestId);
    const { notebooks, documents } = inspection.targets;
    openWrites.enter({ requestId, notebooks, ...(documents ? { documents } : {}), ...(process ? { process } : {}) });
    try {
      return await this.#execute(call, preflight, inspection, plan, control, process);
    } finally {
      this.#running.delete(requestId);
    }
  }

  /** The same write with strict mode switched off. */
  direct(call: WriteCall, control: CallControl): Promise<JsonObject> {
    return writeDirectly(call, control, this.#parts);
  }

  /** Makes known to the next run what this one leaves open. */
  async stop(): Promise<void> {
    if (this.#running.size > 0) await this.#parts.openWrites.store();
  }

  async #execute(
    call: WriteCall,
    preflight: Preflight,
    { targets, observation, stateDigest }: Inspection,
    plan: Plan,
    control: CallControl,
    process: string | undefined,
  ): Promise<JsonObject> {
    const { host, ledger, readTools, writeTools, aliases, openWrites, fence } = this.#parts;
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
      ...(process ? { process } : {}),
      answered: false,
      reservedIds: preflight.reservedIds,
      beforeDigest: stateDigest,
      stages: [],
      createdAtMs: now,
      updatedAtMs: now,
    };
    const save = (change: Partial<LedgerRecord>) => {
      record = { ...record, ...change, updatedAtMs: host.clock.nowMs() };
      return control.withinDeadline(ledger.write(record));
    };
    /** Nothing of this write can run any more. */
    const close = () => openWrites.settle(requestId).catch(() => undefined);

    const answers: unknown[] = [];
    for (const stage of action.stages) {
      try {
        if (answers.length > 0) await control.withinDeadline(fence.check());
        const before = host.clock.nowMs();
        await save({ stages: record.stages.concat(stage.name), answered: false });
        // A successor may have begun while the disk was slow.
        if (Math.abs(host.clock.nowMs() - before) > safetyLimits.slowRecordMs)
          await control.withinDeadline(fence.check());
      } catch (thrown) {
        await close();
        // Without its record nothing is dispatched; what earlier stages did stays.
        throw answers.length === 0 ? thrown : unknownBecause(thrown, requestId);
      }
      const dispatch = stage.apply(plan as never, writeTools, answers);
      try {
        answers.push(await control.withinDeadline(dispatch));
        record = { ...record, answered: true };
      } catch (thrown) {
        if (mayStillRun(thrown)) {
          await save({ state: "unknown" }).catch(() => undefined);
          await control.withinDeadline(openWrites.store()).catch(() => undefined);
          // A late answer ends the doubt whether it still runs, not the doubt what it did.
          const ended = () => {
            ledger.write({ ...record, answered: true }).then(close, () => undefined);
          };
          dispatch.then(ended, (late) => (mayStillRun(late) ? undefined : ended()));
          throw unknownBecause(thrown, requestId);
        }
        const refused = await this.#changedNothing(call, observation, thrown, answers.length === 0);
        await save({ state: refused ? "state_unchanged" : "unknown", answered: true }).catch(() => undefined);
        await close();
        throw refused ? withRequestId(thrown, requestId) : unknownBecause(thrown, requestId);
      }
    }
    const look = async () => {
      const after = await control.withinDeadline(action.readback(plan as never, answers, readTools));
      return action.verify(plan as never, observation, answers, after as never);
    };
    let verdict: Verdict;
    let foreseen: Foreseen | undefined;
    try {
      const looking = look();
      // Worked out while SiYuan answers the readback.
      foreseen = this.#foresee(() => action.foresee?.(plan as never, observation, answers));
      verdict = await looking;
      if (verdict.outcome === "mismatch") {
        // SiYuan may have answered before it wrote.
        await control.withinDeadline(readTools.reader.finishWrites());
        verdict = await look();
      }
      await close();
    } catch (thrown) {
      await save({ state: "unknown" }).catch(() => undefined);
      await control
        .withinDeadline(readTools.reader.finishWrites())
        .then(close, () => openWrites.store())
        .catch(() => undefined);
      throw unknownBecause(thrown, requestId);
    }
    const afterDigest = await this.#digestAfter(verdict, observation, stateDigest, foreseen).catch(() => undefined);
    if (verdict.outcome === "mismatch") {
      await save({ state: "unknown", mismatched: true, afterDigest }).catch(() => undefined);
      throw new MismatchError(requestId, verdict.difference, hashFields(aliases, stateDigest, afterDigest));
    }
    const receipt = verdict.notes?.length ? { ...verdict.answer, notes: verdict.notes } : verdict.answer;
    await save({ state: verdict.outcome, afterDigest, receipt: withoutWords(receipt) }).catch((thrown) => {
      throw unknownBecause(thrown, requestId);
    });
    const facts = { requestId, state: verdict.outcome, replayed: false, before: stateDigest, after: afterDigest };
    return { ...receipt, safety: safetyFields(facts, aliases) };
  }

  /** A state whose digest is under way, for the case that it is the one which is read. */
  #foresee(announced: () => Json | undefined): Foreseen | undefined {
    try {
      const state = announced();
      if (state === undefined) return undefined;
      const digest = this.#parts.host.digest.sha256([canonical(state)]).then(
        ([made]) => made,
        () => undefined,
      );
      return { state, digest };
    } catch {
      // An answer that cannot be understood announces nothing; the readback judges it.
      return undefined;
    }
  }

  /** Undefined when there is no state. A digest that cannot be had any more changes no outcome. */
  async #digestAfter(
    { state }: Verdict,
    before: Observation<never>,
    beforeDigest: Digest | undefined,
    foreseen: Foreseen | undefined,
  ): Promise<Digest | undefined> {
    if (state === undefined) return undefined;
    if (foreseen && sameState(state, foreseen.state)) return foreseen.digest;
    if (beforeDigest !== undefined && sameState(state, before.state)) return beforeDigest;
    const [digest] = await this.#parts.host.digest.sha256([canonical(state)]);
    return digest;
  }

  /** True when a dispatch that SiYuan refused is proven to have changed nothing: a read shows the old state. */
  async #changedNothing(
    call: WriteCall,
    before: Observation<never>,
    thrown: unknown,
    first: boolean,
  ): Promise<boolean> {
    if (!first || !(thrown instanceof SisyphusError)) return false;
    if (thrown.code === "host_token_rejected") return true;
    // Another answer than a refusal may come from the middle of the work.
    if (thrown.code !== "api_error" || classOf(call.action.declaration, call.input).kind !== "mutation") return false;
    const { readTools, host } = this.#parts;
    return inspect(call, readTools, host.digest).then(
      (now) => canonical(now.observation.state) === canonical(before.state),
      () => false,
    );
  }

  async #refuseUnknownId(requestId: string): Promise<never> {
    // An orphan knows nothing of what its successor issues.
    await this.#parts.fence.check();
    if (await this.#parts.requestIds.mayBeOurs(requestId))
      throw new SisyphusError("preflight_lease_invalid", undefined, { requestId });
    throw new SisyphusError("invalid_request_id", undefined, { requestId });
  }
}

/** True when SiYuan did not answer, not even to refuse: then the request may run at any time. */
function mayStillRun(thrown: unknown): boolean {
  return thrown instanceof SisyphusError && thrown.code === "kernel_unreachable";
}
