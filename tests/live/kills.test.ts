// Two hundred strict writes while SiYuan is killed at random moments: afterwards every request id answers truthfully
// against the notes, and nothing was done twice.

import { describe, expect, it } from "vitest";
import { LegacyClient } from "../contract/legacy-client.js";
import { credentialsOf } from "../contract/modern-client.js";
import { useScratch } from "../contract/scratch.js";
import { useOwnerSettings } from "../contract/settings.js";
import { useTier } from "../contract/tier.js";
import { restart, restartCommand } from "./siyuan-process.js";

const writes = 200;
const kills = 20;

const tier = useTier();
const scratch = useScratch(tier);
const { client, siyuan } = scratch;
const settings = useOwnerSettings(siyuan);

/** Reproducible: a failing run names its seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Write {
  readonly tool: string;
  readonly call: Record<string, unknown>;
  /** How often the notes show the write's effect: 0 or 1, or more when it was done twice. */
  count(): Promise<number>;
}

const occurrences = (text: string, word: string) => text.split(word).length - 1;

describe.skipIf(!restartCommand)("two hundred writes and twenty kills", () => {
  it("every id tells the truth, and none was executed twice", async () => {
    const seed = Number(process.env.KILLS_SEED ?? Date.now() % 1_000_000);
    const random = randomFrom(seed);
    const page = await scratch.document(Array.from({ length: 8 }, (_, index) => `block ${index}`).join("\n\n"));
    const whole = async () => String(await siyuan.kramdown(page.id));

    async function prepare(number: number): Promise<Write> {
      const word = `word${number}x${seed}`;
      const block = page.blocks[Math.floor(random() * page.blocks.length)] ?? "";
      const kind = random();
      if (kind < 0.45) {
        const args = { action: "update", id: block, dataType: "markdown", data: `text ${word}` };
        return {
          tool: "block",
          call: { ...args, ...credentialsOf(await client.preflight("block", args)) },
          count: async () => occurrences(String(await siyuan.kramdown(block)), word),
        };
      }
      if (kind < 0.8) {
        const args = { action: "append", parentID: page.id, dataType: "markdown", data: `more ${word}` };
        return {
          tool: "block",
          call: { ...args, ...credentialsOf(await client.preflight("block", args)) },
          count: async () => occurrences(await whole(), word),
        };
      }
      const path = `/made ${word}`;
      const args = { action: "create", notebook: scratch.notebook, path, markdown: word };
      return {
        tool: "document",
        call: { ...args, ...credentialsOf(await client.preflight("document", args)) },
        count: async () =>
          (await siyuan.data<string[]>("/api/filetree/getIDsByHPath", { notebook: scratch.notebook, path })).length,
      };
    }

    const tally: Record<string, number> = {};
    const settled: { readonly write: Write; readonly answer: string }[] = [];
    const killAt = new Set<number>();
    while (killAt.size < kills) killAt.add(Math.floor(random() * writes));
    for (let number = 0; number < writes; number++) {
      const write = await prepare(number);
      const sent = client.call(write.tool, write.call).catch(() => undefined);
      let first = "";
      if (killAt.has(number)) {
        await new Promise((resolve) => setTimeout(resolve, Math.floor(random() * 90)));
        await restart(siyuan, client);
        await sent;
      } else {
        const answer = await sent;
        first = answer?.structured.safety?.transactionState ?? answer?.structured.error.code ?? "";
      }
      const again = (await client.call(write.tool, write.call)).structured;
      const answer = String(again.safety?.transactionState ?? again.error.code);
      tally[answer] = (tally[answer] ?? 0) + 1;
      const effects = await write.count();
      const where = `seed ${seed}, write ${number}, first ${first || "killed"}, then ${answer}`;
      expect(effects, where).toBeLessThanOrEqual(1);
      if (answer === "committed") expect(effects, where).toBe(1);
      // Neither claims to know more than that: both were found without an effect.
      if (answer === "state_unchanged" || answer === "preflight_lease_invalid") expect(effects, where).toBe(0);
      if (first === "committed") expect(answer, where).toBe("committed");
      settled.push({ write, answer });
    }
    // Once more, at the end: no answer changes, and nothing runs late.
    for (const { write, answer } of settled) {
      if (answer === "outcome_unknown") continue;
      const last = (await client.call(write.tool, write.call)).structured;
      expect(last.safety?.transactionState ?? last.error.code).toBe(answer);
    }
    for (const { write, answer } of settled)
      if (write.call.action !== "update" && answer === "committed") expect(await write.count()).toBe(1);
    console.log(`kills: seed ${seed}, ${writes} writes, ${kills} kills, ${JSON.stringify(tally)}`);
  }, 600_000);

  it("an acknowledged delete survives a kill", async () => {
    await settings.set({ block: { actions: { delete: true } } });
    await scratch.setPermission(scratch.notebook, "rwd");
    const { id, document } = await scratch.paragraph("to be deleted");
    const args = { action: "delete", id };
    const call = { ...args, ...credentialsOf(await client.preflight("block", args)) };
    const answer = await new LegacyClient(tier).commit("block", call);
    expect(answer.safety).toMatchObject({ transactionState: "committed" });
    await restart(siyuan, client);
    expect((await siyuan.children(document)).map((block) => block.id)).not.toContain(id);
  }, 120_000);
});
