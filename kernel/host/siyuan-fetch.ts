// The plugin's HTTP client: one attempt a call, the right credential, a deadline, no host objects beyond this file.

import { SisyphusError } from "../../shared/errors.js";
import { hostLimits } from "../../shared/limits.js";
import { tokenSecret } from "../../shared/wire/plugin.js";
import type { Clock, HostReply, Log } from "./host.js";

type Credential = "plugin" | "secret";

export interface SiyuanFetch {
  post(path: string, body: string, contentType: string): Promise<HostReply>;
  /** Which credential works, or that none does. */
  readonly token: Credential | "rejected" | "unknown";
}

/**
 * With an access code, SiYuan up to 3.7.3 invalidates the plugin's own token about a second after boot. A secret that
 * holds the API token survives that, so it goes first where there is one. A 401 never executed anything, which makes
 * the second attempt with the other credential safe.
 */
export function createSiyuanFetch(clock: Clock, log: Log): SiyuanFetch {
  let state: SiyuanFetch["token"] = "unknown";

  async function attempt(path: string, body: string, contentType: string, secret: string | undefined) {
    // Compressing answers that never leave this machine costs more than all of our own work on a long block.
    const headers: Record<string, string> = { "Content-Type": contentType, "Accept-Encoding": "identity" };
    if (secret !== undefined) headers.Authorization = `Token ${secret}`;
    let response: HostFetchResponse;
    try {
      response = await deadline(clock, siyuan.client.fetch(path, { method: "POST", headers, body }));
      return { status: response.status, text: await response.text() };
    } catch (thrown) {
      if (thrown instanceof SisyphusError) throw thrown;
      // The host's message may hold absolute paths: it goes to the log only.
      log.warn(`request ${path}: ${thrown instanceof Error ? thrown.message : "failed"}`);
      throw new SisyphusError("kernel_unreachable", `SiYuan did not answer ${path}`);
    }
  }

  return {
    get token() {
      return state;
    },
    async post(path, body, contentType) {
      const secret = readSecret();
      const order: readonly Credential[] = secret === undefined ? ["plugin"] : ["secret", "plugin"];
      for (const credential of order) {
        const reply = await attempt(path, body, contentType, credential === "secret" ? secret : undefined);
        if (reply.status !== 401) {
          state = credential;
          return reply;
        }
      }
      state = "rejected";
      throw new SisyphusError("host_token_rejected");
    },
  };
}

/** The API token that the user stored as a SiYuan secret. An unknown name comes back verbatim. */
function readSecret(): string | undefined {
  const template = `{{secrets.${tokenSecret}}}`;
  try {
    const value = siyuan.secrets.resolve(template);
    return value === template || value === "" ? undefined : value;
  } catch {
    return undefined;
  }
}

/** The host has no abort and waits 60 s: give up earlier, while the request may still run. */
function deadline<Value>(clock: Clock, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(hostLimits.requestTimeoutMs, () =>
      reject(new SisyphusError("kernel_unreachable", "SiYuan did not answer in time")),
    );
    work.then(
      (value) => {
        stop();
        resolve(value);
      },
      (reason) => {
        stop();
        reject(reason instanceof Error ? reason : new Error("request failed"));
      },
    );
  });
}
