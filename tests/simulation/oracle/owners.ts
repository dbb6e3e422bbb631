// Which run of the plugin owns the workspace, told from the fence file and from who passed its barrier.

import { safetyLimits } from "../../../shared/limits.js";

interface Entry {
  readonly atMs: number;
  /** The run that the fence file names; undefined without a file. */
  readonly run: number | undefined;
}

export class Owners {
  readonly #file: Entry[] = [];
  /** Runs that passed a barrier. */
  readonly #accepted = new Set<number>();

  /** The fence file names this run now, or is gone. */
  fenceNames(run: number | undefined, atMs: number): void {
    this.#file.push({ atMs, run });
  }

  accepted(run: number): void {
    this.#accepted.add(run);
  }

  /**
   * Why a run must not dispatch for a commit whose turn came at `turnAtMs`; undefined when it may. SiYuan's word that it
   * runs an instance counts for a moment, and a newer one accepts nothing before that is over.
   */
  whyNot(run: number, turnAtMs: number): string | undefined {
    const workAtMs = turnAtMs - safetyLimits.ownerCheckMs;
    const since = this.#file.filter(
      ({ atMs }, index) => (this.#file[index + 1]?.atMs ?? Infinity) >= workAtMs || atMs >= workAtMs,
    );
    const owner = this.#file[this.#file.length - 1]?.run;
    // An old copy that was put back names a run that is gone; SiYuan says whom it runs.
    if (since.length > 0 && since.every((entry) => entry.run !== undefined && entry.run > run))
      return `run ${run} dispatches while the fence file names run ${owner}`;
    const newer = this.#file.find((entry) => entry.run !== undefined && entry.run > run && entry.atMs < workAtMs);
    if (newer) {
      const own = this.#file.map((entry) => entry.run).lastIndexOf(run);
      return this.#file[own - 1]?.run === undefined
        ? `run ${run} claimed an empty temp/, although run ${newer.run} had the workspace`
        : `run ${run} found its name in an old copy, although run ${newer.run} had the workspace`;
    }
    const other = Array.from(this.#accepted).find((accepted) => accepted > run);
    return other === undefined ? undefined : `run ${run} dispatches although run ${other} accepted a write already`;
  }
}
