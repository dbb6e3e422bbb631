// The coordinator's way from preflight to commit: purity, digests, scope, expiry, barrier, readback and refusals.

import { describe, expect, it } from "vitest";
import { type ErrorCode, SisyphusError } from "../../shared/errors.js";
import { safetyLimits } from "../../shared/limits.js";
import type { Json, JsonObject } from "../../shared/wire/json.js";
import { permissionsPath } from "../config/config-reader.js";
import { addText, callOf, freely, makeNotebook, Scene, setText, writePaths } from "./testing/coordinator-scene.js";
import { envelope, settle, SimulatedHost } from "../host/testing/simulated-host.js";
import type { MutationImplementation } from "./contract.js";
import { Fence } from "./fence.js";
import type { MismatchError } from "./answers.js";

const id = "20260812120000-abcdefg";
const change = { action: "set", id, data: "new words" };

function scene(text = "old words"): Scene {
  return new Scene(new SimulatedHost(), new Map([[id, text]]));
}

async function refusalOf(work: Promise<unknown>): Promise<SisyphusError> {
  const thrown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(thrown instanceof SisyphusError)) throw new Error(`expected a refusal, got ${String(thrown)}`);
  return thrown;
}

const codeOf = async (work: Promise<unknown>): Promise<ErrorCode> => (await refusalOf(work)).code;

describe("preflight", () => {
  it("sends nothing that can change notes or settings, and writes only the id reservation (I-05)", async () => {
    const s = scene();
    await s.fence.claim();
    s.host.journal.length = 0;
    await s.preflight(setText, change);
    await s.preflight(addText, { action: "add", parentID: id, data: "more" });
    await s.preflight(makeNotebook, { action: "make", name: "n" });
    expect(s.dispatches).toEqual([]);
    const written = s.host.journal.filter((entry) => entry.kind === "write").map((entry) => entry.path);
    expect(written.every((path) => path.includes("/request-ids"))).toBe(true);
    expect(s.ledgerFiles.size).toBe(0);
  });

  it("hands out the hash of a mutation and none of an additive action", async () => {
    const s = scene();
    const mutation = await s.preflight(setText, change);
    expect(mutation).toMatchObject({ preconditionField: "expectedStateHash", hashPrefixLength: 4, targetCount: 1 });
    expect(mutation).toMatchObject({ writeAttempted: false, writeExecuted: false, preview: { changes: 1 } });
    const additive = await s.preflight(addText, { action: "add", parentID: id, data: "more" });
    expect(additive).not.toHaveProperty("preconditionField");
    expect(additive).not.toHaveProperty("leaseExpiresAt");
  });

  it("makes the checks that the commit makes (I-06)", async () => {
    const s = scene();
    s.allow("r");
    expect(await codeOf(s.preflight(setText, change))).toBe("permission_denied");
    expect(await codeOf(s.preflight(setText, { ...change, id: "20260812120000-missing" }))).toBe("block_not_found");
  });

  it("without entropy issues no credential (I-14)", async () => {
    const s = scene();
    s.host.entropy.absent = true;
    expect(await codeOf(s.preflight(setText, change))).toBe("entropy_unavailable");
  });
});

