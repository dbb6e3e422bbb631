// A write of two stages that stops between them: what a retry sends, what it never sends, and what it reports.

import * as z from "zod/mini";
import { describe, expect, it } from "vitest";
import { mutation } from "../../shared/catalogue/declaration.js";
import { SisyphusError } from "../../shared/errors.js";
import { callLimits } from "../../shared/limits.js";
import type { JsonObject } from "../../shared/wire/json.js";
import { settle, SimulatedHost } from "../host/testing/simulated-host.js";
import type { SiyuanReader } from "../api/reader.js";
import type { CallControl } from "./call-control.js";
import { checksum } from "../host/checksum.js";
import { implementMutation, type MutationImplementation, type Plan, type Trace } from "./contract.js";
import { notebook, Scene, setText, writePaths } from "./testing/coordinator-scene.js";

const first = "20260812120000-aaaaaaa";
const second = "20260812120000-bbbbbbb";
const third = "20260812120000-ccccccc";
const change = { action: "both", data: "new words" };

interface BothInput {
  readonly data: string;
}

interface BothPlan extends Plan {
  readonly data: string;
}

const textOf = async (reader: SiyuanReader, id: string) => (await reader.kramdown(id)) ?? "";
const declaration = mutation("state", {
  tool: "block",
  name: "both",
  permission: "rw",
  summary: "",
  signature: "",
  examples: [],
  input: () => z.any(),
});

/** Writes one text into two blocks, by two routes; the second block must be as the preflight saw it. */
const setBoth = implementMutation(declaration, {
  targets: async () => ({ ids: [first, second], notebooks: [notebook], found: undefined }),
  async observe(_input: BothInput, _targets, { reader }) {
    const [one, two] = [await textOf(reader, first), await textOf(reader, second)];
    return { state: { one, two }, facts: { two }, witness: () => ({ two }) };
  },
  plan({ data }: BothInput, { facts }): BothPlan {
    if (facts.two === "forbidden") throw new SisyphusError("several_blocks", "the plan refuses");
    return { data, preview: () => ({}) };
  },
  stages: [
    {
      name: "one",
      apply: ({ data }: BothPlan, { writer }) => writer.updateBlock(first, { dataType: "markdown", data }),
    },
    {
      name: "two",
      apply: ({ data }: BothPlan, { writer }) =>
        writer.appendBlock(second, { dataType: "markdown", data: `${second} ${data}` }),
    },
  ],
  readback: async (_plan: BothPlan, _answers, { reader }) => ({
    one: await textOf(reader, first),
    two: await textOf(reader, second),
  }),
  verify({ data }: BothPlan, _before, _answers, after) {
    const answer = { success: true, id: first };
    const isDone = after.one === data && after.two === data;
    return { outcome: isDone ? "committed" : "mismatch", state: after, answer };
  },
  async reconcile({ data }: BothInput, _lost, { reader }) {
    const done = (await textOf(reader, first)) === data && (await textOf(reader, second)) === data;
    return { done, answer: { success: true, id: first } };
  },
  async trace({ data }: BothInput, { stages }, { reader }): Promise<Trace<{ two: string }>> {
    const [one, two] = [await textOf(reader, first), await textOf(reader, second)];
    const traces = [one === data ? "done" : "absent", two === data ? "done" : "absent"] as const;
    return {
      stages: traces.slice(0, stages.length),
      rest: { witness: { two }, observation: { state: { one, two }, facts: { two } }, answers: [undefined] },
    };
  },
});

function scene(): Scene {
  return new Scene(
    new SimulatedHost(),
    new Map([
      [first, "old one"],
      [second, "old two"],
      [third, "old three"],
    ]),
  );
}

async function endOf(work: Promise<JsonObject>): Promise<string> {
  try {
    const { transactionState, replayed, resumed, reconciled } = (await work).safety as JsonObject;
    return [transactionState, replayed && "replayed", resumed && "resumed", reconciled && "reconciled"]
      .filter((part) => typeof part === "string")
      .join(", ");
  } catch (thrown) {
    return thrown instanceof SisyphusError ? thrown.code : String(thrown);
  }
}

const refusalOf = (work: Promise<unknown>): Promise<SisyphusError> =>
  work.then(
    () => Promise.reject(new Error("not refused")),
    (thrown) => thrown,
  );

