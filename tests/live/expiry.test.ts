// A preflight on a real SiYuan after its ten minutes. Asked for by SIYUAN_WAIT_FOR_EXPIRY, because it takes that long.

import { describe, expect, it } from "vitest";
import { safetyLimits } from "../../shared/limits.js";
import { credentialsOf } from "../contract/modern-client.js";
import { useScratch } from "../contract/scratch.js";
import { useTier } from "../contract/tier.js";

describe.skipIf(!process.env.SIYUAN_WAIT_FOR_EXPIRY)("ten minutes after a preflight", () => {
  const scratch = useScratch(useTier());
  const { client, siyuan } = scratch;

  it(
    "its id is refused and nothing is written",
    async () => {
      const { id } = await scratch.paragraph();
      const update = { action: "update", id, dataType: "markdown", data: "too late" };
      const preflight = await client.preflight("block", update);
      await new Promise((resolve) => setTimeout(resolve, safetyLimits.leaseTtlMs + 500));
      expect((await client.refused("block", { ...update, ...credentialsOf(preflight) })).code).toBe(
        "preflight_lease_invalid",
      );
      expect(await siyuan.kramdown(id)).toContain("first words");
    },
    safetyLimits.leaseTtlMs + 60_000,
  );
});