describe("state comparison", () => {
  it("refuses a changed state and says which hashes differ", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    s.notes.set(id, "somebody else's words");
    const refusal = await refusalOf(s.commit(setText, call));
    expect(refusal.code).toBe("state_changed");
    expect(refusal.details).toMatchObject({ expectedField: "expectedStateHash", expectedHash: call.expectedStateHash });
    expect(refusal.details.currentHash).not.toBe(call.expectedStateHash);
    expect(s.dispatches).toEqual([]);
  });

  it("compares all 64 digits: a digest that differs in the last one is another state (I-01)", async () => {
    const s = scene();
    const twin = "a".repeat(63);
    s.host.digest.forge = (text, digest) => {
      if (text.includes('"text":"old words"')) return `${twin}0`;
      return text.includes('"text":"forged"') ? `${twin}1` : digest;
    };
    const call = await s.prepared(setText, change);
    s.notes.set(id, "forged");
    expect(await codeOf(s.commit(setText, call))).toBe("state_changed");
    expect(s.notes.get(id)).toBe("forged");
  });

  it("an alias of another state with the same prefix authorises nothing (I-11, I-12)", async () => {
    const s = scene();
    s.notes.set("20260812120000-another", "other");
    s.host.digest.forge = (text, digest) => {
      if (!text.includes('"text"')) return digest;
      return `beef${text.includes('"text":"old words"') ? "0" : "1"}${digest.slice(5)}`;
    };
    const first = await s.prepared(setText, change);
    const second = await s.prepared(setText, { ...change, id: "20260812120000-another" });
    expect([first.expectedStateHash, second.expectedStateHash]).toEqual(["beef", "beef1"]);
    for (const hash of ["beef1", "beef0", "bee", "beefbeef"]) {
      expect(await codeOf(s.commit(setText, { ...first, expectedStateHash: hash }))).toBe("preflight_lease_invalid");
    }
    expect(s.dispatches).toEqual([]);
  });

  it("a target that is gone has changed", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    s.notes.delete(id);
    expect(await codeOf(s.commit(setText, call))).toBe("state_changed");
  });

  it.each(["sha256:v1:", "", "SHA256:V1:"])("takes the full digest with the prefix %o, in any case", async (prefix) => {
    const s = scene();
    const call = await s.prepared(setText, change);
    const [digest] = await s.host.digest.sha256([`{"id":"${id}","text":"old words"}`]);
    const full = `${prefix}${String(digest).toUpperCase()}`;
    expect(await s.commit(setText, { ...call, expectedStateHash: full })).toMatchObject({ success: true });
  });
});

describe("scope (I-08)", () => {
  it("refuses other arguments and keeps the lease for the right ones", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    expect(await codeOf(s.commit(setText, { ...call, data: "more words" }))).toBe("preflight_lease_invalid");
    expect(s.dispatches).toEqual([]);
    expect(await s.commit(setText, call)).toMatchObject({ success: true });
  });

  it("refuses another action with the same id and arguments", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    const args = { ...call, parentID: id };
    expect(await codeOf(s.commit(addText, args))).toBe("preflight_lease_invalid");
  });

  it("refuses another tool with an action of the same name", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    const elsewhere: MutationImplementation = { ...setText, declaration: { ...setText.declaration, tool: "document" } };
    expect(await codeOf(s.commit(elsewhere, call))).toBe("preflight_lease_invalid");
  });

  it("refuses the same arguments when they lead to other targets", async () => {
    const s = scene();
    let targets: readonly string[] = [id];
    const moving: MutationImplementation = {
      ...setText,
      targets: async () => ({ ids: targets, notebooks: [], found: undefined }),
    };
    const call = await s.prepared(moving, change);
    targets = [id, "20260812120000-another"];
    expect(await codeOf(s.commit(moving, call))).toBe("state_changed");
    expect(s.dispatches).toEqual([]);
  });

  it("the order of targets does not matter", async () => {
    const s = scene();
    let targets: readonly string[] = [id, "20260812120000-another"];
    const moving: MutationImplementation = {
      ...setText,
      targets: async () => ({ ids: targets, notebooks: [], found: undefined }),
    };
    const call = await s.prepared(moving, change);
    targets = ["20260812120000-another", id];
    expect(await s.commit(moving, call)).toMatchObject({ success: true });
  });

  it("the hash of one preflight does not go with the id of another", async () => {
    const s = scene();
    const first = await s.prepared(setText, change);
    s.notes.set(id, "changed meanwhile");
    const second = await s.prepared(setText, change);
    const mixed = { ...second, expectedStateHash: String(first.expectedStateHash) };
    expect(await codeOf(s.commit(setText, mixed))).toBe("preflight_lease_invalid");
    expect(s.dispatches).toEqual([]);
  });

  const incomplete: [string, Record<string, Json | undefined>, ErrorCode][] = [
    ["no request id", { requestId: undefined }, "precondition_required"],
    ["a request id that is no text", { requestId: 4 }, "precondition_required"],
    ["a malformed request id", { requestId: "xyz" }, "invalid_request_id"],
    ["no hash", { expectedStateHash: undefined }, "precondition_required"],
    ["a malformed hash", { expectedStateHash: "nothing" }, "preflight_lease_invalid"],
    ["a prefix of the hash", { expectedStateHash: "abc" }, "preflight_lease_invalid"],
  ];
  it.each(incomplete)("%s is refused", async (_name, fields, code) => {
    const s = scene();
    const call = await s.prepared(setText, change);
    expect(await codeOf(s.commit(setText, { ...call, ...fields } as Record<string, Json>))).toBe(code);
    expect(s.dispatches).toEqual([]);
  });

  it("a full digest without a live preflight authorises nothing (I-12)", async () => {
    const s = scene();
    const [digest] = await s.host.digest.sha256([`{"id":"${id}","text":"old words"}`]);
    await s.preflight(setText, change);
    const forged = { ...change, requestId: "ffffffff", expectedStateHash: String(digest) };
    expect(await codeOf(s.commit(setText, forged))).toBe("invalid_request_id");
    expect(s.dispatches).toEqual([]);
  });
});

