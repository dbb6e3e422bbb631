// SiYuan's strict typing of what an HTTP handler returns; anything else is a 500.

export class BadPluginResponse extends Error {}

export interface PluginResponse {
  status: number;
  headers: [string, string][];
  /** Set-Cookie lines, added rather than replaced. */
  cookies: string[];
  contentType: string | undefined;
  body: Buffer;
}

type Fields = Record<string, unknown>;

function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new BadPluginResponse(`${what} is not an object`);
  return value as Fields;
}

function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** Strings, Uint8Array (Buffer) and ArrayBuffer; absent is empty. */
function rawBytes(data: unknown): Buffer {
  if (data === undefined || data === null) return Buffer.alloc(0);
  if (typeof data === "string") return Buffer.from(data, "utf8");
  if (tagOf(data) === "Uint8Array") {
    const view = data as Uint8Array;
    return Buffer.from(Buffer.from(view.buffer, view.byteOffset, view.byteLength));
  }
  if (tagOf(data) === "ArrayBuffer") return Buffer.from(Buffer.from(data as ArrayBuffer));
  throw new BadPluginResponse(`raw.data has type ${tagOf(data)}`);
}

/** JSON with sorted keys and <, >, & escaped, as Go writes it. */
export function goJson(value: unknown): string {
  const sorted = (item: unknown): unknown => {
    if (Array.isArray(item)) return item.map(sorted);
    if (typeof item !== "object" || item === null) return item;
    return Object.fromEntries(
      Object.keys(item)
        .sort()
        .map((key) => [key, sorted((item as Fields)[key])]),
    );
  };
  const escapes: Record<string, string> = { "<": "\\u003c", ">": "\\u003e", "&": "\\u0026" };
  return JSON.stringify(sorted(value)).replace(/[<>&]/g, (character) => escapes[character] ?? character);
}

function readStatus(value: unknown): number {
  if (value === undefined || value === null || value === 0) return 200;
  if (typeof value !== "number" || !Number.isInteger(value))
    throw new BadPluginResponse("statusCode is not an integer");
  return value;
}

/** Values are arrays of strings; only the last of each survives. */
function readHeaders(value: unknown): [string, string][] {
  if (value === undefined || value === null) return [];
  return Object.entries(fieldsOf(value, "headers")).map(([name, values]) => {
    if (!Array.isArray(values) || !values.every((item) => typeof item === "string")) {
      throw new BadPluginResponse(`header ${name} is not an array of strings`);
    }
    return [name, (values[values.length - 1] as string | undefined) ?? ""];
  });
}

const sameSiteNames: Record<number, string> = { 2: "Lax", 3: "Strict", 4: "None" };

/** Go's cookie fields, names in any case. */
function cookieLine(value: unknown): string {
  const fields: Fields = {};
  for (const [name, field] of Object.entries(fieldsOf(value, "cookie"))) fields[name.toLowerCase()] = field;
  const { name, value: text, path, domain, maxage, secure, httponly, samesite } = fields;
  if (typeof name !== "string") throw new BadPluginResponse("cookie name is not a string");
  let line = `${name}=${typeof text === "string" ? text : ""}`;
  if (typeof path === "string" && path !== "") line += `; Path=${path}`;
  if (typeof domain === "string" && domain !== "") line += `; Domain=${domain}`;
  if (typeof maxage === "number" && maxage !== 0) line += `; Max-Age=${Math.max(maxage, 0)}`;
  if (httponly === true) line += "; HttpOnly";
  if (secure === true) line += "; Secure";
  const sameSite = typeof samesite === "number" ? sameSiteNames[samesite] : undefined;
  return sameSite === undefined ? line : `${line}; SameSite=${sameSite}`;
}

function readCookies(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new BadPluginResponse("cookies is not an array");
  return value.map(cookieLine);
}

function readBodyVariant(body: Fields): { contentType: string | undefined; bytes: Buffer } {
  if (body.data !== undefined && body.data !== null) {
    const { type, data } = fieldsOf(body.data, "body.data");
    if (typeof type !== "string") throw new BadPluginResponse("body.data.type is required");
    return { contentType: "application/json; charset=utf-8", bytes: Buffer.from(goJson(data)) };
  }
  if (body.string !== undefined && body.string !== null) {
    const { format } = fieldsOf(body.string, "body.string");
    if (typeof format !== "string") throw new BadPluginResponse("body.string.format is required");
    return { contentType: "text/plain; charset=utf-8", bytes: Buffer.from(format) };
  }
  if (body.raw !== undefined && body.raw !== null) {
    const raw = fieldsOf(body.raw, "body.raw");
    const bytes = rawBytes(raw.data);
    // The host overwrites the plugin's own object: a cached response is empty the second time.
    if (Object.isFrozen(raw)) throw new BadPluginResponse("raw is read-only");
    raw.data = null;
    if (raw.contentType !== undefined && typeof raw.contentType !== "string")
      throw new BadPluginResponse("raw.contentType");
    return { contentType: raw.contentType, bytes };
  }
  return { contentType: undefined, bytes: Buffer.alloc(0) };
}

export function readPluginResponse(value: unknown): PluginResponse {
  const response = fieldsOf(value, "response");
  const body = response.body === undefined || response.body === null ? {} : fieldsOf(response.body, "body");
  const status = readStatus(response.statusCode);
  const headers = readHeaders(response.headers);
  const redirect =
    body.redirect === undefined || body.redirect === null ? undefined : fieldsOf(body.redirect, "body.redirect");
  for (const name of ["file", "proxy"]) {
    // Loud on purpose: a real host would serve these.
    if (body[name] !== undefined && body[name] !== null)
      throw new BadPluginResponse(`body.${name} is not part of the sandbox`);
  }
  const cookies = readCookies(response.cookies);
  const { contentType, bytes } = readBodyVariant(body);
  if (redirect && typeof redirect.location === "string" && (status === 201 || (status >= 300 && status <= 308))) {
    headers.push(["Location", redirect.location]);
  }
  return { status: status < 100 ? 200 : status, headers, cookies, contentType, body: bytes };
}
