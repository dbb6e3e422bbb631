// Virtual time: events in order of their moment. Between two events every promise that can settle does.

interface Event {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

export class VirtualTime {
  /** The machine's monotonic clock: it has been on for a while. */
  elapsedMs = 60_000;
  /** The wall clock. Steps move it alone. */
  wallMs: number;
  /** A binary heap: parents before their children. */
  readonly #heap: Event[] = [];
  #order = 0;
  executed = 0;

  constructor(wallMs: number) {
    this.wallMs = wallMs;
  }

  at(delayMs: number, run: () => void): void {
    const event = { atMs: this.elapsedMs + Math.max(0, delayMs), order: this.#order++, run };
    const heap = this.#heap;
    let index = heap.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(event, heap[parent] as Event)) break;
      heap[index] = heap[parent] as Event;
      index = parent;
    }
    heap[index] = event;
  }

  wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.at(delayMs, resolve));
  }

  /** Runs events until nothing is left, `untilMs` has passed, or `isDone` says so. */
  async run(untilMs: number, isDone: () => boolean): Promise<void> {
    await settle();
    while (!isDone()) {
      const next = this.#heap[0];
      if (!next || next.atMs > untilMs) break;
      this.#take();
      this.wallMs += next.atMs - this.elapsedMs;
      this.elapsedMs = next.atMs;
      this.executed++;
      next.run();
      await settle();
    }
  }

  #take(): void {
    const heap = this.#heap;
    const last = heap.pop() as Event;
    if (heap.length === 0) return;
    let index = 0;
    for (;;) {
      const left = index * 2 + 1;
      if (left >= heap.length) break;
      const right = left + 1;
      const child = right < heap.length && isBefore(heap[right] as Event, heap[left] as Event) ? right : left;
      if (!isBefore(heap[child] as Event, last)) break;
      heap[index] = heap[child] as Event;
      index = child;
    }
    heap[index] = last;
  }
}

function isBefore(left: Event, right: Event): boolean {
  return left.atMs < right.atMs || (left.atMs === right.atMs && left.order < right.order);
}

/** Every promise that can settle without time passing has settled afterwards. */
function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
