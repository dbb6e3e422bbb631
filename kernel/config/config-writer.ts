// Changes to the owner's settings. Only an action's apply step ever holds this.

import type { Files } from "../host/host.js";
import { type ConfigReader, type PermissionLevel, permissionsPath } from "./config-reader.js";

export class ConfigWriter {
  readonly #files: Files;
  readonly #reader: ConfigReader;

  constructor(files: Files, reader: ConfigReader) {
    this.#files = files;
    this.#reader = reader;
  }

  async setPermission(notebook: string, level: PermissionLevel): Promise<void> {
    const levels = await this.#reader.freshPermissions();
    await this.#files.write(permissionsPath, JSON.stringify({ ...levels, [notebook]: level }));
    await this.#reader.freshPermissions();
  }
}
