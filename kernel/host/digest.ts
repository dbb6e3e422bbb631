// SHA-256: natively through the template route where a known vector comes out right, else in JavaScript by slices.

import { sha256 } from "@noble/hashes/sha2.js";
import { SisyphusError } from "../../shared/errors.js";
import { sizeLimits } from "../../shared/limits.js";
import type { Clock, Digest, Digester } from "./host.js";
import { RememberedDigests } from "./remembered-digests.js";
import type { SiyuanFetch } from "./siyuan-fetch.js";
import { renderSprig } from "./template-route.js";

const vectorText = "abc";
const vectorDigest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const digestPattern = /^[0-9a-f]{64}$/;

export function createDigester(client: SiyuanFetch, clock: Clock): Digester {
  let source: Digester["source"] = "unknown";

  async function viaTemplate(texts: readonly string[]): Promise<readonly Digest[] | undefined> {
    // Only Base64 enters the template, so no text of a note can act in it.
    const parts: string[] = [];
    for (const text of texts) parts.push("{{ `", await base64(text), "` | b64dec | sha256sum }} ");
    const rendered = await renderSprig(client, parts);
    const digests = rendered?.trim().split(" ");
    return digests?.length === texts.length && digests.every((digest) => digestPattern.test(digest))
      ? digests
      : undefined;
  }

  /** Of a long text by slices, between which other calls run: a document's state takes tens of milliseconds. */
  async function base64(text: string): Promise<string> {
    const size = sizeLimits.base64SliceChars;
    if (text.length <= size) return Buffer.from(text, "utf8").toString("base64");
    const slices: Uint8Array[] = [];
    for (let start = 0; start < text.length; ) {
      await clock.sleep(0);
      const end = start + size;
      // A pair of surrogates is one character.
      const stop = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end + 1 : end;
      slices.push(Buffer.from(text.slice(start, stop), "utf8"));
      start = stop;
    }
    return Buffer.concat(slices).toString("base64");
  }

  async function inJs(text: string): Promise<Digest> {
    const bytes = Buffer.from(text, "utf8");
    const hash = sha256.create();
    for (let start = 0; start < bytes.length; start += sizeLimits.jsDigestSliceBytes) {
      if (start > 0) await clock.sleep(0);
      // A plain copy: typed arrays over a shared buffer misbehave in this engine.
      hash.update(Uint8Array.from(bytes.subarray(start, start + sizeLimits.jsDigestSliceBytes)));
    }
    return Array.from(hash.digest(), (byte) => (byte < 16 ? "0" : "") + byte.toString(16)).join("");
  }

  async function compute(texts: readonly string[]): Promise<readonly Digest[]> {
    if (source === "unknown") {
      const [digest] = (await viaTemplate([vectorText])) ?? [];
      source = digest === vectorDigest ? "template-route" : "js";
    }
    if (source === "template-route") {
      const digests = await viaTemplate(texts);
      if (digests) return digests;
      source = "js";
    }
    const digests: Digest[] = [];
    for (const text of texts) digests.push(await inJs(text));
    return digests;
  }

  const remembered = new RememberedDigests();

  return {
    get source() {
      return source;
    },
    async sha256(texts) {
      for (const text of texts) {
        if (text.length > sizeLimits.maxDigestInputBytes)
          throw new SisyphusError("request_too_large", "too large to digest");
      }
      const known = texts.map((text) => remembered.of(text));
      const missing = texts.filter((_text, index) => known[index] === undefined);
      if (missing.length === 0) return known as readonly Digest[];
      const made = await compute(missing);
      missing.forEach((text, index) => {
        remembered.add(text, made[index] as Digest);
      });
      let next = 0;
      return known.map((digest) => digest ?? (made[next++] as Digest));
    },
  };
}
