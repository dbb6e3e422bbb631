// Short names of digests. A name, once given, keeps its meaning as long as the process lives.

import { safetyLimits } from "../../shared/limits.js";
import type { Digest } from "../host/host.js";

export class AliasPool {
  readonly #digestOf = new Map<string, Digest>();
  readonly #aliasOf = new Map<Digest, string>();

  /** The alias of the digest: its own earlier one, else the shortest free prefix from four digits on. */
  alias(digest: Digest): string {
    const known = this.#aliasOf.get(digest);
    if (known !== undefined) return known;
    let digits: number = safetyLimits.minAliasDigits;
    while (digits < digest.length && this.#digestOf.has(digest.slice(0, digits))) digits++;
    const alias = digest.slice(0, digits);
    this.#digestOf.set(alias, digest);
    this.#aliasOf.set(digest, alias);
    return alias;
  }

  /** The digest that a credential names: an exact alias or a full digest, with or without `sha256:v1:`, in any case. */
  resolve(credential: string): Digest | undefined {
    const hex = credential.toLowerCase().replace(/^sha256:v1:/, "");
    return hex.length === safetyLimits.digestHexDigits && this.#aliasOf.has(hex) ? hex : this.#digestOf.get(hex);
  }
}
