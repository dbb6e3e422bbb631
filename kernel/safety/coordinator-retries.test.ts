// The same request id more than once: one dispatch under any interleaving, replays, conflicts, restarts and lost records.

import { describe, expect, it } from "vitest";
import { type ErrorCode, SisyphusError } from "../../shared/errors.js";
import { callLimits, safetyLimits } from "../../shared/limits.js";
import type { JsonObject } from "../../shared/wire/json.js";
import { deviceFolder } from "../../shared/wire/plugin.js";
import { Dispatcher } from "../dispatch/dispatcher.js";
import { addText, callOf, makeNotebook, Scene, setText, writePaths } from "./testing/coordinator-scene.js";
import { envelope, settle, SimulatedHost } from "../host/testing/simulated-host.js";
import type { MutationImplementation } from "./contract.js";

const id = "20260812120000-abcdefg";
const change = { action: "set", id, data: "new words" };
const dayMs = 86_400_000;

function scene(): Scene {
  return new Scene(new SimulatedHost(), new Map([[id, "old words"]]));
}

/** How a commit ended: its transaction state, marked when replayed, or its error code. */
async function endOf(work: Promise<JsonObject>): Promise<string> {
  try {
    const safety = (await work).safety as JsonObject;
    return `${String(safety.transactionState)}${safety.replayed ? ", replayed" : ""}`;
  } catch (thrown) {
    return thrown instanceof SisyphusError ? thrown.code : String(thrown);
  }
}

function tally(ends: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const end of ends) counts[end] = (counts[end] ?? 0) + 1;
  return counts;
}

/** A gate in front of a route: requests wait until it opens. */
function gate(s: Scene, path: string): { open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const answer = s.host.siyuan.on(path, async (body) => {
    await opened;
    return answer?.(body) ?? envelope(null);
  });
  return { open };
}

describe("one dispatch (I-10, I-15)", () => {
  it("50 retries through the lanes: one commit, 49 replays", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    const dispatcher = new Dispatcher(s.host.clock);
    const commit = () =>
      endOf(
        dispatcher.run(
          "write",
          () => false,
          (control) => s.coordinator.commit(callOf(setText, call), control),
        ),
      );
    expect(tally(await Promise.all(Array.from({ length: 50 }, commit)))).toEqual({
      committed: 1,
      "committed, replayed": 49,
    });
    expect(s.dispatches).toEqual([writePaths.update]);
  });

  it("50 retries without any lane: one commit, and nobody else is told of a success that was not", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    const held = gate(s, writePaths.update);
    const early = Array.from({ length: 25 }, () => endOf(s.commit(setText, call)));
    for (let turn = 0; turn < 50; turn++) await settle();
    const late = Array.from({ length: 25 }, () => endOf(s.commit(setText, call)));
    for (let turn = 0; turn < 50; turn++) await settle();
    held.open();
    const ends = tally(await Promise.all(early.concat(late)));
    expect(ends).toEqual({ committed: 1, preflight_lease_invalid: 24, request_running: 25 });
    expect(s.dispatches).toEqual([writePaths.update]);
    expect(await endOf(s.commit(setText, call))).toBe("committed, replayed");
  });

  it("retries that start at every turn of the first one", async () => {
    for (let delay = 0; delay < 30; delay++) {
      const s = scene();
      const call = await s.prepared(setText, change);
      const first = endOf(s.commit(setText, call));
      for (let turn = 0; turn < delay; turn++) await settle();
      const second = endOf(s.commit(setText, call));
      const ends = [await first, await second];
      expect(
        ends.filter((end) => end === "committed"),
        `delay ${delay}: ${ends.join(" and ")}`,
      ).toHaveLength(1);
      expect(s.dispatches, `delay ${delay}`).toHaveLength(1);
    }
  });

  it("while it runs a retry neither dispatches nor succeeds (I-18)", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    const held = gate(s, writePaths.update);
    const first = endOf(s.commit(setText, call));
    await s.host.clock.advance(10);
    while (s.dispatches.length === 0) await settle();
    expect(await endOf(s.commit(setText, call))).toBe("request_running");
    held.open();
    expect(await first).toBe("committed");
  });

  it("mutations of two ids on one state: the second finds it changed (I-27)", async () => {
    const s = scene();
    const first = await s.prepared(setText, change);
    const second = await s.prepared(setText, { ...change, data: "others" });
    expect(await endOf(s.commit(setText, first))).toBe("committed");
    expect(await endOf(s.commit(setText, second))).toBe("state_changed");
    expect(await endOf(s.commit(setText, second))).toBe("preflight_lease_invalid");
    expect(s.notes.get(id)).toBe("new words");
  });
});

