// Broken invariants of one run, by name.

export interface Violation {
  /** For example `I-15`. */
  readonly invariant: string;
  readonly message: string;
  readonly requestId: string | undefined;
  readonly atMs: number;
}

export class Violations {
  readonly found: Violation[] = [];
  readonly #now: () => number;
  readonly #trace: (line: string) => void;

  constructor(now: () => number, trace: (line: string) => void) {
    this.#now = now;
    this.#trace = trace;
  }

  add(invariant: string, message: string, requestId?: string): void {
    this.#trace(`VIOLATION ${invariant}: ${message}${requestId === undefined ? "" : ` (${requestId})`}`);
    this.found.push({ invariant, message, requestId, atMs: this.#now() });
  }
}
