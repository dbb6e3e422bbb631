// SiYuan's answer envelope {code, msg, data}, parsed once into data or an error.

import { SisyphusError } from "../../shared/errors.js";
import type { Json } from "../../shared/wire/json.js";
import type { HostReply } from "../host/host.js";

/** SiYuan's `data`. Throws `api_error` for another code than 0, `read_only` for the read-only refusal. */
export function dataOf(endpoint: string, reply: HostReply): Json {
  const { code, msg, data } = parseEnvelope(endpoint, reply);
  if (code === 0) return data;
  throw refusedBySiyuan(endpoint, code, msg);
}

export function parseEnvelope(endpoint: string, reply: HostReply): { code: number; msg: string; data: Json } {
  if (reply.status !== 200)
    throw new SisyphusError("api_error", `SiYuan answered ${endpoint} with HTTP ${reply.status}`);
  let envelope: { code?: unknown; msg?: unknown; data?: unknown; pushMode?: unknown };
  try {
    envelope = JSON.parse(reply.text);
  } catch {
    // An unknown route answers 200 with an empty body.
    throw new SisyphusError("api_error", `SiYuan has no ${endpoint}, or answered it with something else than JSON`);
  }
  if (typeof envelope.code !== "number")
    throw new SisyphusError("api_error", `SiYuan answered ${endpoint} without a code`);
  const data = (envelope.data ?? null) as Json;
  if (envelope.code === -1 && envelope.pushMode !== undefined && isReadOnlyMark(data))
    throw new SisyphusError("read_only");
  return { code: envelope.code, msg: String(envelope.msg ?? ""), data };
}

/**
 * The text follows the user's language; the close time beside it does not. Single routes refuse with the same close time,
 * but only the refusal before any route is in SiYuan's form for messages, with a `pushMode`.
 */
function isReadOnlyMark(data: Json): boolean {
  return (
    typeof data === "object" &&
    data !== null &&
    !Array.isArray(data) &&
    (data as { closeTimeout?: Json }).closeTimeout === 5000
  );
}

/** SiYuan's no to a request. Its messages may hold absolute paths of the machine, which stay here. */
export function refusedBySiyuan(endpoint: string, code: number, message: string): SisyphusError {
  const text = message.replace(/(?:[A-Za-z]:)?[\\/]\S*[\\/]\S*/g, "<path>");
  return new SisyphusError("api_error", `SiYuan refused ${endpoint} with code ${code}: ${text}`);
}
