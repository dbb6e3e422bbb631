// Looks at what a call touches: targets, permission, state and their digests. The same for preflight, commit and
// reconciliation, so that a preflight is faithful.

import { classOf } from "../../shared/catalogue/declaration.js";
import { SisyphusError } from "../../shared/errors.js";
import { safetyLimits } from "../../shared/limits.js";
import type { JsonObject } from "../../shared/wire/json.js";
import type { Digest, Digester } from "../host/host.js";
import { canonical } from "./canonical.js";
import type { MutationImplementation, Observation, ReadTools, Targets } from "./contract.js";
import { requirePermission } from "./permission.js";

/** A write, parsed. `business` is what a credential is bound to. */
export interface WriteCall {
  readonly action: MutationImplementation;
  readonly input: never;
  readonly business: JsonObject;
  readonly args: JsonObject;
}

export interface Inspection {
  readonly targets: Targets<never>;
  readonly observation: Observation<never>;
  readonly argumentsDigest: Digest;
  /** Absent for additive calls. */
  readonly stateDigest?: Digest;
  /** Digest of the observed witness, where it was asked for and there is one. */
  readonly witnessDigest?: Digest;
}

/** @param meanwhile gets the observation while its digest is made; must not throw */
export async function inspect(
  call: WriteCall,
  readTools: ReadTools,
  digester: Digester,
  meanwhile?: (observation: Observation<never>) => void,
): Promise<Inspection> {
  const { action } = call;
  const finding = action.targets(call.input, readTools);
  // Worked out while SiYuan answers.
  const argumentsText = canonical(call.business);
  const targets = (await finding) as Targets<never>;
  await requirePermission(readTools.config, action.declaration.permission, targets.notebooks);
  const observation = (await action.observe(call.input, targets, readTools)) as Observation<never>;
  const isMutation = classOf(action.declaration, call.input).kind === "mutation";
  const stateText = isMutation ? [canonical(observation.state)] : [];
  // In the same request as the state: the commit finds it remembered from the preflight.
  const isShort = stateText.every((text) => text.length <= safetyLimits.maxWitnessChars);
  const witnessText = observation.witness && isShort ? await witnessTextOf(observation) : [];
  const digesting = digester.sha256([argumentsText].concat(stateText, witnessText));
  meanwhile?.(observation);
  const [argumentsDigest, ...digests] = await digesting;
  const stateDigest = isMutation ? digests[0] : undefined;
  const witnessDigest = digests[stateText.length];
  return {
    targets,
    observation,
    argumentsDigest: argumentsDigest as Digest,
    ...(stateDigest ? { stateDigest } : {}),
    ...(witnessDigest ? { witnessDigest } : {}),
  };
}

/** A call that `plan` will refuse needs none. */
async function witnessTextOf(observation: Observation<never>): Promise<readonly string[]> {
  try {
    const witness = await observation.witness?.();
    const text = witness === undefined ? undefined : canonical(witness);
    return text === undefined || text.length > safetyLimits.maxWitnessChars ? [] : [text];
  } catch (thrown) {
    if (thrown instanceof SisyphusError) return [];
    throw thrown;
  }
}

export function sortedIds(targets: Targets): readonly string[] {
  // Ids are ASCII, for which the engine's own order is the same and a hundred times faster.
  return Array.from(new Set(targets.ids)).sort();
}
