// What really happened, as the simulated SiYuan saw it: request ids, the dispatches made under them, and their effects.

import type { JsonObject } from "../../../shared/wire/json.js";
import type { Scenario } from "../scenarios/scenario.js";
import type { State } from "../siyuan/notes.js";
import type { CallRecord } from "../world/call-record.js";
import type { HostRequest } from "../world/request.js";

/** A request of the plugin that can change notes or settings, made under a request id. */
export interface Dispatch {
  readonly request: HostRequest;
  readonly call: CallRecord;
  readonly stage: string;
  /** True when SiYuan answers code 0 before it executes. */
  readonly isLate: boolean;
  /** Which life of SiYuan's process got it. */
  readonly life: number;
  /** `sent` may still be executed while its process lives; `undone` was executed and changed nothing, or nothing for long. */
  fate: "sent" | "dropped" | "applied" | "undone";
  /** What the precondition covers, as it was when the dispatch left. */
  readonly checked: string | undefined;
}

/** One issued request id. */
export interface Intent {
  readonly requestId: string;
  readonly scenario: Scenario;
  /** As the preflight had them, with the credential. */
  readonly args: JsonObject;
  readonly run: number;
  readonly issuedWallMs: number;
  readonly issuedAtMs: number;
  /** What the precondition covers, at each read of the preflight. */
  readonly seen: ReadonlySet<string>;
  /** All of the notes, at each of these reads. Names of notebooks may be known from there for a moment. */
  readonly states: ReadonlySet<State>;
  readonly dispatches: Dispatch[];
  readonly calls: CallRecord[];
  /** Stages that the ledger's file named, as it was written. */
  readonly recordedStages: Set<string>;
  /** True once the asked effect was in the notes at a read of a commit of this id, after its dispatch. */
  held: boolean;
  /** True once the effect was there as asked, at the moment at which it took place. */
  tookEffect: boolean;
  /** The first answer that told of success. */
  success?: JsonObject;
  /** True once a client was told that the notes are as before. */
  toldUnchanged: boolean;
  /** True once its missing effect was reported. */
  effectIsMissing: boolean;
  /** True once its ledger record may be gone through no fault of the plugin. */
  recordMayBeLost: boolean;
}

export class Evidence {
  readonly intents = new Map<string, Intent>();
  /** Ids that were issued twice: nothing can be said of what happens under them. */
  readonly ambiguous = new Set<string>();
  readonly dispatches: Dispatch[] = [];
  /** Commits whose turn in the lane has come and is not over. */
  readonly inWork = new Set<CallRecord>();

  intentOf(call: CallRecord): Intent | undefined {
    return call.requestId === undefined ? undefined : this.intents.get(call.requestId);
  }

  dispatchOf(request: HostRequest): Dispatch | undefined {
    for (let index = this.dispatches.length - 1; index >= 0; index--) {
      if (this.dispatches[index]?.request === request) return this.dispatches[index];
    }
    return undefined;
  }

  /** True when the dispatch was executed, or may be later. */
  mayExecute(dispatch: Dispatch, life: number): boolean {
    return dispatch.fate === "applied" || (dispatch.fate === "sent" && dispatch.life === life);
  }

  /** Records on the disk may be gone or old from here on. */
  recordsMayBeLost(): void {
    for (const intent of this.intents.values()) intent.recordMayBeLost = true;
  }
}

/** Equal business arguments of the same action. */
export function sameCall(call: CallRecord, intent: Intent): boolean {
  return call.scenario === intent.scenario && businessText(call.args) === businessText(intent.args);
}

const transport: ReadonlySet<string> = new Set([
  "action",
  "validateOnly",
  "requestId",
  "confirm",
  "expectedStateHash",
  "expectedStructureHash",
  "expectedManifestHash",
  "expectedSourceHash",
]);

function businessText(args: JsonObject): string {
  const names = Object.keys(args)
    .filter((name) => !transport.has(name))
    .sort();
  return JSON.stringify(names.map((name) => [name, args[name]]));
}
