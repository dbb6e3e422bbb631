// What can go wrong with one request, and who decides it.

import type { Loss } from "../siyuan/route.js";

/** Stations of a request inside SiYuan's process. */
export type Station = "queued" | "parsed" | "applied" | "written" | "answered";
export const stations: readonly Station[] = ["queued", "parsed", "applied", "written", "answered"];

/** One accident. Kinds without a word about it are executed as asked. */
export type Fault =
  /** The connection is refused: nothing leaves. */
  | { readonly kind: "refused before send" }
  /** HTTP 401: SiYuan does not know the plugin's token. Not executed. */
  | { readonly kind: "token rejected" }
  /** Lost on the way there. Not executed; no answer, or a broken connection. */
  | { readonly kind: "lost before apply"; readonly breaks: boolean }
  /** Executed; no answer, or a broken connection. */
  | { readonly kind: "answer lost"; readonly breaks: boolean }
  | { readonly kind: "http 500"; readonly applied: boolean }
  | { readonly kind: "code not 0"; readonly applied: boolean }
  | { readonly kind: "code 0, nothing applied" }
  | { readonly kind: "code 0, data null" }
  | { readonly kind: "loses part"; readonly loss: Loss }
  /** Answered with code 0 before it is executed. */
  | { readonly kind: "late effect"; readonly ms: number }
  /** Executed after `ms`, which may be long after the plugin gave up; with or without the path's lock meanwhile. */
  | { readonly kind: "slow"; readonly ms: number; readonly holdsLock: boolean }
  | { readonly kind: "process exit"; readonly at: Station }
  /** The process ends while it writes a file, which keeps its first `border` times 512 bytes. */
  | { readonly kind: "torn"; readonly border: number }
  /** The file is written, and not there after the process ended. */
  | { readonly kind: "vanishes" };

export interface FaultedRequest {
  readonly path: string;
  readonly isWrite: boolean;
  /** True for a file of our own. */
  readonly isFile: boolean;
}

export interface FaultPlan {
  /** Asked once a request, when it leaves the plugin. */
  decide(request: FaultedRequest): Fault | undefined;
}

export const noFaults: FaultPlan = { decide: () => undefined };
