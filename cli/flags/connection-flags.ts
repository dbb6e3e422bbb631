// Reads the flags that choose the SiYuan from a parsed command line.

import type { ConnectionFlags } from "../connection.js";
import { usageError } from "../usage.js";
import type { ParsedFlags } from "./parser.js";
import type { ValueSources } from "./values.js";

export function connectionFlags({ values }: ParsedFlags, sources: ValueSources): ConnectionFlags {
  const one = (flag: string) => {
    const given = values.get(flag);
    if (given && given.length > 1) throw usageError(`--${flag} is given more than once`);
    if (given?.[0]?.trim() === "") throw usageError(`--${flag} is empty`);
    return given?.[0];
  };
  const typedToken = one("token");
  const token = typedToken === undefined ? undefined : sources.resolve(typedToken, "--token").trim();
  const url = one("url");
  const profile = one("profile");
  const config = one("config");
  return { ...(url && { url }), ...(token && { token }), ...(profile && { profile }), ...(config && { config }) };
}
