// The story of one run as lines of text, and a hash of all of them, so that two runs can be compared.

export class Trace {
  readonly #lines: string[] = [];
  readonly #keeps: boolean;
  readonly #now: () => number;
  #hash = 0x811c9dc5;

  constructor(keeps: boolean, now: () => number) {
    this.#keeps = keeps;
    this.#now = now;
  }

  add(line: string): void {
    const text = `${this.#now()} ${line}`;
    let hash = this.#hash;
    for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    this.#hash = hash;
    if (this.#keeps) this.#lines.push(text);
  }

  get hash(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, "0");
  }

  /** All lines, or those that concern the run as a whole or one of the `keys`. */
  lines(keys?: readonly string[]): readonly string[] {
    if (!keys) return this.#lines;
    return this.#lines.filter((line) => line.includes("##") || keys.some((key) => line.includes(key)));
  }
}