/** SiYuan does what it is asked, and its answer is lost, once. */
function losesAnswer(s: Scene, path: string = writePaths.update): void {
  const real = s.host.siyuan.on(path, (body) => {
    real?.(body);
    if (real) s.host.siyuan.on(path, real);
    throw new SisyphusError("kernel_unreachable", "no answer in time");
  });
}

async function stopped(s: Scene): Promise<JsonObject> {
  const call = await s.prepared(setBoth, change);
  losesAnswer(s);
  expect(await endOf(s.commit(setBoth, call))).toBe("outcome_unknown");
  expect(s.notes.get(first)).toBe("new words");
  return call;
}

const steps = (one: string, two: string) => [
  { name: "one", state: one },
  { name: "two", state: two },
];
const bothSent = [writePaths.update, writePaths.append];

describe("a retry", () => {
  it("runs the stage that never started, once, and records the whole write (I-15)", async () => {
    const s = scene();
    const call = await stopped(s);
    expect(await endOf(s.commit(setBoth, call))).toBe("committed, resumed");
    expect(s.notes.get(second)).toBe("new words");
    expect(s.dispatches).toEqual(bothSent);
    expect(s.stateOf(call.requestId)).toBe("committed");
    expect(await endOf(s.commit(setBoth, call))).toBe("committed, replayed, resumed");
    expect(await endOf((await s.restarted()).commit(setBoth, call))).toBe("committed, replayed, resumed");
    expect(s.dispatches).toEqual(bothSent);
  });

  it("after the end of the process in the middle of the first stage", async () => {
    const s = scene();
    const call = await stopped(s);
    const next = await s.restarted();
    expect(await endOf(next.commit(setBoth, call))).toBe("committed, resumed");
    expect(next.dispatches).toEqual(bothSent);
  });

  it("after a second stage whose record could not be written", async () => {
    const s = scene();
    const call = await s.prepared(setBoth, change);
    s.host.files.fail({ kind: "write", path: "/ledger/", skip: 1 });
    expect(await endOf(s.commit(setBoth, call))).toBe("outcome_unknown");
    s.host.files.heal();
    expect(await endOf(s.commit(setBoth, call))).toBe("committed, resumed");
    expect(s.dispatches).toEqual(bothSent);
  });

  it("writes its record before it sends the stage (I-19)", async () => {
    const s = scene();
    const call = await stopped(s);
    s.host.journal.length = 0;
    await s.commit(setBoth, call);
    const isChange = (path: string) => path.includes("/ledger/") || path === writePaths.append;
    const changes = s.host.journal.filter(({ kind, path }) => kind !== "read" && kind !== "list" && isChange(path));
    expect(changes.map(({ path }) => (path.includes("/ledger/") ? "record" : path))).toEqual([
      "record",
      writePaths.append,
      "record",
    ]);
    expect(changes[0]?.text).toContain('"stages":["one","two"]');
  });

  it("of a stage that was sent sends nothing, whatever became of it", async () => {
    for (const isApplied of [true, false]) {
      const s = scene();
      const call = await s.prepared(setBoth, change);
      if (isApplied) losesAnswer(s, writePaths.append);
      else s.host.siyuan.on(writePaths.append, () => ({ status: 500, text: "" }));
      expect(await endOf(s.commit(setBoth, call))).toBe("outcome_unknown");
      const again = s.commit(setBoth, call);
      if (isApplied) expect(await endOf(again)).toBe("committed, replayed, reconciled");
      else expect((await refusalOf(again)).details.steps).toEqual(steps("done", "absent"));
      expect(s.dispatches).toEqual(bothSent);
    }
  });

  it("sends the stage once, however many retries there are at once", async () => {
    const s = scene();
    const call = await stopped(s);
    const ends = await Promise.all(Array.from({ length: 20 }, () => endOf(s.commit(setBoth, call))));
    expect(ends.filter((end) => end === "committed, resumed")).toHaveLength(1);
    const others = ["request_running", "outcome_unknown", "committed, replayed, resumed"];
    expect(ends.filter((end) => end !== "committed, resumed" && !others.includes(end))).toEqual([]);
    expect(s.dispatches).toEqual(bothSent);
  });

  it("that crashes at any turn: every stage at most once, and no false answer (I-15, I-21)", async () => {
    for (let turns = 0; turns < 60; turns++) {
      const s = scene();
      const call = await stopped(s);
      const crashed = endOf(s.commit(setBoth, call));
      for (let turn = 0; turn < turns; turn++) await settle();
      const next = await s.restarted();
      const end = await endOf(next.commit(setBoth, call));
      const isDone = next.notes.get(second) === "new words";
      expect(end.startsWith("committed") ? isDone : end === "outcome_unknown", `turn ${turns}: ${end}`).toBe(true);
      await crashed;
      expect(new Set(next.dispatches).size, `turn ${turns}`).toBe(next.dispatches.length);
    }
  });
});

