// Dispatches that SiYuan never answered: what they touch is closed to other writes until their effect is read or the
// process that had them is gone.

import { describe, expect, it } from "vitest";
import { SisyphusError } from "../../shared/errors.js";
import { callLimits, safetyLimits } from "../../shared/limits.js";
import { settle, SimulatedHost } from "../host/testing/simulated-host.js";
import { Ledger } from "./ledger.js";
import { OpenWrites } from "./open-writes.js";
import { addText, makeNotebook, Scene, setText, writePaths } from "./testing/coordinator-scene.js";

const id = "20260812120000-abcdefg";
const other = "20260812120000-gfedcba";
const change = { action: "set", id, data: "new words" };

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (thrown: SisyphusError) => thrown.code,
  );

function scene(): Scene {
  return new Scene(
    new SimulatedHost(),
    new Map([
      [id, "old words"],
      [other, "other words"],
    ]),
  );
}

/** A SiYuan that loses its answer to the next update, and applies it when told so. */
function losesAnswer(s: Scene): { arrive(): void } {
  let late: (() => void) | undefined;
  const real = s.host.siyuan.on(writePaths.update, (body) => {
    late = () => real?.(body);
    if (real) s.host.siyuan.on(writePaths.update, real);
    throw new SisyphusError("kernel_unreachable", "no answer in time");
  });
  return { arrive: () => late?.() };
}

describe("an unanswered write", () => {
  it("closes its notebook to writes with other ids, until its effect is there and its own id was asked", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    const lost = losesAnswer(s);
    expect(await codeOf(s.commit(setText, call))).toBe("outcome_unknown");
    const second = await s.prepared(setText, { action: "set", id: other, data: "x" });
    expect(await codeOf(s.commit(setText, second))).toBe("write_outcome_open");
    expect(await codeOf(s.commit(setText, call))).toBe("outcome_unknown");
    expect(s.notes.get(other)).toBe("other words");
    lost.arrive();
    expect(await s.commit(setText, call)).toMatchObject({
      safety: { transactionState: "committed", reconciled: true },
    });
    expect(await codeOf(s.commit(setText, second))).toBe("done");
    expect(s.notes.get(other)).toBe("x");
  });

  it("stays closed over a reload of the plugin, and opens with a new process", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    losesAnswer(s);
    await codeOf(s.commit(setText, call));
    const reloaded = await s.reloaded();
    const inReloaded = await reloaded.prepared(setText, { action: "set", id: other, data: "x" });
    expect(await codeOf(reloaded.commit(setText, inReloaded))).toBe("write_outcome_open");
    const restarted = await reloaded.restarted();
    const inRestarted = await restarted.prepared(setText, { action: "set", id: other, data: "x" });
    expect(await codeOf(restarted.commit(setText, inRestarted))).toBe("done");
    expect(await codeOf(restarted.commit(setText, call))).toBe("state_unchanged");
  });

  it("stays closed over a reload, however much was written since", async () => {
    const s = scene();
    losesAnswer(s);
    await codeOf(s.commit(setText, await s.prepared(setText, change)));
    for (let written = 0; written < safetyLimits.takenOverRecords; written++)
      await s.commit(makeNotebook, await s.prepared(makeNotebook, { action: "make", name: `n${written}` }));
    const next = await s.reloaded();
    const second = await next.prepared(setText, { action: "set", id: other, data: "x" });
    expect(await codeOf(next.commit(setText, second))).toBe("write_outcome_open");
  });

  it("opens as soon as SiYuan answers after all", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    let answer: (() => void) | undefined;
    const real = s.host.siyuan.on(writePaths.update, async (body) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return real?.(body) as never;
    });
    let expire: (() => void) | undefined;
    const control = {
      crossBarrier: () => undefined,
      withinDeadline: <Value>(work: Promise<Value>) =>
        Promise.race([
          work,
          new Promise<Value>((_resolve, reject) => {
            expire = () => reject(new SisyphusError("kernel_unreachable"));
          }),
        ]),
    };
    const first = codeOf(s.commit(setText, call, control));
    while (!answer) await settle();
    expire?.();
    // The record of the unknown outcome is raced with the same deadline.
    for (let turn = 0; turn < 5; turn++) {
      await settle();
      expire?.();
    }
    expect(await first).toBe("outcome_unknown");
    if (real) s.host.siyuan.on(writePaths.update, real);
    const second = await s.prepared(setText, { action: "set", id: other, data: "x" });
    expect(await codeOf(s.commit(setText, second))).toBe("write_outcome_open");
    answer();
    for (let turn = 0; turn < 10; turn++) await settle();
    const third = await s.prepared(setText, { action: "set", id: other, data: "y" });
    expect(await codeOf(s.commit(setText, third))).toBe("done");
    expect(await codeOf(s.commit(setText, call))).toBe("done");
  });

  it("of an additive action is settled by the reserved id", async () => {
    const s = scene();
    const call = await s.prepared(addText, { action: "add", parentID: id, data: "more" });
    const real = s.host.siyuan.on(writePaths.append, (body) => {
      real?.(body);
      throw new SisyphusError("kernel_unreachable");
    });
    expect(await codeOf(s.commit(addText, call))).toBe("outcome_unknown");
    expect(await codeOf(s.commit(addText, call))).toBe("done");
  });
});