describe("expiry (I-09)", () => {
  it("is redeemable one millisecond before and not at the expiry, whatever the timers do", async () => {
    const s = scene();
    const first = await s.prepared(setText, change);
    s.host.clock.step(safetyLimits.leaseTtlMs - 1);
    expect(await s.commit(setText, first)).toMatchObject({ success: true });
    const second = await s.prepared(setText, { ...change, data: "newer words" });
    s.host.clock.step(safetyLimits.leaseTtlMs);
    expect(await codeOf(s.commit(setText, second))).toBe("preflight_lease_invalid");
    expect(s.notes.get(id)).toBe("new words");
  });

  it("dies by the timer although the wall clock was set back", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    await s.host.clock.advance(60_000);
    s.host.clock.step(-30_000);
    await s.host.clock.advance(safetyLimits.leaseTtlMs - 60_000);
    expect(await codeOf(s.commit(setText, call))).toBe("preflight_lease_invalid");
  });

  it("dies when the clock stands before its issue, and does not come back", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    s.host.clock.step(-1);
    expect(await codeOf(s.commit(setText, call))).toBe("preflight_lease_invalid");
    s.host.clock.step(1);
    expect(await codeOf(s.commit(setText, call))).toBe("preflight_lease_invalid");
    expect(s.dispatches).toEqual([]);
  });

  it("dies by an observed backward step even to a time after its issue", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    s.host.clock.step(300_000);
    await s.preflight(setText, { ...change, data: "unrelated" });
    s.host.clock.step(-200_000);
    expect(await codeOf(s.commit(setText, call))).toBe("preflight_lease_invalid");
    const fresh = await s.prepared(setText, change);
    expect(await s.commit(setText, fresh)).toMatchObject({ success: true });
  });

  it("dies while the commit still reads", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    s.host.clock.step(safetyLimits.leaseTtlMs - 1);
    const read = s.host.siyuan.on("/api/block/getBlockKramdown", (body) => {
      s.host.clock.step(1);
      return read?.(body) ?? envelope(null);
    });
    expect(await codeOf(s.commit(setText, call))).toBe("preflight_lease_invalid");
    expect(s.dispatches).toEqual([]);
  });

  it("an expired id is not said to be unexecuted", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    await s.host.clock.advance(safetyLimits.leaseTtlMs);
    expect(await codeOf(s.commit(setText, call))).toBe("preflight_lease_invalid");
  });
});

