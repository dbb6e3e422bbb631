// What a coordinator of strict writes may answer, in a few lines: a map of request ids to states, and the texts that a
// block may have. A lost outcome counts as two possible worlds; only an answer that fits none of them is wrong.

export interface Entry {
  readonly block: string;
  readonly asked: string;
  /** Texts that the preflight may have seen. */
  readonly seen: ReadonlySet<string>;
  state: "leased" | "dead" | "done" | "unknown" | "unchanged";
  /** True while SiYuan may execute it still, as far as the coordinator can know. */
  mayRun: boolean;
  /** True when no record tells that SiYuan answered: an instance that comes later cannot know it. */
  isUnrecorded: boolean;
}

/** What is done to one dispatch. `lost` says nothing of whether or when it is executed. */
export type Trouble = "none" | "lost" | "refused" | "no record before" | "no record after" | "process ends";

export class ReferenceModel {
  readonly ids = new Map<string, Entry>();
  readonly #texts = new Map<string, Set<string>>();

  textsOf(block: string): Set<string> {
    const known = this.#texts.get(block) ?? new Set<string>();
    this.#texts.set(block, known);
    return known;
  }

  /** Somebody else writes the block; whatever may still run comes on top. */
  written(block: string, text: string): void {
    const late = this.#open().filter((entry) => entry.block === block);
    this.#texts.set(block, new Set([text, ...late.map(({ asked }) => asked)]));
  }

  issued(id: string, block: string, asked: string): void {
    const seen = new Set(this.textsOf(block));
    this.ids.set(id, { block, asked, seen, state: "leased", mayRun: false, isUnrecorded: false });
  }

  restarted(isNewProcess: boolean): void {
    for (const entry of Array.from(this.ids.values())) {
      if (entry.state === "leased") entry.state = "dead";
      // A process that is gone executes nothing any more, whatever was recorded.
      if (isNewProcess) entry.isUnrecorded = false;
      if (entry.state === "unknown") entry.mayRun = !isNewProcess && (entry.mayRun || entry.isUnrecorded);
    }
  }

  /** The answers that fit a possible world. */
  allowed(id: string, isSameCall: boolean, trouble: Trouble): readonly string[] {
    const entry = this.ids.get(id);
    if (!entry) return ["invalid_request_id", "preflight_lease_invalid"];
    const { block, asked, seen, state, mayRun, isUnrecorded } = entry;
    if (state === "dead") return ["preflight_lease_invalid"];
    if (state === "leased" && this.#open().length > 0) return ["write_outcome_open"];
    if (state === "leased" && !isSameCall) return ["preflight_lease_invalid"];
    if (!isSameCall) return ["idempotency_conflict"];
    if (state === "done") return ["replayed"];
    if (state === "unchanged") return ["state_unchanged"];
    const texts = Array.from(this.textsOf(block));
    const isAsBefore = texts.some((text) => seen.has(text));
    if (state === "unknown")
      return [
        "outcome_unknown",
        ...(mayRun && isUnrecorded ? ["request_running"] : []),
        ...(trouble === "no record before" ? ["write_ledger_unavailable"] : []),
        ...(texts.includes(asked) ? ["replayed"] : []),
        ...(isAsBefore && !mayRun ? ["state_unchanged"] : []),
      ];
    const changed = texts.some((text) => seen.size > 1 || !seen.has(text)) ? ["state_changed"] : [];
    return isAsBefore ? [...changed, ...endings[trouble]] : changed;
  }

  /** What is known after an answer that was allowed. */
  answered(id: string, isSameCall: boolean, trouble: Trouble, answer: string): void {
    const entry = this.ids.get(id);
    if (!isSameCall || answer === "write_outcome_open" || (entry?.state !== "leased" && entry?.state !== "unknown"))
      return;
    const texts = this.textsOf(entry.block);
    if (answer === "done" || answer === "replayed") {
      Object.assign(entry, { state: "done", mayRun: false });
      this.written(entry.block, entry.asked);
    } else if (answer === "outcome_unknown" && entry.state === "leased") {
      texts.add(entry.asked);
      Object.assign(entry, {
        state: "unknown",
        mayRun: trouble === "lost",
        isUnrecorded: trouble === "no record after",
      });
    } else if (answer === "state_unchanged" || answer === "api_error") {
      const late = new Set(this.#open().map(({ asked }) => asked));
      for (const text of Array.from(texts)) if (!entry.seen.has(text) && !late.has(text)) texts.delete(text);
      Object.assign(entry, { state: "unchanged", mayRun: false });
    } else if (entry.state === "leased" && answer !== "preflight_lease_invalid") entry.state = "dead";
  }

  #open(): readonly Entry[] {
    return Array.from(this.ids.values()).filter(({ mayRun }) => mayRun);
  }
}

/** How a commit that is let through can end. */
const endings: Readonly<Record<Trouble, readonly string[]>> = {
  none: ["done"],
  lost: ["outcome_unknown"],
  refused: ["api_error"],
  "no record before": ["write_ledger_unavailable"],
  "no record after": ["outcome_unknown"],
  "process ends": ["outcome_unknown"],
};
