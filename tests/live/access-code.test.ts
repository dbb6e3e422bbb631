// A real SiYuan with an access code, as in Docker: the first calls right after boot, without and with the secret.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { tokenSecret } from "../../shared/wire/plugin.js";
import { ModernClient } from "../contract/modern-client.js";
import { Siyuan } from "../contract/siyuan.js";
import { useTier } from "../contract/tier.js";
import { cliFile } from "../package-folder.js";
import { hasAccessCode, killAndStart, restart, restartCommand, waitForTokenDeath } from "./siyuan-process.js";

describe.skipIf(!hasAccessCode || !restartCommand)("right after the boot of a SiYuan with an access code", () => {
  const tier = useTier();
  const client = new ModernClient(tier);
  const siyuan = new Siyuan(tier);

  it("without the secret calls name the remedy, and the command line heals it once and says so", async () => {
    await killAndStart(siyuan);
    await waitForTokenDeath();
    const error = await client.refused("notebook", { action: "list" });
    expect(error.code).toBe("host_token_rejected");
    expect(error.next).toContain(tokenSecret);
    const env = { ...process.env, SIYUAN_API_URL: tier.apiUrl, SIYUAN_TOKEN: tier.token };
    const { stderr } = await promisify(execFile)(process.execPath, [cliFile, "notebook", "list"], { env });
    expect(stderr).toContain(tokenSecret);
    expect(await client.ok("notebook", { action: "list" })).toHaveProperty("notebooks");
  }, 60_000);

  it("with the secret the first call works, also after the token died", async () => {
    const before = await secrets(siyuan);
    await siyuan.data("/api/setting/setSecrets", { items: [...before, { name: tokenSecret, value: tier.token }] });
    try {
      await killAndStart(siyuan);
      expect(await client.ok("notebook", { action: "list" })).toHaveProperty("notebooks");
      await waitForTokenDeath();
      expect(await client.ok("notebook", { action: "list" })).toHaveProperty("notebooks");
    } finally {
      await siyuan.data("/api/setting/setSecrets", { items: before });
      await restart(siyuan, client);
    }
  }, 60_000);
});

async function secrets(siyuan: Siyuan): Promise<{ name: string; value: string }[]> {
  const { conf } = await siyuan.data<{ conf: { secrets?: { items?: { name: string; value: string }[] } } }>(
    "/api/system/getConf",
    {},
  );
  return conf.secrets?.items ?? [];
}
