// A write that stopped between its stages: a retry runs those that never started, where the notes prove that all that
// started are done and that what the rest builds on is as the preflight saw it. Else it reports how far the write got.

import { SisyphusError } from "../../shared/errors.js";
import type { JsonObject } from "../../shared/wire/json.js";
import type { CallControl } from "./call-control.js";
import { canonical } from "./canonical.js";
import type { LostCall, Plan, Rest, Trace } from "./contract.js";
import { type ExecutionParts, execute } from "./execution.js";
import type { WriteCall } from "./inspection.js";
import type { LedgerRecord } from "./ledger.js";
import { requirePermission } from "./permission.js";

export interface LostWrite {
  readonly call: WriteCall;
  readonly record: LedgerRecord;
  readonly lost: LostCall;
}

const byHand = "what is missing is not sent again: look at the notes, and finish it with a new call";

export class Resumptions {
  readonly #parts: ExecutionParts;
  readonly #instance: string;

  constructor(parts: ExecutionParts, instance: string) {
    this.#parts = parts;
    this.#instance = instance;
  }

  /** The receipt of the whole write; throws `outcome_unknown` with the steps that are done. */
  async resume(write: LostWrite, control: CallControl): Promise<JsonObject> {
    const { call, record, lost } = write;
    const { action, input } = call;
    const { readTools, openWrites } = this.#parts;
    if (!action.trace) throw unknownOutcome(record.requestId);
    // What a predecessor was about to send is sent, and recorded.
    await openWrites.load();
    // A refusal would say that nothing was executed; of this id something was.
    await readTools.config.freshPermissions().catch(() => {
      throw unknownOutcome(record.requestId);
    });
    await requirePermission(readTools.config, action.declaration.permission, record.notebooks);
    const trace = await action.trace(input, lost, readTools).catch(() => undefined);
    if (!trace) throw unknownOutcome(record.requestId);
    const allDone = trace.stages.length === record.stages.length && trace.stages.every((stage) => stage === "done");
    // What was sent has run: nothing of it can come late any more.
    if (allDone) await openWrites.settle(record.requestId);
    const { rest } = trace;
    if (!allDone)
      throw reportOf(write, trace, lost.mayStillRun ? "SiYuan never answered and may still run it" : byHand);
    if (!rest || record.stages.length >= action.stages.length) throw reportOf(write, trace, byHand);
    if (!(await this.#isAsSeen(rest, record)))
      throw reportOf(write, trace, "what the next step builds on is not as the preflight saw it");
    const plan = planOf(write, trace, rest);
    return this.#runRest(write, trace, { rest, plan }, control);
  }

  async #isAsSeen({ witness }: Rest<never>, { witnessDigest }: LedgerRecord): Promise<boolean> {
    if (witness === undefined) return true;
    const [digest] = await this.#parts.host.digest.sha256([canonical(witness)]);
    return witnessDigest !== undefined && digest === witnessDigest;
  }

  async #runRest(
    write: LostWrite,
    trace: Trace<never>,
    { rest, plan }: { readonly rest: Rest<never>; readonly plan: Plan },
    control: CallControl,
  ): Promise<JsonObject> {
    const { call, record } = write;
    const { requestId } = record;
    const { host, ledger, openWrites, running } = this.#parts;
    const process = await host.processMark();
    const { targetIds: ids, notebooks, documents } = record;
    await openWrites.check({ ids, notebooks, ...(documents ? { documents } : {}), found: undefined }, requestId);
    if (running.has(requestId)) throw new SisyphusError("request_running", undefined, { requestId });
    running.set(requestId, async () => undefined);
    try {
      const latest = await ledger.findAnew(requestId);
      const isSame =
        latest !== undefined && latest !== "damaged" && latest.stages.join("\n") === record.stages.join("\n");
      if (!isSame) throw reportOf(write, trace, "another attempt went on");
      control.crossBarrier();
      const { process: _earlier, ...kept } = record;
      const resumed: LedgerRecord = {
        ...kept,
        state: "executing",
        instance: this.#instance,
        ...(process ? { process } : {}),
        resumed: true,
      };
      const job = { call, record: resumed, observation: rest.observation, plan, answers: rest.answers };
      return await execute(job, control, this.#parts);
    } finally {
      running.delete(requestId);
    }
  }
}

/** What cannot be planned any more is no reason to call the write anything but unfinished. */
function planOf(write: LostWrite, trace: Trace<never>, rest: Rest<never>): Plan {
  const { call, record } = write;
  try {
    return call.action.plan(call.input, rest.observation, record.reservedIds);
  } catch (thrown) {
    if (thrown instanceof SisyphusError) throw reportOf(write, trace, thrown.message);
    throw thrown;
  }
}

export function unknownOutcome(requestId: string): SisyphusError {
  return new SisyphusError("outcome_unknown", "This id was sent to SiYuan and its outcome is not known", { requestId });
}

/** What is known of each step, for the one who has to finish the write by hand. */
function reportOf({ call, record }: LostWrite, trace: Trace<never>, why: string): SisyphusError {
  const steps = call.action.stages.map(({ name }, index) => ({
    name,
    state: index < record.stages.length ? (trace.stages[index] ?? ("unclear" as const)) : ("never sent" as const),
  }));
  const words = steps.map(({ name, state }) => `${name}: ${state}`).join(", ");
  return new SisyphusError("outcome_unknown", `The write stopped between its steps (${words}); ${why}`, {
    requestId: record.requestId,
    steps,
    ...(record.namedIds ? { createdIds: record.namedIds } : {}),
  });
}
