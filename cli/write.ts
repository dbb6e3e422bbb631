// A write from the command line: preflight and commit in one go, only the preflight, or the commit of an earlier one.

import { SisyphusError } from "../shared/errors.js";
import type { JsonObject } from "../shared/wire/json.js";
import { preconditionFields } from "../shared/wire/safety.js";
import type { CoordinatorClient, ToolAnswer } from "../node-bridge/coordinator/client.js";
import { kebab } from "./flags/names.js";

/** What the coordinator asks for: an id, and the hash under its own field name where there is a precondition. */
export interface Credentials {
  readonly requestId: string;
  readonly hash?: { readonly field: string; readonly value: string };
}

export interface WriteObserver {
  /** The commit may have reached SiYuan from here on. */
  commitSent(credentials: Credentials): void;
}

export function preflight(client: CoordinatorClient, tool: string, args: JsonObject): Promise<ToolAnswer> {
  return client.call(tool, { ...args, validateOnly: true }, { purpose: "preflight" });
}

/** What a successful preflight issued. */
export function issuedCredentials(answer: JsonObject): Credentials {
  const { requestId, preconditionField } = answer;
  if (typeof requestId !== "string")
    throw new SisyphusError("internal_error", "The preflight issued no request id; nothing was executed");
  const field = Object.values(preconditionFields).find((known) => known === preconditionField);
  const value = field && answer[field];
  return { requestId, ...(field && typeof value === "string" && { hash: { field, value } }) };
}

/** Sends the commit once. A lost answer comes back as `outcome_unknown` with what it takes to ask again. */
export async function commit(
  client: CoordinatorClient,
  tool: string,
  args: JsonObject,
  credentials: Credentials,
  observer: WriteObserver,
): Promise<ToolAnswer> {
  const { requestId, hash } = credentials;
  const body = { ...args, requestId, ...(hash && { [hash.field]: hash.value }) };
  try {
    // A typed command is its own confirmation.
    const confirmation = "command";
    return await client.call(tool, body, {
      purpose: "commit",
      confirmation,
      onSent: () => observer.commitSent(credentials),
    });
  } catch (error) {
    if (!(error instanceof SisyphusError) || error.code !== "outcome_unknown") throw error;
    throw new SisyphusError("outcome_unknown", error.message, { ...error.details, requestId });
  }
}

/** The write with strict mode switched off: sent once, without credentials and without a way to ask again. */
export function writeDirectly(client: CoordinatorClient, tool: string, args: JsonObject): Promise<ToolAnswer> {
  return client.call(tool, args, { purpose: "commit", confirmation: "command" });
}

/** The flags that repeat a commit. */
export function credentialFlags({ requestId, hash }: Credentials): string {
  return `--request-id ${requestId}${hash ? ` --${kebab(hash.field)} ${hash.value}` : ""}`;
}
