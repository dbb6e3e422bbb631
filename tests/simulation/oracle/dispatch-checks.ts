// Checks at the moment a change leaves the plugin: whether it may, and whether it is the only one.

import { findAction, findTool } from "../../../shared/catalogue/catalogue.js";
import { safetyLimits } from "../../../shared/limits.js";
import { isJsonObject } from "../../../shared/wire/json.js";
import type { Notes } from "../siyuan/notes.js";
import type { HostRequest } from "../world/request.js";
import type { VirtualTime } from "../world/virtual-time.js";
import { type Dispatch, type Evidence, type Intent, sameCall } from "./evidence.js";
import type { Owners } from "./owners.js";
import type { PermissionHistory } from "./permission-history.js";
import type { Violations } from "./violations.js";

export interface CheckParts {
  readonly time: VirtualTime;
  readonly notes: Notes;
  readonly evidence: Evidence;
  readonly violations: Violations;
  readonly owners: Owners;
  readonly permissions: PermissionHistory;
  /** How a run of the plugin ended, if it did. */
  readonly endOf: (run: number) => "still runs" | "was unloaded" | "ended without a word";
  /** Which life SiYuan's process is in. */
  readonly life: () => number;
}

/** A timer and the wall clock may be a moment apart. */
const slackMs = 1_000;

/** Records the dispatch; undefined for a change that no commit of an issued id made. */
export function checkDispatch(parts: CheckParts, request: HostRequest, isLate: boolean): Dispatch | undefined {
  const { evidence, violations, life } = parts;
  const { call, stage } = request;
  if (!call || stage === undefined || call.kind === "preflight") {
    violations.add("I-05", `${request.path} outside a stage of a commit`, call?.requestId);
    return undefined;
  }
  const intent = evidence.intentOf(call);
  if (!intent && evidence.ambiguous.has(String(call.requestId))) return undefined;
  if (!intent) {
    violations.add("I-14", `${request.path} under the id ${call.requestId}, which nobody issued`, call.requestId);
    return undefined;
  }
  const { scenario, args } = call;
  const dispatch: Dispatch = {
    request,
    call,
    stage,
    isLate,
    life: life(),
    fate: "sent",
    checked: scenario.observed?.(parts.notes, args),
  };
  for (const check of checks) check(parts, dispatch, intent);
  intent.dispatches.push(dispatch);
  evidence.dispatches.push(dispatch);
  return dispatch;
}

type Check = (parts: CheckParts, dispatch: Dispatch, intent: Intent) => void;

const atMostOnce: Check = ({ violations }, { stage, call }, { dispatches, requestId }) => {
  const earlier = dispatches.find((other) => other.stage === stage);
  if (!earlier) return;
  const sameAttempt = earlier.call === call;
  violations.add(sameAttempt ? "I-34" : "I-15", `stage ${stage} was dispatched before`, requestId);
};

const frozenArguments: Check = ({ violations }, { call }, intent) => {
  if (!sameCall(call, intent)) violations.add("I-16", "dispatched with other arguments", intent.requestId);
};

/** A stage that never started may run later, behind those that did: its authority is their record. */
const leaseOfThisRun: Check = ({ violations }, { call, stage }, { run, requestId, dispatches }) => {
  const isResumed = dispatches.some((other) => other.stage !== stage && other.call !== call);
  if (call.run !== run && !isResumed)
    violations.add("I-13", `run ${call.run} dispatched under a lease of run ${run}`, requestId);
};

const leaseIsLive: Check = ({ violations }, { call, stage }, { issuedWallMs, issuedAtMs, requestId, dispatches }) => {
  if (dispatches.some((other) => other.stage !== stage)) return;
  const { barrierAtMs, barrierWallMs } = call;
  if (barrierAtMs === undefined || barrierWallMs === undefined) {
    return violations.add("I-31", "dispatched without a barrier", requestId);
  }
  const ttl = safetyLimits.leaseTtlMs;
  if (barrierWallMs >= issuedWallMs + ttl + slackMs)
    violations.add("I-09", "the lease was over by the wall clock", requestId);
  if (barrierWallMs < issuedWallMs - slackMs)
    violations.add("I-09", "the wall clock was before the lease's issue", requestId);
  if (!call.timersFroze && barrierAtMs >= issuedAtMs + ttl + slackMs)
    violations.add("I-09", "the lease was over by its timer", requestId);
};

/** What an earlier attempt left open is gone on with only where that took effect. */
const behindEffects: Check = ({ violations }, { call, stage }, { dispatches, requestId }) => {
  const missing = dispatches.find((other) => other.call !== call && other.fate !== "applied");
  if (missing)
    violations.add("I-15", `stage ${stage} was sent behind ${missing.stage}, which is ${missing.fate}`, requestId);
};

