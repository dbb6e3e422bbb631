// One coordinator per workspace folder: an instance that was replaced stops writing. Uninstalling a plugin calls no hook,
// so an orphan may run beside its successor. SiYuan's answer on the plugin's own route tells whom it runs now; where that
// cannot be had, a file tells who came last.

import { SisyphusError } from "../../shared/errors.js";
import { safetyLimits } from "../../shared/limits.js";
import { deviceFolder } from "../../shared/wire/plugin.js";
import type { Host } from "../host/host.js";

const path = `${deviceFolder}/instance.json`;

export class Fence {
  readonly #host: Host;
  readonly #instance: string;
  #claim: Promise<void> | undefined;
  /** Our content of the file. */
  readonly #text: string;
  /** True when an earlier instance may have run in this kernel process, which may run on as an orphan. */
  #follows = true;
  /** Resolves when whatever an earlier instance had checked before our claim is sent. */
  #quiet: Promise<void> | undefined;
  /** When SiYuan was asked that last said that it runs us. */
  #toldAtMs = Number.NEGATIVE_INFINITY;
  /** When it was last asked, whatever it said. */
  #askedAtMs = Number.NEGATIVE_INFINITY;

  constructor(host: Host, instance: string) {
    this.#host = host;
    this.#instance = instance;
    this.#text = JSON.stringify({ instance });
  }

  /** Declares this instance the owner, once. */
  claim(): Promise<void> {
    this.#claim =
      this.#claim ??
      this.#take().catch((reason) => {
        this.#claim = undefined;
        throw reason;
      });
    return this.#claim;
  }

  /**
   * Resolves once no earlier instance can send anything any more but what its ledger records name already; true when
   * there may be such an instance.
   */
  async takeOver(): Promise<boolean> {
    await this.claim();
    await this.#quiet;
    return this.#follows;
  }

  /** Throws `write_coordinator_changed` when another instance owns the workspace. */
  async check(): Promise<void> {
    if (await this.#isOwner()) return;
    // It was told before: a file that says otherwise may be an old copy that was put back.
    if (Number.isFinite(this.#toldAtMs)) throw new SisyphusError("write_coordinator_unavailable");
    return this.#checkFile();
  }

  /** The same in the middle of a write, which is not given up because SiYuan does not say whom it runs. */
  async checkAgain(): Promise<void> {
    if (!(await this.#isOwner())) return this.#checkFile();
  }

  /** True while the last look allows a dispatch: whoever comes after it waits longer than that. */
  isFresh(): boolean {
    return this.#isRecent(this.#askedAtMs);
  }

  /** False when SiYuan does not say whom it runs. Its word counts for a moment: a successor waits longer than that. */
  async #isOwner(): Promise<boolean> {
    await this.claim();
    if (this.#isRecent(this.#toldAtMs)) return true;
    const now = this.#host.clock.nowMs();
    this.#askedAtMs = now;
    const serving = await this.#host.servingInstance();
    if (serving === undefined) return false;
    if (serving !== this.#instance) throw new SisyphusError("write_coordinator_changed");
    this.#toldAtMs = now;
    return true;
  }

  #isRecent(atMs: number): boolean {
    return Math.abs(this.#host.clock.nowMs() - atMs) <= safetyLimits.ownerCheckMs;
  }

  async #checkFile(): Promise<void> {
    const text = await this.#host.files.read(path);
    // temp/ was emptied. An orphan must not take the workspace back from its successor.
    if (text === undefined) throw new SisyphusError("write_coordinator_unavailable");
    if (text !== this.#text) throw new SisyphusError("write_coordinator_changed");
  }

  async #take(): Promise<void> {
    const { files, clock } = this.#host;
    this.#follows = (await this.#host.isFirstInProcess()) !== true;
    await files.write(path, this.#text);
    if (this.#follows) this.#quiet = clock.sleep(safetyLimits.takeOverMs);
  }
}
