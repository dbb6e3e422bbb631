// A write with strict mode switched off: one call, sent once and read back, without preflight, credential and ledger.
// Nothing is promised for it, and the answer says so.

import { SisyphusError } from "../../shared/errors.js";
import type { JsonObject } from "../../shared/wire/json.js";
import type { Host } from "../host/host.js";
import { MismatchError } from "./answers.js";
import { newBlockIds } from "./block-ids.js";
import type { CallControl } from "./call-control.js";
import type { Observation, ReadTools, Targets, WriteTools } from "./contract.js";
import type { Fence } from "./fence.js";
import type { WriteCall } from "./inspection.js";
import { requirePermission } from "./permission.js";

interface DirectParts {
  readonly host: Host;
  readonly readTools: ReadTools;
  readonly writeTools: WriteTools;
  readonly fence: Fence;
}

export async function writeDirectly(call: WriteCall, control: CallControl, parts: DirectParts): Promise<JsonObject> {
  const { host, readTools, writeTools, fence } = parts;
  const { action, input } = call;
  await Promise.all([readTools.config.freshPermissions(), fence.check()]);
  const targets = (await action.targets(input, readTools)) as Targets<never>;
  await requirePermission(readTools.config, action.declaration.permission, targets.notebooks);
  const before = (await action.observe(input, targets, readTools)) as Observation<never>;
  const plan = action.plan(input, before, await newBlockIds(host, action.reserves)) as never;
  control.crossBarrier();
  const answers: unknown[] = [];
  for (const stage of action.stages) {
    answers.push(
      await control.withinDeadline(stage.apply(plan, writeTools, answers)).catch((thrown) => {
        throw isRefusal(thrown) && answers.length === 0 ? thrown : unknown(thrown);
      }),
    );
  }
  const after = await control.withinDeadline(action.readback(plan, answers, readTools)).catch((thrown) => {
    throw unknown(thrown);
  });
  const { outcome, answer, notes, difference } = action.verify(plan, before, answers, after as never);
  if (outcome === "mismatch") throw new MismatchError(undefined, difference, {});
  return {
    ...answer,
    ...(notes?.length ? { notes } : {}),
    safety: { writeSafetyMode: "legacy", writeSafetyGuaranteed: false, transactionState: outcome },
  };
}

/** SiYuan said no, or never let the call in. */
function isRefusal(thrown: unknown): boolean {
  return thrown instanceof SisyphusError && ["api_error", "host_token_rejected", "read_only"].includes(thrown.code);
}

function unknown(thrown: unknown): SisyphusError {
  const reason = thrown instanceof SisyphusError ? `: ${thrown.message}` : "";
  return new SisyphusError("outcome_unknown", `The write was sent, but what it did is not known${reason}`);
}
