// SiYuan with an access code: the plugin's own token dies a second after boot, and how that is healed.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routeBase, tokenSecret } from "../../shared/wire/plugin.js";
import { restartPlugin } from "./faults.js";
import { ModernClient } from "./modern-client.js";
import { Siyuan } from "./siyuan.js";
import { type OpenTier, openTier, tierName } from "./tier.js";

describe.skipIf(tierName === "live")("an access code", () => {
  let tier: OpenTier;
  let client: ModernClient;
  let siyuan: Siyuan;
  beforeAll(async () => {
    tier = await openTier({ accessAuthCode: "open sesame" });
    client = new ModernClient(tier);
    siyuan = new Siyuan(tier);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
  }, 60_000);
  afterAll(() => tier.stop());

  it("needs the token", async () => {
    expect((await fetch(tier.mcpUrl, { method: "POST", body: "{}" })).status).toBe(401);
  });

  it("kills the plugin's token: calls name the remedy, health shows it", async () => {
    const error = await client.refused("notebook", { action: "list" });
    expect(error.code).toBe("host_token_rejected");
    expect(error.next).toContain(tokenSecret);
    const health = await fetch(`${tier.apiUrl}${routeBase}/health`, {
      headers: { Authorization: `Token ${tier.token}` },
    });
    expect(await health.json()).toMatchObject({ ok: false, hostToken: "rejected" });
  });

  it("is healed by a restart of the plugin", async () => {
    await restartPlugin(siyuan);
    expect((await client.ok("notebook", { action: "list" })).notebooks).toEqual([]);
  });
});
