// The envelope of SiYuan's JSON routes, and the ways a handler leaves early.

export interface Envelope {
  code: number;
  msg: string;
  data: unknown;
}

export function success(data: unknown = null): Envelope {
  return { code: 0, msg: "", data };
}

/** A failure the handler reports itself; data is often a hint for the user interface. */
export class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data: unknown = null,
  ) {
    super(message);
  }
}

/** An old handler died inside: SiYuan answers code 0 with no data and nothing done. */
export class HandlerPanic extends Error {}

export const closeLater = { closeTimeout: 7000 };
