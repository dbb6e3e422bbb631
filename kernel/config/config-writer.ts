// Changes to the owner's settings. Only an action's apply step ever holds this.

import type { Files } from "../host/host.js";
import { type ConfigReader, type PermissionLevel, permissionsPath } from "./config-reader.js";

export class ConfigWriter {
  readonly #files: Pick<Files, "write">;
  readonly #reader: ConfigReader;

  constructor(files: Pick<Files, "write">, reader: ConfigReader) {
    this.#files = files;
    this.#reader = reader;
  }

  /** The same writer, which tells of each file before it writes it. */
  watched(onSend: () => void): ConfigWriter {
    const write = (path: string, text: string) => {
      onSend();
      return this.#files.write(path, text);
    };
    return new ConfigWriter({ write }, this.#reader);
  }

  /** Ends with the write: a read behind it could fail, and its failure would look like a refusal of the write. */
  async setPermission(notebook: string, level: PermissionLevel): Promise<void> {
    const levels = await this.#reader.freshPermissions();
    try {
      await this.#files.write(permissionsPath, JSON.stringify({ ...levels, [notebook]: level }));
    } finally {
      this.#reader.forgetPermissions();
    }
  }
}
