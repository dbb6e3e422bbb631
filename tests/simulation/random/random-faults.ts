// Draws a fault for a request, as often as the seed's profile says.

import { type Fault, type FaultedRequest, type FaultPlan, stations } from "../world/faults.js";
import type { Random } from "../world/random.js";
import type { Profile } from "./profile.js";

type Draw = (random: Random) => Fault;

/** Longer than the plugin waits for an answer. */
const slow: Draw = (random) => ({ kind: "slow", ms: random.between(500, 150_000), holdsLock: random.chance(0.4) });
const exit: Draw = (random) => ({ kind: "process exit", at: random.pick(stations) ?? "applied" });
const maybeApplied =
  (kind: "http 500" | "code not 0"): Draw =>
  (random) => ({ kind, applied: random.chance(0.3) });

const ofWrites: readonly (readonly [Draw, number])[] = [
  [() => ({ kind: "refused before send" }), 1],
  [() => ({ kind: "token rejected" }), 1],
  [(random) => ({ kind: "lost before apply", breaks: random.chance(0.5) }), 2],
  [(random) => ({ kind: "answer lost", breaks: random.chance(0.5) }), 3],
  [maybeApplied("http 500"), 1],
  [maybeApplied("code not 0"), 2],
  [() => ({ kind: "code 0, nothing applied" }), 2],
  [() => ({ kind: "code 0, data null" }), 1],
  [
    (random) => ({
      kind: "loses part",
      loss: random.pick(["first block only", "last word", "attributes"] as const) ?? "last word",
    }),
    3,
  ],
  [(random) => ({ kind: "late effect", ms: random.delay(1, 3_000) }), 1],
  [slow, 3],
  [exit, 2],
];

const ofReads: readonly (readonly [Draw, number])[] = [
  [() => ({ kind: "refused before send" }), 1],
  [(random) => ({ kind: "answer lost", breaks: random.chance(0.5) }), 1],
  [() => ({ kind: "http 500", applied: false }), 2],
  [() => ({ kind: "code not 0", applied: false }), 2],
  [() => ({ kind: "code 0, data null" }), 1],
  [slow, 2],
  [exit, 1],
];

const ofFiles: readonly (readonly [Draw, number])[] = [
  [() => ({ kind: "refused before send" }), 1],
  [(random) => ({ kind: "lost before apply", breaks: random.chance(0.5) }), 1],
  [(random) => ({ kind: "answer lost", breaks: random.chance(0.5) }), 3],
  [maybeApplied("http 500"), 1],
  [maybeApplied("code not 0"), 1],
  [() => ({ kind: "code 0, nothing applied" }), 1],
  [slow, 2],
  [exit, 2],
  [(random) => ({ kind: "torn", border: random.between(0, 2) }), 1],
  [() => ({ kind: "vanishes" }), 1],
];

export class RandomFaults implements FaultPlan {
  readonly #random: Random;
  readonly #profile: Profile;

  constructor(random: Random, profile: Profile) {
    this.#random = random;
    this.#profile = profile;
  }

  decide({ path, isWrite, isFile }: FaultedRequest): Fault | undefined {
    const { writeFaults, readFaults, fileFaults } = this.#profile;
    const isUpload = path === "/api/file/putFile";
    const chance = isWrite ? writeFaults : isFile && isUpload ? fileFaults : readFaults;
    if (!this.#random.chance(chance)) return undefined;
    const draws = isWrite ? ofWrites : isUpload ? ofFiles : ofReads;
    return this.#random.weighted(draws)(this.#random);
  }
}
