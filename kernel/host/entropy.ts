// Random bytes that nobody can guess: Go's crypto source through the template route, else from the random seed of
// the host's start event. Never Math.random. Where neither answers there is no entropy, and no credential is issued.

import { sha256 } from "@noble/hashes/sha2.js";
import { SisyphusError } from "../../shared/errors.js";
import type { EventSeed } from "./event-seed.js";
import type { Entropy } from "./host.js";
import type { SiyuanFetch } from "./siyuan-fetch.js";
import { renderSprig } from "./template-route.js";

export function createEntropy(client: SiyuanFetch, seed: EventSeed): Entropy {
  let source: Entropy["source"] = "unknown";
  let drawn = 0;

  async function viaTemplate(count: number): Promise<readonly number[] | undefined> {
    const rendered = await renderSprig(client, [`{{ randBytes ${count} }}`]);
    const bytes = rendered === undefined ? undefined : Array.from(Buffer.from(rendered, "base64"));
    return bytes?.length === count ? bytes : undefined;
  }

  /** Each draw hashes the secret seed with a number that is never used again. */
  function viaSeed(count: number): readonly number[] | undefined {
    const secret = seed.value();
    if (secret === undefined) return undefined;
    const bytes: number[] = [];
    while (bytes.length < count) {
      const text = `${secret}|${drawn++}`;
      bytes.push(...Array.from(sha256(Uint8Array.from(Buffer.from(text, "utf8")))));
    }
    return bytes.slice(0, count);
  }

  return {
    get source() {
      return source;
    },
    async bytes(count) {
      const native = await viaTemplate(count);
      const bytes = native ?? viaSeed(count);
      source = native ? "template-route" : bytes ? "host-event" : "none";
      if (!bytes) throw new SisyphusError("entropy_unavailable");
      return Uint8Array.from(bytes);
    },
  };
}
