// A commit whose id the ledger knows: replayed, refused, or, where the outcome was lost, settled from the notes
// themselves. No stage that started is dispatched again, ever.

import { classOf } from "../../shared/catalogue/declaration.js";
import { SisyphusError } from "../../shared/errors.js";
import { callLimits } from "../../shared/limits.js";
import type { JsonObject } from "../../shared/wire/json.js";
import type { Host } from "../host/host.js";
import type { AliasPool } from "./alias-pool.js";
import { safetyFields } from "./answers.js";
import type { CallControl } from "./call-control.js";
import { canonical } from "./canonical.js";
import type { Evidence, LostCall, ReadTools } from "./contract.js";
import type { ExecutionParts } from "./execution.js";
import type { Fence } from "./fence.js";
import { type Inspection, inspect, type WriteCall } from "./inspection.js";
import { type Ledger, type LedgerRecord, mayStillRun } from "./ledger.js";
import type { OpenWrites } from "./open-writes.js";
import { requirePermission } from "./permission.js";
import { type Resumptions, unknownOutcome } from "./resumptions.js";
import { withoutWords, wordsOfArguments } from "./receipt.js";

interface RetryParts {
  readonly host: Host;
  readonly instance: string;
  readonly readTools: ReadTools;
  readonly aliases: AliasPool;
  readonly ledger: Ledger;
  readonly fence: Fence;
  readonly openWrites: OpenWrites;
  readonly running: ExecutionParts["running"];
}

export class Retries {
  readonly #parts: RetryParts;
  readonly #resumptions: Resumptions;

  constructor(parts: RetryParts, resumptions: Resumptions) {
    this.#parts = parts;
    this.#resumptions = resumptions;
  }

  async answer(
    call: WriteCall,
    record: LedgerRecord | "damaged",
    requestId: string,
    control: CallControl,
  ): Promise<JsonObject> {
    if (record === "damaged") {
      throw new SisyphusError(
        "outcome_unknown",
        "The ledger record of this id is damaged: the write may have been executed",
        { requestId },
      );
    }
    const { host, readTools } = this.#parts;
    const { tool, name, permission } = call.action.declaration;
    await requirePermission(readTools.config, permission, record.notebooks);
    const [argumentsDigest] = await host.digest.sha256([canonical(call.business)]);
    if (record.tool !== tool || record.action !== name || record.argumentsDigest !== argumentsDigest) {
      throw new SisyphusError("idempotency_conflict", undefined, { requestId });
    }
    return this.#recorded(call, record) ?? this.#settle(call, record, control);
  }

