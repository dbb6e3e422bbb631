// A seed of 122 random bits: the version 4 UUID of the host's own start event. It is the only strong randomness that
// the host hands out besides the template route; events a plugin emits itself come back without an id.

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export interface EventSeed {
  /** The UUID of this run's start event; undefined before it came. */
  value(): string | undefined;
}

export function listenForSeed(): EventSeed {
  let seed: string | undefined;
  siyuan.event.handler = (event) => {
    const id = String(event.id);
    if (seed === undefined && event.type === "start" && uuidPattern.test(id)) seed = id;
  };
  return { value: () => seed };
}
