// The owner's settings: permission levels per notebook and switches per tool and action. At most one second old.

import { SisyphusError } from "../../shared/errors.js";
import { hostLimits } from "../../shared/limits.js";
import type { ActionDeclaration } from "../../shared/catalogue/declaration.js";
import { type JsonObject, isJsonObject } from "../../shared/wire/json.js";
import { storageFolder } from "../../shared/wire/plugin.js";
import type { Clock, Files } from "../host/host.js";

export type PermissionLevel = "none" | "r" | "rw" | "rwd";

export const permissionsPath = `${storageFolder}/notebookPermissions`;
const toolsPath = `${storageFolder}/mcpToolsConfig`;

export class ConfigReader {
  readonly #files: Files;
  readonly #clock: Clock;
  readonly #cache = new Map<string, { readonly value: Promise<JsonObject>; readonly readAtMs: number }>();

  constructor(files: Files, clock: Clock) {
    this.#files = files;
    this.#clock = clock;
  }

  /** The level of a notebook; no entry is read-only, an unknown word is no access. */
  async permission(notebook: string): Promise<PermissionLevel> {
    const levels = await this.#object(permissionsPath, parsePermissions);
    return levels[notebook] === undefined ? "r" : toLevel(levels[notebook]);
  }

  /** True when the notebook or, for one that is not known, every notebook may be read. */
  async mayRead(notebook: string): Promise<boolean> {
    return (await this.permission(notebook)) !== "none";
  }

  async isEnabled(action: ActionDeclaration): Promise<"enabled" | "tool_disabled" | "action_disabled"> {
    const tool = (await this.#object(toolsPath, parseSettings))[action.tool];
    if (!isJsonObject(tool)) return action.enabled ? "enabled" : "action_disabled";
    if (tool.enabled === false) return "tool_disabled";
    const actions = isJsonObject(tool.actions) ? tool.actions : {};
    const chosen = actions[action.name];
    const on = typeof chosen === "boolean" ? chosen : action.enabled;
    return on ? "enabled" : "action_disabled";
  }

  /** True unless the owner switched strict writes off. */
  async strictMode(): Promise<boolean> {
    const { writeSafety } = await this.#object(toolsPath, parseSettings);
    return !(isJsonObject(writeSafety) && writeSafety.strictMode === false);
  }

  /** A text that the owner or an agent keeps for all sessions; "" when there is none. */
  async keptText(setting: "agentSiyuanMemoryText" | "userRulesText"): Promise<string> {
    const text = (await this.#object(toolsPath, parseSettings))[setting];
    return typeof text === "string" ? text : "";
  }

  /** Reads the stored levels anew, for a change of them. */
  freshPermissions(): Promise<JsonObject> {
    this.forgetPermissions();
    return this.#object(permissionsPath, parsePermissions);
  }

  /** The stored levels have changed. */
  forgetPermissions(): void {
    this.#cache.delete(permissionsPath);
  }

  #object(path: string, parse: (text: string | undefined) => JsonObject): Promise<JsonObject> {
    const now = this.#clock.nowMs();
    const cached = this.#cache.get(path);
    if (cached && now >= cached.readAtMs && now - cached.readAtMs < hostLimits.settingsCacheMs) return cached.value;
    const value = this.#files.read(path).then(parse);
    this.#cache.set(path, { value, readAtMs: now });
    value.catch(() => this.#cache.delete(path));
    return value;
  }
}

/** Older spellings are understood; anything else denies. */
function toLevel(value: unknown): PermissionLevel {
  switch (value) {
    case "r":
    case "readonly":
      return "r";
    case "rw":
    case "write":
      return "rw";
    case "rwd":
      return "rwd";
    default:
      return "none";
  }
}

/** Damaged switches count as absent: the defaults are safe. */
function parseSettings(text: string | undefined): JsonObject {
  return text === undefined ? {} : (parseObject(text) ?? {});
}

/** Damaged levels deny: the file may have hidden notebooks. */
function parsePermissions(text: string | undefined): JsonObject {
  if (text === undefined) return {};
  const levels = parseObject(text);
  if (levels) return levels;
  throw new SisyphusError(
    "permission_denied",
    "The file notebookPermissions is damaged; nothing is allowed until its owner repairs it",
  );
}

function parseObject(text: string): JsonObject | undefined {
  try {
    // Some editors begin a file with a byte order mark.
    const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
