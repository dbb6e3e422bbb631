// The request object a plugin's handler receives, as text plus bytes.

import { parseMultipart } from "../http/multipart.ts";
import type { Exchange } from "../http/server.ts";

export interface PluginRequestParts {
  /** Everything but the body's bytes, as JSON. */
  text: string;
  files: { field: string; index: number; content: Uint8Array }[];
  /** null for a parsed form. */
  bytes: Uint8Array | null;
}

/** A multipart form with an empty file part never reaches the handler. */
export class EmptyFilePart extends Error {}

function canonicalName(name: string): string {
  return name.toLowerCase().replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());
}

const removedHeaders = new Set(["Cookie", "Authorization", "Host"]);

function headerLists(raw: readonly string[]): Record<string, string[]> {
  const headers: Record<string, string[]> = {};
  for (let index = 0; index < raw.length; index += 2) {
    const name = canonicalName(raw[index] as string);
    if (removedHeaders.has(name)) continue;
    headers[name] = [...(headers[name] ?? []), raw[index + 1] as string];
  }
  return headers;
}

function cookieLists(header: string | undefined): Record<string, string[]> {
  const cookies: Record<string, string[]> = {};
  for (const pair of (header ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals < 0) continue;
    const name = pair.slice(0, equals).trim();
    cookies[name] = [...(cookies[name] ?? []), pair.slice(equals + 1).trim()];
  }
  return cookies;
}

function queryLists(url: URL): Record<string, string[]> {
  const query: Record<string, string[]> = {};
  for (const [name, value] of url.searchParams) query[name] = [...(query[name] ?? []), value];
  return query;
}

const bodyMethods = new Set(["POST", "PUT", "PATCH"]);

function readForm(exchange: Exchange, contentType: string) {
  if (contentType !== "multipart/form-data") return undefined;
  const form = parseMultipart(exchange.body, exchange.request.headers["content-type"] ?? "");
  if (
    form &&
    Object.values(form.files)
      .flat()
      .some((file) => file.content.length === 0)
  )
    throw new EmptyFilePart();
  return form;
}

export function pluginRequestParts(exchange: Exchange, plugin: string): PluginRequestParts {
  const { request, url, path, body } = exchange;
  const contentType = (request.headers["content-type"] ?? "").split(";")[0]?.trim() ?? "";
  const form = readForm(exchange, contentType);
  const files = Object.entries(form?.files ?? {}).flatMap(([field, list]) =>
    list.map((file, index) => ({ field, index, content: file.content })),
  );
  const fileInfo = Object.fromEntries(
    Object.entries(form?.files ?? {}).map(([field, list]) => [
      field,
      list.map((file) => ({ filename: file.filename, headers: file.headers, size: file.content.length })),
    ]),
  );
  // The host consumes urlencoded bodies of these methods and gives the handler nothing.
  const lost = contentType === "application/x-www-form-urlencoded" && bodyMethods.has(request.method ?? "");
  const inner = path.slice(`/plugin/private/${plugin}`.length);
  const length = request.headers["content-length"];
  const remote = request.socket.remoteAddress ?? "127.0.0.1";
  const content = {
    url: {
      user: null,
      host: request.headers.host ?? "",
      path,
      pathname: url.pathname,
      fragment: "",
      hash: "",
      search: url.search.slice(1),
      query: queryLists(url),
    },
    request: {
      method: request.method,
      uri: request.url,
      proto: "HTTP/1.1",
      protoMajor: 1,
      protoMinor: 1,
      headers: headerLists(request.rawHeaders),
      cookies: cookieLists(request.headers.cookie),
      contentType,
      contentLength: length === undefined ? (request.headers["transfer-encoding"] ? -1 : 0) : Number(length),
      referer: request.headers.referer ?? "",
      userAgent: request.headers["user-agent"] ?? "",
      body: { form: form ? { values: form.values, files: fileInfo } : null, data: null },
    },
    context: {
      path: inner,
      fullPath: "/plugin/private/:name/*path",
      clientIp: request.headers["x-forwarded-for"] ?? remote,
      remoteIp: remote,
      remoteAddr: `${remote}:${request.socket.remotePort ?? 0}`,
      params: { name: [plugin], path: [inner] },
    },
    port: null,
  };
  return { text: JSON.stringify(content), files, bytes: form ? null : lost ? new Uint8Array() : body };
}