describe("commit", () => {
  it("replaces, reads back and says so", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    const done = await s.commit(setText, call);
    expect(done).toMatchObject({
      success: true,
      id,
      safety: { requestId: call.requestId, transactionState: "committed", replayed: false, writeExecuted: true },
    });
    expect(s.notes.get(id)).toBe("new words");
    expect(s.stateOf(call.requestId)).toBe("committed");
  });

  it("reports no_change with equal hashes", async () => {
    const s = scene("new words");
    const done = await s.commit(setText, await s.prepared(setText, change));
    const safety = done.safety as Record<string, Json>;
    expect(safety.transactionState).toBe("no_change");
    expect(safety.previousHash).toBe(safety.resultHash);
  });

  it("says of a no_change whether something was sent (I-17)", async () => {
    const s = scene("new words");
    const sent = await s.commit(setText, await s.prepared(setText, change));
    expect(sent.safety).toMatchObject({ transactionState: "no_change", writeAttempted: true, writeExecuted: true });
    const idle: MutationImplementation = {
      ...setText,
      stages: [{ name: "set", apply: async () => undefined }],
    };
    const call = await s.prepared(idle, change);
    const nothing = await s.commit(idle, call);
    expect(nothing.safety).toMatchObject({
      transactionState: "no_change",
      writeAttempted: false,
      writeExecuted: false,
    });
    expect(s.dispatches).toHaveLength(1);
    expect((await s.commit(idle, call)).safety).toMatchObject({ replayed: true, writeExecuted: false });
  });

  it("asks again who owns the workspace when its last look is old at the dispatch (I-38)", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    const read = s.host.siyuan.on("/api/block/getBlockKramdown", async (body) => {
      // A successor comes while the state is read.
      s.host.clock.step(safetyLimits.ownerCheckMs + 1);
      await new Fence(s.host, "successor").claim();
      return read?.(body) ?? envelope(null);
    });
    expect(await codeOf(s.commit(setText, call))).toBe("write_coordinator_changed");
    expect(s.dispatches).toEqual([]);
  });

  it("the executing record is on disk before the dispatch, the outcome after the readback (I-19, I-20)", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    // A disk that is slower than everything else.
    const { files } = s.host;
    const promptly = files.write.bind(files);
    files.write = async (path, text) => {
      for (let turn = 0; turn < 10; turn++) await settle();
      return promptly(path, text);
    };
    let recordAtDispatch: string | undefined;
    const write = s.host.siyuan.on(writePaths.update, (body) => {
      recordAtDispatch = s.stateOf(call.requestId);
      return write?.(body) ?? envelope(null);
    });
    await s.commit(setText, call);
    expect(recordAtDispatch).toBe("executing");
    const steps = s.host.journal
      .filter(({ kind, path }) => kind === "request" || (kind === "write" && path.includes("/ledger/")))
      .map(({ kind, path, text }) => (kind === "write" ? /"state":"(\w+)"/.exec(text ?? "")?.[1] : path));
    const dispatched = steps.indexOf(writePaths.update);
    expect(steps.slice(dispatched - 1)).toEqual([
      "executing",
      writePaths.update,
      "/api/block/getBlockKramdown",
      "committed",
    ]);
  });

  it("uses the reserved id and records it", async () => {
    const s = scene();
    const call = await s.prepared(addText, { action: "add", parentID: id, data: "more" });
    const done = await s.commit(addText, call);
    expect(done.id).toMatch(/^\d{14}-[0-9a-z]{7}$/);
    expect(s.ledgerFiles.get(String(call.requestId))).toContain(`"reservedIds":["${String(done.id)}"]`);
    expect(s.notes.get(String(done.id))).toBe("more");
  });

  it("records each stage before it starts", async () => {
    const s = scene();
    const call = await s.prepared(makeNotebook, { action: "make", name: "n" });
    const started: string[] = [];
    for (const path of [writePaths.notebook, writePaths.icon]) {
      const answer = s.host.siyuan.on(path, (body) => {
        started.push(/"stages":(\[[^\]]*\])/.exec(s.ledgerFiles.get(String(call.requestId)) ?? "")?.[1] ?? "");
        return answer?.(body) ?? envelope(null);
      });
    }
    expect(await s.commit(makeNotebook, call)).toMatchObject({ notebook: "20260101000001-created" });
    expect(started).toEqual(['["create"]', '["create","icon"]']);
  });

  it("keeps note text out of ledger and log (I-23)", async () => {
    const s = scene("secret before");
    const asked = { ...change, data: "secret after" };
    await s.commit(setText, await s.prepared(setText, asked));
    await s.commit(addText, await s.prepared(addText, { action: "add", parentID: id, data: "secret child" }));
    const failing = await s.prepared(setText, { ...change, data: "secret again" });
    s.host.siyuan.on(writePaths.update, () => envelope(null));
    await codeOf(s.commit(setText, failing));
    expect(Array.from(s.ledgerFiles.values()).join("\n") + s.host.logged.join("\n")).not.toContain("secret");
    expect(s.ledgerFiles.size).toBe(3);
  });

  it("takes a request id in upper case as the same id", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    await s.commit(setText, { ...call, requestId: String(call.requestId).toUpperCase() });
    expect(await s.commit(setText, call)).toMatchObject({ safety: { replayed: true } });
    expect(s.dispatches).toHaveLength(1);
  });
});

