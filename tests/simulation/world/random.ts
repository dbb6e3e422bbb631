// One stream of random numbers from one seed: the only source of chance in a simulated run.

export class Random {
  #state: number;
  /** Chance that `pick` takes the first item, so that several pick the same one. */
  focus = 0;

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0;
    for (let warm = 0; warm < 4; warm++) this.unit();
  }

  /** From 0 up to, not including, 1 (Mulberry32). */
  unit(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let value = this.#state;
    value = Math.imul(value ^ (value >>> 15), value | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.unit() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return probability > 0 && this.unit() < probability;
  }

  pick<Item>(items: readonly Item[]): Item | undefined {
    if (items.length === 0 || this.chance(this.focus)) return items[0];
    return items[this.between(0, items.length - 1)];
  }

  /** Most waits are short and a few are long: from `least` up to `most` milliseconds. */
  delay(least: number, most: number): number {
    return Math.round(least + (most - least) * this.unit() ** 3);
  }

  /** One of the entries, by their weights. */
  weighted<Item>(entries: readonly (readonly [Item, number])[]): Item {
    let left = this.unit() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [item, weight] of entries) {
      left -= weight;
      if (left < 0) return item;
    }
    return (entries[entries.length - 1] as readonly [Item, number])[0];
  }

  /** A stream of its own, so that one part's draws do not shift another's. */
  fork(): Random {
    return new Random(this.between(0, 0x7fffffff));
  }
}
