// The machine's disk: files by path, the renames of the last seconds, and what a power cut or a torn write leaves.

interface Version {
  readonly atMs: number;
  /** Undefined: the file is not there. */
  readonly text: string | undefined;
}

/** Renames older than this survive a power cut: the file system has written its journal. */
export const journalMs = 5_000;
const tornAt = 512;

export class Disk {
  /** Versions by path, oldest first; the last one is what a read sees. */
  readonly #files = new Map<string, Version[]>();
  /** Paths whose last write was announced and will not be there after the process ends. */
  readonly #vanishing = new Set<string>();
  isFull = false;

  read(path: string): string | undefined {
    const versions = this.#files.get(path);
    return versions?.[versions.length - 1]?.text;
  }

  write(path: string, text: string | undefined, nowMs: number): void {
    const versions = this.#files.get(path) ?? [];
    // One version from before the journal's window stays as what a power cut falls back to.
    while (versions.length > 1 && (versions[1] as Version).atMs < nowMs - journalMs) versions.shift();
    if (versions.length === 0) versions.push({ atMs: Number.NEGATIVE_INFINITY, text: undefined });
    versions.push({ atMs: nowMs, text });
    this.#files.set(path, versions);
    this.#vanishing.delete(path);
  }

  /** The last write of the path is lost when the process ends. */
  vanishLater(path: string): void {
    this.#vanishing.add(path);
  }

  paths(folder: string): readonly string[] {
    return Array.from(this.#files.keys()).filter(
      (path) => path.startsWith(`${folder}/`) && this.read(path) !== undefined,
    );
  }

  /** When a file was last written; 0 for what is no file. */
  writtenAtMs(path: string): number {
    const versions = this.#files.get(path);
    return versions?.[versions.length - 1]?.atMs ?? 0;
  }

  /** Names directly below a folder. */
  names(folder: string): readonly string[] {
    const names = this.paths(folder).map((path) => path.slice(folder.length + 1).split("/")[0] ?? "");
    return Array.from(new Set(names)).sort();
  }

  empty(folder: string, nowMs: number): void {
    for (const path of this.paths(folder)) this.write(path, undefined, nowMs);
  }

  copy(folder: string): ReadonlyMap<string, string> {
    return new Map(this.paths(folder).map((path) => [path, this.read(path) as string]));
  }

  /** Puts a copy of a folder back; files that came later go. */
  restore(folder: string, copy: ReadonlyMap<string, string>, nowMs: number): void {
    for (const path of this.paths(folder)) if (!copy.has(path)) this.write(path, undefined, nowMs);
    for (const [path, text] of copy) this.write(path, text, nowMs);
  }

  endOfProcess(): void {
    for (const path of this.#vanishing) this.#files.get(path)?.pop();
    this.#vanishing.clear();
  }

  /** Renames after `cutMs(path)` are undone. */
  powerCut(cutMs: (path: string) => number): void {
    for (const [path, versions] of this.#files) {
      const cut = cutMs(path);
      while (versions.length > 1 && (versions[versions.length - 1] as Version).atMs > cut) versions.pop();
    }
  }

  /** Cuts a file at the `border`-th multiple of 512 bytes; false when it is shorter. */
  tear(path: string, border: number, nowMs: number): boolean {
    const text = this.read(path);
    if (text === undefined || border * tornAt >= text.length) return false;
    this.write(path, text.slice(0, border * tornAt), nowMs);
    return true;
  }
}
