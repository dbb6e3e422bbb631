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
    invariant: "I-20",
    message: "reconciled as committed, and the asked effect was never there",
    reason: "a reserved id that is there counts as proof, although SiYuan lost a part of the content",
  },
  {
    invariant: "I-20",
    message: "reconciled as committed, and nothing had taken effect",
    reason: "a block or document that no open tree holds counts as deleted, although its notebook is only closed",
  },
  {
    invariant: "I-35",
    message: "success without any dispatch of this id",
    reason: "the same, for a write whose record could not be confirmed and that was never sent",
  },
  {
    invariant: "I-30",
    message: "was answered and has not run yet",
    reason: "after a mismatch nobody waits for what SiYuan has answered and not yet executed",
  },
  {
    invariant: "I-01",
    message: "took effect after its answer",
    reason: "the same: the late effect goes over a later commit",
  },
  {
    invariant: "I-30",
    message: "may still run, sent by an earlier run",
    reason: "a run that ends without its unload hook leaves no open-writes file, only its records",
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
    message: "the id was issued before, where two runs were alive at one time",
    reason: "an orphan reserves ids from the counter that it read at its start, which its successor has used since",
  },
  {
    invariant: "I-14",
    message: "the id was issued before, and a power cut came between",
    reason: "the cut can lose both copies of the last reservation, and with them the counter that was issued from",
  },
  {
    invariant: "I-21",
    message: "invalid_request_id for an id that was dispatched",
    reason: "the same counter: an orphan says of an id of its successor that it was never issued",
  },
  {
    invariant: "I-38",
    message: "took the workspace back from run",
    reason: "an orphan that finds temp/ emptied writes its own name into the fence file again",
  },
  {
    invariant: "I-17",
    message: "and sent nothing, which was not needed",
    reason: "a no_change of a call that had nothing to send says writeAttempted and writeExecuted all the same",
  },
  {
    invariant: "I-38",
    message: "accepted a write already",
    reason: "the fence is not read between a slow record and the first dispatch; the successor begins meanwhile",
  },
  {
    invariant: "I-30",
    message: "ms after its admission",
    reason: "the text of a refusal reads the settings first, with no deadline over it",
  },
  {
    invariant: "I-30",
    message: "ms after it came",
    reason: "the settings are read before admission, where no deadline runs",
  },
  {
    invariant: "I-30",
    message: "a new write ends with write_ledger_unavailable",
    reason: "one torn copy of the id file stops all writes, although the other copy is whole",
  },
];

export function isKnown(violation: Violation): boolean {
  return knownGaps.some((gap) => gap.invariant === violation.invariant && violation.message.includes(gap.message));
}
