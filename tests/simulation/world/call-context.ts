// Ties what the plugin sends to the tool call that caused it, through every promise in between.

import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { Dispatcher, type Lane } from "../../../kernel/dispatch/dispatcher.js";
import type { Implementation } from "../../../kernel/safety/contract.js";
import type { CallControl } from "../../../kernel/safety/call-control.js";
import type { Clock } from "../../../kernel/host/host.js";
import type { CallRecord } from "./call-record.js";

interface Context {
  readonly call: CallRecord;
  readonly stage?: string;
}

const context = new AsyncLocalStorage<Context>();

export function inCall<Value>(call: CallRecord, work: () => Value): Value {
  return context.run({ call }, work);
}

/** For what nobody's call causes, wherever it is started from. */
export function outsideCalls<Value>(work: () => Value): Value {
  return context.exit(work);
}

export function currentCall(): Context | undefined {
  return context.getStore();
}

/** The real actions; each stage runs in a context that names it. */
export function withStageNames<Table extends Readonly<Record<string, Implementation>>>(table: Table): Table {
  const entries = Object.entries(table).map(([key, implementation]) => {
    if (implementation.kind === "read") return [key, implementation];
    const stages = implementation.stages.map((stage) => ({
      name: stage.name,
      apply: (...inputs: Parameters<typeof stage.apply>) => {
        const now = context.getStore();
        return now ? context.run({ ...now, stage: stage.name }, () => stage.apply(...inputs)) : stage.apply(...inputs);
      },
    }));
    return [key, { ...implementation, stages }];
  });
  return Object.fromEntries(entries) as Table;
}

/** What the lanes do with a call. */
export interface LaneEvents {
  admitted(call: CallRecord, lane: Lane): void;
  started(call: CallRecord, lane: Lane): void;
  crossed(call: CallRecord): void;
  ended(call: CallRecord, lane: Lane): void;
}

/** The real dispatcher. A lane starts a call from the end of another one, so the context is bound at admission. */
export class ObservedDispatcher extends Dispatcher {
  readonly #events: LaneEvents;

  constructor(clock: Clock, events: LaneEvents) {
    super(clock);
    this.#events = events;
  }

  override run<Value>(
    lane: Lane,
    isCancelled: () => boolean,
    work: (control: CallControl) => Promise<Value>,
  ): Promise<Value> {
    const call = currentCall()?.call;
    if (!call) return super.run(lane, isCancelled, work);
    const events = this.#events;
    events.admitted(call, lane);
    const bound = AsyncResource.bind(async (control: CallControl) => {
      events.started(call, lane);
      try {
        return await work({
          ...control,
          crossBarrier: () => {
            control.crossBarrier();
            events.crossed(call);
          },
        });
      } finally {
        events.ended(call, lane);
      }
    });
    return super.run(lane, isCancelled, bound as (control: CallControl) => Promise<Value>);
  }
}
