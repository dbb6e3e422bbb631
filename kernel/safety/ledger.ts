// The write ledger: one small file per request id, in a folder per UTC day. It holds ids and digests, never note text.

import { SisyphusError } from "../../shared/errors.js";
import { safetyLimits } from "../../shared/limits.js";
import { isJsonObject, type JsonObject } from "../../shared/wire/json.js";
import { deviceFolder } from "../../shared/wire/plugin.js";
import type { Digest, Host } from "../host/host.js";
import { utcDay } from "../host/stamps.js";
import { checksum, checksumDigits } from "../host/checksum.js";

export type LedgerState = "executing" | "committed" | "no_change" | "unknown" | "state_unchanged";

export interface LedgerRecord {
  readonly version: 1;
  readonly requestId: string;
  readonly tool: string;
  readonly action: string;
  readonly argumentsDigest: Digest;
  readonly targetIds: readonly string[];
  /** Notebooks the call touched, asked for permission again on a replay. */
  readonly notebooks: readonly string[];
  /** Documents whose blocks the call changes; absent when whole notebooks are closed while it is unanswered. */
  readonly documents?: readonly string[];
  readonly state: LedgerState;
  readonly instance: string;
  /** The kernel process that got the dispatch, where that could be told. */
  readonly process?: string;
  /** False while the last dispatch may still run: until SiYuan answered it, if only to refuse it, and has finished. */
  readonly answered?: boolean;
  /** True when what was read back was not what was asked. Nothing seen later makes that a success. */
  readonly mismatched?: boolean;
  readonly reservedIds: readonly string[];
  readonly beforeDigest?: Digest;
  readonly afterDigest?: Digest;
  /** Of what the action could find again after a lost outcome. */
  readonly witnessDigest?: Digest;
  /** Names of the stages that started, in order. */
  readonly stages: readonly string[];
  /** Ids that a later look needs: of the witness, and in the answers of earlier stages. */
  readonly namedIds?: readonly string[];
  /** True when a retry ran the stages that an earlier attempt never started. */
  readonly resumed?: boolean;
  /** The business answer, for a replay: ids and small facts only. */
  readonly receipt?: JsonObject;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

const folder = `${deviceFolder}/ledger`;
const dayMs = 86_400_000;

export class Ledger {
  readonly #host: Host;
  /** The last records of this run, oldest first, so that a retry needs no file. Same content as on disk. */
  readonly #recent = new Map<string, LedgerRecord>();
  /** The record of each id that was last asked for, written or not. */
  readonly #newest = new Map<string, LedgerRecord>();
  /** The day whose first record had the expired days removed. */
  #sweptDay = "";

  constructor(host: Host) {
    this.#host = host;
  }

  /** Durable when it resolves. Throws `write_ledger_unavailable`. */
  async write(record: LedgerRecord): Promise<void> {
    this.#newest.set(record.requestId, record);
    const path = `${folder}/${utcDay(record.createdAtMs)}/${record.requestId}.json`;
    await this.#host.files.write(path, encode(record)).catch((reason) => {
      throw reason instanceof SisyphusError && reason.code === "host_token_rejected"
        ? reason
        : new SisyphusError("write_ledger_unavailable");
    });
    this.#remember(record);
    this.#sweep().catch(() => undefined);
  }

  #remember(record: LedgerRecord): void {
    this.#recent.delete(record.requestId);
    this.#recent.set(record.requestId, record);
    if (this.#recent.size <= safetyLimits.maxRememberedRecords) return;
    const oldest = this.#recent.keys().next();
    if (oldest.done) return;
    this.#recent.delete(oldest.value);
    this.#newest.delete(oldest.value);
  }

  /** True while no later record of the id was asked for in this run. */
  isNewest(record: LedgerRecord): boolean {
    return this.#newest.get(record.requestId) === record;
  }

  /** Once a day: removes the days that no retry may ask for any more. */
  async #sweep(): Promise<void> {
    const now = this.#host.clock.nowMs();
    const today = utcDay(now);
    if (this.#sweptDay === today) return;
    this.#sweptDay = today;
    // A day more than the promise, so that a clock that runs ahead costs nothing.
    const oldestKept = utcDay(now - (safetyLimits.ledgerRetentionDays + 1) * dayMs);
    for (const day of await this.#host.files.list(folder)) {
      if (/^\d{8}$/.test(day) && Number(day) < Number(oldestKept))
        await this.#host.files.removeLedgerDay(`${folder}/${day}`);
    }
  }

  /** The record of an id within the retention, or undefined. A damaged one counts as executed with unknown outcome. */
  async find(requestId: string): Promise<LedgerRecord | "damaged" | undefined> {
    return this.#recent.get(requestId) ?? this.findAnew(requestId);
  }

  /** The same from its file: another instance may have written it. */
  async findAnew(requestId: string): Promise<LedgerRecord | "damaged" | undefined> {
    const oldest = utcDay(this.#host.clock.nowMs() - safetyLimits.ledgerRetentionDays * dayMs);
    for (const day of (await this.#days()).filter((name) => Number(name) >= Number(oldest))) {
      const text = await this.#host.files.read(`${folder}/${day}/${requestId}.json`);
      if (text === undefined) continue;
      const record = decode(text);
      if (record === undefined || record.requestId !== requestId) return "damaged";
      // What is not final yet may be written on by the instance that executes it.
      if (isFinal(record)) this.#remember(record);
      return record;
    }
    return undefined;
  }

  /** Those of the last records, of whatever instance, whose dispatch may still run in this kernel process. */
  async unanswered(process: string | undefined): Promise<readonly LedgerRecord[]> {
    const found: LedgerRecord[] = [];
    let left: number = safetyLimits.takenOverRecords;
    for (const day of await this.#days()) {
      for (const name of await this.#host.files.newest(`${folder}/${day}`, left)) {
        left--;
        const record = decode((await this.#host.files.read(`${folder}/${day}/${name}`)) ?? "");
        if (record && mayStillRun(record, process)) found.push(record);
      }
      if (left <= 0) break;
    }
    return found;
  }

  /** Latest first. */
  async #days(): Promise<readonly string[]> {
    const names = await this.#host.files.list(folder);
    return names.filter((name) => /^\d{8}$/.test(name)).reverse();
  }
}

/** True when nothing changes the record any more. */
export function isFinal({ state }: LedgerRecord): boolean {
  return state !== "executing" && state !== "unknown";
}

/** False for a request that SiYuan answered, and for one of a process that is gone. */
export function mayStillRun(record: LedgerRecord, process: string | undefined): boolean {
  if (isFinal(record) || record.answered === true) return false;
  return record.process === undefined || process === undefined || record.process === process;
}

const lead = '{"checksum":"';
const middle = '","record":';

/** The checksum covers the record as it is written, so that nothing has to be sorted. */
function encode(record: LedgerRecord): string {
  const text = JSON.stringify(record);
  return `${lead}${checksum(text)}${middle}${text}}`;
}

function decode(text: string): LedgerRecord | undefined {
  const from = lead.length + checksumDigits + middle.length;
  const record = text.slice(from, -1);
  if (text !== `${lead}${checksum(record)}${middle}${record}}`) return undefined;
  try {
    const stored: unknown = JSON.parse(record);
    return isJsonObject(stored) && stored.version === 1 ? (stored as unknown as LedgerRecord) : undefined;
  } catch {
    return undefined;
  }
}