describe("permission (I-39)", () => {
  it("a revoke between preflight and commit wins", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    await s.host.clock.advance(2_000);
    s.allow("r");
    expect(await codeOf(s.commit(setText, call))).toBe("permission_denied");
    expect(s.dispatches).toEqual([]);
  });

  it("a revoke in the same millisecond wins too", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    s.allow("none");
    expect(await codeOf(s.commit(setText, call))).toBe("permission_denied");
    expect(s.dispatches).toEqual([]);
  });

  it("without readable settings nothing is executed", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    await s.host.clock.advance(2_000);
    s.host.files.fail({ kind: "read", path: permissionsPath });
    expect(await codeOf(s.commit(setText, call))).toBe("api_error");
    expect(s.dispatches).toEqual([]);
  });

  it("a replay asks again", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    await s.commit(setText, call);
    await s.host.clock.advance(2_000);
    s.allow("none");
    expect(await codeOf(s.commit(setText, call))).toBe("permission_denied");
  });
});

describe("barrier (I-31)", () => {
  const cancelled = {
    ...freely,
    crossBarrier: () => {
      throw new SisyphusError("request_cancelled");
    },
  };

  it("a cancel before it executes nothing, leaves no record and keeps the lease", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    expect(await codeOf(s.commit(setText, call, cancelled))).toBe("request_cancelled");
    expect(s.dispatches).toEqual([]);
    expect(s.ledgerFiles.size).toBe(0);
    expect(await s.commit(setText, call)).toMatchObject({ success: true });
  });

  it("is crossed once, after every read and before the record", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    let before: readonly string[] = [];
    let crossings = 0;
    await s.commit(setText, call, {
      ...freely,
      crossBarrier: () => {
        crossings++;
        before = s.host.journal.filter(({ path }) => path.includes("/ledger/")).map(({ path }) => path);
      },
    });
    expect(crossings).toBe(1);
    expect(before).toEqual([]);
  });
});

describe("fence (I-38)", () => {
  it("an instance that a newer one replaced writes nothing more", async () => {
    const old = scene();
    const call = await old.prepared(setText, change);
    await old.fence.claim();
    const young = new Scene(old.host.restarted(), old.notes, 2);
    await young.fence.claim();
    expect(await codeOf(old.commit(setText, call))).toBe("write_coordinator_changed");
    expect(old.dispatches).toEqual([]);
    expect(old.ledgerFiles.size).toBe(0);
  });

  it("an unreadable fence stops the write", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    s.host.files.fail({ kind: "read", path: "instance.json" });
    expect(await codeOf(s.commit(setText, call))).toBe("api_error");
    expect(s.dispatches).toEqual([]);
  });

  it("an emptied temp folder is claimed again", async () => {
    const s = scene();
    await s.fence.claim();
    const call = await s.prepared(setText, change);
    s.host.files.empty("/temp");
    s.host.serving = "run-1";
    expect(await s.commit(setText, call)).toMatchObject({ success: true });
  });
});

