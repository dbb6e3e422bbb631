// Which run of the plugin owns the workspace, told from the fence file and from who passed its barrier.

export class Owners {
  /** When a run's name first stood in the fence file. */
  readonly #claimedAtMs = new Map<number, number>();
  /** When a run first passed a barrier. */
  readonly #acceptedAtMs = new Map<number, number>();

  claimed(run: number, atMs: number): void {
    if (!this.#claimedAtMs.has(run)) this.#claimedAtMs.set(run, atMs);
  }

  accepted(run: number, atMs: number): void {
    if (!this.#acceptedAtMs.has(run)) this.#acceptedAtMs.set(run, atMs);
  }

  /** Why a run must not dispatch for a commit whose turn came at `workAtMs`; undefined when it may. */
  whyNot(run: number, workAtMs: number): string | undefined {
    for (const [newer, atMs] of this.#claimedAtMs) {
      if (newer > run && workAtMs > atMs) return `run ${run} began after run ${newer} had claimed the workspace`;
    }
    for (const newer of this.#acceptedAtMs.keys()) {
      if (newer > run) return `run ${run} dispatches although run ${newer} accepted a write already`;
    }
    return undefined;
  }
}