  /** What the record says for good; undefined where the outcome is not known. */
  #recorded(call: WriteCall, record: LedgerRecord): JsonObject | undefined {
    const { state, requestId } = record;
    if (state === "state_unchanged") throw new SisyphusError("state_unchanged", undefined, { requestId });
    return state === "committed" || state === "no_change" ? this.#receipt(call, record, state) : undefined;
  }

  #receipt(call: WriteCall, record: LedgerRecord, state: "committed" | "no_change", reconciled = false): JsonObject {
    const { requestId, receipt, resumed = false, beforeDigest: before, afterDigest: after } = record;
    const { words } = call.action;
    return {
      ...(words ? words(call.input) : wordsOfArguments(call.business)),
      ...receipt,
      safety: safetyFields(
        { requestId, state, sent: false, replayed: true, reconciled, resumed, before, after },
        this.#parts.aliases,
      ),
    };
  }

  /** Looks at the notes: they hold what was there before, or what was asked, or something that proves neither. */
  async #settle(call: WriteCall, known: LedgerRecord, control: CallControl): Promise<JsonObject> {
    const { host, readTools, ledger, fence, openWrites } = this.#parts;
    const { requestId } = known;
    // Two instances must not write the outcome of one id: neither an orphan, nor the successor while an orphan is at it.
    await fence.check();
    // A write of the record that seemed to fail may have been done.
    const stored = await ledger.findAnew(requestId);
    const record = stored === undefined || stored === "damaged" ? known : stored;
    const outcome = this.#recorded(call, record);
    if (outcome) return outcome;
    if (await this.#mayBeExecuting(record))
      throw new SisyphusError("request_running", "An earlier instance of the plugin may still be executing this id", {
        requestId,
      });
    // What SiYuan has accepted and not yet written must not be taken for absent.
    await readTools.reader.finishWrites().catch(() => {
      throw unknownOutcome(requestId);
    });
    const now = await inspect(call, readTools, host.digest).catch(() => undefined);
    const unchanged = isUnchanged(call, record, now);
    const lost: LostCall = { ...record, mayStillRun: mayStillRun(record, await host.processMark()) };
    if (unchanged && !lost.mayStillRun) {
      await ledger.write({ ...record, state: "state_unchanged", updatedAtMs: host.clock.nowMs() });
      await openWrites.settle(requestId);
      throw new SisyphusError("state_unchanged", undefined, { requestId });
    }
    // A comparison with the whole request failed: the weaker evidence that is left cannot outweigh it.
    if (unchanged || record.mismatched === true) throw unknownOutcome(requestId);
    const evidence = await this.#evidence(call, lost, now).catch(() => undefined);
    if (!evidence || !(await this.#isProven(evidence, record)))
      return this.#resumptions.resume({ call, record, lost }, control);
    // Another attempt may have gone on while this one looked.
    const meanwhile = await ledger.find(requestId);
    const receipt = meanwhile !== undefined && meanwhile !== "damaged" ? this.#recorded(call, meanwhile) : undefined;
    if (receipt) return receipt;
    if (this.#parts.running.has(requestId)) throw new SisyphusError("request_running", undefined, { requestId });
    const committed: LedgerRecord = {
      ...record,
      state: "committed",
      receipt: withoutWords(evidence.answer),
      ...(now ? { afterDigest: now.stateDigest } : {}),
      updatedAtMs: host.clock.nowMs(),
    };
    await ledger.write(committed);
    await openWrites.settle(requestId);
    return { ...evidence.answer, ...this.#receipt(call, committed, "committed", true) };
  }

  async #evidence(call: WriteCall, lost: LostCall, now: Inspection | undefined): Promise<Evidence | undefined> {
    const { action, input } = call;
    const { readTools } = this.#parts;
    if (action.reconcile) return action.reconcile(input, lost, readTools);
    if (!now || classOf(action.declaration, input).kind !== "mutation") return undefined;
    const plan = action.plan(input, now.observation, lost.reservedIds);
    const after = await action.readback(plan as never, [], readTools);
    const { outcome, answer } = action.verify(plan as never, now.observation, [], after as never);
    return { done: outcome === "no_change", answer };
  }

  /** Done, and where the action leaves the last word to a digest, the recorded one. */
  async #isProven({ done, witnesses = [], before }: Evidence, record: LedgerRecord): Promise<boolean> {
    const texts = witnesses.concat(before === undefined ? [] : [before]).map(canonical);
    if (!done || texts.length === 0) return done;
    const digests = await this.#parts.host.digest.sha256(texts);
    const ofWitnesses = digests.slice(0, witnesses.length);
    const isSeen = record.witnessDigest !== undefined && ofWitnesses.includes(record.witnessDigest);
    const isBefore = record.beforeDigest !== undefined && digests[witnesses.length] === record.beforeDigest;
    return (witnesses.length === 0 || isSeen) && (before === undefined || isBefore);
  }

  /** True while an orphan may be about to record the outcome: no call takes longer. */
  async #mayBeExecuting(record: LedgerRecord): Promise<boolean> {
    const { host, instance } = this.#parts;
    if (record.state !== "executing" || record.instance === instance) return false;
    const age = host.clock.nowMs() - record.updatedAtMs;
    if (age < 0 || age > callLimits.laneReleaseMs) return false;
    return mayStillRun(record, await host.processMark());
  }
}

/** Only a state can be found unchanged: of an additive write, absence is no proof. */
function isUnchanged(call: WriteCall, record: LedgerRecord, now: Inspection | undefined): boolean {
  if (classOf(call.action.declaration, call.input).kind !== "mutation" || record.beforeDigest === undefined)
    return false;
  return now?.stateDigest === record.beforeDigest;
}