describe("after a commit", () => {
  it("equal arguments get the recorded receipt and touch nothing (I-17)", async () => {
    const s = scene();
    const call = await s.prepared(addText, { action: "add", parentID: id, data: "more" });
    const done = await s.commit(addText, call);
    s.notes.delete(String(done.id));
    const before = s.host.requests.length;
    const again = await s.commit(addText, call);
    expect(again).toEqual({
      ...done,
      safety: { ...(done.safety as JsonObject), replayed: true, writeAttempted: false, writeExecuted: false },
    });
    expect(s.host.requests.length).toBe(before);
  });

  it("a record that was written although it seemed not to be is the receipt (I-17)", async () => {
    const s = scene();
    const call = await s.prepared(addText, { action: "add", parentID: id, data: "more" });
    s.host.files.fail({ kind: "write", path: "/ledger/", skip: 1, answerLost: true });
    expect(await endOf(s.commit(addText, call))).toBe("outcome_unknown");
    s.host.files.heal();
    const writes = () =>
      s.host.journal.filter(({ kind, path }) => kind === "write" && path.includes("/ledger/")).length;
    const before = writes();
    const again = await s.commit(addText, call);
    expect(again.safety).not.toHaveProperty("reconciled");
    expect(await endOf(s.commit(addText, call))).toBe("committed, replayed");
    expect(writes()).toBe(before);
  });

  it("an instance that was replaced settles nothing: its successor does (I-17, I-38)", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    s.host.siyuan.on(writePaths.update, () => {
      throw new SisyphusError("kernel_unreachable");
    });
    expect(await endOf(s.commit(setText, call))).toBe("outcome_unknown");
    const next = await s.reloaded();
    expect(await endOf(s.commit(setText, call))).toBe("write_coordinator_changed");
    expect(await endOf(next.commit(setText, call))).toBe("outcome_unknown");
  });

  it("the order of argument names does not make another call", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    await s.commit(setText, call);
    const turned = Object.fromEntries(Object.entries(call).reverse());
    expect(await endOf(s.commit(setText, turned))).toBe("committed, replayed");
  });

  const others: [string, MutationImplementation, JsonObject][] = [
    ["another content", setText, { data: "third words" }],
    ["another target", setText, { id: "20260812120000-another" }],
    ["one more argument", setText, { extra: null }],
    ["another action", addText, {}],
  ];
  it.each(others)("%s is a conflict and executes nothing (I-16)", async (_name, action, fields) => {
    const s = scene();
    const call = await s.prepared(setText, change);
    await s.commit(setText, call);
    expect(await endOf(s.commit(action, { ...call, ...fields }))).toBe("idempotency_conflict");
    expect(s.dispatches).toHaveLength(1);
    expect(await endOf(s.commit(setText, call))).toBe("committed, replayed");
  });

  it("a replay needs no hash any more: it authorises nothing", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    await s.commit(setText, call);
    expect(await endOf(s.commit(setText, { ...change, requestId: call.requestId as string }))).toBe(
      "committed, replayed",
    );
  });
});

