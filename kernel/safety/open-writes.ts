// Writes whose outcome is open: dispatched, and neither answered nor read back. Such a request may still run later, so
// what it touches is closed to other writes until its effect was read or the kernel process is another one.

import { SisyphusError } from "../../shared/errors.js";
import { isJsonObject } from "../../shared/wire/json.js";
import { deviceFolder } from "../../shared/wire/plugin.js";
import type { Host } from "../host/host.js";
import type { Targets } from "./contract.js";
import { isFinal, type Ledger, type LedgerRecord } from "./ledger.js";

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
  readonly #ledger: Ledger;
  readonly #takeOver: () => Promise<boolean>;
  readonly #writes = new Map<string, OpenWrite>();
  /** Those of earlier instances, which may still end them. */
  readonly #inherited = new Set<string>();
  /** Ids of which this instance knows better than the file. */
  readonly #known = new Set<string>();
  #loading: Promise<void> | undefined;
  /** True when the file names writes, so that settling them must rewrite it. */
  #stored = false;

  /**
   * @param takeOver resolves when earlier instances send nothing any more that their records do not name; false when
   * there was none in this kernel process
   */
  constructor(host: Host, ledger: Ledger, takeOver: () => Promise<boolean>) {
    this.#host = host;
    this.#ledger = ledger;
    this.#takeOver = takeOver;
  }

  /** Learns of the writes that earlier instances left open. Rejects when that cannot be read. */
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
  async check(targets: Targets, requestId: string): Promise<void> {
    for (const write of Array.from(this.#writes.values())) {
      if (write.requestId === requestId || !overlap(write, targets)) continue;
      if (this.#inherited.has(write.requestId) && (await this.#isOver(write).catch(() => false))) continue;
      throw new SisyphusError(
        "write_outcome_open",
        `Write ${write.requestId} to the same document was sent and never answered; it may still run`,
        { openRequestId: write.requestId },
      );
    }
  }

  /** From now on the write is open. */
  enter(write: OpenWrite): void {
    this.#known.add(write.requestId);
    this.#writes.set(write.requestId, write);
  }

  /** The outcome is known, or nothing can run any more. */
  async settle(requestId: string): Promise<void> {
    if (this.#writes.delete(requestId) && this.#stored) await this.store();
  }

  /** Makes what is open known to the next run of the plugin. */
  async store(): Promise<void> {
    if (this.#writes.size === 0 && !this.#stored) return;
    const text = await this.#host.files.read(path);
    // An orphan and its successor share the file.
    const others = parse(text).filter(({ requestId }) => !this.#known.has(requestId));
    const writes = others.concat(Array.from(this.#writes.values()));
    await this.#host.files.write(path, JSON.stringify({ version: 1, writes }));
    this.#stored = writes.length > 0;
  }

  async #read(): Promise<void> {
    const follows = await this.#takeOver();
    const [text, now] = await Promise.all([this.#host.files.read(path), this.#host.processMark()]);
    const stored = parse(text);
    const recorded = follows ? (await this.#ledger.unanswered(now)).map(openWriteOf) : [];
    for (const write of stored.concat(recorded)) {
      this.#known.add(write.requestId);
      if (isOfAnother(write, now)) continue;
      this.#inherited.add(write.requestId);
      this.#writes.set(write.requestId, write);
    }
    this.#stored = stored.length > 0;
    if (recorded.length > 0) await this.store();
  }

  /** True when an inherited write has an outcome by now, or can run no more. */
  async #isOver(write: OpenWrite): Promise<boolean> {
    const record = await this.#ledger.findAnew(write.requestId);
    const isAnswered = record !== undefined && record !== "damaged" && (isFinal(record) || record.answered === true);
    const now = await this.#host.processMark();
    if (isAnswered || isOfAnother(write, now)) {
      await this.settle(write.requestId);
      return true;
    }
    if (write.process === undefined && now !== undefined) {
      // It may have been this process: from the next one on it is over.
      if (record !== undefined && record !== "damaged") await this.#ledger.write({ ...record, process: now });
      this.#writes.set(write.requestId, { ...write, process: now });
      await this.store();
    }
    return false;
  }
}

/** A process that ended runs nothing any more. */
function isOfAnother({ process }: OpenWrite, now: string | undefined): boolean {
  return process !== undefined && now !== undefined && process !== now;
}

function openWriteOf({ requestId, notebooks, documents, process }: LedgerRecord): OpenWrite {
  return { requestId, notebooks, ...(documents ? { documents } : {}), ...(process ? { process } : {}) };
}

function overlap(write: OpenWrite, targets: Pick<Targets, "notebooks" | "documents">): boolean {
  if (!write.notebooks.some((notebook) => targets.notebooks.includes(notebook))) return false;
  const { documents } = targets;
  return !write.documents || !documents || write.documents.some((document) => documents.includes(document));
}

/** A damaged file names nothing that could be closed; its records in the ledger still count as unknown. */
function parse(text: string | undefined): readonly OpenWrite[] {
  if (text === undefined) return [];
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
