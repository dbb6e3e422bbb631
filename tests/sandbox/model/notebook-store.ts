// Notebook configuration and manual document order, read from disk at each call as SiYuan does.
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "../http/answer.ts";
import { newIdentifier } from "./identifiers.ts";
import { readJson, type Workspace, writeFileAtomically } from "./workspace.ts";

export interface NotebookConf {
  name: string;
  sort: number;
  icon: string;
  closed: boolean;
  refCreateSaveBox: string;
  refCreateSavePath: string;
  docCreateSaveBox: string;
  docCreateSavePath: string;
  dailyNoteSavePath: string;
  dailyNoteTemplatePath: string;
  sortMode: number;
  encrypted: boolean;
  boxCrypt: null;
}

const defaultConf: NotebookConf = {
  name: "Untitled",
  sort: 0,
  icon: "",
  closed: true,
  refCreateSaveBox: "",
  refCreateSavePath: "",
  docCreateSaveBox: "",
  docCreateSavePath: "",
  dailyNoteSavePath: '/daily note/{{now | date "2006/01"}}/{{now | date "2006-01-02"}}',
  dailyNoteTemplatePath: "",
  sortMode: 15,
  encrypted: false,
  boxCrypt: null,
};

/** Slashes and what does not print go from names and titles, but for the wide space U+3000 and the joiner U+200D. */
export function printable(raw: string): string {
  return raw
    .replaceAll("\u00a0", " ")
    .replace(/\/|(?![ \u3000\u200d])[\p{Z}\p{C}]/gu, "")
    .trim();
}

/** A blank name becomes Untitled, over 512 characters are refused. */
export function notebookName(raw: string): string {
  if ([...raw].length > 512) throw new Refusal(-1, "Name is too long");
  const cleaned = printable(raw);
  return cleaned === "" ? "Untitled" : cleaned;
}

export class NotebookStore {
  constructor(readonly workspace: Workspace) {}

  #file(notebook: string, name: string): string {
    return join(this.workspace.notebookFolder(notebook), ".siyuan", name);
  }

  exists(notebook: string): boolean {
    return existsSync(this.workspace.notebookFolder(notebook));
  }

  conf(notebook: string): NotebookConf {
    return { ...defaultConf, ...readJson<Partial<NotebookConf>>(this.#file(notebook, "conf.json")) };
  }

  /** Writes without an existence check: an unknown id makes a ghost notebook, as in SiYuan. */
  saveConf(notebook: string, conf: NotebookConf): void {
    writeFileAtomically(this.#file(notebook, "conf.json"), JSON.stringify(conf, null, 2));
  }

  isOpen(notebook: string): boolean {
    return this.exists(notebook) && !this.conf(notebook).closed;
  }

  requireOpen(notebook: string, data: unknown = null): void {
    if (!this.isOpen(notebook)) throw new Refusal(-1, "Query notebook failed", data);
  }

  list(): string[] {
    return this.workspace.notebookFolders().sort((left, right) => this.conf(left).sort - this.conf(right).sort);
  }

  create(rawName: string): string {
    const name = notebookName(rawName);
    const others = this.list();
    others.forEach((other, index) => {
      this.saveConf(other, { ...this.conf(other), sort: index + 1 });
    });
    const id = newIdentifier();
    mkdirSync(this.workspace.notebookFolder(id), { recursive: true });
    this.saveConf(id, { ...defaultConf, name, closed: false });
    return id;
  }

  remove(notebook: string): void {
    rmSync(this.workspace.notebookFolder(notebook), { recursive: true, force: true });
  }

  describe(notebook: string): Record<string, unknown> {
    const { name, icon, sort, sortMode, closed } = this.conf(notebook);
    return {
      id: notebook,
      name,
      icon,
      sort,
      sortMode,
      closed,
      subFileCount: 0,
      newFlashcardCount: 0,
      dueFlashcardCount: 0,
      flashcardCount: 0,
      encrypted: false,
      unlocked: false,
    };
  }

  sortValues(notebook: string): Record<string, number> {
    return readJson<Record<string, number>>(this.#file(notebook, "sort.json")) ?? {};
  }

  saveSortValues(notebook: string, values: Record<string, number>): void {
    writeFileAtomically(this.#file(notebook, "sort.json"), JSON.stringify(values));
  }
}
