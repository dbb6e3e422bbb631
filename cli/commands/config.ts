// `config`: shows and edits the profiles file. Tokens are masked in everything that is printed.

import { parseApiUrl } from "../../node-bridge/coordinator/address.js";
import { exitCodes } from "../../shared/errors.js";
import type { JsonObject } from "../../shared/wire/json.js";
import { didYouMean } from "../closest.js";
import { connectionFlags } from "../flags/connection-flags.js";
import { globalFlags } from "../flags/global.js";
import { type CommandSpec, helpText, type ParsedFlags, parseFlags } from "../flags/parser.js";
import { ValueSources } from "../flags/values.js";
import { keyValues, table } from "../output/table.js";
import {
  findProfile,
  maskToken,
  type Profile,
  type ProfilesFile,
  profilesPath,
  readProfiles,
  writeProfiles,
} from "../profiles.js";
import type { Terminal } from "../terminal.js";
import { usageError } from "../usage.js";

export const configSpec: CommandSpec = {
  usage: "config <list|get|set|use> [name] [flags]",
  summary: "Profiles: addresses and tokens of SiYuan",
  flags: globalFlags,
  commands: [
    ["config list", "All profiles"],
    ["config get [name]", "One profile; without a name the active one"],
    ["config set <name> --url <url> --token <token>", "Create or change a profile"],
    ["config use <name>", "Make a profile the active one"],
  ],
  examples: [
    [
      "config set home --url http://127.0.0.1:6806 --token @env:MY_TOKEN",
      "A token that stays out of the shell's history",
    ],
  ],
  notes: [
    "The address is taken from: flags, --profile, SIYUAN_API_URL and SIYUAN_TOKEN, the active profile, http://127.0.0.1:6806.",
  ],
};

export async function runConfig(words: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseFlags(configSpec, words);
  if (parsed.help) {
    process.stdout.write(`${await helpText(configSpec)}\n`);
    return exitCodes.done;
  }
  const [command, name, extra] = parsed.words;
  if (extra !== undefined) throw usageError(`unexpected argument ${JSON.stringify(extra)}`);
  const flags = connectionFlags(parsed, new ValueSources());
  const file = readProfiles(profilesPath(flags.config));
  switch (command) {
    case "list":
      if (name !== undefined) throw usageError(`unexpected argument ${JSON.stringify(name)}: config list takes none`);
      refuseConnection(parsed, "list");
      return list(file, terminal);
    case "get":
      refuseConnection(parsed, "get");
      return show(file, name ?? file.currentProfile, terminal);
    case "set":
      return set(
        file,
        required(name, "set"),
        { ...(flags.url && { apiUrl: flags.url }), ...(flags.token && { token: flags.token }) },
        terminal,
      );
    case "use":
      refuseConnection(parsed, "use");
      return use(file, required(name, "use"), terminal);
    default: {
      const known = ["list", "get", "set", "use"];
      if (command === undefined) throw usageError("config needs a command", `One of ${known.join(", ")}`);
      throw usageError(`config has no command ${command}${didYouMean(command, known)}`, `One of ${known.join(", ")}`);
    }
  }
}

/** --url and --token mean something only for `set`; elsewhere they would silently do nothing. */
function refuseConnection({ values }: ParsedFlags, command: string): void {
  for (const flag of ["url", "token", "profile"])
    if (values.has(flag)) throw usageError(`config ${command} takes no --${flag}`);
}

function required(name: string | undefined, command: string): string {
  if (name === undefined) throw usageError(`config ${command} needs the name of a profile`);
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name) || name.length > 64) {
    throw usageError(`${JSON.stringify(name)} is no profile name`, "Letters, digits, dot, dash and underscore");
  }
  return name;
}

async function list(file: ProfilesFile, terminal: Terminal): Promise<number> {
  const profiles = Object.entries(file.profiles).map(([name, profile]) => ({
    active: name === file.currentProfile,
    ...shown(name, profile),
  }));
  await terminal.data({ path: file.path, profiles }, () =>
    profiles.length === 0
      ? `No profiles in ${file.path}`
      : table(profiles.map((row) => ({ ...row, active: row.active ? "*" : "" }))),
  );
  return exitCodes.done;
}

async function show(file: ProfilesFile, name: string | undefined, terminal: Terminal): Promise<number> {
  if (name === undefined)
    throw usageError("no profile is active", "Name one, or choose it with: siyuan-sisyphus config use <name>");
  const value = { ...shown(name, findProfile(file, name)), active: name === file.currentProfile };
  await terminal.data(value, () => keyValues(value));
  return exitCodes.done;
}

async function set(file: ProfilesFile, name: string, change: Profile, terminal: Terminal): Promise<number> {
  if (change.apiUrl === undefined && change.token === undefined)
    throw usageError("config set needs --url, --token or both");
  if (change.apiUrl !== undefined) parseApiUrl(change.apiUrl, "--url");
  const profile = { ...(Object.hasOwn(file.profiles, name) ? file.profiles[name] : {}), ...change };
  const currentProfile = file.currentProfile ?? name;
  writeProfiles({ path: file.path, currentProfile, profiles: { ...file.profiles, [name]: profile } });
  const value = { ...shown(name, profile), active: name === currentProfile };
  await terminal.data(value, () => `Saved in ${file.path}\n${keyValues(value)}`);
  return exitCodes.done;
}

async function use(file: ProfilesFile, name: string, terminal: Terminal): Promise<number> {
  const profile = findProfile(file, name);
  writeProfiles({ ...file, currentProfile: name });
  const value = { ...shown(name, profile), active: true };
  await terminal.data(value, () => `The profile ${name} is active now`);
  return exitCodes.done;
}

function shown(name: string, profile: Profile): JsonObject & { readonly name: string } {
  return { name, apiUrl: profile.apiUrl ?? "", token: maskToken(profile.token) };
}
