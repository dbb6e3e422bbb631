// Which SiYuan a command talks to, and with which token: flags, then --profile, then environment, then the active profile.

import { defaultApiUrl, parseApiUrl, type SiyuanAddress } from "../node-bridge/coordinator/address.js";
import { findProfile, isReadableByOthers, type Profile, profilesPath, readProfiles } from "./profiles.js";

export interface ConnectionFlags {
  readonly url?: string;
  readonly token?: string;
  readonly profile?: string;
  readonly config?: string;
}

export interface Connection {
  readonly address: SiyuanAddress;
  readonly token?: string;
  /** Where the address came from, for messages. */
  readonly source: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function resolveConnection(
  flags: ConnectionFlags,
  environment: Environment,
  notice: (message: string) => void,
): Connection {
  const url = flags.url;
  if (flags.profile !== undefined) {
    const profile = loadProfile(flags.config, flags.profile, notice);
    return connection(
      url ?? profile.apiUrl ?? defaultApiUrl,
      url ? "--url" : `the profile ${flags.profile}`,
      flags.token ?? profile.token,
    );
  }
  const fromEnvironment = environment.SIYUAN_API_URL || undefined;
  const token = flags.token ?? (environment.SIYUAN_TOKEN?.trim() || undefined);
  const chosen = url ?? fromEnvironment;
  const source = url !== undefined ? "--url" : "SIYUAN_API_URL";
  if (chosen !== undefined && token !== undefined) return connection(chosen, source, token);

  const file = readProfiles(profilesPath(flags.config));
  const active: Profile =
    file.currentProfile === undefined ? {} : loadProfile(flags.config, file.currentProfile, notice);
  if (chosen === undefined) {
    const name = active.apiUrl === undefined ? "the default" : `the profile ${file.currentProfile}`;
    return connection(active.apiUrl ?? defaultApiUrl, name, token ?? active.token);
  }
  // A profile's token goes only to the address it was stored for.
  const target = parseApiUrl(chosen, source);
  const sameServer = parseApiUrl(active.apiUrl ?? defaultApiUrl, "the active profile").display === target.display;
  return connection(chosen, source, sameServer ? active.token : undefined);
}

function loadProfile(config: string | undefined, name: string, notice: (message: string) => void): Profile {
  const path = profilesPath(config);
  const profile = findProfile(readProfiles(path), name);
  if (profile.token !== undefined && isReadableByOthers(path))
    notice(`Others on this machine can read the tokens in ${path}; run: chmod 600 ${path}`);
  return profile;
}

function connection(url: string, source: string, token: string | undefined): Connection {
  return { address: parseApiUrl(url, source), source, ...(token !== undefined && { token }) };
}
