// What comes behind the barrier: each stage recorded and sent once, then the readback and the recorded outcome.

import { classOf } from "../../shared/catalogue/declaration.js";
import { SisyphusError } from "../../shared/errors.js";
import type { Json, JsonObject } from "../../shared/wire/json.js";
import type { Digest, Host } from "../host/host.js";
import type { AliasPool } from "./alias-pool.js";
import { hashFields, MismatchError, safetyFields, unknownBecause, withRequestId } from "./answers.js";
import type { CallControl } from "./call-control.js";
import { canonical, sameState } from "./canonical.js";
import type { Observation, Plan, ReadTools, Stage, Verdict, WriteTools } from "./contract.js";
import type { Fence } from "./fence.js";
import { inspect, type WriteCall } from "./inspection.js";
import type { Ledger, LedgerRecord } from "./ledger.js";
import type { OpenWrites } from "./open-writes.js";
import { withoutWords } from "./receipt.js";

export interface ExecutionParts {
  readonly host: Host;
  readonly readTools: ReadTools;
  readonly writeTools: WriteTools;
  readonly aliases: AliasPool;
  readonly ledger: Ledger;
  readonly fence: Fence;
  readonly openWrites: OpenWrites;
  /** Ids between barrier and recorded outcome; with what records that this instance may not see the end of it. */
  readonly running: Map<string, () => Promise<unknown>>;
}

/** A write that may be sent: authorised, planned and past its barrier. */
export interface Job {
  readonly call: WriteCall;
  /** As the first dispatch will find it: with the stages that started earlier. */
  readonly record: LedgerRecord;
  /** What the plan was made from. */
  readonly observation: Observation<never>;
  /** Digest of the observed state, where it is known. */
  readonly observedDigest?: Digest;
  readonly plan: Plan;
  /** Of the stages that started earlier. */
  readonly answers: readonly unknown[];
}

interface Foreseen {
  readonly state: Json;
  readonly digest: Promise<Digest | undefined>;
}

interface Found {
  readonly verdict: Verdict;
  readonly foreseen: Foreseen | undefined;
}

/** Runs the stages that have not started. Synchronous up to the first record, so that nothing comes before it. */
export async function execute(job: Job, control: CallControl, parts: ExecutionParts): Promise<JsonObject> {
  const { requestId, notebooks, documents, process } = job.record;
  const execution = new Execution(job, control, parts);
  parts.running.set(requestId, () => execution.leave());
  parts.openWrites.enter({
    requestId,
    notebooks,
    ...(documents ? { documents } : {}),
    ...(process ? { process } : {}),
  });
  try {
    return await execution.run();
  } finally {
    parts.running.delete(requestId);
  }
}

class Execution {
  readonly #job: Job;
  readonly #control: CallControl;
  readonly #parts: ExecutionParts;
  readonly #answers: unknown[];
  readonly #tools: WriteTools;
  #record: LedgerRecord;
  /** True once this call sent something to SiYuan: a stage that has nothing to do sends nothing. */
  #sent = false;

  constructor(job: Job, control: CallControl, parts: ExecutionParts) {
    this.#job = job;
    this.#control = control;
    this.#parts = parts;
    this.#answers = job.answers.slice();
    this.#record = job.record;
    const { writer, config } = parts.writeTools;
    const onSend = () => {
      this.#sent = true;
    };
    this.#tools = { writer: writer.watched(onSend), config: config.watched(onSend) };
  }

  async run(): Promise<JsonObject> {
    for (const stage of this.#job.call.action.stages.slice(this.#record.stages.length)) {
      await this.#recordStage(stage);
      await this.#dispatch(stage);
    }
    const found = await this.#readBack();
    const afterDigest = await this.#digestAfter(found).catch(() => undefined);
    return this.#conclude(found.verdict, afterDigest);
  }

