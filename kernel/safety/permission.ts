// Asks the owner's permission levels, late: when execution starts, for the notebooks of the live targets.

import type { RequiredPermission } from "../../shared/catalogue/declaration.js";
import { SisyphusError } from "../../shared/errors.js";
import type { ConfigReader, PermissionLevel } from "../config/config-reader.js";

const rank: Readonly<Record<PermissionLevel, number>> = { none: 0, r: 1, rw: 2, rwd: 3 };

/** Throws `permission_denied` for the first notebook whose level is too low. */
export async function requirePermission(
  config: ConfigReader,
  required: RequiredPermission,
  notebooks: readonly string[],
): Promise<void> {
  if (required === "workspace") return;
  for (const notebook of notebooks) {
    const level = await config.permission(notebook);
    if (rank[level] >= rank[required]) continue;
    throw new SisyphusError("permission_denied", `Notebook ${notebook} allows "${level}", this needs "${required}"`, {
      notebook,
      currentPermission: level,
      requiredPermission: required,
      hint: `The owner sets the level in the file notebookPermissions of the plugin's storage ({"${notebook}": "${required}"})`,
    });
  }
}
