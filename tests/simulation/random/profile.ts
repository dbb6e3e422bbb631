// How wild one seed is: each seed switches some kinds of trouble on and others off, so that rare ones meet often.

import type { Random } from "../world/random.js";

export interface Profile {
  readonly clients: number;
  readonly callsPerClient: number;
  /** Chances per request of a change, of a read, of a file. */
  readonly writeFaults: number;
  readonly readFaults: number;
  readonly fileFaults: number;
  readonly bargingChance: number;
  /** Chance per station that the second writer acts there. */
  readonly editsAtStations: number;
  /** Pause between edits of the second writer at most; 0: it is away. */
  readonly editPauseMs: number;
  /** Disasters, and the kinds among them. */
  readonly disasters: number;
  /** They come within this time, whether anybody works or not. */
  readonly disasterSpanMs: number;
  /** Chance that a client waits for about as long as a lease lives. */
  readonly longWaits: number;
  /** Chance that a client works where the others do. */
  readonly contention: number;
  readonly disasterKinds: readonly Disaster[];
}

export type Disaster =
  | "crash"
  | "power cut"
  | "unload"
  | "abrupt reload"
  | "orphan"
  | "temp emptied"
  | "disk full"
  | "ledger restored"
  | "clock forward"
  | "clock back"
  | "frozen timers"
  | "permission revoked";

const kinds: readonly Disaster[] = [
  "crash",
  "power cut",
  "unload",
  "abrupt reload",
  "orphan",
  "temp emptied",
  "disk full",
  "ledger restored",
  "clock forward",
  "clock back",
  "frozen timers",
  "permission revoked",
];

export function drawProfile(random: Random): Profile {
  const sometimes = (chance: number, value: number) => (random.chance(chance) ? value * random.unit() : 0);
  return {
    clients: random.between(1, 4),
    callsPerClient: random.between(2, 8),
    writeFaults: sometimes(0.7, 0.5),
    readFaults: sometimes(0.4, 0.03),
    fileFaults: sometimes(0.4, 0.1),
    bargingChance: sometimes(0.5, 0.5),
    editsAtStations: sometimes(0.4, 0.05),
    editPauseMs: random.chance(0.5) ? random.between(200, 60_000) : 0,
    disasters: random.chance(0.75) ? random.between(1, 5) : 0,
    disasterSpanMs: random.between(5_000, 900_000),
    longWaits: random.chance(0.3) ? 0.5 : 0.05,
    contention: random.chance(0.6) ? random.unit() : 0,
    disasterKinds: kinds.filter(() => random.chance(0.4)),
  };
}
