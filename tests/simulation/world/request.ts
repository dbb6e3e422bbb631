// One request of the plugin to its host, as the simulated SiYuan and the checks see it.

import type { JsonObject } from "../../../shared/wire/json.js";
import type { CallRecord } from "./call-record.js";

export interface HostRequest {
  readonly number: number;
  readonly path: string;
  readonly body: JsonObject;
  /** True for whatever can change notes. */
  readonly isWrite: boolean;
  readonly isFile: boolean;
  /** The tool call that caused it; undefined for start-up work. */
  readonly call: CallRecord | undefined;
  /** The stage of the action, for a write. */
  readonly stage: string | undefined;
  /** Which run of the plugin sent it. */
  readonly run: number;
  readonly sentAtMs: number;
}

/** An HTTP reply, or a broken connection. */
export type Outcome = { readonly status: number; readonly text: string } | "broken";
