// Where the command line writes: data to stdout, messages to stderr; one compact JSON line each with --json.

import type { JsonObject } from "../shared/wire/json.js";

export class Terminal {
  readonly json: boolean;
  /** Messages that arrived before an answer; with --json they travel inside the one object on stderr. */
  readonly #notices: string[] = [];

  constructor(json: boolean) {
    this.json = json;
  }

  /** The answer. `human` is only built when it is shown. */
  async data(value: JsonObject, human: () => string | Promise<string>): Promise<void> {
    process.stdout.write(this.json ? `${JSON.stringify(value)}\n` : endLine(await human()));
    if (this.json && this.#notices.length > 0) process.stderr.write(`${JSON.stringify({ notices: this.#notices })}\n`);
  }

  /** Something the user should know that is not the answer. */
  notice(message: string): void {
    if (this.json) this.#notices.push(message);
    else process.stderr.write(`${message}\n`);
  }

  failure(value: JsonObject, human: string): void {
    const withNotices = this.#notices.length > 0 ? { ...value, notices: this.#notices } : value;
    process.stderr.write(this.json ? `${JSON.stringify(withNotices)}\n` : endLine(human));
  }
}

function endLine(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
