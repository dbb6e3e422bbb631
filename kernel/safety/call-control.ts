// What a running commit may ask about its call. The dispatcher implements it.

export interface CallControl {
  /**
   * The point of no return. Throws when the call was cancelled, waited too long or the plugin is stopping; afterwards
   * it can no longer be taken back. Synchronous, so that nothing comes between the decision and the write.
   */
  crossBarrier(): void;
  /** The work's result, or `kernel_unreachable` once the call must be answered; the work itself goes on. */
  withinDeadline<Value>(work: Promise<Value>): Promise<Value>;
}
