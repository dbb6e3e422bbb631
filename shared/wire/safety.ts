// The safety vocabulary on the wire: credential fields, the modes of an answer, and the health report.

/** What a precondition covers; each kind has its own credential field. */
export type PreconditionKind = "state" | "structure" | "manifest" | "source";

export const preconditionFields = {
  state: "expectedStateHash",
  structure: "expectedStructureHash",
  manifest: "expectedManifestHash",
  source: "expectedSourceHash",
} as const satisfies Record<PreconditionKind, string>;

/** Fields of a call that are never business arguments. */
export const transportFields: readonly string[] = [
  "action",
  "validateOnly",
  "requestId",
  "confirm",
  ...Object.values(preconditionFields),
];

export type TransactionState = "committed" | "no_change" | "state_unchanged" | "rejected" | "unknown";

/** Credentials: `sha256:v1:<hex>` or bare hex, 4 to 64 digits, any case. */
export const credentialPattern = /^(?:sha256:v1:)?[0-9a-f]{4,64}$/;
export const requestIdPattern = /^[0-9a-f]{4,64}$/;

/** Key in a modern request's `_meta` by which our own programs say how a dangerous call was confirmed. */
export const confirmationKey = "io.siyuan.sisyphus/confirmation";

/**
 * How a dangerous call is confirmed:
 * - dialog: the client asks the user in a dialog (modern clients)
 * - convention: the caller passes confirm:true after asking the user (older clients)
 * - command: the user typed the command
 */
export type Confirmation = "dialog" | "convention" | "command";

/** What `/health` answers. Times are epoch milliseconds. */
export interface HealthReport {
  readonly ok: boolean;
  readonly plugin: string;
  readonly version: string;
  readonly instance: string;
  readonly hostToken: "plugin" | "secret" | "rejected" | "unknown";
  readonly levers: {
    readonly digest: "web-crypto" | "template-route" | "js" | "unknown";
    readonly entropy: "template-route" | "host-event" | "none" | "unknown";
    readonly pathLock: "present" | "absent" | "unknown";
  };
  readonly queue: {
    readonly maxInFlight: number;
    readonly inFlight: number;
    readonly readConcurrency: number;
    readonly readsRunning: number;
    readonly exclusiveRunning: number;
    readonly queued: number;
  };
}
