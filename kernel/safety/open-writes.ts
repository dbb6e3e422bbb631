// Writes whose outcome is open: dispatched, and neither answered nor read back. Such a request may still run later, so
// what it touches is closed to other writes until its effect was read or the kernel process is another one.

import { SisyphusError } from "../../shared/errors.js";
import { isJsonObject } from "../../shared/wire/json.js";
import { deviceFolder } from "../../shared/wire/plugin.js";
import type { Host } from "../host/host.js";
import type { Targets } from "./contract.js";

export interface OpenWrite {
  readonly requestId: string;
  readonly notebooks: readonly string[];
  /** Absent when whole notebooks are closed. */
  readonly documents?: readonly string[];
  /** The kernel process that may still run it, where that could be told. */
  readonly process?: string;
}

const path = `${deviceFolder}/open-writes.json`;

export class OpenWrites {
  readonly #host: Host;
  readonly #writes = new Map<string, OpenWrite>();
  #loading: Promise<void> | undefined;
  /** True when the file names writes, so that settling them must rewrite it. */
  #stored = false;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Learns of the writes that an earlier run left open. Rejects when their file cannot be read. */
  load(): Promise<void> {
    this.#loading =
      this.#loading ??
      this.#read().catch((reason) => {
        this.#loading = undefined;
        throw reason;
      });
    return this.#loading;
  }

  /** Throws `write_outcome_open` when another write to the same place has no outcome yet. */
  check(targets: Targets, requestId: string): void {
    this.#writes.forEach((write) => {
      if (write.requestId === requestId || !overlap(write, targets)) return;
      throw new SisyphusError(
        "write_outcome_open",
        `Write ${write.requestId} to the same document was sent and never answered; it may still run`,
        { openRequestId: write.requestId },
      );
    });
  }

  has(requestId: string): boolean {
    return this.#writes.has(requestId);
  }

  /** From now on the write is open. */
  enter(write: OpenWrite): void {
    this.#writes.set(write.requestId, write);
  }

  /** The outcome is known, or nothing can run any more. */
  async settle(requestId: string): Promise<void> {
    if (this.#writes.delete(requestId) && this.#stored) await this.store();
  }

  /** Makes what is open known to the next run of the plugin. */
  async store(): Promise<void> {
    if (this.#writes.size === 0 && !this.#stored) return;
    const writes = Array.from(this.#writes.values());
    await this.#host.files.write(path, JSON.stringify({ version: 1, writes }));
    this.#stored = writes.length > 0;
  }

  async #read(): Promise<void> {
    const text = await this.#host.files.read(path);
    if (text === undefined) return;
    const now = await this.#host.processMark();
    for (const write of parse(text)) {
      // A process that ended runs nothing any more.
      if (write.process !== undefined && now !== undefined && write.process !== now) continue;
      this.#writes.set(write.requestId, write);
      this.#stored = true;
    }
  }
}

function overlap(write: OpenWrite, targets: Pick<Targets, "notebooks" | "documents">): boolean {
  if (!write.notebooks.some((notebook) => targets.notebooks.includes(notebook))) return false;
  const { documents } = targets;
  return !write.documents || !documents || write.documents.some((document) => documents.includes(document));
}

/** A damaged file names nothing that could be closed; its records in the ledger still count as unknown. */
function parse(text: string): readonly OpenWrite[] {
  try {
    const value: unknown = JSON.parse(text);
    const writes = isJsonObject(value) && Array.isArray(value.writes) ? value.writes.filter(isJsonObject) : [];
    return writes.filter(
      (write) => typeof write.requestId === "string" && Array.isArray(write.notebooks),
    ) as unknown as readonly OpenWrite[];
  } catch {
    return [];
  }
}
