// The two virtual files at the root of the workspace: texts of the owner's settings, shown as notes.

import { SisyphusError } from "../../../shared/errors.js";
import type { ConfigReader } from "../../config/config-reader.js";

export interface VirtualFile {
  readonly name: string;
  readonly path: string;
  readonly setting: "agentSiyuanMemoryText" | "userRulesText";
}

export const virtualFiles: readonly VirtualFile[] = [
  { name: "AGENTS.md", path: "/AGENTS.md", setting: "agentSiyuanMemoryText" },
  { name: "USER_RULES.md", path: "/USER_RULES.md", setting: "userRulesText" },
];

/** Its text; "" when there is none. */
export function virtualText(config: ConfigReader, file: VirtualFile): Promise<string> {
  return config.keptText(file.setting);
}

/** The refusal of every change to one of them. */
export function virtualIsReadOnly({ path }: VirtualFile): SisyphusError {
  return new SisyphusError("invalid_path", `${path} is kept in the plugin's settings and can only be read here`, {
    fields: [{ path: "path", message: "a virtual file; it can only be read" }],
  });
}
