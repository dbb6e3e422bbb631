// One seed: draws a profile, lets clients, a second writer and disasters loose, then heals everything and looks again.

import type { JsonObject } from "../../shared/wire/json.js";
import type { Violation } from "./oracle/violations.js";
import { Client } from "./random/client.js";
import { scheduleDisasters } from "./random/operator.js";
import { drawProfile } from "./random/profile.js";
import { RandomFaults } from "./random/random-faults.js";
import { SecondWriter } from "./random/second-writer.js";
import { createDocument } from "./scenarios/documents.js";
import type { Counts } from "./world/counts.js";
import { Random } from "./world/random.js";
import { World } from "./world/world.js";

export interface SeedResult {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly counts: Counts;
  readonly traceHash: string;
  /** All lines; empty unless asked for. */
  readonly trace: readonly string[];
}

/** Per station of a request, in the seeds that replace the plugin at any moment. */
const maxReloadChance = 0.02;
const reloadStream = 0x5eed;

/** Nobody works longer than this. */
const longestMs = 6 * 3_600_000;
/** After it every request that was ever sent has run or is gone. */
const quietMs = 400_000;

export async function runSeed(seed: number, keepsTrace = false): Promise<SeedResult> {
  const random = new Random(seed);
  const profile = drawProfile(random);
  let writer: SecondWriter | undefined;
  const stationRandom = random.fork();
  // A stream of its own, so that it shifts nothing in the seeds that have none.
  const reloads = new Random(seed + reloadStream);
  const reloadChance = reloads.chance(0.25) ? reloads.unit() * maxReloadChance : 0;
  const world = new World({
    seed: random.between(0, 0x7fffffff),
    // Some runs begin shortly before midnight.
    startMs: Date.UTC(2026, 7, 12, random.chance(0.2) ? 23 : 12, 59, random.between(0, 59)),
    faults: new RandomFaults(random.fork(), profile),
    bargingChance: profile.bargingChance,
    keepsTrace,
    onStation: (at, request) => {
      if (reloads.chance(reloadChance))
        at.reload(reloads.pick(["unload", "abrupt", "orphan", "orphan"] as const) ?? "unload");
      if (!stationRandom.chance(profile.editsAtStations) || !request.call) return;
      writer?.edit(targetOf(request.call.args));
    },
  });
  world.trace.add(`## seed ${seed} ${JSON.stringify(profile)}`);
  writer = new SecondWriter(world, random.fork());
  scheduleDisasters(world, random.fork(), profile);
  if (profile.editPauseMs > 0) keepEditing(world, writer, random.fork(), profile.editPauseMs);

  let working = 0;
  for (let number = 1; number <= profile.clients; number++) {
    working++;
    new Client(world, random.fork(), number, profile).work(profile.callsPerClient).then(() => {
      working--;
    });
  }
  await world.time.run(longestMs, () => working === 0);
  if (working > 0) world.oracle.violations.add("I-30", `${working} clients never got an answer`);
  writer.isAway = true;
  await checkRecovery(world);
  world.counts.seeds = 1;
  return {
    seed,
    violations: world.oracle.violations.found,
    counts: world.counts,
    traceHash: world.trace.hash,
    trace: world.trace.lines(),
  };
}

function keepEditing(world: World, writer: SecondWriter, random: Random, pauseMs: number): void {
  const next = () => {
    if (writer.isAway) return;
    writer.edit();
    world.time.at(random.between(1, pauseMs), next);
  };
  world.time.at(random.between(1, pauseMs), next);
}

function targetOf(args: JsonObject): string | undefined {
  const named = [args.id, args.parentID, args.previousID, args.nextID].find((value) => typeof value === "string");
  return named === undefined ? undefined : String(named);
}

/** With every cause of trouble gone, a new write must go through, at the latest after a restart. */
async function checkRecovery(world: World): Promise<void> {
  world.endFaults();
  world.trace.add("## everything heals");
  await world.time.run(world.time.elapsedMs + quietMs, () => false);
  world.setPermissions(() => "rwd");
  world.editByOthers("all notebooks opened", (notes) => {
    for (const [id, conf] of notes.notebooks) notes.notebooks.set(id, { ...conf, closed: false });
    for (const id of notes.notebooks.keys()) notes.notebookChanged(id);
  });
  for (const attempt of ["first", "after a restart"]) {
    if (attempt !== "first") {
      world.crash("restart of the last attempt", 100);
      await world.time.run(world.time.elapsedMs + 10_000, () => false);
    }
    const code = await writeOnce(world);
    if (code === undefined) return;
    world.trace.add(`## the ${attempt} new write ends with ${code}`);
    if (code === "write_coordinator_changed" || code === "write_outcome_open") continue;
    return world.oracle.violations.add("I-30", `after everything healed a new write ends with ${code}`);
  }
  world.oracle.violations.add("I-30", "after everything healed and a restart no write is accepted");
}

/** Undefined when it was committed. */
async function writeOnce(world: World): Promise<string | undefined> {
  const scenario = createDocument;
  const business = scenario.build(world.notes, world.random, world.words);
  if (!business) return "no notebook is left";
  let ending: string | undefined = "no answer";
  let isDone = false;
  const work = async () => {
    const args = { action: scenario.action, ...business };
    const preflight = await world.call(0, world.plugin, scenario, { ...args, validateOnly: true });
    ending = preflight.code ?? (preflight.answer ? undefined : "no answer");
    if (ending !== undefined) return;
    const requestId = String(preflight.answer?.requestId);
    const commit = await world.call(0, world.plugin, scenario, { ...args, requestId });
    ending = commit.code ?? (commit.answer ? undefined : "no answer");
  };
  work().then(() => {
    isDone = true;
  });
  await world.time.run(world.time.elapsedMs + 120_000, () => isDone);
  return ending;
}
