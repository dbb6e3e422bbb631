// Who may talk to the routes at all: the addressed host and the origin of the page, against DNS rebinding.
// SiYuan itself has checked the credential by then, but it lets every Host through.

import type { RouteRequest } from "../host/host.js";

/** Why the request is refused, or undefined. */
export function originProblem(request: RouteRequest): string | undefined {
  if (!isLocalName(hostName(request.host))) return `the host ${request.host} is a public name`;
  const origin = request.headers.origin;
  if (origin === undefined) return undefined;
  const match = /^https?:\/\/(.+)$/.exec(origin);
  return match && isLoopback(hostName(match[1] ?? "")) ? undefined : "the origin is not a page of this machine";
}

function hostName(hostAndPort: string): string {
  const bracketed = /^\[([^\]]*)\]/.exec(hostAndPort);
  return (bracketed ? (bracketed[1] ?? "") : hostAndPort.replace(/:\d*$/, "")).toLowerCase();
}

function isLoopback(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || /^127(?:\.\d{1,3}){3}$/.test(name) || name === "::1";
}

/** An address, or a name that no public DNS serves: rebinding needs a public one. */
function isLocalName(name: string): boolean {
  if (isLoopback(name) || name.includes(":") || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name)) return true;
  return !name.includes(".") || /\.(?:local|lan|internal|home\.arpa)$/.test(name);
}
