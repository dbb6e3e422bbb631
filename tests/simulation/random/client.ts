// One client: preflights, commits, retries, and gets things wrong, at random.

import { isJsonObject, type JsonObject } from "../../../shared/wire/json.js";
import { scenarios } from "../scenarios/all-scenarios.js";
import type { Scenario } from "../scenarios/scenario.js";
import type { CallRecord } from "../world/call-record.js";
import type { SimulatedPlugin } from "../world/plugin.js";
import type { Random } from "../world/random.js";
import type { Profile } from "./profile.js";
import type { World } from "../world/world.js";

interface Prepared {
  readonly scenario: Scenario;
  /** The commit's arguments, credentials included. */
  readonly args: JsonObject;
}

/** A lease lives for ten minutes. */
const longestWaitMs = 800_000;

const credentialFields = [
  "requestId",
  "expectedStateHash",
  "expectedStructureHash",
  "expectedManifestHash",
  "expectedSourceHash",
];

export class Client {
  readonly #world: World;
  readonly #random: Random;
  readonly #number: number;
  readonly #profile: Profile;
  /** Commits of earlier days, to be sent again. */
  readonly #earlier: Prepared[] = [];

  constructor(world: World, random: Random, number: number, profile: Profile) {
    this.#profile = profile;
    random.focus = profile.contention;
    this.#world = world;
    this.#random = random;
    this.#number = number;
  }

  async work(calls: number): Promise<void> {
    const random = this.#random;
    for (let done = 0; done < calls; done++) {
      await this.#world.time.wait(random.delay(0, 20_000));
      const earlier = random.chance(0.15) ? random.pick(this.#earlier) : undefined;
      if (earlier) await this.#commit(earlier);
      else if (random.chance(0.03)) await this.#invented();
      else await this.#write(random.weighted(scenarios));
    }
  }

  /** The newest run, or an older one that still answers. */
  #plugin(): SimulatedPlugin {
    const serving = this.#world.plugins.filter((plugin) => plugin.isServing);
    const other = this.#random.chance(0.3) ? this.#random.pick(serving) : undefined;
    return other ?? this.#world.plugin;
  }

  #send({ scenario, args }: Prepared, onStart?: (call: CallRecord) => void): Promise<CallRecord> {
    return this.#world.call(this.#number, this.#plugin(), scenario, { action: scenario.action, ...args }, onStart);
  }

  async #write(scenario: Scenario): Promise<void> {
    const { notes, words } = this.#world;
    const business = scenario.build(notes, this.#random, words);
    if (business) await this.#prepareAndCommit(scenario, business);
  }

  async #prepareAndCommit(scenario: Scenario, business: JsonObject, again = true): Promise<void> {
    const random = this.#random;
    const preflight = await this.#send({ scenario, args: { ...business, validateOnly: true } });
    if (preflight.code !== undefined || !preflight.answer) return;
    const prepared = { scenario, args: { ...business, ...credentialsOf(preflight.answer) } };
    this.#earlier.push(prepared);
    const isLong = random.chance(this.#profile.longWaits);
    await this.#world.time.wait(isLong ? random.between(0, longestWaitMs) : random.delay(0, 2_000));
    if (random.chance(0.05)) await this.#commit(this.#changed(prepared));
    const call = await this.#commit(prepared);
    if (again && call.code !== undefined && random.chance(0.4)) await this.#prepareAndCommit(scenario, business, false);
  }

  /** Sends a commit, perhaps several times at once or after another, until its outcome is clear enough. */
  async #commit(prepared: Prepared): Promise<CallRecord> {
    const random = this.#random;
    const cancelAfter = random.chance(0.08) ? random.delay(0, 3_000) : undefined;
    const first = this.#send(prepared, (call) => {
      if (cancelAfter === undefined) return;
      this.#world.time.at(cancelAfter, () => {
        call.cancelledAtMs = this.#world.time.elapsedMs;
      });
    });
    const twins: Promise<CallRecord>[] = [];
    if (random.chance(0.12)) {
      await this.#world.time.wait(random.delay(0, 3_000));
      twins.push(this.#send(random.chance(0.2) ? this.#changed(prepared) : prepared));
    }
    let last = await first;
    await Promise.all(twins);
    for (let retries = 0; retries < 3 && random.chance(retryChance(last)); retries++) {
      await this.#world.time.wait(random.delay(0, 60_000));
      last = await this.#send(random.chance(0.1) ? this.#changed(prepared) : prepared);
    }
    return last;
  }

  /** The same id for another content. */
  #changed({ scenario, args }: Prepared): Prepared {
    const credentials: Record<string, JsonObject[string]> = {};
    for (const name of credentialFields) if (args[name] !== undefined) credentials[name] = args[name] as string;
    const business = Object.fromEntries(Object.entries(args).filter(([name]) => !credentialFields.includes(name)));
    return { scenario, args: { ...scenario.vary(business, this.#world.words), ...credentials } };
  }

  /** An id that nobody issued. */
  async #invented(): Promise<void> {
    const scenario = this.#random.weighted(scenarios);
    const business = scenario.build(this.#world.notes, this.#random, this.#world.words);
    const requestId = this.#random.between(0, 0xffff).toString(16).padStart(4, "0");
    if (business && !this.#world.oracle.evidence.intents.has(requestId))
      await this.#send({ scenario, args: { ...business, requestId, expectedStateHash: "abcd" } });
  }
}

/** What a commit copies from its preflight. */
export function credentialsOf(answer: JsonObject): JsonObject {
  const credentials: Record<string, JsonObject[string]> = {};
  for (const name of credentialFields) if (answer[name] !== undefined) credentials[name] = answer[name] as string;
  return credentials;
}

/** A lost answer and an unknown outcome make clients ask again; success rarely does. */
function retryChance({ code, answer }: CallRecord): number {
  if (!answer) return 0.9;
  if (code === "outcome_unknown" || code === "readback_mismatch" || code === "request_running") return 0.7;
  return isJsonObject(answer.safety) ? 0.15 : 0.25;
}