describe("ledger failures", () => {
  it("before the dispatch: nothing is sent and the id is burnt", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    s.host.files.fail({ kind: "write", path: "/ledger/" });
    expect(await endOf(s.commit(setText, call))).toBe("write_ledger_unavailable");
    s.host.files.heal();
    expect(await endOf(s.commit(setText, call))).toBe("preflight_lease_invalid");
    expect(s.dispatches).toEqual([]);
    expect(s.notes.get(id)).toBe("old words");
  });

  it("before the dispatch, with only the answer lost: nothing is sent and the retry claims nothing", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    s.host.files.fail({ kind: "write", path: "/ledger/", answerLost: true });
    expect(await endOf(s.commit(setText, call))).toBe("write_ledger_unavailable");
    s.host.files.heal();
    expect(await endOf(s.commit(setText, call))).toBe("outcome_unknown");
    expect(s.dispatches).toEqual([]);
  });

  it("after the dispatch: unknown now, settled from the notes by the next retry (I-21)", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    s.host.files.fail({ kind: "write", path: "/ledger/", skip: 1 });
    expect(await endOf(s.commit(setText, call))).toBe("outcome_unknown");
    expect(s.notes.get(id)).toBe("new words");
    expect(await endOf(s.commit(setText, call))).toBe("write_ledger_unavailable");
    s.host.files.heal();
    expect(await endOf(s.commit(setText, call))).toBe("committed, replayed");
    const next = await s.restarted();
    expect(await endOf(next.commit(setText, call))).toBe("committed, replayed");
    expect(next.dispatches).toHaveLength(1);
  });

  it("after the dispatch, with only the answer lost: the record on disk settles it after a restart", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    s.host.files.fail({ kind: "write", path: "/ledger/", skip: 1, answerLost: true });
    expect(await endOf(s.commit(setText, call))).toBe("outcome_unknown");
    s.host.files.heal();
    const next = await s.restarted();
    expect(await endOf(next.commit(setText, call))).toBe("committed, replayed");
    expect(next.dispatches).toHaveLength(1);
  });

  it("before the second stage: unknown, and the stage is not sent", async () => {
    const s = scene();
    const call = await s.prepared(makeNotebook, { action: "make", name: "n" });
    s.host.files.fail({ kind: "write", path: "/ledger/", skip: 1 });
    expect(await endOf(s.commit(makeNotebook, call))).toBe("outcome_unknown");
    s.host.files.heal();
    expect(await endOf(s.commit(makeNotebook, call))).toBe("outcome_unknown");
    expect(s.dispatches).toEqual([writePaths.notebook]);
  });

  it("a failed record of an answered dispatch that did nothing is settled as unchanged", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    s.host.siyuan.on(writePaths.update, () => ({ status: 500, text: "" }));
    s.host.files.fail({ kind: "write", path: "/ledger/", skip: 1 });
    expect(await endOf(s.commit(setText, call))).toBe("outcome_unknown");
    s.host.files.heal();
    expect(await endOf((await s.restarted()).commit(setText, call))).toBe("state_unchanged");
  });

  it("an unreadable ledger folder after a restart claims nothing", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    await s.commit(setText, call);
    const next = await s.restarted();
    next.host.files.fail({ kind: "list", path: "/ledger" });
    expect(await endOf(next.commit(setText, call))).toBe("api_error");
    next.host.files.heal();
    expect(await endOf(next.commit(setText, call))).toBe("committed, replayed");
  });

  it("the N-th write of the ledger fails, for every N: never a second dispatch, never a false success", async () => {
    for (const answerLost of [false, true]) {
      for (let skip = 0; skip < 4; skip++) {
        const s = scene();
        const call = await s.prepared(makeNotebook, { action: "make", name: "n" });
        s.host.files.fail({ kind: "write", path: "/ledger/", skip, times: 1, answerLost });
        const first = await endOf(s.commit(makeNotebook, call));
        const next = await s.restarted();
        const second = await endOf(next.commit(makeNotebook, call));
        expect(first === "committed", `${skip}`).toBe(skip > 2);
        if (second.startsWith("committed")) expect(next.dispatches).toEqual([writePaths.notebook, writePaths.icon]);
        expect(new Set(next.dispatches).size).toBe(next.dispatches.length);
      }
    }
  });
});