  /** The instance stops: another one need not wait for it to record the outcome. */
  async leave(): Promise<void> {
    if (this.#record.stages.length === 0) return;
    this.#record = { ...this.#record, state: "unknown", updatedAtMs: this.#parts.host.clock.nowMs() };
    await this.#parts.ledger.write(this.#record);
  }

  /** The record of a stage is on disk before its dispatch. Without it nothing is sent; what earlier stages did stays. */
  async #recordStage({ name }: Stage): Promise<void> {
    const { fence } = this.#parts;
    const { stages, requestId } = this.#record;
    try {
      if (stages.length > 0) await this.#control.withinDeadline(fence.checkAgain());
      await this.#save({ state: "executing", stages: stages.concat(name), answered: false, ...this.#named() });
      // A successor may have begun meanwhile, and waits only so long for what was checked before it came.
      if (!fence.isFresh()) await this.#control.withinDeadline(fence.checkAgain());
    } catch (thrown) {
      await this.#close();
      throw stages.length === 0 ? thrown : unknownBecause(thrown, requestId);
    }
  }

  /** Ids that the stages so far got from SiYuan: without them a later attempt could not go on. */
  #named(): Partial<LedgerRecord> {
    const { call, record } = this.#job;
    const ids = new Set(record.namedIds);
    this.#answers.forEach((answer, index) => {
      for (const id of call.action.stages[index]?.names?.(answer as never) ?? []) ids.add(id);
    });
    return ids.size > 0 ? { namedIds: Array.from(ids) } : {};
  }

  async #dispatch(stage: Stage): Promise<void> {
    const dispatch = stage.apply(this.#job.plan as never, this.#tools, this.#answers);
    try {
      this.#answers.push(await this.#control.withinDeadline(dispatch));
      this.#record = { ...this.#record, answered: true };
    } catch (thrown) {
      throw mayStillRun(thrown) ? await this.#leaveOpen(thrown, dispatch) : await this.#refused(thrown);
    }
  }

  /** SiYuan has not answered. A late answer ends the doubt whether it still runs, not the doubt what it did. */
  async #leaveOpen(thrown: unknown, dispatch: Promise<unknown>): Promise<SisyphusError> {
    const { openWrites } = this.#parts;
    await this.#control.withinDeadline(this.#amend({ state: "unknown" })).catch(() => undefined);
    await this.#control.withinDeadline(openWrites.store()).catch(() => undefined);
    const ended = () => {
      this.#amend({ answered: true }).then(
        () => this.#close(),
        () => undefined,
      );
    };
    dispatch.then(ended, (late) => (mayStillRun(late) ? undefined : ended()));
    return unknownBecause(thrown, this.#record.requestId);
  }

  /**
   * A late change of the record. Where a retry or a successor has gone on with the write meanwhile, theirs is the newer
   * record, with stages that this one does not know: it rejects and changes nothing.
   */
  async #amend(change: Partial<LedgerRecord>): Promise<void> {
    const { fence, ledger, host } = this.#parts;
    await fence.checkAgain();
    if (!ledger.isNewest(this.#record)) throw new SisyphusError("request_running");
    this.#record = { ...this.#record, ...change, updatedAtMs: host.clock.nowMs() };
    await ledger.write(this.#record);
  }

  /** SiYuan answered, and not with a result. */
  async #refused(thrown: unknown): Promise<unknown> {
    const { requestId } = this.#record;
    const unchanged = await this.#changedNothing(thrown);
    await this.#save({ state: unchanged ? "state_unchanged" : "unknown", answered: true }).catch(() => undefined);
    await this.#close();
    return unchanged ? withRequestId(thrown, requestId) : unknownBecause(thrown, requestId);
  }

  /** True when a dispatch that SiYuan refused is proven to have changed nothing: a read shows the old state. */
  async #changedNothing(thrown: unknown): Promise<boolean> {
    const { call, observation } = this.#job;
    if (this.#record.stages.length > 1 || !(thrown instanceof SisyphusError)) return false;
    // Both come before any route of SiYuan's runs.
    if (thrown.code === "host_token_rejected" || thrown.code === "read_only") return true;
    // Another answer than a refusal may come from the middle of the work.
    if (thrown.code !== "api_error" || classOf(call.action.declaration, call.input).kind !== "mutation") return false;
    return inspect(call, this.#parts.readTools, this.#parts.host.digest).then(
      (now) => canonical(now.observation.state) === canonical(observation.state),
      () => false,
    );
  }

  async #readBack(): Promise<Found> {
    const { reader } = this.#parts.readTools;
    try {
      const looking = this.#look();
      // Worked out while SiYuan answers the readback.
      const foreseen = this.#foresee();
      let verdict = await looking;
      if (verdict.outcome === "mismatch") {
        // SiYuan may have answered before it wrote.
        await this.#control.withinDeadline(reader.finishWrites());
        verdict = await this.#look();
      }
      await this.#close();
      return { verdict, foreseen };
    } catch (thrown) {
      // SiYuan may have answered before it wrote: only when it says that it has finished can nothing come any more.
      const finished = await this.#control.withinDeadline(reader.finishWrites()).then(
        () => true,
        () => false,
      );
      await this.#save({ state: "unknown", answered: finished }).catch(() => undefined);
      await (finished ? this.#close() : this.#parts.openWrites.store().catch(() => undefined));
      throw unknownBecause(thrown, this.#record.requestId);
    }
  }

  async #look(): Promise<Verdict> {
    const { call, plan, observation } = this.#job;
    const { action } = call;
    const after = await this.#control.withinDeadline(
      action.readback(plan as never, this.#answers, this.#parts.readTools),
    );
    return action.verify(plan as never, observation, this.#answers, after as never);
  }

  /** A state whose digest is under way, for the case that it is the one which is read. */
  #foresee(): Foreseen | undefined {
    const { call, plan, observation } = this.#job;
    try {
      const state: Json | undefined = call.action.foresee?.(plan as never, observation, this.#answers);
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
  async #digestAfter({ verdict: { state }, foreseen }: Found): Promise<Digest | undefined> {
    const { observation, observedDigest } = this.#job;
    if (state === undefined) return undefined;
    if (foreseen && sameState(state, foreseen.state)) return foreseen.digest;
    if (observedDigest !== undefined && sameState(state, observation.state)) return observedDigest;
    const [digest] = await this.#parts.host.digest.sha256([canonical(state)]);
    return digest;
  }

  async #conclude(verdict: Verdict, after: Digest | undefined): Promise<JsonObject> {
    const { aliases } = this.#parts;
    const { requestId, beforeDigest: before } = this.#record;
    if (verdict.outcome === "mismatch") {
      await this.#save({ state: "unknown", mismatched: true, afterDigest: after }).catch(() => undefined);
      throw new MismatchError(requestId, verdict.difference, hashFields(aliases, before, after));
    }
    const { resumed = false } = this.#record;
    // What an earlier attempt did is part of the call.
    const state = resumed ? "committed" : verdict.outcome;
    const receipt = verdict.notes?.length ? { ...verdict.answer, notes: verdict.notes } : verdict.answer;
    await this.#save({ state, afterDigest: after, receipt: withoutWords(receipt) }).catch((thrown) => {
      throw unknownBecause(thrown, requestId);
    });
    const facts = { requestId, state, sent: this.#sent, replayed: false, resumed, before, after };
    return { ...receipt, safety: safetyFields(facts, aliases) };
  }

  #save(change: Partial<LedgerRecord>): Promise<void> {
    this.#record = { ...this.#record, ...change, updatedAtMs: this.#parts.host.clock.nowMs() };
    return this.#control.withinDeadline(this.#parts.ledger.write(this.#record));
  }

  /** Nothing of this write can run any more. */
  #close(): Promise<void> {
    return this.#parts.openWrites.settle(this.#record.requestId).catch(() => undefined);
  }
}

/** True when SiYuan did not answer, not even to refuse: then the request may run at any time. */
function mayStillRun(thrown: unknown): boolean {
  return thrown instanceof SisyphusError && thrown.code === "kernel_unreachable";
}
