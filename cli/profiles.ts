// The profiles file: named pairs of address and token, readable by its owner only.

import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { isJsonObject, type JsonObject } from "../shared/wire/json.js";
import { didYouMean } from "./closest.js";
import { usageError } from "./usage.js";

export interface Profile {
  readonly apiUrl?: string;
  readonly token?: string;
}

export interface ProfilesFile {
  readonly path: string;
  readonly currentProfile?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

export function profilesPath(flag: string | undefined): string {
  return flag ?? join(homedir(), ".siyuan-sisyphus", "config.json");
}

/** An absent file is an empty one. Throws a usage error that names the file when it cannot be understood. */
export function readProfiles(path: string): ProfilesFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { path, profiles: {} };
    throw usageError(
      `the profiles file ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw usageError(
      `the profiles file ${path} is not JSON`,
      "Correct it, or move it away and use: siyuan-sisyphus config set",
    );
  }
  if (!isJsonObject(value)) throw usageError(`the profiles file ${path} must hold a JSON object`);
  return parse(path, value);
}

function parse(path: string, value: JsonObject): ProfilesFile {
  // The flat form of earlier versions is the profile "default".
  if (!("profiles" in value) && ("apiUrl" in value || "token" in value)) {
    return { path, currentProfile: "default", profiles: { default: profile(path, "default", value) } };
  }
  const { profiles = {}, currentProfile } = value;
  if (!isJsonObject(profiles)) throw usageError(`${path}: profiles must be an object`);
  if (currentProfile !== undefined && typeof currentProfile !== "string")
    throw usageError(`${path}: currentProfile must be a string`);
  const parsed: Record<string, Profile> = Object.create(null) as Record<string, Profile>;
  for (const [name, entry] of Object.entries(profiles)) {
    if (!isJsonObject(entry)) throw usageError(`${path}: profiles.${name} must be an object`);
    parsed[name] = profile(path, name, entry);
  }
  return { path, profiles: parsed, ...(currentProfile && { currentProfile }) };
}

function profile(path: string, name: string, entry: JsonObject): Profile {
  const field = (key: "apiUrl" | "token") => {
    const value = entry[key];
    if (value !== undefined && typeof value !== "string")
      throw usageError(`${path}: ${key} of the profile ${name} must be a string`);
    return value || undefined;
  };
  const apiUrl = field("apiUrl");
  const token = field("token");
  return { ...(apiUrl && { apiUrl }), ...(token && { token }) };
}

export function findProfile(file: ProfilesFile, name: string): Profile {
  const found = Object.hasOwn(file.profiles, name) ? file.profiles[name] : undefined;
  if (found) return found;
  const names = Object.keys(file.profiles);
  throw usageError(
    `there is no profile ${name} in ${file.path}${didYouMean(name, names)}`,
    names.length > 0
      ? `Profiles: ${names.join(", ")}`
      : "Create one: siyuan-sisyphus config set <name> --url <url> --token <token>",
  );
}

/** Replaces the file in one step; only its owner can read it. */
export function writeProfiles(file: ProfilesFile): void {
  const { path, currentProfile, profiles } = file;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify({ currentProfile, profiles }, null, 2)}\n`, { mode: 0o600 });
  chmodSync(temporary, 0o600);
  renameSync(temporary, path);
}

/** True when somebody else on this machine can read the tokens. */
export function isReadableByOthers(path: string): boolean {
  if (process.platform === "win32") return false;
  try {
    return (statSync(path).mode & 0o077) !== 0;
  } catch {
    return false;
  }
}

/** Enough to recognise a token, not enough to use it. */
export function maskToken(token: string | undefined): string {
  if (token === undefined) return "";
  return token.length > 8 ? `****${token.slice(-4)}` : "****";
}