describe("nothing is sent, and the report says how far the write got,", () => {
  const refusals: [string, (s: Scene) => void, string, string][] = [
    [
      "when what the stage builds on was changed",
      (s) => s.notes.set(second, "theirs"),
      "done",
      "as the preflight saw it",
    ],
    ["when the first stage was undone", (s) => s.notes.set(first, "undone"), "absent", "may still run"],
  ];
  it.each(refusals)("%s", async (_name, arrange, one, why) => {
    const s = scene();
    const call = await stopped(s);
    arrange(s);
    const refusal = await refusalOf(s.commit(setBoth, call));
    expect(refusal.code).toBe("outcome_unknown");
    expect(refusal.details.steps).toEqual(steps(one, "never sent"));
    expect(refusal.message).toContain(why);
    expect(s.dispatches).toEqual([writePaths.update]);
    // What has run can come no more; what is not there may.
    const other = await s.prepared(setText, { action: "set", id: third, data: "x" });
    expect(await endOf(s.commit(setText, other))).toBe(one === "done" ? "committed" : "write_outcome_open");
  });

  it("when the plan refuses what the preflight saw", async () => {
    const s = scene();
    const call = await stopped(s);
    const action: MutationImplementation = {
      ...setBoth,
      plan: () => {
        throw new SisyphusError("several_blocks", "the plan refuses");
      },
    };
    const refusal = await refusalOf(s.commit(action, call));
    expect([refusal.code, refusal.message]).toEqual(["outcome_unknown", expect.stringContaining("the plan refuses")]);
    expect(s.dispatches).toEqual([writePaths.update]);
  });

  it("when the record has no witness", async () => {
    const s = scene();
    const call = await stopped(s);
    for (const [path, text] of Array.from(s.host.files.disk)) {
      if (!path.includes("/ledger/")) continue;
      const { witnessDigest: _digest, ...record } = JSON.parse(text).record;
      const without = JSON.stringify(record);
      s.host.files.disk.set(path, `{"checksum":"${checksum(without)}","record":${without}}`);
    }
    const next = await s.restarted();
    expect((await refusalOf(next.commit(setBoth, call))).details.steps).toEqual(steps("done", "never sent"));
    expect(next.dispatches).toEqual([writePaths.update]);
  });

  it("when the action cannot tell", async () => {
    const s = scene();
    const call = await stopped(s);
    const { trace: _trace, ...blind } = setBoth;
    const failing: MutationImplementation = { ...setBoth, trace: () => Promise.reject(new TypeError("defect")) };
    for (const action of [blind, failing]) expect(await endOf(s.commit(action, call))).toBe("outcome_unknown");
    expect(s.dispatches).toEqual([writePaths.update]);
  });
});

