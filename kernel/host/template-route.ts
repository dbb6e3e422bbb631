// SiYuan's Sprig template route, used for native SHA-256 and real randomness. Source: measured on 3.7.3.

import type { SiyuanFetch } from "./siyuan-fetch.js";

/**
 * The rendered text, or undefined when the route is missing or answers otherwise. Rejects when SiYuan is unreachable.
 *
 * @param template in parts, which need no escaping in JSON: with the long texts of digests, escaping would be half of the cost
 */
export async function renderSprig(client: SiyuanFetch, template: readonly string[]): Promise<string | undefined> {
  const body = ['{"template":"', ...template, '"}'].join("");
  const reply = await client.post("/api/template/renderSprig", body, "application/json");
  if (reply.status !== 200) return undefined;
  try {
    const envelope = JSON.parse(reply.text) as { code: number; data: unknown };
    return envelope.code === 0 && typeof envelope.data === "string" ? envelope.data : undefined;
  } catch {
    // An unknown route answers 200 with an empty body.
    return undefined;
  }
}
