// Five hundred strict writes while somebody else edits the same blocks through SiYuan's own API: no edit that was
// answered between a preflight and its commit is ever overwritten.

import { expect, it } from "vitest";
import { credentialsOf } from "../contract/modern-client.js";
import { useScratch } from "../contract/scratch.js";
import { useTier } from "../contract/tier.js";

const writes = 500;
const blockCount = 12;

const tier = useTier();
const scratch = useScratch(tier);
const { client, siyuan } = scratch;

interface Edit {
  readonly block: string;
  readonly sentAt: number;
  /** Infinity while it is under way. */
  answeredAt: number;
}

it("every edit between preflight and commit is noticed", async () => {
  const page = await scratch.document(Array.from({ length: blockCount }, (_, index) => `block ${index}`).join("\n\n"));
  const pick = () => page.blocks[Math.floor(Math.random() * page.blocks.length)] ?? "";
  const edits: Edit[] = [];
  let stopped = false;
  const secondWriter = (async () => {
    for (let number = 0; !stopped; number++) {
      const block = pick();
      const edit = { block, sentAt: performance.now(), answeredAt: Number.POSITIVE_INFINITY };
      edits.push(edit);
      await siyuan.update(block, `other ${number}`);
      edit.answeredAt = performance.now();
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
    }
  })();
  const tally: Record<string, number> = {};
  let beside = 0;
  try {
    for (let number = 0; number < writes; number++) {
      const block = pick();
      const args = { action: "update", id: block, dataType: "markdown", data: `mine ${number}` };
      const preflightAt = performance.now();
      const credentials = credentialsOf(await client.preflight("block", args));
      const preflightEnd = performance.now();
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
      const commitAt = performance.now();
      const { structured } = await client.call("block", { ...args, ...credentials });
      const commitEnd = performance.now();
      const answer = String(structured.safety?.transactionState ?? structured.error.code);
      tally[answer] = (tally[answer] ?? 0) + 1;
      const own = edits.filter((edit) => edit.block === block);
      // Begun after the preflight had looked, and answered before the commit was sent.
      const between = own.filter((edit) => edit.sentAt >= preflightEnd && edit.answeredAt <= commitAt);
      if (between.length > 0) expect(answer, `write ${number}`).toBe("state_changed");
      beside += own.some((edit) => edit.sentAt < commitEnd && edit.answeredAt > commitAt) ? 1 : 0;
      expect(["committed", "no_change", "state_changed", "readback_mismatch"], `write ${number}`).toContain(answer);
      // Nobody else touched it since the preflight began: then nothing may stand in the way.
      if (!own.some((edit) => edit.answeredAt > preflightAt))
        expect(answer, `write ${number}`).not.toBe("state_changed");
    }
  } finally {
    stopped = true;
    await secondWriter;
  }
  expect(tally.committed).toBeGreaterThan(writes / 4);
  expect(tally.state_changed).toBeGreaterThan(0);
  console.log(
    `second writer: ${writes} writes, ${edits.length} edits, ${beside} beside a commit, ${JSON.stringify(tally)}`,
  );
}, 300_000);