const notCancelled: Check = ({ violations }, { call: { cancelledAtMs, barrierAtMs } }, { requestId }) => {
  if (cancelledAtMs !== undefined && barrierAtMs !== undefined && cancelledAtMs < barrierAtMs)
    violations.add("I-31", "the client had taken the call back before its barrier", requestId);
};

const recordedFirst: Check = ({ violations }, { stage }, intent) => {
  const { recordedStages, requestId, recordMayBeLost } = intent;
  // The host may have lied about the record.
  if (!recordedStages.has(stage) && !recordMayBeLost)
    violations.add("I-19", `no record of stage ${stage} on the disk`, requestId);
};

/**
 * Of all states that the commit's reads met, one must be a state that the preflight met. SiYuan shows a state in several
 * reads: where somebody writes between them, each part must be one that the preflight met.
 */
const stateWasSeen: Check = ({ violations }, { call }, { scenario, seen, requestId, dispatches }) => {
  if (!scenario.observed) return;
  // The rest of a write that stopped builds on what its first stages made, which the preflight cannot have seen.
  if (dispatches.some((other) => other.call !== call)) return;
  const met = Array.from(call.seen, partsOf);
  const isMet = (value: string) =>
    partsOf(value).every((part, index) => met.some((parts) => (parts[index] ?? "") === part));
  if (!Array.from(seen).some(isMet))
    violations.add("I-01", "the commit never saw the state that its preflight saw", requestId);
};

/** The parts of an observed text: the entries of a list, or the lines. */
function partsOf(text: string): readonly string[] {
  if (!text.startsWith("[") || text.includes("\n")) return text.split("\n");
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.map((entry) => JSON.stringify(entry)) : [text];
}

const onlyOwner: Check = ({ violations, owners, time }, { call, request }, { requestId }) => {
  const problem = owners.whyNot(request.run, call.workAtMs ?? time.elapsedMs);
  if (problem !== undefined) violations.add("I-38", problem, requestId);
};

const permitted: Check = ({ violations, permissions, notes, time }, { call }, { requestId, dispatches }) => {
  if (dispatches.length > 0) return;
  const { scenario, args } = call;
  const tool = findTool(scenario.tool);
  const required = tool && findAction(tool, scenario.action)?.permission;
  if (required === undefined || required === "workspace") return;
  for (const notebook of scenario.notebooks(notes, args)) {
    if (!permissions.sufficedSince(notebook, required, call.workAtMs ?? 0, time.elapsedMs))
      violations.add("I-39", `notebook ${notebook} never allowed ${required} since the commit's turn`, requestId);
  }
};

/** Documents of a dispatch that nobody answered, and that may still run, take no other write of ours. */
const closedDocuments: Check = ({ violations, evidence, notes, life, endOf }, { call, request }, { requestId }) => {
  const own = subjects(notes, call.args);
  for (const other of evidence.dispatches) {
    if (other.call.requestId === requestId || other.fate !== "sent" || other.life !== life()) continue;
    if (other.call.workEndedAtMs === undefined || other.request.run > request.run) continue;
    const shared = subjects(notes, other.call.args).find((id) => own.includes(id));
    if (shared === undefined) continue;
    const sender = other.request.run === request.run ? "" : `, sent by a run that ${endOf(other.request.run)}`;
    const how = other.isLate ? "was answered and has not run yet" : `was never answered and may still run${sender}`;
    violations.add("I-30", `${shared} is not closed: ${other.call.requestId} ${how}`, requestId);
    return;
  }
};

const checks: readonly Check[] = [
  atMostOnce,
  frozenArguments,
  leaseOfThisRun,
  leaseIsLive,
  behindEffects,
  notCancelled,
  recordedFirst,
  stateWasSeen,
  onlyOwner,
  permitted,
  closedDocuments,
];

const idForm = /^\d{14}-[0-9a-z]{7}$/;

/** Documents, or notebooks, of the ids that the arguments name. */
function subjects(notes: Notes, args: unknown): readonly string[] {
  if (typeof args === "string") return idForm.test(args) ? [notes.find(args)?.note.id ?? args] : [];
  if (Array.isArray(args)) return args.reduce<string[]>((all, value) => all.concat(subjects(notes, value)), []);
  return isJsonObject(args as never)
    ? Object.values(args as object).reduce<string[]>((all, value) => all.concat(subjects(notes, value)), [])
    : [];
}
