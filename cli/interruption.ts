// Ctrl-C: says whether the commit had been sent, then leaves with 130.

import { errorTable, exitCodes } from "../shared/errors.js";
import type { JsonObject } from "../shared/wire/json.js";
import type { Terminal } from "./terminal.js";

export class Interruption {
  readonly #terminal: Terminal;
  readonly #listener = () => this.#leave();
  /** Set once a commit may have reached SiYuan; cleared by its answer. */
  #sent: { readonly requestId?: string; readonly retry?: string } | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    process.once("SIGINT", this.#listener);
  }

  commitSent(requestId: string | undefined, retry: string | undefined): void {
    this.#sent = { ...(requestId && { requestId }), ...(retry && { retry }) };
  }

  end(): void {
    process.removeListener("SIGINT", this.#listener);
  }

  #leave(): void {
    const code = this.#sent ? "outcome_unknown" : "request_cancelled";
    const message = this.#sent
      ? "Interrupted after the commit had been sent: whether it was executed is unknown"
      : "Interrupted before a commit was sent: nothing was executed";
    const hint = this.#sent?.retry ? `Learn the outcome without a second write: ${this.#sent.retry}` : undefined;
    const error: JsonObject = {
      type: errorTable[code].type,
      code,
      message,
      ...(this.#sent?.requestId && { requestId: this.#sent.requestId }),
      ...(hint && { hint }),
    };
    const value = { success: false, transactionState: this.#sent ? "unknown" : "rejected", error };
    this.#terminal.failure(value, `siyuan-sisyphus: ${message}${hint ? `\n  next: ${hint}` : ""}`);
    process.exit(exitCodes.interrupted);
  }
}
