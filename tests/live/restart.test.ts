// A real SiYuan is killed in mid-write and started again: every id must answer truthfully afterwards.

import { describe, expect, it } from "vitest";
import { credentialsOf } from "../contract/modern-client.js";
import { useScratch } from "../contract/scratch.js";
import { useTier } from "../contract/tier.js";
import { restart, restartCommand } from "./siyuan-process.js";

const tier = useTier();
const scratch = useScratch(tier);
const { client, siyuan } = scratch;
const update = (id: string, data: string) => ({ action: "update", id, dataType: "markdown", data });

describe.skipIf(!restartCommand)("after kill -9 and a new start", () => {
  it("replays what was committed, refuses old preflights, never repeats", async () => {
    const done = await scratch.paragraph();
    const call = {
      ...update(done.id, "kept"),
      ...credentialsOf(await client.preflight("block", update(done.id, "kept"))),
    };
    await client.ok("block", call);
    const open = {
      ...update(done.id, "never"),
      ...credentialsOf(await client.preflight("block", update(done.id, "never"))),
    };
    await restart(siyuan, client);
    expect((await client.ok("block", call)).safety).toMatchObject({ replayed: true, transactionState: "committed" });
    expect((await client.refused("block", { ...call, data: "other" })).code).toBe("idempotency_conflict");
    expect((await client.refused("block", open)).code).toBe("preflight_lease_invalid");
    expect(await siyuan.kramdown(done.id)).toContain("kept");
  }, 60_000);

  it("answers truthfully for writes that were cut off", async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await scratch.paragraph();
      const call = {
        ...update(id, `round ${round}`),
        ...credentialsOf(await client.preflight("block", update(id, `round ${round}`))),
      };
      const sent = client.call("block", call).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, round * 10));
      await restart(siyuan, client);
      await sent;
      const answer = (await client.call("block", call)).structured;
      const written = (await siyuan.kramdown(id)).includes(`round ${round}`);
      if (answer.safety)
        expect({ state: answer.safety.transactionState, written }).toEqual({ state: "committed", written: true });
      else if (answer.error.code === "preflight_lease_invalid" || answer.error.code === "state_unchanged")
        expect({ code: answer.error.code, written }).toEqual({ code: answer.error.code, written: false });
      else expect(answer.error.code).toBe("outcome_unknown");
    }
  }, 120_000);
});
