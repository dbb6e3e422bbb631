// Heals a dead plugin token: SiYuan with an access code invalidates it at boot, enabling the plugin again renews it.

import { setTimeout as delay } from "node:timers/promises";
import { bridgeLimits } from "../../shared/limits.js";
import { isJsonObject } from "../../shared/wire/json.js";
import { pluginName, routeBase, routes, tokenSecret } from "../../shared/wire/plugin.js";
import type { HealthReport } from "../../shared/wire/safety.js";
import type { HttpAnswer, HttpRequest } from "./transport.js";

/** Sends one request with our own API token, which SiYuan still accepts. */
export type AuthenticatedExchange = (request: HttpRequest) => Promise<HttpAnswer>;

export class TokenHealer {
  readonly #exchange: AuthenticatedExchange;
  readonly #notify: (message: string) => void;
  /** The last attempt. Every attempt restarts the plugin, so another one must wait: SiYuan itself was restarted then. */
  #attempt: { readonly startedMs: number; readonly healed: Promise<boolean> } | undefined;

  constructor(exchange: AuthenticatedExchange, notify: (message: string) => void) {
    this.#exchange = exchange;
    this.#notify = notify;
  }

  /** True when the plugin's token lives again. Calls that come together share one attempt. Never rejects. */
  heal(): Promise<boolean> {
    const now = Date.now();
    if (this.#attempt === undefined || now - this.#attempt.startedMs > bridgeLimits.healAgainAfterMs) {
      this.#attempt = { startedMs: now, healed: this.#run(now + bridgeLimits.healWaitMs) };
    }
    return this.#attempt.healed;
  }

  async #run(deadlineMs: number): Promise<boolean> {
    const healed = (await this.#enable().catch(() => false)) && (await this.#comesBack(deadlineMs));
    this.#notify(
      `SiYuan had invalidated the plugin's own token at boot. The plugin was enabled again, ${healed ? "and works" : "but without success"}. ` +
        `To make it last, store the API token in SiYuan as the secret ${tokenSecret}.`,
    );
    return healed;
  }

  async #enable(): Promise<boolean> {
    const { body } = await this.#exchange({
      method: "POST",
      path: "/api/petal/setPetalEnabled",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ packageName: pluginName, enabled: true }),
      timeoutMs: bridgeLimits.healWaitMs,
    });
    const reply: unknown = JSON.parse(body);
    return isJsonObject(reply) && reply.code === 0;
  }

  async #comesBack(deadlineMs: number): Promise<boolean> {
    while (Date.now() < deadlineMs) {
      if (await this.#isAlive().catch(() => false)) return true;
      await delay(bridgeLimits.healPollMs);
    }
    return false;
  }

  async #isAlive(): Promise<boolean> {
    const { status, body } = await this.#exchange({
      method: "GET",
      path: routeBase + routes.health,
      headers: { accept: "application/json" },
      timeoutMs: bridgeLimits.healWaitMs,
    });
    if (status !== 200) return false;
    const report = JSON.parse(body) as Partial<HealthReport>;
    return report.ok === true && report.hostToken !== undefined && report.hostToken !== "rejected";
  }
}
