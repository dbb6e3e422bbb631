// What the owner's permission file said, and when.

import type { RequiredPermission } from "../../../shared/catalogue/declaration.js";
import type { Disk } from "../world/disk.js";
import { readLevels } from "../world/levels.js";

const rank: Readonly<Record<string, number>> = { none: 0, r: 1, rw: 2, rwd: 3 };

export class PermissionHistory {
  readonly #disk: Disk;
  readonly #entries: { readonly atMs: number; readonly levels: Readonly<Record<string, string>> }[] = [];

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Called whenever the file may have changed. */
  look(atMs: number): void {
    this.#entries.push({ atMs, levels: readLevels(this.#disk) });
  }

  /** True when the level was high enough at some moment from `sinceMs` on. */
  sufficedSince(notebook: string, required: RequiredPermission, sinceMs: number, untilMs: number): boolean {
    return this.#entries.some(({ atMs, levels }, index) => {
      const endMs = this.#entries[index + 1]?.atMs ?? untilMs;
      if (atMs > untilMs || endMs < sinceMs) return false;
      return (rank[levels[notebook] ?? "r"] ?? 0) >= (rank[required] ?? 9);
    });
  }
}
