// Fails the k-th host call of a commit, for every k, every action and every kind of fault; then restarts and retries.

import { type JsonObject, isJsonObject } from "../../../shared/wire/json.js";
import { type ErrorCode, errorTable, isErrorCode } from "../../../shared/errors.js";
import { isKnown } from "../known-gaps.js";
import { scenarios } from "../scenarios/all-scenarios.js";
import { credentialsOf } from "../random/client.js";
import type { Scenario } from "../scenarios/scenario.js";
import type { CallRecord } from "../world/call-record.js";
import { count } from "../world/counts.js";
import type { Fault, FaultedRequest, FaultPlan } from "../world/faults.js";
import { Random } from "../world/random.js";
import { World } from "../world/world.js";
import { faultsFor } from "./grid-faults.js";

export interface GridRow {
  readonly name: string;
  readonly hostCalls: number;
  faults: number;
  committed: number;
  unchanged: number;
  unknown: number;
  refused: number;
  doubleExecutions: number;
  falseCommitted: number;
  falseNotExecuted: number;
  /** What else was broken, with the case. */
  readonly failures: string[];
}

/** Counts the requests of a commit, and lets one of them fail. */
class FailOne implements FaultPlan {
  readonly requests: FaultedRequest[] = [];
  isArmed = false;
  readonly #index: number;
  readonly #fault: Fault | undefined;

  constructor(index: number, fault: Fault | undefined) {
    this.#index = index;
    this.#fault = fault;
  }

  decide(request: FaultedRequest): Fault | undefined {
    if (!this.isArmed) return undefined;
    this.requests.push(request);
    return this.requests.length - 1 === this.#index ? this.#fault : undefined;
  }
}

/** Everything that was sent has run by then. */
const quietMs = 150_000;

interface Case {
  readonly world: World;
  readonly requests: readonly FaultedRequest[];
  readonly first: CallRecord | undefined;
  readonly last: CallRecord | undefined;
}

async function runCase(scenario: Scenario, argsSeed: number, index: number, fault: Fault | undefined): Promise<Case> {
  const plan = new FailOne(index, fault);
  const world = new World({
    seed: argsSeed,
    startMs: Date.UTC(2026, 7, 12, 12),
    faults: plan,
    bargingChance: 0,
    keepsTrace: false,
    onStation: () => undefined,
  });
  const call = async (args: JsonObject): Promise<CallRecord | undefined> => {
    let record: CallRecord | undefined;
    world.call(1, world.plugin, scenario, { action: scenario.action, ...args }).then((done) => {
      record = done;
    });
    await world.time.run(world.time.elapsedMs + quietMs, () => record !== undefined);
    return record;
  };
  await world.time.run(world.time.elapsedMs + 1_000, () => false);
  const business = scenario.build(world.notes, new Random(argsSeed), world.words) ?? {};
  const preflight = await call({ ...business, validateOnly: true });
  const credentials = credentialsOf(preflight?.answer ?? {});
  if (credentials.requestId === undefined)
    throw new Error(`${scenario.tool}.${scenario.action}: no preflight: ${preflight?.code}`);
  const commit = { ...business, ...credentials };
  plan.isArmed = true;
  const first = await call(commit);
  plan.isArmed = false;
  await world.time.run(world.time.elapsedMs + quietMs, () => false);
  world.crash("restart of the grid", 100);
  await world.time.run(world.time.elapsedMs + 5_000, () => false);
  const second = await call(commit);
  const last = await call(commit);
  if (endOf(second) !== endOf(last))
    world.oracle.violations.add("I-17", `a retry ends with ${endOf(second)}, the next with ${endOf(last)}`);
  return { world, requests: plan.requests, first, last };
}

function endOf(call: CallRecord | undefined): string {
  return call?.code ?? (call?.answer ? "success" : "no answer");
}

function addCase(row: GridRow, { world, first, last }: Case, fault: Fault, name: string): void {
  row.faults++;
  const { evidence, violations } = world.oracle;
  const intent = evidence.intents.get(String(last?.requestId));
  const executions: Record<string, number> = {};
  for (const dispatch of intent?.dispatches ?? []) if (dispatch.fate !== "dropped") count(executions, dispatch.stage);
  if (Object.values(executions).some((times) => times > 1)) row.doubleExecutions++;
  if (!last?.answer) row.failures.push(`${name}: the retry got no answer`);
  else if (last.code === undefined) addSuccess(row, world, last, fault);
  else if (isUnknown(last.code)) row.unknown++;
  else row.refused++;
  const applied = intent?.dispatches.some(({ fate }) => fate === "applied") === true;
  if (applied && (saysNo(first) || (last?.code !== undefined && !mayFollow(last.code) && saysNo(last))))
    row.falseNotExecuted++;
  for (const violation of violations.found)
    if (!isKnown(violation)) row.failures.push(`${name}: ${violation.invariant} ${violation.message}`);
}