describe("the guards of a first attempt hold:", () => {
  it("a revoke wins (I-39)", async () => {
    const s = scene();
    const call = await stopped(s);
    s.allow("r");
    expect(await endOf(s.commit(setBoth, call))).toBe("permission_denied");
    expect(s.dispatches).toEqual([writePaths.update]);
  });

  it("other arguments are a conflict (I-16)", async () => {
    const s = scene();
    const call = await stopped(s);
    expect(await endOf(s.commit(setBoth, { ...call, data: "others" }))).toBe("idempotency_conflict");
    expect(s.dispatches).toEqual([writePaths.update]);
  });

  it("a cancel before the barrier sends nothing (I-31)", async () => {
    const s = scene();
    const call = await stopped(s);
    const control: CallControl = {
      crossBarrier: () => {
        throw new SisyphusError("request_cancelled");
      },
      withinDeadline: (work) => work,
    };
    expect(await endOf(s.commit(setBoth, call, control))).toBe("request_cancelled");
    expect(s.dispatches).toEqual([writePaths.update]);
    expect(await endOf(s.commit(setBoth, call))).toBe("committed, resumed");
  });

  it("an instance that was replaced sends nothing (I-38)", async () => {
    const s = scene();
    const call = await stopped(s);
    await s.reloaded();
    expect(await endOf(s.commit(setBoth, call))).toBe("write_coordinator_changed");
    expect(s.dispatches).toEqual([writePaths.update]);
  });

  it("a readback that does not fit is a mismatch, and never a success later (I-20, I-35)", async () => {
    const s = scene();
    const call = await stopped(s);
    s.host.siyuan.on(writePaths.append, () => ({ status: 200, text: '{"code":0,"msg":"","data":[]}' }));
    expect(await endOf(s.commit(setBoth, call))).toBe("readback_mismatch");
    s.notes.set(second, "new words");
    expect(await endOf(s.commit(setBoth, call))).toBe("outcome_unknown");
    expect(s.dispatches).toEqual(bothSent);
  });

  it("another open write to the same place comes first (I-30)", async () => {
    const s = scene();
    const call = await s.prepared(setBoth, change);
    s.host.files.fail({ kind: "write", path: "/ledger/", skip: 1, times: 1 });
    expect(await endOf(s.commit(setBoth, call))).toBe("outcome_unknown");
    const other = await s.prepared(setText, { action: "set", id: third, data: "x" });
    s.host.siyuan.on(writePaths.update, () => {
      throw new SisyphusError("kernel_unreachable");
    });
    expect(await endOf(s.commit(setText, other))).toBe("outcome_unknown");
    expect(await endOf(s.commit(setBoth, call))).toBe("write_outcome_open");
    expect(s.notes.get(second)).toBe("old two");
  });
});

describe("a predecessor in the same process", () => {
  it("gets the time to stop before the rest is sent", async () => {
    const s = scene();
    const call = await s.prepared(setBoth, change);
    let answer = () => {};
    const real = s.host.siyuan.on(writePaths.update, async (body) => {
      const reply = await real?.(body);
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return reply ?? { status: 500, text: "" };
    });
    const first = endOf(s.commit(setBoth, call));
    while (s.dispatches.length === 0) await settle();
    const next = await s.reloaded();
    expect(await endOf(next.commit(setBoth, call))).toBe("request_running");
    expect(next.dispatches).toEqual([writePaths.update]);
    await next.host.clock.advance(callLimits.laneReleaseMs);
    expect(await endOf(next.commit(setBoth, call))).toBe("committed, resumed");
    answer();
    expect(await first).toBe("outcome_unknown");
    expect(next.dispatches).toEqual(bothSent);
  });

  it("that sends the stage meanwhile is the only one that does", async () => {
    const s = scene();
    const call = await stopped(s);
    const next = await s.reloaded();
    await next.host.clock.advance(callLimits.laneReleaseMs);
    // While the successor looks at the notes.
    const real = s.host.siyuan.on("/api/block/getBlockKramdown", (body) => {
      for (const [path, text] of Array.from(s.host.files.disk)) {
        if (!path.includes("/ledger/")) continue;
        const record = JSON.stringify({ ...JSON.parse(text).record, stages: ["one", "two"] });
        s.host.files.disk.set(path, `{"checksum":"${checksum(record)}","record":${record}}`);
      }
      return real?.(body) ?? { status: 500, text: "" };
    });
    expect((await refusalOf(next.commit(setBoth, call))).code).toBe("outcome_unknown");
    expect(next.dispatches).toEqual([writePaths.update]);
  });
});

it("a late answer to the first stage does not bring back its record", async () => {
  const s = scene();
  const call = await s.prepared(setBoth, change);
  let answer = () => {};
  const real = s.host.siyuan.on(writePaths.update, async (body) => {
    const reply = await real?.(body);
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return reply ?? { status: 500, text: "" };
  });
  const late: CallControl = {
    crossBarrier: () => undefined,
    withinDeadline: (work) =>
      Promise.race([
        work,
        s.host.clock.sleep(1_000).then(() => {
          throw new SisyphusError("kernel_unreachable");
        }),
      ]),
  };
  const attempt = endOf(s.commit(setBoth, call, late));
  while (s.dispatches.length === 0) await settle();
  for (let seconds = 0; seconds < 10; seconds++) await s.host.clock.advance(1_000);
  expect(await attempt).toBe("outcome_unknown");
  expect(await endOf(s.commit(setBoth, call))).toBe("committed, resumed");
  answer();
  await s.host.clock.advance(1_000);
  expect(s.stateOf(call.requestId)).toBe("committed");
  expect(await endOf((await s.restarted()).commit(setBoth, call))).toBe("committed, replayed, resumed");
});
