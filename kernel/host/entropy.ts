// Random bytes that nobody can guess: Go's crypto source through the template route, else from the UUIDs of host
// events. Never Math.random. Where neither answers there is no entropy, and no credential is issued.

import { sha256 } from "@noble/hashes/sha2.js";
import { SisyphusError } from "../../shared/errors.js";
import type { EventUuids } from "./event-uuids.js";
import type { Entropy } from "./host.js";
import type { SiyuanFetch } from "./siyuan-fetch.js";
import { renderSprig } from "./template-route.js";

/** Bytes taken from one UUID; it holds 122 random bits. */
const bytesPerUuid = 15;

export function createEntropy(client: SiyuanFetch, uuids: EventUuids): Entropy {
  let source: Entropy["source"] = "unknown";

  async function viaTemplate(count: number): Promise<readonly number[] | undefined> {
    const rendered = await renderSprig(client, `{{ randBytes ${count} }}`);
    const bytes = rendered === undefined ? undefined : Array.from(Buffer.from(rendered, "base64"));
    return bytes?.length === count ? bytes : undefined;
  }

  async function viaEvents(count: number): Promise<readonly number[] | undefined> {
    const bytes: number[] = [];
    while (bytes.length < count) {
      const uuid = await uuids.next();
      if (uuid === undefined) return undefined;
      // Hashing spreads the random bits over all bytes; a UUID is never used twice.
      bytes.push(...Array.from(sha256(Uint8Array.from(Buffer.from(uuid, "utf8")))).slice(0, bytesPerUuid));
    }
    return bytes.slice(0, count);
  }

  return {
    get source() {
      return source;
    },
    async bytes(count) {
      const native = await viaTemplate(count);
      const bytes = native ?? (await viaEvents(count));
      source = native ? "template-route" : bytes ? "host-events" : "none";
      if (!bytes) throw new SisyphusError("entropy_unavailable");
      return Uint8Array.from(bytes);
    },
  };
}
