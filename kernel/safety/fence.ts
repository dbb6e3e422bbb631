// One coordinator per workspace folder: an instance that finds another's id in the fence file stops writing.
// Uninstalling a plugin calls no hook, so an orphan may run beside its successor.

import { SisyphusError } from "../../shared/errors.js";
import { deviceFolder } from "../../shared/wire/plugin.js";
import type { Host } from "../host/host.js";

const path = `${deviceFolder}/instance.json`;

export class Fence {
  readonly #host: Host;
  readonly #instance: string;
  #claim: Promise<void> | undefined;

  constructor(host: Host, instance: string) {
    this.#host = host;
    this.#instance = instance;
  }

  /** Declares this instance the owner, once. */
  claim(): Promise<void> {
    this.#claim =
      this.#claim ??
      this.#write().catch((reason) => {
        this.#claim = undefined;
        throw reason;
      });
    return this.#claim;
  }

  /** Throws `write_coordinator_changed` when another instance claimed the workspace after us. */
  async check(): Promise<void> {
    await this.claim();
    const text = await this.#host.files.read(path);
    if (text === undefined) return this.#claimAgain();
    if (text !== this.#text()) throw new SisyphusError("write_coordinator_changed");
  }

  /** temp/ was emptied. An orphan must not take the workspace back from its successor. */
  async #claimAgain(): Promise<void> {
    const serving = await this.#host.servingInstance();
    if (serving === undefined) throw new SisyphusError("write_coordinator_unavailable");
    if (serving !== this.#instance) throw new SisyphusError("write_coordinator_changed");
    return this.#write();
  }

  #write(): Promise<void> {
    return this.#host.files.write(path, this.#text());
  }

  #text(): string {
    return JSON.stringify({ instance: this.#instance });
  }
}