describe("restart", () => {
  it("before the commit: the preflight is gone, and the error does not say unexecuted (I-13)", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    const next = await s.restarted();
    expect(await endOf(next.commit(setText, call))).toBe("preflight_lease_invalid");
    expect(next.dispatches).toEqual([]);
  });

  it("an id that nobody issued is called invalid (I-14)", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    const next = await s.restarted();
    expect(await endOf(next.commit(setText, { ...call, requestId: "0123456789" }))).toBe("invalid_request_id");
  });

  type Ending = [string, (s: Scene) => void, MutationImplementation, JsonObject, string];
  const add = { action: "add", parentID: id, data: "more" };
  const endings: Ending[] = [
    ["committed", () => {}, setText, change, "committed, replayed"],
    ["no_change", (s) => s.notes.set(id, "new words"), setText, change, "no_change, replayed"],
    ["added", () => {}, addText, add, "committed, replayed"],
    [
      "unknown",
      (s) => s.host.siyuan.on(writePaths.update, () => ({ status: 500, text: "" })),
      setText,
      change,
      "state_unchanged",
    ],
    ["mismatch", (s) => s.host.siyuan.on(writePaths.update, () => envelope([])), setText, change, "state_unchanged"],
    [
      "refused",
      (s) => s.host.siyuan.on(writePaths.update, () => envelope(null, -1)),
      setText,
      change,
      "state_unchanged",
    ],
    [
      "no ledger",
      (s) => s.host.files.fail({ kind: "write", path: "/ledger/" }),
      setText,
      change,
      "preflight_lease_invalid",
    ],
  ];
  it.each(endings)("after %s", async (_name, arrange, action, args, expected) => {
    const s = scene();
    arrange(s);
    const call = await s.prepared(action, args);
    await endOf(s.commit(action, call));
    const dispatched = s.dispatches.length;
    const next = await s.restarted();
    expect(await endOf(next.commit(action, call))).toBe(expected);
    expect(next.dispatches).toHaveLength(dispatched);
    const third = await next.restarted();
    expect(await endOf(third.commit(action, call))).toBe(expected);
  });

  it("in the middle of the dispatch, by a reload: unknown while it may still run, then settled (I-21, I-35)", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    const held = gate(s, writePaths.update);
    const first = endOf(s.commit(setText, call));
    while (s.dispatches.length === 0) await settle();
    const next = await s.reloaded();
    // The earlier instance may still be about to record what it did.
    expect(await endOf(next.commit(setText, call))).toBe("request_running");
    await s.host.clock.advance(callLimits.laneReleaseMs);
    expect(await endOf(next.commit(setText, call))).toBe("outcome_unknown");
    held.open();
    expect(await first).toBe("committed");
    expect(await endOf(next.commit(setText, call))).toBe("committed, replayed");
    expect(next.dispatches).toHaveLength(1);
  });

  it("in the middle of the dispatch, by an unload: the next instance need not wait for the one that stopped (I-21)", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    const held = gate(s, writePaths.update);
    const first = endOf(s.commit(setText, call));
    while (s.dispatches.length === 0) await settle();
    await s.coordinator.stop();
    expect(s.stateOf(call.requestId)).toBe("unknown");
    const next = await s.reloaded();
    expect(await endOf(next.commit(setText, call))).toBe("outcome_unknown");
    held.open();
    expect(await first).toBe("committed");
    expect(s.stateOf(call.requestId)).toBe("committed");
  });

  it("in the middle of the dispatch, by the end of the process: it cannot run any more", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    gate(s, writePaths.update);
    const first = s.commit(setText, call);
    while (s.dispatches.length === 0) await settle();
    const next = await s.restarted();
    expect(await endOf(next.commit(setText, call))).toBe("state_unchanged");
    expect(next.dispatches).toHaveLength(1);
    first.catch(() => undefined);
  });

  it("a lost outcome of an additive write is settled by the reserved id, and only by it", async () => {
    const s = scene();
    const call = await s.prepared(addText, { action: "add", parentID: id, data: "more" });
    s.host.siyuan.on(writePaths.append, () => ({ status: 500, text: "" }));
    expect(await endOf(s.commit(addText, call))).toBe("outcome_unknown");
    expect(await endOf(s.commit(addText, call))).toBe("outcome_unknown");
    const { reservedIds } = JSON.parse(s.ledgerFiles.get(String(call.requestId)) ?? "{}").record;
    s.notes.set(reservedIds[0], "more");
    expect(await endOf(s.commit(addText, call))).toBe("committed, replayed");
    s.notes.delete(reservedIds[0]);
    expect(await endOf((await s.restarted()).commit(addText, call))).toBe("committed, replayed");
    expect(s.dispatches).toHaveLength(1);
  });

  it("a mismatch never becomes a success, whatever the notes hold later (I-35)", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    s.host.siyuan.on(writePaths.update, () => {
      s.notes.set(id, "something else");
      return envelope([]);
    });
    expect(await endOf(s.commit(setText, call))).toBe("readback_mismatch");
    s.notes.set(id, "new words");
    expect(await endOf(s.commit(setText, call))).toBe("outcome_unknown");
    s.notes.set(id, "old words");
    expect(await endOf((await s.restarted()).commit(setText, call))).toBe("state_unchanged");
    expect(s.dispatches).toHaveLength(1);
  });

  it("a SiYuan that cannot be asked whether it has finished proves nothing (I-36)", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    s.host.siyuan.on(writePaths.update, () => ({ status: 500, text: "" }));
    await endOf(s.commit(setText, call));
    const finishes = s.host.siyuan.on("/api/block/getDocsInfo", () => {
      throw new SisyphusError("kernel_unreachable");
    });
    expect(await endOf(s.commit(setText, call))).toBe("outcome_unknown");
    if (finishes) s.host.siyuan.on("/api/block/getDocsInfo", finishes);
    expect(await endOf(s.commit(setText, call))).toBe("state_unchanged");
  });

  it("a state that is neither the old nor the asked one stays unknown", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    s.host.siyuan.on(writePaths.update, () => ({ status: 500, text: "" }));
    expect(await endOf(s.commit(setText, call))).toBe("outcome_unknown");
    s.notes.set(id, "somebody else's");
    expect(await endOf(s.commit(setText, call))).toBe("outcome_unknown");
    expect(await endOf((await s.restarted()).commit(setText, call))).toBe("outcome_unknown");
  });

  it("at every turn of a commit: at most one dispatch, and no false answer (I-15)", async () => {
    for (let turns = 0; turns < 40; turns++) {
      const s = scene();
      const call = await s.prepared(setText, change);
      const first = endOf(s.commit(setText, call));
      for (let turn = 0; turn < turns; turn++) await settle();
      const atCrash = s.stateOf(call.requestId);
      const next = await s.restarted();
      const second = await endOf(next.commit(setText, call));
      const allowed: Record<string, string[]> = {
        undefined: ["preflight_lease_invalid", "outcome_unknown", "state_unchanged", "committed, replayed"],
        executing: ["outcome_unknown", "state_unchanged", "committed, replayed"],
        committed: ["committed, replayed"],
      };
      expect(allowed[String(atCrash)], `turn ${turns}, record ${atCrash}`).toContain(second);
      await first;
      expect(next.dispatches.length).toBeLessThanOrEqual(1);
    }
  });

  it("the old run that wakes up after a newer one claimed the workspace does not start a write", async () => {
    const s = scene();
    await s.fence.claim();
    const call = await s.prepared(setText, change);
    await s.restarted();
    expect(await endOf(s.commit(setText, call))).toBe("write_coordinator_changed");
    expect(s.dispatches).toEqual([]);
  });

  it("a damaged record is unknown", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    await s.commit(setText, call);
    const { disk } = s.host.files;
    const [path = "", text = ""] = Array.from(disk).find(([name]) => name.includes("/ledger/")) ?? [];
    for (const damaged of ["", text.slice(0, 64), text.replace('"committed"', '"no_change"'), `${text}x`]) {
      disk.set(path, damaged);
      expect(await endOf((await s.restarted()).commit(setText, call))).toBe("outcome_unknown");
    }
    expect(s.dispatches).toHaveLength(1);
  });

  it("a record under another id's name is unknown", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    await s.commit(setText, call);
    const other = await s.prepared(setText, { ...change, data: "others" });
    const { disk } = s.host.files;
    const [path = "", text = ""] = Array.from(disk).find(([name]) => name.includes("/ledger/")) ?? [];
    disk.set(path.replace(String(call.requestId), String(other.requestId)), text);
    expect(await endOf((await s.restarted()).commit(setText, other))).toBe("outcome_unknown");
  });

  it("with temp emptied nothing is executed and nothing claimed", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    await s.commit(setText, call);
    s.host.files.empty(deviceFolder);
    expect(await endOf((await s.restarted()).commit(setText, call))).toBe("preflight_lease_invalid");
    expect(s.dispatches).toHaveLength(1);
  });

  it.each([
    [safetyLimits.ledgerRetentionDays, "committed, replayed"],
    [safetyLimits.ledgerRetentionDays + 1, "preflight_lease_invalid"],
  ] satisfies [number, ErrorCode | string][])("%i days later: %s", async (days, expected) => {
    const s = scene();
    const call = await s.prepared(setText, change);
    await s.commit(setText, call);
    s.host.clock.step(days * dayMs);
    expect(await endOf((await s.restarted()).commit(setText, call))).toBe(expected);
    expect(s.dispatches).toHaveLength(1);
  });
});
