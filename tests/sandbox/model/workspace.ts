// The workspace folder: conf.json, notebook folders, atomic file writes.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isIdentifier, randomTail } from "./identifiers.ts";

export interface WorkspaceConf {
  api: { token: string };
  accessAuthCode: string;
  secrets: { items: { name: string; value: string }[] };
  variables: { items: { name: string; value: string }[] };
  fileTree: { sort: number };
  bazaar: { trust: boolean; petalDisabled: boolean };
}

export function writeFileAtomically(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}${randomTail(7)}.tmp`;
  writeFileSync(temporary, content);
  renameSync(temporary, file);
}

export function readJson<T>(file: string): T | undefined {
  if (!existsSync(file)) return undefined;
  return JSON.parse(readFileSync(file, "utf8")) as T;
}

export class Workspace {
  readonly conf: WorkspaceConf;

  constructor(
    readonly folder: string,
    token: string | undefined,
    accessAuthCode: string | undefined,
  ) {
    for (const name of ["conf", "data", "temp", "data/plugins", "data/storage/petal"]) {
      mkdirSync(join(folder, name), { recursive: true });
    }
    const stored = readJson<Partial<WorkspaceConf>>(this.#confFile()) ?? {};
    this.conf = {
      api: { token: token ?? stored.api?.token ?? randomTail(16) },
      accessAuthCode: accessAuthCode ?? stored.accessAuthCode ?? "",
      secrets: stored.secrets ?? { items: [] },
      variables: stored.variables ?? { items: [] },
      fileTree: stored.fileTree ?? { sort: 6 },
      bazaar: stored.bazaar ?? { trust: true, petalDisabled: false },
    };
    this.saveConf();
  }

  #confFile(): string {
    return join(this.folder, "conf/conf.json");
  }

  saveConf(): void {
    writeFileAtomically(this.#confFile(), JSON.stringify(this.conf, null, 2));
  }

  notebookFolder(notebook: string): string {
    return join(this.folder, "data", notebook);
  }

  /** Every folder in data/ whose name is an identifier is a notebook, whatever it holds. */
  notebookFolders(): string[] {
    return readdirSync(join(this.folder, "data"))
      .filter((name) => isIdentifier(name) && statSync(this.notebookFolder(name)).isDirectory())
      .sort();
  }
}
