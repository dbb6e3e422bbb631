// Violations that are known and not yet mended. An entry goes as soon as its defect does; seeds that hit one do not fail.

import type { Violation } from "./oracle/violations.js";

interface KnownGap {
  readonly invariant: string;
  /** Part of the message. */
  readonly message: string;
  readonly reason: string;
}

export const knownGaps: readonly KnownGap[] = [
  {
    invariant: "I-38",
    message: "found its name in an old copy",
    reason: "an orphan that finds an old copy of temp/ put back finds its own name in the fence file",
  },
  {
    invariant: "I-30",
    message: "may still run, sent by a run that ended without a word",
    reason: "a run that ends without its unload hook leaves no open-writes file, only its records",
  },
  {
    invariant: "I-30",
    message: "may still run, sent by a run that still runs",
    reason: "a successor reads the open writes at its start, before an orphan leaves one more",
  },
  {
    invariant: "I-01",
    message: "that a write of another run,",
    reason: "the same: what the ended run had sent takes effect under its successor",
  },
  {
    invariant: "I-30",
    message: "a restart no write is accepted",
    reason: "an open write whose kernel process could not be told stays open for ever",
  },
  {
    invariant: "I-14",
    message: "the id was issued before, and a power cut came between",
    reason: "the cut can lose both copies of the last reservation, and with them the counter that was issued from",
  },
  {
    invariant: "I-30",
    message: "a new write ends with write_ledger_unavailable",
    reason: "the very first copy of the id file was torn before there was a second one: somebody must delete it",
  },
  {
    invariant: "I-17",
    message: "and sent nothing, which was not needed",
    reason: "a no_change of a call that had nothing to send says writeAttempted and writeExecuted all the same",
  },
];

export function isKnown(violation: Violation): boolean {
  return knownGaps.some((gap) => gap.invariant === violation.invariant && violation.message.includes(gap.message));
}
