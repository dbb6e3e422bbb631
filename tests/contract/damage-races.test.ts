// Writes that meet: targets and anchors that have just gone, and many writes to one place at once.

import { beforeAll, describe, expect, it } from "vitest";
import { routeBase } from "../../shared/wire/plugin.js";
import { useDamage } from "./damage.js";
import { LegacyClient } from "./legacy-client.js";
import { type Answered, credentialsOf, type Fields } from "./modern-client.js";
import { useOwnerSettings } from "./settings.js";
import { useTier } from "./tier.js";

const tier = useTier();
const damage = useDamage(tier);
const { client, siyuan } = damage;
const legacy = new LegacyClient(tier);
const settings = useOwnerSettings(siyuan);

beforeAll(async () => {
  await settings.set({ block: { actions: { delete: true } }, document: { actions: { remove: true } } });
  await damage.setPermission(damage.notebook, "rwd");
}, 30_000);

const markdown = (data: string) => ({ dataType: "markdown", data });
const texts = async (id: string) => (await damage.shown(id)).map((block) => block.markdown);

/** The call with the credentials of its preflight. */
async function prepared(tool: string, args: Fields): Promise<Fields> {
  return { ...args, ...credentialsOf(await client.preflight(tool, args)) };
}

/** Every action that names a block, aimed at one. */
const aimedAt = (id: string): readonly Fields[] => [
  { action: "update", id, ...markdown("late") },
  { action: "set_attrs", id, attrs: { memo: "late" } },
  { action: "delete", id },
  { action: "insert", previousID: id, ...markdown("late") },
  { action: "insert", nextID: id, ...markdown("late") },
  { action: "insert", blocks: [{ previousID: id, ...markdown("late") }] },
];

describe("a block that has just gone", () => {
  it("is state_changed for what was prepared, and block_not_found for what was not", async () => {
    const { id, blocks } = await damage.document("before\n\ngone\n\nafter");
    const [before = "", gone = "", after = ""] = blocks;
    const calls = await Promise.all(aimedAt(gone).map((call) => prepared("block", call)));
    const rest = await Promise.all([siyuan.dom(before), siyuan.dom(after)]);
    await legacy.confirmed("block", { action: "delete", id: gone });
    for (const call of calls) {
      const { structured, isError } = await legacy.call("block", { ...call, confirm: true });
      expect(isError, String(call.action)).toBe(true);
      expect(structured.error.code, String(call.action)).toBe("state_changed");
    }
    for (const call of aimedAt(gone))
      expect((await client.refused("block", { ...call, validateOnly: true })).code).toBe("block_not_found");
    expect(await texts(id)).toEqual(["before", "after"]);
    expect(await Promise.all([siyuan.dom(before), siyuan.dom(after)])).toEqual(rest);
  });

  it("through another writer, whose delete SiYuan has not carried out yet, is never called written", async () => {
    for (let index = 0; index < aimedAt("").length; index++) {
      const { id, blocks } = await damage.document("before\n\ngone\n\nafter");
      const call = await prepared("block", aimedAt(blocks[1] ?? "")[index] as Fields);
      // SiYuan answers at once and deletes up to 50 ms later.
      await siyuan.data("/api/block/deleteBlock", { id: blocks[1] });
      const { structured, isError } = await legacy.call("block", { ...call, confirm: true });
      await siyuan.data("/api/block/getDocInfo", { id });
      const left = await texts(id);
      // Deleting what is being deleted is done; an insertion may have come first.
      if (isError) expect(structured.error.code).toMatch(/^(state_changed|readback_mismatch|outcome_unknown)$/);
      else expect(call.action === "delete" || left.includes("late"), JSON.stringify(call)).toBe(true);
      expect(left.filter((text) => text !== "late")).toEqual(["before", "after"]);
      if (isError) expect(left).toEqual(["before", "after"]);
    }
  });

  it("with its document, stops what was prepared for it", async () => {
    const { id, blocks } = await damage.document("one\n\ntwo");
    const other = await damage.document("stays");
    const calls = [
      ...(await Promise.all(aimedAt(blocks[1] ?? "").map((call) => prepared("block", call)))),
      await prepared("block", { action: "append", parentID: id, ...markdown("late") }),
      await prepared("block", { action: "prepend", parentID: id, ...markdown("late") }),
      await prepared("block", { action: "insert", parentID: id, ...markdown("late") }),
    ];
    const rename = await prepared("document", { action: "rename", id, title: "late" });
    const icon = await prepared("document", { action: "set_attr", id, attrs: { icon: "1f4d4" } });
    const again = await prepared("document", { action: "remove", id });
    await legacy.confirmed("document", { action: "remove", id });
    const before = await siyuan.dom(other.id);
    for (const call of calls)
      expect((await legacy.call("block", { ...call, confirm: true })).structured.error.code).toBe("state_changed");
    for (const call of [rename, icon, again])
      expect((await legacy.call("document", { ...call, confirm: true })).structured.error.code).toBe("state_changed");
    expect(await siyuan.dom(other.id)).toBe(before);
  });
});

