// Digests of texts seen lately, found by the whole text. A commit digests what its preflight digested a moment ago, and
// asking SiYuan for it again would cost as much as a read.

import { sizeLimits } from "../../shared/limits.js";
import type { Digest } from "./host.js";

export class RememberedDigests {
  /** Oldest first. */
  readonly #byText = new Map<string, Digest>();
  #chars = 0;

  of(text: string): Digest | undefined {
    return this.#byText.get(text);
  }

  add(text: string, digest: Digest): void {
    if (text.length > sizeLimits.maxRememberedDigestChars || this.#byText.has(text)) return;
    this.#byText.set(text, digest);
    this.#chars += text.length;
    while (this.#chars > sizeLimits.maxRememberedDigestChars) {
      const oldest = this.#byText.keys().next();
      if (oldest.done) break;
      this.#byText.delete(oldest.value);
      this.#chars -= oldest.value.length;
    }
  }
}
