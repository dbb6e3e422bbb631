// The owner's permission levels, as they are on the disk.

import { permissionsPath } from "../../../kernel/config/config-reader.js";
import type { Disk } from "./disk.js";

/** By notebook; none in a damaged file. */
export function readLevels(disk: Disk): Readonly<Record<string, string>> {
  try {
    return JSON.parse(disk.read(permissionsPath) ?? "{}") as Readonly<Record<string, string>>;
  } catch {
    return {};
  }
}
