// Figures of runs, added up over seeds.

export interface Counts {
  seeds: number;
  /** Mutating requests that left the plugin. */
  dispatches: number;
  /** Changes by the second writer. */
  otherWrites: number;
  commits: number;
  committed: number;
  replays: number;
  refusals: number;
  unknown: number;
  reconciled: number;
  lostAnswers: number;
  crashes: number;
  reloads: number;
  faults: Record<string, number>;
  /** Answers of commits by code. */
  codes: Record<string, number>;
}

export function noCounts(): Counts {
  return {
    seeds: 0,
    dispatches: 0,
    otherWrites: 0,
    commits: 0,
    committed: 0,
    replays: 0,
    refusals: 0,
    unknown: 0,
    reconciled: 0,
    lostAnswers: 0,
    crashes: 0,
    reloads: 0,
    faults: {},
    codes: {},
  };
}

export function count(tally: Record<string, number>, name: string): void {
  tally[name] = (tally[name] ?? 0) + 1;
}

export function addCounts(sum: Counts, more: Counts): void {
  for (const key of Object.keys(more) as (keyof Counts)[]) {
    const value = more[key];
    if (typeof value === "number") (sum[key] as number) += value;
    else for (const name of Object.keys(value)) addTo(sum[key] as Record<string, number>, name, value[name] ?? 0);
  }
}

function addTo(tally: Record<string, number>, name: string, more: number): void {
  tally[name] = (tally[name] ?? 0) + more;
}