describe("what SiYuan answers", () => {
  it("a refusal that changed nothing is passed on, and the id is spent", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    s.host.siyuan.on(writePaths.update, () => envelope(null, -1, "no"));
    const refusal = await refusalOf(s.commit(setText, call));
    expect(refusal.code).toBe("api_error");
    expect(refusal.details.requestId).toBe(call.requestId);
    expect(s.stateOf(call.requestId)).toBe("state_unchanged");
    expect(await codeOf(s.commit(setText, call))).toBe("state_unchanged");
    expect(s.dispatches).toHaveLength(1);
  });

  it("a refusal with a changed state is unknown", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    s.host.siyuan.on(writePaths.update, () => {
      s.notes.set(id, "half");
      return envelope(null, -1, "no");
    });
    expect(await codeOf(s.commit(setText, call))).toBe("outcome_unknown");
    expect(s.stateOf(call.requestId)).toBe("unknown");
  });

  it("a refusal of an additive action is unknown: there is no state to compare", async () => {
    const s = scene();
    const call = await s.prepared(addText, { action: "add", parentID: id, data: "more" });
    s.host.siyuan.on(writePaths.append, () => envelope(null, -1, "no"));
    expect(await codeOf(s.commit(addText, call))).toBe("outcome_unknown");
  });

  it.each(["host_token_rejected", "read_only"] as const)("%s never executed anything", async (code) => {
    const s = scene();
    const call = await s.prepared(addText, { action: "add", parentID: id, data: "more" });
    s.host.siyuan.on(writePaths.append, () => {
      if (code === "host_token_rejected") throw new SisyphusError(code);
      return { status: 200, text: '{"cmd":"","pushMode":0,"code":-1,"msg":"","data":{"closeTimeout":5000}}' };
    });
    expect(await codeOf(s.commit(addText, call))).toBe(code);
    expect(s.stateOf(call.requestId)).toBe("state_unchanged");
  });

  const proofless: [string, () => ReturnType<typeof envelope>][] = [
    [
      "no answer",
      () => {
        throw new SisyphusError("kernel_unreachable");
      },
    ],
    ["HTTP 500", () => ({ status: 500, text: "" })],
    ["an empty answer", () => ({ status: 200, text: "" })],
    ["a torn answer", () => ({ status: 200, text: '{"code":0,"ms' })],
    ["an answer without a code", () => ({ status: 200, text: "{}" })],
    ["null data", () => envelope(null)],
  ];
  it.each(proofless)(
    "%s is unknown at first, even while the state looks unchanged, and is sent once (I-34)",
    async (name, answer) => {
      const s = scene();
      const call = await s.prepared(setText, change);
      s.host.siyuan.on(writePaths.update, answer);
      const refusal = await refusalOf(s.commit(setText, call));
      expect(refusal.code).toBe("outcome_unknown");
      expect(refusal.details.requestId).toBe(call.requestId);
      expect(s.stateOf(call.requestId)).toBe("unknown");
      // Without any answer it may still run; after one the notes tell.
      expect(await codeOf(s.commit(setText, call))).toBe(name === "no answer" ? "outcome_unknown" : "state_unchanged");
      expect(s.dispatches).toHaveLength(1);
    },
  );

  it("another content than asked is a mismatch, and never a success", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    s.host.siyuan.on(writePaths.update, () => envelope([]));
    const refusal = await refusalOf(s.commit(setText, call));
    expect(refusal.code).toBe("readback_mismatch");
    expect((refusal as MismatchError).difference).toMatchObject({ found: "old words" });
    expect(s.stateOf(call.requestId)).toBe("unknown");
    expect(await codeOf(s.commit(setText, call))).toBe("state_unchanged");
    expect(s.dispatches).toHaveLength(1);
  });

  it("a readback that fails is unknown", async () => {
    const s = scene();
    const call = await s.prepared(setText, change);
    const write = s.host.siyuan.on(writePaths.update, (body) => {
      s.host.siyuan.on("/api/block/getBlockKramdown", () => ({ status: 500, text: "" }));
      return write?.(body) ?? envelope(null);
    });
    expect(await codeOf(s.commit(setText, call))).toBe("outcome_unknown");
    expect(s.stateOf(call.requestId)).toBe("unknown");
  });

  const broken: [string, Partial<MutationImplementation>][] = [
    [
      "verify",
      {
        verify: () => {
          throw new TypeError("defect");
        },
      },
    ],
    [
      "readback, synchronously",
      {
        readback: () => {
          throw new TypeError("defect");
        },
      },
    ],
    ["readback", { readback: () => Promise.reject(new TypeError("defect")) }],
    ["apply", { stages: [{ name: "set", apply: () => Promise.reject(new TypeError("defect")) }] }],
    ["a state without a canonical form", { verify: () => ({ outcome: "committed", state: Number.NaN, answer: {} }) }],
  ];
  it.each(broken)("a defect in %s after the dispatch never looks unexecuted (I-21)", async (name, parts) => {
    const s = scene();
    const action: MutationImplementation = { ...setText, ...parts };
    const call = await s.prepared(action, change);
    const outcome = await s.commit(action, call).then(
      () => "committed",
      (thrown: unknown) => (thrown as SisyphusError).code,
    );
    expect(outcome).toBe(name.startsWith("a state") ? "committed" : "outcome_unknown");
    expect(s.stateOf(call.requestId)).toBe(outcome === "committed" ? "committed" : "unknown");
  });

  it("a token rejected at the second stage does not undo the first: unknown", async () => {
    const s = scene();
    const call = await s.prepared(makeNotebook, { action: "make", name: "n" });
    s.host.siyuan.on(writePaths.icon, () => {
      throw new SisyphusError("host_token_rejected");
    });
    expect(await codeOf(s.commit(makeNotebook, call))).toBe("outcome_unknown");
    expect(s.stateOf(call.requestId)).toBe("unknown");
  });

  it("the second stage lost: unknown, and neither stage runs again (I-15)", async () => {
    const s = scene();
    const call = await s.prepared(makeNotebook, { action: "make", name: "n" });
    s.host.siyuan.on(writePaths.icon, () => envelope(null, -1, "no"));
    expect(await codeOf(s.commit(makeNotebook, call))).toBe("outcome_unknown");
    expect(await codeOf(s.commit(makeNotebook, call))).toBe("outcome_unknown");
    expect(s.dispatches).toEqual([writePaths.notebook, writePaths.icon]);
  });
});

