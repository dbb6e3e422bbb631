// A SiYuan that loses answers, lies, refuses or lacks a lever; and a plugin that is restarted or replaced meanwhile.

import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import { routeBase } from "../../shared/wire/plugin.js";
import { kernelFile } from "../package-folder.js";
import { countRequests, type FaultRule, restartPlugin, setFaults } from "./faults.js";
import { credentialsOf, ModernClient } from "./modern-client.js";
import { useScratch } from "./scratch.js";
import { Siyuan } from "./siyuan.js";
import { openTier, tierName, useTier } from "./tier.js";

const updatePath = "/api/block/updateBlock";
const update = (id: string, data: string) => ({ action: "update", id, dataType: "markdown", data });

describe.skipIf(tierName === "live")("faults", () => {
  const tier = useTier();
  const scratch = useScratch(tier);
  const { client, siyuan } = scratch;
  afterEach(() => setFaults(siyuan, []));

  async function prepared(data: string) {
    const { id } = await scratch.paragraph();
    return { id, call: { ...update(id, data), ...credentialsOf(await client.preflight("block", update(id, data))) } };
  }

  const health = async () =>
    (await (
      await fetch(`${tier.apiUrl}${routeBase}/health`, { headers: { Authorization: `Token ${tier.token}` } })
    ).json()) as { levers: Record<string, string> };

  const lies: [FaultRule["kind"], string, string, string][] = [
    ["lost-answer", "outcome_unknown", "mine", "committed"],
    ["http-500", "outcome_unknown", "first words", "state_unchanged"],
    ["null-data", "outcome_unknown", "mine", "committed"],
    ["no-effect", "readback_mismatch", "first words", "state_unchanged"],
  ];
  it.each(lies)(
    "%s is reported as unknown; a retry is settled from the notes and sends nothing",
    async (kind, code, content, settled) => {
      const { id, call } = await prepared("mine");
      await setFaults(siyuan, [{ path: updatePath, kind, times: 1 }]);
      await countRequests(tier);
      const answer = await client.call("block", call);
      expect(answer.structured.error.code).toBe(code);
      expect(answer.structured.transactionState).toBe("unknown");
      const again = await client.call("block", call);
      expect(again.structured.safety?.transactionState ?? again.structured.error.code).toBe(settled);
      expect((await countRequests(tier))[updatePath]).toBe(1);
      expect(await siyuan.kramdown(id)).toContain(content);
      const third = await client.call("block", call);
      expect(third.structured.safety?.transactionState ?? third.structured.error.code).toBe(settled);
    },
  );

  it.each(["paragraph", "document"])("attributes of a %s that SiYuan refuses to set are not set", async (kind) => {
    const made = await scratch.paragraph();
    const id = kind === "document" ? made.document : made.id;
    const args = { action: "set_attrs", id, attrs: { memo: "x", "custom-a": "1" } };
    const call = { ...args, ...credentialsOf(await client.preflight("block", args)) };
    const before = await siyuan.dom(made.document);
    await setFaults(siyuan, [{ path: "/api/attr/setBlockAttrs", kind: "code-1", times: 1 }]);
    const { structured } = await client.call("block", call);
    expect(structured).toMatchObject({
      transactionState: "rejected",
      writeExecuted: false,
      error: { code: "api_error" },
    });
    expect((await client.refused("block", call)).code).toBe("state_unchanged");
    expect(await siyuan.dom(made.document)).toBe(before);
    expect(await siyuan.kramdown(made.document)).not.toMatch(/memo|custom-a/);
  });

  it("a refusal that changed nothing is not unknown", async () => {
    const { id, call } = await prepared("mine");
    await setFaults(siyuan, [{ path: updatePath, kind: "code-1", times: 1 }]);
    const answer = await client.call("block", call);
    expect(answer.structured).toMatchObject({ transactionState: "rejected", error: { code: "api_error" } });
    expect((await client.refused("block", call)).code).toBe("state_unchanged");
    expect(await siyuan.kramdown(id)).toContain("first words");
  });

  it("nothing is sent when the ledger cannot be written", async () => {
    const { id, call } = await prepared("mine");
    await setFaults(siyuan, [{ path: "/api/file/putFile", kind: "code-1", match: "/ledger/" }]);
    await countRequests(tier);
    expect((await client.refused("block", call)).code).toBe("write_ledger_unavailable");
    expect((await countRequests(tier))[updatePath]).toBeUndefined();
    await setFaults(siyuan, []);
    expect((await client.refused("block", call)).code).toBe("preflight_lease_invalid");
    expect(await siyuan.kramdown(id)).toContain("first words");
  });

  it("a restart forgets preflights and remembers what was executed", async () => {
    const done = await prepared("before the restart");
    await client.ok("block", done.call);
    const open = await prepared("never");
    const lost = await prepared("lost");
    await setFaults(siyuan, [{ path: updatePath, kind: "lost-answer", times: 1 }]);
    await client.refused("block", lost.call);
    await restartPlugin(siyuan);
    expect((await client.ok("block", done.call)).safety).toMatchObject({
      replayed: true,
      transactionState: "committed",
    });
    expect((await client.refused("block", { ...done.call, data: "other" })).code).toBe("idempotency_conflict");
    expect((await client.refused("block", open.call)).code).toBe("preflight_lease_invalid");
    expect((await client.ok("block", lost.call)).safety).toMatchObject({
      replayed: true,
      reconciled: true,
      transactionState: "committed",
    });
    expect(await siyuan.kramdown(open.id)).toContain("first words");
  });

  it("never issues an id twice across restarts", async () => {
    const { id } = await scratch.paragraph();
    const seen = new Set<string>();
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < 5; count++) seen.add((await client.preflight("block", update(id, "x"))).requestId);
      await restartPlugin(siyuan);
    }
    expect(seen.size).toBe(15);
  });

  it("without the template route a commit works, by the slower digest", async () => {
    await setFaults(siyuan, [{ path: "/api/template/renderSprig", kind: "absent" }]);
    await restartPlugin(siyuan);
    const { id } = await scratch.paragraph();
    expect((await client.write("block", update(id, "slow but right"))).safety.transactionState).toBe("committed");
    expect((await health()).levers).toMatchObject({ digest: "js", entropy: "host-event" });
    expect(await siyuan.kramdown(id)).toContain("slow but right");
    await setFaults(siyuan, []);
    await restartPlugin(siyuan);
  }, 60_000);

  it("a replaced plugin answers the pending call within six seconds", async () => {
    const { id, call } = await prepared("in the middle");
    // An instance that was started a moment ago waits for what its predecessor may have under way.
    const earlier = await scratch.paragraph();
    await client.write("block", update(earlier.id, "first of all"));
    await setFaults(siyuan, [{ path: updatePath, kind: "delay", delayMs: 15_000, times: 1 }]);
    const started = Date.now();
    const pending = client.request("tools/call", { name: "block", arguments: call });
    await new Promise((resolve) => setTimeout(resolve, 500));
    await tier.replaceKernel(`${await readFile(kernelFile, "utf8")}\n`);
    const body = await (await pending).json();
    expect(Date.now() - started).toBeLessThan(6_500);
    expect(JSON.stringify(body)).toContain("outcome_unknown");
    // The new instance needs a moment before it serves.
    await expect.poll(async () => (await client.request("server/discover")).status, { timeout: 10_000 }).toBe(200);
    expect((await client.refused("block", call)).code).toBe("outcome_unknown");
    // It may still run: nobody else writes to its document until its effect is there and its own id was asked.
    const other = update(id, "somebody else");
    const preflight = credentialsOf(await client.preflight("block", other));
    expect((await client.refused("block", { ...other, ...preflight })).code).toBe("write_outcome_open");
    await expect.poll(() => siyuan.kramdown(id), { timeout: 20_000, interval: 500 }).toContain("in the middle");
    expect((await client.ok("block", call)).safety).toMatchObject({ reconciled: true, transactionState: "committed" });
    expect((await client.write("block", other)).safety.transactionState).toBe("committed");
  }, 60_000);
});

describe.skipIf(tierName === "live")("without any entropy", () => {
  it("a preflight is refused and nothing is written", async () => {
    const source = await readFile(kernelFile, "utf8");
    // The plugin sees a host that sends it no events.
    const deaf = `(function (siyuan) {${source}\n})(Object.create(siyuan, { event: { value: { set handler(_) {} } } }));`;
    const tier = await openTier({ kernelSource: deaf });
    try {
      const siyuan = new Siyuan(tier);
      await setFaults(siyuan, [{ path: "/api/template/renderSprig", kind: "absent" }]);
      await restartPlugin(siyuan);
      const client = new ModernClient(tier);
      expect((await client.refused("notebook", { action: "create", name: "none", validateOnly: true })).code).toBe(
        "entropy_unavailable",
      );
      const { notebooks } = await siyuan.data<{ notebooks: unknown[] }>("/api/notebook/lsNotebooks", {});
      expect(notebooks).toEqual([]);
    } finally {
      await tier.stop();
    }
  }, 60_000);
});
