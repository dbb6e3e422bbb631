// The fence file: the latest instance owns the workspace, and an older one notices before it writes.

import { describe, expect, it } from "vitest";
import { SisyphusError } from "../../shared/errors.js";
import { SimulatedHost } from "../host/testing/simulated-host.js";
import { Fence } from "./fence.js";

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "passed",
    (thrown: unknown) => (thrown instanceof SisyphusError ? thrown.code : String(thrown)),
  );

describe("Fence", () => {
  it("claims once, however often it is asked", async () => {
    const host = new SimulatedHost();
    const fence = new Fence(host, "one");
    await Promise.all([fence.claim(), fence.claim(), fence.check()]);
    expect(host.journal.filter((entry) => entry.kind === "write")).toHaveLength(1);
  });

  it("the older instance is stopped and the newer one passes", async () => {
    const host = new SimulatedHost();
    const [old, young] = [new Fence(host, "old"), new Fence(host, "young")];
    await old.claim();
    await young.claim();
    expect(await codeOf(old.check())).toBe("write_coordinator_changed");
    expect(await codeOf(young.check())).toBe("passed");
    expect(await codeOf(old.check())).toBe("write_coordinator_changed");
  });

  it("reads the file at every check", async () => {
    const host = new SimulatedHost();
    const fence = new Fence(host, "one");
    for (let count = 0; count < 3; count++) await fence.check();
    expect(host.journal.filter((entry) => entry.kind === "read")).toHaveLength(3);
  });

  it("writes an emptied file again", async () => {
    const host = new SimulatedHost();
    const fence = new Fence(host, "one");
    await fence.claim();
    host.files.empty("/temp");
    host.serving = "one";
    expect(await codeOf(fence.check())).toBe("passed");
    expect(host.files.disk.size).toBe(1);
  });

  it.each([
    ["another instance", "young", "write_coordinator_changed"],
    ["nobody that could be asked", undefined, "write_coordinator_unavailable"],
  ] as const)("does not take the workspace back when the routes are answered by %s", async (_name, serving, code) => {
    const host = new SimulatedHost();
    const fence = new Fence(host, "old");
    await fence.claim();
    host.files.empty("/temp");
    host.serving = serving;
    expect(await codeOf(fence.check())).toBe(code);
    expect(host.files.disk.size).toBe(0);
  });

  it("a damaged file is a foreign one", async () => {
    const host = new SimulatedHost();
    const fence = new Fence(host, "one");
    await fence.claim();
    const [path = ""] = Array.from(host.files.disk.keys());
    host.files.disk.set(path, "");
    expect(await codeOf(fence.check())).toBe("write_coordinator_changed");
  });

  it("a failed claim refuses, and is tried again", async () => {
    const host = new SimulatedHost();
    const fence = new Fence(host, "one");
    host.files.fail({ kind: "write", path: "instance" });
    expect(await codeOf(fence.check())).toBe("write_ledger_unavailable");
    host.files.heal();
    expect(await codeOf(fence.check())).toBe("passed");
  });
});