describe("a write of an earlier instance that ended, or runs on, without a word (I-30)", () => {
  /** A SiYuan that holds the next update back until it is let go. */
  function held(s: Scene): { letGo(): void } {
    let letGo: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const real = s.host.siyuan.on(writePaths.update, async (body) => {
      if (real) s.host.siyuan.on(writePaths.update, real);
      await opened;
      return real?.(body) as never;
    });
    return { letGo: () => letGo() };
  }

  async function underWay(s: Scene) {
    const call = await s.prepared(setText, change);
    const update = held(s);
    const first = codeOf(s.commit(setText, call));
    while (s.dispatches.length === 0) await settle();
    return { call, first, update };
  }

  it("is closed to the next one by its record alone, until it has its outcome", async () => {
    const s = scene();
    const { first, update } = await underWay(s);
    const next = await s.reloaded();
    const other1 = await next.prepared(setText, { action: "set", id: other, data: "x" });
    expect(await codeOf(next.commit(setText, other1))).toBe("write_outcome_open");
    update.letGo();
    expect(await first).toBe("done");
    const other2 = await next.prepared(setText, { action: "set", id: other, data: "y" });
    expect(await codeOf(next.commit(setText, other2))).toBe("done");
  });

  it("is closed to the one after the next, and to none of another process", async () => {
    const s = scene();
    await underWay(s);
    const next = await s.reloaded();
    const call = await next.prepared(setText, { action: "set", id: other, data: "x" });
    expect(await codeOf(next.commit(setText, call))).toBe("write_outcome_open");
    const third = await next.reloaded();
    const again = await third.prepared(setText, { action: "set", id: other, data: "x" });
    expect(await codeOf(third.commit(setText, again))).toBe("write_outcome_open");
    const restarted = await third.restarted();
    const last = await restarted.prepared(setText, { action: "set", id: other, data: "x" });
    expect(await codeOf(restarted.commit(setText, last))).toBe("done");
  });

  it("of a process that could not be told is over two starts later", async () => {
    const s = scene();
    s.host.processMark = async () => undefined;
    await underWay(s);
    // A reload, for all that can be told: the next instance is in the same process.
    const restarted = await s.reloaded();
    const call = await restarted.prepared(setText, { action: "set", id: other, data: "x" });
    expect(await codeOf(restarted.commit(setText, call))).toBe("write_outcome_open");
    const again = await restarted.restarted();
    const last = await again.prepared(setText, { action: "set", id: other, data: "x" });
    expect(await codeOf(again.commit(setText, last))).toBe("done");
  });

  it("which an orphan leaves open later stays in the file that its successor writes", async () => {
    const s = scene();
    const { call } = await underWay(s);
    const next = await s.reloaded();
    const own = await next.prepared(setText, { action: "set", id: other, data: "x" });
    await codeOf(next.commit(setText, own));
    const path = Array.from(s.host.files.disk.keys()).find((name) => name.endsWith("open-writes.json")) ?? "";
    const orphan = new OpenWrites(s.host, new Ledger(s.host), async () => false);
    orphan.enter({ requestId: "ffff", notebooks: ["n"] });
    await orphan.store();
    const ids = (JSON.parse(s.host.files.disk.get(path) ?? "") as { writes: { requestId: string }[] }).writes;
    expect(ids.map(({ requestId }) => requestId).sort()).toEqual([call.requestId, "ffff"].sort());
  });
});

describe("what overlaps", () => {
  const notebook = "20260101000000-noteboo";
  const at = (documents?: readonly string[], notebooks: readonly string[] = [notebook]) => ({
    ids: [],
    notebooks,
    ...(documents ? { documents } : {}),
    found: undefined,
  });
  it.each([
    ["the same document", at(["a"]), at(["a", "b"]), true],
    ["other documents of the notebook", at(["a"]), at(["b"]), false],
    ["a write to the notebook's structure", at(["a"]), at(), true],
    ["anything, where the open write is to the structure", at(), at(["b"]), true],
    ["another notebook", at(["a"]), at(["a"], ["20260101000000-another"]), false],
  ] as const)("%s", async (_name, open, next, refused) => {
    const host = new SimulatedHost();
    const writes = new OpenWrites(host, new Ledger(host), async () => false);
    writes.enter({
      requestId: "abcd",
      notebooks: open.notebooks,
      ...("documents" in open ? { documents: open.documents } : {}),
    });
    const check = writes.check(next, "ffff");
    if (refused) await expect(check).rejects.toThrow(/abcd/);
    else await check;
    await writes.check(next, "abcd");
  });
});

it("the lane's limits leave room for the answer", () => {
  expect(callLimits.answerDeadlineMs).toBeLessThan(callLimits.laneReleaseMs);
});
