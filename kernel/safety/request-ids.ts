// Issues request ids that are never issued twice, across restarts too, and tells ids of ours from invented ones.

import { SisyphusError } from "../../shared/errors.js";
import { safetyLimits } from "../../shared/limits.js";
import { isJsonObject } from "../../shared/wire/json.js";
import { requestIdPattern } from "../../shared/wire/safety.js";
import { deviceFolder, storageFolder } from "../../shared/wire/plugin.js";
import type { Host } from "../host/host.js";
import { firstCounterOf, isIssued, requestIdOf } from "./permutation.js";

interface Issuance {
  readonly key: readonly number[];
  /** Counters below this may have been issued. */
  readonly reserved: number;
}

/** What the two files hold. */
interface Copies {
  readonly latest: Issuance | undefined;
  /** True when there is a file and none is whole. */
  readonly isLost: boolean;
  /** In the order in which they are written. */
  readonly paths: readonly string[];
}

const keyWords = 4;

export class RequestIds {
  readonly #host: Host;
  readonly #deviceId: () => Promise<string>;
  readonly #requireOwner: () => Promise<void>;
  /** The start-up read, shared by the first callers; dropped again when it fails. */
  #loading: Promise<void> | undefined;
  #key: readonly number[] = [];
  /** Next counter to issue; always at most `#reserved`. */
  #next = 0;
  #reserved = 0;
  #reserving: Promise<void> | undefined;

  /**
   * @param deviceId stable name of this device; the file in plugin storage travels to others by sync
   * @param requireOwner rejects in an instance that another one has replaced: it must not reserve from the same counter
   */
  constructor(host: Host, deviceId: () => Promise<string>, requireOwner: () => Promise<void>) {
    this.#host = host;
    this.#deviceId = deviceId;
    this.#requireOwner = requireOwner;
  }

  async issue(): Promise<string> {
    await this.#load();
    while (this.#next >= this.#reserved) {
      this.#reserving =
        this.#reserving ??
        this.#reserve().then(
          () => {
            this.#reserving = undefined;
          },
          (reason) => {
            this.#reserving = undefined;
            throw reason;
          },
        );
      await this.#reserving;
    }
    return requestIdOf(this.#next++, this.#key);
  }

  /** True when this coordinator, in this or an earlier run, may have issued the id. */
  async mayBeOurs(id: string): Promise<boolean> {
    if (!requestIdPattern.test(id)) return false;
    await this.#load();
    return this.#key.length > 0 && isIssued(id, this.#reserved, this.#key);
  }

  #load(): Promise<void> {
    this.#loading =
      this.#loading ??
      this.#read().catch((reason) => {
        this.#loading = undefined;
        throw reason;
      });
    return this.#loading;
  }

  async #paths(): Promise<readonly string[]> {
    const device = (await this.#deviceId()).replace(/[^A-Za-z0-9-]/g, "_");
    return [`${deviceFolder}/request-ids.json`, `${storageFolder}/request-ids-${device}.json`];
  }

  /** The larger counter of the two copies: SiYuan's own help tells people to delete temp/. One whole copy is enough. */
  async #latest(): Promise<Copies> {
    const copies = await Promise.all(
      (await this.#paths()).map(async (path) => ({ path, copy: parseCopy(await this.#host.files.read(path)) })),
    );
    const whole = copies.map(({ copy }) => copy).filter((copy) => typeof copy === "object");
    const hasCopy = (kind: "torn" | "foreign") => copies.some(({ copy }) => copy === kind);
    // It may be that of a later version, which must find it again.
    if (whole.length === 0 && hasCopy("foreign"))
      throw new SisyphusError("write_ledger_unavailable", "the file of issued request ids is damaged");
    // A write that is torn must not hit the only whole copy: the damaged one is written first.
    const paths = copies.sort((a, b) => Number(typeof a.copy === "object") - Number(typeof b.copy === "object"));
    const latest = whole.sort((a, b) => b.reserved - a.reserved)[0];
    return { latest, isLost: whole.length === 0 && hasCopy("torn"), paths: paths.map(({ path }) => path) };
  }

  async #read(): Promise<void> {
    const { latest, isLost } = await this.#latest();
    if (latest) {
      this.#key = latest.key;
      // A power cut or a torn file can have cost one reservation, out of which ids were issued.
      this.#reserved = latest.reserved + safetyLimits.requestIdReservation;
    } else {
      const bytes = await this.#host.entropy.bytes(keyWords * 4);
      this.#key = Array.from({ length: keyWords }, (_, word) =>
        Array.from(bytes.subarray(word * 4, word * 4 + 4)).reduce((value, byte) => value * 256 + byte, 0),
      );
      // Under another key an id could come again, but not among longer ones.
      this.#reserved = isLost ? firstCounterOf(safetyLimits.digitsAfterDamage) : 0;
    }
    // What the earlier run had reserved may have been issued.
    this.#next = this.#reserved;
  }

  async #reserve(): Promise<void> {
    await this.#requireOwner();
    // Another instance may have reserved meanwhile, on this workspace folder or before it was replaced.
    const { latest, paths } = await this.#latest();
    if (latest && latest.reserved > this.#reserved) {
      this.#reserved = latest.reserved;
      this.#next = latest.reserved;
    }
    const reserved = this.#reserved + safetyLimits.requestIdReservation;
    const text = JSON.stringify({ version: 1, key: this.#key, reserved });
    for (const path of paths) await this.#host.files.write(path, text);
    this.#reserved = reserved;
  }
}

/** Undefined for no text, `torn` for the beginning of one, `foreign` for what this version does not understand. */
function parseCopy(text: string | undefined): Issuance | "torn" | "foreign" | undefined {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "torn";
  }
  const valid =
    isJsonObject(value) &&
    value.version === 1 &&
    Array.isArray(value.key) &&
    value.key.length === keyWords &&
    value.key.every((word) => typeof word === "number") &&
    Number.isSafeInteger(value.reserved) &&
    Number(value.reserved) >= 0;
  return valid ? (value as unknown as Issuance) : "foreign";
}
