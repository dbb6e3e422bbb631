// How a row is measured: both contenders in turn, medians and 95th percentiles, and the limit that the row must keep.

export interface Limit {
  /** `ratio` of the medians, `difference` of the medians, or the median itself. */
  readonly of: "ratio" | "difference" | "value";
  readonly most: number;
}

export interface Row {
  readonly name: string;
  readonly unit: "ms" | "kB" | "requests";
  readonly p50: number;
  readonly p95: number;
  /** What it is compared with, in the same run. */
  readonly base?: { readonly name: string; readonly p50: number; readonly p95: number };
  readonly ratio?: number;
  readonly limit?: Limit;
  readonly holds?: boolean;
}

export interface Contender {
  readonly name: string;
  /** What comes before the clock starts; the result is what is timed. */
  prepare(round: number): Promise<() => Promise<unknown>>;
}

/** A contender that needs no preparation. */
export function plain(name: string, work: (round: number) => Promise<unknown>): Contender {
  return { name, prepare: async (round) => () => work(round) };
}

/** Runs both in turn, so that a drift of the machine hits both. The first round only warms up. */
export async function compare(base: Contender, ours: Contender, rounds: number, limit?: Limit): Promise<Row> {
  const baseMs: number[] = [];
  const oursMs: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const [baseTook, oursTook] = [await timed(base, round), await timed(ours, round)];
    if (round === 0) continue;
    baseMs.push(baseTook);
    oursMs.push(oursTook);
  }
  return row({ name: ours.name, unit: "ms", values: oursMs, base: { name: base.name, values: baseMs }, limit });
}

async function timed(contender: Contender, round: number): Promise<number> {
  const work = await contender.prepare(round);
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export interface Measured {
  readonly name: string;
  readonly unit: Row["unit"];
  readonly values: readonly number[];
  readonly base?: { readonly name: string; readonly values: readonly number[] };
  readonly limit?: Limit | undefined;
}

export function row({ name, unit, values, base, limit }: Measured): Row {
  const p50 = percentile(values, 0.5);
  const baseP50 = base ? percentile(base.values, 0.5) : 0;
  const judged = limit && { ratio: p50 / baseP50, difference: p50 - baseP50, value: p50 }[limit.of];
  return {
    name,
    unit,
    p50,
    p95: percentile(values, 0.95),
    ...(base && {
      base: { name: base.name, p50: baseP50, p95: percentile(base.values, 0.95) },
      ratio: p50 / baseP50,
    }),
    ...(limit && judged !== undefined && { limit, holds: judged <= limit.most }),
  };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function printed({ name, unit, p50, p95, base, ratio, limit, holds }: Row): string {
  const number = (value: number) => value.toFixed(unit === "ms" ? 1 : 0);
  const parts = [
    name.padEnd(44),
    `p50 ${number(p50)} ${unit}`.padEnd(16),
    `p95 ${number(p95)} ${unit}`.padEnd(16),
    base && ratio !== undefined ? `${ratio.toFixed(2)} times ${base.name} ${number(base.p50)} ${unit}` : "",
    limit ? `(${described(limit, unit)}: ${holds ? "holds" : "BROKEN"})` : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}

function described({ of, most }: Limit, unit: Row["unit"]): string {
  if (of === "ratio") return `at most ${most} times`;
  return of === "difference" ? `at most ${most} ${unit} more` : `at most ${most} ${unit}`;
}
