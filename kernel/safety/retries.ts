// A commit whose id the ledger knows: replayed, refused, or, where the outcome was lost, settled from the notes
// themselves. Nothing is dispatched here, ever.

import { classOf } from "../../shared/catalogue/declaration.js";
import { SisyphusError } from "../../shared/errors.js";
import type { JsonObject } from "../../shared/wire/json.js";
import type { Host } from "../host/host.js";
import type { AliasPool } from "./alias-pool.js";
import { safetyFields } from "./answers.js";
import { canonical } from "./canonical.js";
import type { Evidence, ReadTools } from "./contract.js";
import { type Inspection, inspect, type WriteCall } from "./inspection.js";
import type { Ledger, LedgerRecord } from "./ledger.js";
import type { OpenWrites } from "./open-writes.js";
import { requirePermission } from "./permission.js";
import { withoutWords, wordsOfArguments } from "./receipt.js";

interface RetryParts {
  readonly host: Host;
  readonly readTools: ReadTools;
  readonly aliases: AliasPool;
  readonly ledger: Ledger;
  readonly openWrites: OpenWrites;
}

export class Retries {
  readonly #parts: RetryParts;

  constructor(parts: RetryParts) {
    this.#parts = parts;
  }

  async answer(call: WriteCall, record: LedgerRecord | "damaged", requestId: string): Promise<JsonObject> {
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
    switch (record.state) {
      case "committed":
      case "no_change":
        return this.#receipt(call, record, record.state);
      case "state_unchanged":
        throw new SisyphusError("state_unchanged", undefined, { requestId });
      default:
        return this.#settle(call, record, requestId);
    }
  }

  #receipt(call: WriteCall, record: LedgerRecord, state: "committed" | "no_change", reconciled = false): JsonObject {
    const { requestId, receipt, beforeDigest: before, afterDigest: after } = record;
    return {
      ...wordsOfArguments(call.business),
      ...receipt,
      safety: safetyFields({ requestId, state, replayed: true, reconciled, before, after }, this.#parts.aliases),
    };
  }

  /** Looks at the notes: they hold what was there before, or what was asked, or something that proves neither. */
  async #settle(call: WriteCall, record: LedgerRecord, requestId: string): Promise<JsonObject> {
    const { host, readTools, ledger, openWrites } = this.#parts;
    const unknown = () =>
      new SisyphusError("outcome_unknown", "This id was sent to SiYuan and its outcome is not known", { requestId });
    // What SiYuan has accepted and not yet written must not be taken for absent.
    await readTools.reader.finishWrites().catch(() => {
      throw unknown();
    });
    const now = await inspect(call, readTools, host.digest).catch(() => undefined);
    const unchanged = isUnchanged(call, record, now);
    if (unchanged && (await this.#mayNotRunAnyMore(record))) {
      await ledger.write({ ...record, state: "state_unchanged", updatedAtMs: host.clock.nowMs() });
      await openWrites.settle(requestId);
      throw new SisyphusError("state_unchanged", undefined, { requestId });
    }
    // A comparison with the whole request failed: the weaker evidence that is left cannot outweigh it.
    const mayBeDone = !unchanged && record.mismatched !== true;
    const evidence = mayBeDone ? await this.#evidence(call, record, now).catch(() => undefined) : undefined;
    if (!evidence?.done) throw unknown();
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

  async #evidence(call: WriteCall, record: LedgerRecord, now: Inspection | undefined): Promise<Evidence | undefined> {
    const { action, input } = call;
    const { readTools } = this.#parts;
    if (action.reconcile) return action.reconcile(input, record, readTools);
    if (!now || classOf(action.declaration, input).kind !== "mutation") return undefined;
    const plan = action.plan(input, now.observation, record.reservedIds);
    const after = await action.readback(plan as never, [], readTools);
    const { outcome, answer } = action.verify(plan as never, now.observation, [], after as never);
    return { done: outcome === "no_change", answer };
  }

  /** True when SiYuan answered the last dispatch, or the process that had it is gone. */
  async #mayNotRunAnyMore(record: LedgerRecord): Promise<boolean> {
    if (record.answered === true) return true;
    const now = await this.#parts.host.processMark();
    return record.process !== undefined && now !== undefined && record.process !== now;
  }
}

/** Only a state can be found unchanged: of an additive write, absence is no proof. */
function isUnchanged(call: WriteCall, record: LedgerRecord, now: Inspection | undefined): boolean {
  if (classOf(call.action.declaration, call.input).kind !== "mutation" || record.beforeDigest === undefined)
    return false;
  return now?.stateDigest === record.beforeDigest;
}
