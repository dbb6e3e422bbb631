// Parses the address of SiYuan once, with an error that names where it came from.

import { SisyphusError } from "../../shared/errors.js";

/** Where SiYuan is and how it is spoken to. */
export interface SiyuanAddress {
  readonly hostname: string;
  readonly port: number;
  readonly secure: boolean;
  /** Path prefix behind a reverse proxy, without a trailing slash; usually empty. */
  readonly basePath: string;
  /** Scheme, host, port and prefix, for messages and comparisons. Holds no credential. */
  readonly display: string;
}

export const defaultApiUrl = "http://127.0.0.1:6806";

/** Parses `text`; `source` (a variable or flag) is named when it is no address. */
export function parseApiUrl(text: string, source: string): SiyuanAddress {
  const url = readUrl(text.trim(), source);
  const hostname = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const claimsTls = url.protocol === "https:";
  // On loopback SiYuan answers TLS with a certificate that nobody can verify, and plain HTTP on the same port.
  const secure = claimsTls && !isLoopback(hostname);
  const port = url.port === "" ? (claimsTls ? 443 : 80) : Number(url.port);
  const basePath = url.pathname.replace(/\/+$/, "");
  const shownHost = hostname.includes(":") ? `[${hostname}]` : hostname;
  return {
    hostname,
    port,
    secure,
    basePath,
    display: `${secure ? "https" : "http"}://${shownHost}:${port}${basePath}`,
  };
}

function readUrl(text: string, source: string): URL {
  const problem = (what: string) =>
    new SisyphusError("invalid_arguments", `${source} is not the address of SiYuan: ${what}`, {
      fields: [{ path: source, message: what }],
      hint: `Set ${source} to scheme, host and port, for example ${defaultApiUrl}`,
    });
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw problem(text === "" ? "it is empty" : "it is not a URL");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw problem(`the scheme must be http or https, not ${url.protocol}`);
  if (url.username !== "" || url.password !== "")
    throw problem("it must not hold a user name or password; give the API token separately");
  if (url.search !== "" || url.hash !== "")
    throw problem("it must not have a query or a fragment; give the API token separately");
  return url;
}

export function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase();
  return name === "localhost" || name.endsWith(".localhost") || name === "::1" || /^127(?:\.\d{1,3}){3}$/.test(name);
}
