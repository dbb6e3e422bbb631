// SiYuan's authentication rules in their order; the first that matches decides.
import type { IncomingMessage } from "node:http";
import type { WorkspaceConf } from "../model/workspace.ts";
import type { PluginTokens } from "./plugin-token.ts";

const localNames = /^(localhost|127(?:\.\d+){3}|\[?::1\]?|::ffff:127(?:\.\d+){3})$/;

function isLocalOrigin(origin: string): boolean {
  try {
    const { hostname } = new URL(origin);
    return localNames.test(hostname) || hostname.endsWith(".localhost");
  } catch {
    return false;
  }
}

function headerText(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? "";
}

const withoutCodeMessage =
  "Auth failed: for security reasons, please set [Lock screen password] when using non-127.0.0.1 access\n\n" +
  "为安全起见，使用非 127.0.0.1 访问时请设置 [锁屏密码]";

/** The text of a 401 answer, or undefined for an administrator. */
export function authenticationFailure(
  request: IncomingMessage,
  url: URL,
  conf: WorkspaceConf,
  tokens: PluginTokens,
): string | undefined {
  if (tokens.isValid(headerText(request, "x-auth-token"))) return undefined;
  const scheme = /^(?:Token|token|Bearer|bearer) (.+)$/.exec(headerText(request, "authorization"));
  if (scheme) return scheme[1] === conf.api.token ? undefined : "Auth failed [header: Authorization]";
  const queryToken = url.searchParams.get("token") ?? "";
  if (queryToken !== "") return queryToken === conf.api.token ? undefined : "Auth failed [query: token]";
  if (conf.accessAuthCode === "") {
    const peer = request.socket.remoteAddress ?? "";
    const origin = headerText(request, "origin");
    const forwarded = headerText(request, "x-forwarded-host");
    const forwardedFor = headerText(request, "x-forwarded-for").split(",")[0]?.trim() ?? "";
    const local =
      localNames.test(peer) &&
      (origin === "" || isLocalOrigin(origin)) &&
      (forwardedFor === "" || localNames.test(forwardedFor)) &&
      (forwarded === "" || localNames.test(forwarded.replace(/:\d+$/, "")));
    return local ? undefined : withoutCodeMessage;
  }
  return "Auth failed [session]";
}