describe("two for one block", () => {
  it("one commits, the other is state_changed", async () => {
    for (let round = 0; round < 3; round++) {
      const { id, document } = await damage.paragraph();
      const calls = await Promise.all(
        ["mine", "theirs"].map((text) => prepared("block", { action: "update", id, ...markdown(text) })),
      );
      const answers = await Promise.all(calls.map((call) => client.call("block", call)));
      expect(answers.map((answer) => answer.isError).sort()).toEqual([false, true]);
      const loser = answers.find((answer) => answer.isError);
      expect(loser?.structured.error.code).toBe("state_changed");
      expect(await texts(document)).toEqual([answers[0]?.isError ? "theirs" : "mine"]);
    }
  });

  it("of twenty, one commits", async () => {
    const { id, document } = await damage.paragraph();
    const calls = await Promise.all(
      Array.from({ length: 20 }, (_, index) => prepared("block", { action: "update", id, ...markdown(`by ${index}`) })),
    );
    const answers = await Promise.all(calls.map((call) => client.call("block", call)));
    const winners = answers.flatMap((answer, index) => (answer.isError ? [] : [`by ${index}`]));
    expect(winners).toHaveLength(1);
    for (const answer of answers.filter((one) => one.isError))
      expect(answer.structured.error.code).toBe("state_changed");
    expect(await texts(document)).toEqual(winners);
  });

  it("two titles for one document", async () => {
    const { id } = await damage.document("x");
    const calls = await Promise.all(
      ["mine", "theirs"].map((title) => prepared("document", { action: "rename", id, title })),
    );
    const answers = await Promise.all(calls.map((call) => client.call("document", call)));
    expect(answers.map((answer) => answer.isError).sort()).toEqual([false, true]);
    const { name } = await siyuan.data<{ name: string }>("/api/block/getDocInfo", { id });
    expect(name).toBe(answers[0]?.isError ? "theirs" : "mine");
  });

  it("two documents for one path: one is made", async () => {
    const args = { action: "create", notebook: damage.notebook, path: `/twins ${Date.now()}`, markdown: "x" };
    const calls = [await prepared("document", args), await prepared("document", args)];
    const answers = await Promise.all(calls.map((call) => client.call("document", call)));
    expect(answers.map((answer) => answer.isError).sort()).toEqual([false, true]);
    expect(
      await siyuan.data("/api/filetree/getIDsByHPath", { notebook: damage.notebook, path: args.path }),
    ).toHaveLength(1);
  });
});

describe("twenty at once to one parent", () => {
  const twenty = Array.from({ length: 20 }, (_, index) => `line ${index}`);

  async function inFlight(): Promise<number> {
    const headers = { Authorization: `Token ${tier.token}` };
    const health = await (await fetch(`${tier.apiUrl}${routeBase}/health`, { headers })).json();
    return (health as { queue: { inFlight: number } }).queue.inFlight;
  }

  /** Sends each call as soon as the one before it is admitted, not when it is answered. */
  async function inOrder(calls: readonly Fields[]): Promise<void> {
    let answered = 0;
    const answers: Promise<Answered>[] = [];
    for (const call of calls) {
      answers.push(client.ok("block", call).finally(() => answered++));
      while ((await inFlight()) + answered < answers.length) await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(answered, "the calls did not wait for each other").toBeLessThan(calls.length);
    for (const answer of await Promise.all(answers)) expect(answer.safety.transactionState).toBe("committed");
  }

  it("appends stand in the order of their admission, each whole and once", async () => {
    const { id, blocks } = await damage.document("first");
    const text = (line: string) => `${line}\n\n- of ${line}`;
    const calls = [];
    for (const line of twenty)
      calls.push(await prepared("block", { action: "append", parentID: id, ...markdown(text(line)) }));
    const first = await siyuan.dom(blocks[0] ?? "");
    await inOrder(calls);
    expect(await texts(id)).toEqual(["first", ...twenty.flatMap((line) => [line, `- of ${line}`])]);
    expect(await siyuan.dom(blocks[0] ?? "")).toBe(first);
  });

  it("prepends stand in the opposite order", async () => {
    const { id } = await damage.document("last");
    const calls = [];
    for (const line of twenty)
      calls.push(await prepared("block", { action: "prepend", parentID: id, ...markdown(line) }));
    await inOrder(calls);
    expect(await texts(id)).toEqual([...twenty.slice().reverse(), "last"]);
  });

  it("of every kind are all there", async () => {
    const { id, blocks } = await damage.document("a\n\nb\n\nc");
    const [a = "", b = "", c = ""] = blocks;
    const calls = await Promise.all(
      [
        { action: "append", parentID: id, ...markdown("at the end") },
        { action: "prepend", parentID: id, ...markdown("at the start") },
        { action: "insert", previousID: a, ...markdown("behind a") },
        { action: "insert", nextID: c, ...markdown("before c") },
        { action: "update", id: b, ...markdown("b, changed") },
        { action: "set_attrs", id: a, attrs: { memo: "on a" } },
      ].map((call) => prepared("block", call)),
    );
    await Promise.all(calls.map((call) => client.ok("block", call)));
    expect(await texts(id)).toEqual(["at the start", "a", "behind a", "b, changed", "before c", "c", "at the end"]);
    expect(await siyuan.data("/api/attr/getBlockAttrs", { id: a })).toMatchObject({ memo: "on a" });
  });
});
