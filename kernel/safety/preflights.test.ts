// Preflight records: ten minutes, one use, a bounded number.

import { describe, expect, it } from "vitest";
import { safetyLimits } from "../../shared/limits.js";
import { SimulatedClock } from "../host/testing/simulated-host.js";
import { type Preflight, Preflights } from "./preflights.js";

const startMs = 1_000_000;

function record(requestId: string, issuedAtMs: number): Preflight {
  return {
    requestId,
    tool: "block",
    action: "set",
    argumentsDigest: "",
    targetIds: [],
    reservedIds: [],
    issuedAtMs,
    expiresAtMs: issuedAtMs + safetyLimits.leaseTtlMs,
  };
}

function pool(count = 1) {
  const clock = new SimulatedClock(startMs);
  const preflights = new Preflights(clock);
  for (let index = 0; index < count; index++) preflights.add(record(`id ${index}`, clock.nowMs()));
  return { clock, preflights };
}

describe("Preflights", () => {
  it("finds a record until it is consumed", () => {
    const { preflights } = pool();
    expect(preflights.find("id 0")?.requestId).toBe("id 0");
    preflights.consume("id 0");
    expect(preflights.find("id 0")).toBeUndefined();
  });

  it.each([
    ["one millisecond before the expiry", safetyLimits.leaseTtlMs - 1, true],
    ["at the expiry", safetyLimits.leaseTtlMs, false],
    ["one millisecond before its issue", -1, false],
  ])("%s", (_name, stepMs, lives) => {
    const { clock, preflights } = pool();
    clock.step(stepMs);
    expect(preflights.find("id 0") !== undefined).toBe(lives);
  });

  it("does not come back when the clock does", () => {
    const { clock, preflights } = pool();
    clock.step(safetyLimits.leaseTtlMs);
    expect(preflights.find("id 0")).toBeUndefined();
    clock.step(-safetyLimits.leaseTtlMs);
    expect(preflights.find("id 0")).toBeUndefined();
  });

  it("the timer kills although the wall clock stands still", async () => {
    const { clock, preflights } = pool();
    await clock.advance(safetyLimits.leaseTtlMs - 1);
    clock.step(1 - safetyLimits.leaseTtlMs);
    clock.step(safetyLimits.leaseTtlMs - 1);
    expect(preflights.find("id 0")).toBeDefined();
    clock.step(-1);
    await clock.advance(1);
    expect(preflights.find("id 0")).toBeUndefined();
  });

  it("an observed step back kills all older records and no newer one", () => {
    const { clock, preflights } = pool(2);
    clock.step(60_000);
    expect(preflights.find("id 0")).toBeDefined();
    clock.step(-1);
    preflights.add(record("new", clock.nowMs()));
    expect([preflights.find("id 0"), preflights.find("id 1")]).toEqual([undefined, undefined]);
    expect(preflights.find("new")).toBeDefined();
  });

  it("at its capacity it evicts the oldest first", () => {
    const { preflights, clock } = pool(safetyLimits.maxPreflights);
    expect(preflights.find("id 0")).toBeDefined();
    preflights.add(record("one more", clock.nowMs()));
    expect(preflights.find("id 0")).toBeUndefined();
    expect(preflights.find("id 1")).toBeDefined();
    expect(preflights.find("one more")).toBeDefined();
  });

  it("keeps no timer of what was evicted longer than the lease", async () => {
    const { preflights, clock } = pool(safetyLimits.maxPreflights + 10);
    await clock.advance(safetyLimits.leaseTtlMs);
    expect(clock.pendingTimers).toBe(0);
    expect(preflights.find(`id ${safetyLimits.maxPreflights}`)).toBeUndefined();
  });
});
