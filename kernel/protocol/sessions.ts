// Legacy session ids. An id describes itself, so that a reload of the plugin is invisible to clients, which never
// initialise again by themselves. It carries no authority: SiYuan checks the credential of every request.

import { sessionLimits } from "../../shared/limits.js";

const pattern = /^s1-(\d{4}-\d{2}-\d{2})-[0-9a-f]{16,32}$/;

export class Sessions {
  /** Ended ids, oldest first; bounded, so an id ended very long ago would be taken again. */
  readonly #ended = new Set<string>();

  create(version: string, random: string): string {
    return `s1-${version}-${random}`;
  }

  /** True for an id of ours that was not ended. */
  accepts(id: string): boolean {
    return pattern.test(id) && !this.#ended.has(id);
  }

  end(id: string): boolean {
    if (!this.accepts(id)) return false;
    this.#ended.add(id);
    if (this.#ended.size > sessionLimits.maxTombstones) {
      const [oldest] = Array.from(this.#ended);
      if (oldest !== undefined) this.#ended.delete(oldest);
    }
    return true;
  }
}
