// siyuan.client.fetch: always to the own server, with the plugin's token, a shared cookie jar and a fixed time limit.
import { Agent, request as httpRequest, STATUS_CODES } from "node:http";
import { gunzipSync } from "node:zlib";
import type { CookieJar } from "./cookie-jar.ts";

const timeLimitMs = 60_000;

export interface FetchAnswer {
  status: number;
  statusText: string;
  /** JSON of canonical name to joined values. */
  headers: string;
  body: Uint8Array;
}

export type FetchDone = (message: string | null, answer: FetchAnswer | null) => void;

const agent = new Agent({ keepAlive: true });

function canonicalHeaders(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] as string)
      .toLowerCase()
      .replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());
    headers[name] = headers[name] === undefined ? (raw[index + 1] as string) : `${headers[name]}, ${raw[index + 1]}`;
  }
  return headers;
}

/** Go sniffs the type of a body sent without one: JSON text goes out as text/plain. */
function withDefaults(headers: Record<string, string>, body: string | Uint8Array | null): Record<string, string> {
  const named = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  const sniffed = typeof body === "string" ? "text/plain; charset=utf-8" : "application/octet-stream";
  return {
    "User-Agent": "req/v3 (https://github.com/imroc/req)",
    "Accept-Encoding": "gzip",
    ...(body !== null && !named ? { "Content-Type": sniffed } : {}),
    ...headers,
  };
}

export function pluginFetch(
  port: number,
  token: string,
  jar: CookieJar,
  call: { path: string; method: string; headers: Record<string, string>; body: string | Uint8Array | null },
  done: FetchDone,
): void {
  if (!call.path.startsWith("/")) {
    done("path must start with /", null);
    return;
  }
  const cookies = jar.header(call.path);
  const headers: Record<string, string | number> = { ...withDefaults(call.headers, call.body), "X-Auth-Token": token };
  if (cookies !== "") headers.Cookie = cookies;
  const bytes = call.body === null ? undefined : Buffer.from(call.body as string);
  if (bytes) headers["Content-Length"] = bytes.length;
  const outgoing = httpRequest(
    {
      host: "127.0.0.1",
      port,
      path: encodeURI(decodeURI(call.path)),
      method: call.method,
      headers,
      agent,
      timeout: timeLimitMs,
    },
    (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", (error) => done(error.message, null));
      response.on("end", () => {
        jar.store(response.headers["set-cookie"] ?? []);
        const received = Buffer.concat(chunks);
        const zipped = response.headers["content-encoding"] === "gzip" && received.length > 0;
        const status = response.statusCode ?? 0;
        done(null, {
          status,
          statusText: `${status} ${STATUS_CODES[status] ?? ""}`,
          headers: JSON.stringify(canonicalHeaders(response.rawHeaders)),
          body: zipped ? gunzipSync(received) : received,
        });
      });
    },
  );
  outgoing.on("timeout", () => outgoing.destroy(new Error("context deadline exceeded (Client.Timeout exceeded)")));
  outgoing.on("error", (error) => done(error.message, null));
  outgoing.end(bytes);
}
