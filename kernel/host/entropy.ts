// Random bytes that nobody can guess, from Go's crypto source through the template route. Never Math.random.

import { SisyphusError } from "../../shared/errors.js";
import type { Entropy } from "./host.js";
import type { SiyuanFetch } from "./siyuan-fetch.js";
import { renderSprig } from "./template-route.js";

export function createEntropy(client: SiyuanFetch): Entropy {
  let source: Entropy["source"] = "unknown";
  return {
    get source() {
      return source;
    },
    async bytes(count) {
      const rendered = await renderSprig(client, `{{ randBytes ${count} }}`);
      const bytes = rendered === undefined ? undefined : Array.from(Buffer.from(rendered, "base64"));
      if (bytes?.length !== count) {
        source = "none";
        throw new SisyphusError("entropy_unavailable");
      }
      source = "template-route";
      return Uint8Array.from(bytes);
    },
  };
}