function addSuccess(row: GridRow, world: World, call: CallRecord, fault: Fault): void {
  const { answer, args, scenario, requestId } = call;
  const safety = (answer?.safety ?? {}) as JsonObject;
  if (safety.transactionState === "no_change") row.unchanged++;
  else row.committed++;
  const [dispatch] = world.oracle.evidence.intents.get(String(requestId))?.dispatches ?? [];
  const before = Array.from(dispatch?.call.states ?? [])[0];
  // A file that was there when it was read back, and went with the process: no readback can know that.
  const isGone = fault.kind === "vanishes" && dispatch?.request.isFile === true;
  if (!isGone && !scenario.holds(world.notes, args, before)) row.falseCommitted++;
}

function isUnknown(code: string): boolean {
  return isErrorCode(code) && errorTable[code].executed === "unknown";
}

function saysNo(call: CallRecord | undefined): boolean {
  return call?.code !== undefined && isErrorCode(call.code) && errorTable[call.code].executed === "no";
}

/** Codes of a retry that claim nothing about an earlier use. */
function mayFollow(code: string): boolean {
  const claimsNothing: readonly ErrorCode[] = ["preflight_lease_invalid", "write_ledger_unavailable"];
  return claimsNothing.includes(code as ErrorCode);
}

/** Arguments for which the preflight passes and the commit changes something. */
const argsSeeds = [11, 12, 13, 14, 15, 16, 17, 18];

async function workingSeed(scenario: Scenario): Promise<{ readonly seed: number; readonly clean: Case }> {
  for (const seed of argsSeeds) {
    const clean = await runCase(scenario, seed, -1, undefined).catch(() => undefined);
    const { safety } = clean?.first?.answer ?? {};
    if (clean && isJsonObject(safety) && safety.transactionState === "committed") return { seed, clean };
  }
  throw new Error(`${scenario.tool}.${scenario.action}: no arguments work`);
}

async function runRow(scenario: Scenario): Promise<GridRow> {
  const { seed, clean } = await workingSeed(scenario);
  const stagesOf = clean.world.oracle.evidence.dispatches.length;
  const isBatch = clean.requests.some(({ path }) => path.includes("/batch"));
  const row: GridRow = {
    name: `${scenario.tool}.${scenario.action}${isBatch ? " (several)" : stagesOf > 1 ? ` (${stagesOf} stages)` : ""}`,
    hostCalls: clean.requests.length,
    faults: 0,
    committed: 0,
    unchanged: 0,
    unknown: 0,
    refused: 0,
    doubleExecutions: 0,
    falseCommitted: 0,
    falseNotExecuted: 0,
    failures: clean.world.oracle.violations.found.map(
      ({ invariant, message }) => `without a fault: ${invariant} ${message}`,
    ),
  };
  for (const [index, request] of clean.requests.entries()) {
    for (const fault of faultsFor(request)) {
      const name = `call ${index + 1} ${request.path} ${JSON.stringify(fault)}`;
      addCase(row, await runCase(scenario, seed, index, fault), fault, name);
    }
  }
  return row;
}

export async function runGrid(): Promise<readonly GridRow[]> {
  const rows: GridRow[] = [];
  for (const [scenario] of scenarios) rows.push(await runRow(scenario));
  return rows;
}

const shownFailures = 5;

export function gridText(rows: readonly GridRow[]): string {
  const columns = ["hostCalls", "faults", "committed", "unchanged", "unknown", "refused"] as const;
  const zeros = ["doubleExecutions", "falseCommitted", "falseNotExecuted"] as const;
  const titles = ["calls", "faults", "committed", "unchanged", "unknown", "refused", "double", "false yes", "false no"];
  const line = (name: string, cells: readonly (string | number)[]) =>
    `${name.padEnd(28)}${cells.map((cell) => String(cell).padStart(11)).join("")}`;
  const lines = rows.map((row) =>
    line(
      row.name,
      [...columns, ...zeros].map((column) => row[column]),
    ),
  );
  const failures = rows.flatMap((row) => row.failures.slice(0, shownFailures).map((text) => `${row.name}: ${text}`));
  const more = rows.reduce((sum, row) => sum + row.failures.length, 0);
  return [line("action", titles), ...lines, `broken invariants: ${more}`, ...failures].join("\n");
}
