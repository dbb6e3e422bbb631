// The guarantees of the write coordinator, by name. A test claims one by its number in its title; the test beside this
// file fails when a guarantee is claimed by none and no reason says why.

export interface Invariant {
  readonly id: string;
  readonly name: string;
  /** Why no test claims it yet; such an entry says what a user cannot rely on. */
  readonly open?: string;
}

export const invariants: readonly Invariant[] = [
  { id: "I-01", name: "every authorisation compares two complete digests" },
  { id: "I-02", name: "the canonical form is equal byte for byte in goja and in Node" },
  { id: "I-03", name: "any change of text, attribute, order or parent changes the digest" },
  { id: "I-04", name: "attribute order and stamps do not change the digest" },
  { id: "I-05", name: "a preflight changes nothing" },
  { id: "I-06", name: "a preflight runs the checks of the execution" },
  { id: "I-07", name: "a structure digest covers parent, configuration and every visible child" },
  { id: "I-08", name: "a lease is bound to tool, action, arguments and targets" },
  { id: "I-09", name: "no lease is redeemable at or after its expiry, for any clock step" },
  { id: "I-10", name: "a lease authorises one dispatch" },
  { id: "I-11", name: "an alias never changes its meaning" },
  { id: "I-12", name: "an alias or digest without a live lease authorises nothing" },
  { id: "I-13", name: "after a restart no earlier lease is redeemable" },
  { id: "I-14", name: "only issued ids are accepted, and none is issued twice" },
  { id: "I-15", name: "one request id and stage is dispatched at most once" },
  { id: "I-16", name: "a second use with other arguments executes nothing" },
  { id: "I-17", name: "a second use with equal arguments answers the recorded receipt" },
  { id: "I-18", name: "a second use while the first runs neither dispatches nor succeeds" },
  { id: "I-19", name: "the executing record is durable before the dispatch" },
  { id: "I-20", name: "committed is recorded only after a readback that fits" },
  { id: "I-21", name: "after a crash an id never answers that it was not executed, nor committed without evidence" },
  { id: "I-22", name: "torn and foreign records are detected" },
  { id: "I-23", name: "no note text in ledger, logs, health or errors" },
  { id: "I-24", name: "the ledger is bounded, and ids stay unique when it is pruned" },
  { id: "I-25", name: "one write at a time" },
  { id: "I-26", name: "writes start in the order of their admission" },
  { id: "I-27", name: "the last comparison and the dispatch are one turn of the lane" },
  { id: "I-28", name: "reads do not delay writes" },
  { id: "I-29", name: "above the cap calls are refused before any of their code runs" },
  { id: "I-30", name: "a host call that never returns becomes an unknown outcome, not a stuck lane" },
  { id: "I-31", name: "a cancel before the barrier executes nothing, after it is refused" },
  {
    id: "I-32",
    name: "a confirmation is usable once, by the same caller, for the same operation",
    open: "there is no confirmation dialog yet: a dangerous commit of a modern client is refused",
  },
  {
    id: "I-33",
    name: "a confirmation is never skipped and never replaces the state check",
    open: "there is no confirmation dialog yet: a dangerous commit of a modern client is refused",
  },
  { id: "I-34", name: "a mutating request is sent exactly once" },
  { id: "I-35", name: "an unknown outcome is settled only through its own id" },
  { id: "I-36", name: "an error or a missing row is no proof of a deletion" },
  { id: "I-37", name: "nothing outside the declared targets changes" },
  { id: "I-38", name: "two coordinators never both accept writes for one workspace folder" },
  { id: "I-39", name: "permissions are read when the execution starts" },
  {
    id: "I-40",
    name: "a task result is visible to its own caller only",
    open: "there are no task records yet",
  },
];
