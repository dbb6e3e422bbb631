// SiYuan's write queue: a 50 ms tick executes what is queued; most routes wait for it, deleteBlock does not.
import { setTimeout as sleep } from "node:timers/promises";
import type { Transaction } from "./operation.ts";

const tickMs = 50;
const pollMs = 10;

export class TransactionQueue {
  #queued: Transaction[] = [];
  readonly #timer: NodeJS.Timeout;

  /** `execute` runs one transaction; what it throws stays inside, as SiYuan only tells the user interface. */
  constructor(execute: (transaction: Transaction) => void) {
    this.#timer = setInterval(() => {
      const batch = this.#queued;
      this.#queued = [];
      for (const transaction of batch) {
        try {
          execute(transaction);
        } catch {
          // A failed transaction is rolled back whole; HTTP clients never hear of it.
        }
      }
    }, tickMs);
  }

  add(transactions: readonly Transaction[]): void {
    this.#queued.push(...transactions);
  }

  /** Waits one tick at least, then until the queue is empty. */
  async drained(): Promise<void> {
    await sleep(tickMs);
    while (this.#queued.length > 0) await sleep(pollMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
