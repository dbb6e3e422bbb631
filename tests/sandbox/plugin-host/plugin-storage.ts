// siyuan.storage: text files below the plugin's storage folder; calls that are not awaited may land in any order.
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { writeFileAtomically } from "../model/workspace.ts";

type Done<T> = (message: string | null, value: T | null) => void;

export class PluginStorage {
  constructor(readonly folder: string) {
    mkdirSync(folder, { recursive: true });
  }

  #file(path: unknown): string {
    if (typeof path !== "string") throw new Error("path must be a string");
    let depth = 0;
    for (const part of path.split("/")) {
      if (part === "..") depth--;
      else if (part !== "" && part !== ".") depth++;
      if (depth < 0) throw new Error("siyuan.storage: path traversal not allowed");
    }
    return join(this.folder, posix.normalize(`/${path}`));
  }

  /** Each call runs a little later, by a random moment: nothing orders two puts to one path. */
  #later<T>(done: Done<T>, run: () => T): void {
    setTimeout(() => {
      let value: T;
      try {
        value = run();
      } catch (error) {
        done(error instanceof Error ? error.message : String(error), null);
        return;
      }
      done(null, value);
    }, Math.random() * 2);
  }

  get(path: unknown, done: Done<Uint8Array>): void {
    this.#later(done, () => {
      const file = this.#file(path);
      if (!existsSync(file)) throw new Error(`open ${file}: no such file or directory`);
      if (statSync(file).isDirectory()) throw new Error(`read ${file}: is a directory`);
      return readFileSync(file);
    });
  }

  put(path: unknown, content: string, done: Done<undefined>): void {
    this.#later(done, () => {
      writeFileAtomically(this.#file(path), content);
      return undefined;
    });
  }

  remove(path: unknown, done: Done<undefined>): void {
    this.#later(done, () => {
      const file = this.#file(path);
      if (file.replace(/\/$/, "") === this.folder.replace(/\/$/, "")) throw new Error("can not remove the root");
      rmSync(file, { recursive: true, force: true });
      return undefined;
    });
  }

  /** JSON text of the listing. */
  list(path: unknown, done: Done<string>): void {
    this.#later(done, () => {
      const folder = this.#file(path);
      if (!existsSync(folder)) throw new Error(`open ${folder}: no such file or directory`);
      const entries = readdirSync(folder)
        .sort()
        .map((name) => {
          const status = lstatSync(join(folder, name));
          return {
            name,
            isDir: status.isDirectory(),
            isSymlink: status.isSymbolicLink(),
            updated: Math.floor(status.mtimeMs / 1000),
          };
        });
      return JSON.stringify(entries);
    });
  }
}