describe("a precondition on a source", () => {
  /** Takes in an uploaded file: what is compared are its bytes, by their digest, and not the notes. */
  const upload: MutationImplementation = {
    ...setText,
    declaration: { ...setText.declaration, name: "upload", class: { kind: "mutation", precondition: "source" } },
    observe: async () => ({ state: source, facts: undefined }),
    verify: () => ({ outcome: "committed", state: source, answer: { success: true } }),
  };
  let source: Json = null;
  const args = { action: "upload", id, data: "new words" };
  const file = { name: "a.png", bytes: 3, sha256: "ab" };

  async function prepared(s: Scene): Promise<JsonObject> {
    source = file;
    const preflight = await s.preflight(upload, args);
    expect(preflight).toMatchObject({ preconditionField: "expectedSourceHash", hashPrefixLength: 4 });
    expect(preflight).not.toHaveProperty("expectedStateHash");
    return {
      ...args,
      requestId: preflight.requestId as string,
      expectedSourceHash: preflight.expectedSourceHash as string,
    };
  }

  it("is met by the same bytes", async () => {
    const s = scene();
    const call = await prepared(s);
    expect(await s.commit(upload, call)).toMatchObject({ safety: { transactionState: "committed" } });
  });

  it.each([
    ["other bytes", { ...file, sha256: "ac" }],
    ["another length", { ...file, bytes: 4 }],
    ["another name", { ...file, name: "b.png" }],
  ])("refuses %s, and says which hash differs", async (_name, changed) => {
    const s = scene();
    const call = await prepared(s);
    source = changed;
    const refusal = await refusalOf(s.commit(upload, call));
    expect(refusal.code).toBe("state_changed");
    expect(refusal.details).toMatchObject({
      expectedField: "expectedSourceHash",
      expectedHash: call.expectedSourceHash,
    });
    expect(s.dispatches).toEqual([]);
  });

  it("takes no hash of another kind", async () => {
    const s = scene();
    const { expectedSourceHash, ...call } = await prepared(s);
    const other = { ...call, expectedStateHash: expectedSourceHash as string };
    const refusal = await refusalOf(s.commit(upload, other));
    expect([refusal.code, refusal.details.expectedField]).toEqual(["precondition_required", "expectedSourceHash"]);
    expect(s.dispatches).toEqual([]);
  });
});

it("a call whose action refuses in plan executes nothing and leaves no record", async () => {
  const s = scene();
  const call = await s.prepared(setText, change);
  const refusing: MutationImplementation = {
    ...setText,
    plan: () => {
      throw new SisyphusError("several_blocks");
    },
  };
  expect(await codeOf(s.coordinator.commit(callOf(refusing, call), freely))).toBe("several_blocks");
  expect(s.ledgerFiles.size).toBe(0);
});
