// The fence file: the latest instance owns the workspace, and an older one notices before it writes.

import { describe, expect, it } from "vitest";
import { SisyphusError } from "../../shared/errors.js";
import { safetyLimits } from "../../shared/limits.js";
import { settle, SimulatedHost } from "../host/testing/simulated-host.js";
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

  it("SiYuan's own answer counts more than the file, whatever was put back there", async () => {
    const host = new SimulatedHost();
    const [old, young] = [new Fence(host, "old"), new Fence(host, "young")];
    await old.claim();
    const copy = new Map(host.files.disk);
    await young.claim();
    for (const [path, text] of copy) host.files.disk.set(path, text);
    host.serving = "young";
    expect(await codeOf(old.check())).toBe("write_coordinator_changed");
    expect(await codeOf(young.check())).toBe("passed");
    host.files.empty("/temp");
    expect(await codeOf(old.check())).toBe("write_coordinator_changed");
    expect(await codeOf(young.check())).toBe("passed");
  });

  it("an instance that SiYuan named once does not believe the file alone, except in the middle of a write", async () => {
    const host = new SimulatedHost();
    const fence = new Fence(host, "one");
    host.serving = "one";
    await fence.check();
    host.serving = undefined;
    await host.clock.advance(safetyLimits.ownerCheckMs + 1);
    expect(await codeOf(fence.check())).toBe("write_coordinator_unavailable");
    expect(await codeOf(fence.checkAgain())).toBe("passed");
    host.serving = "two";
    await host.clock.advance(safetyLimits.ownerCheckMs + 1);
    expect(await codeOf(fence.checkAgain())).toBe("write_coordinator_changed");
  });

  it("SiYuan's word counts for a moment, in which nothing is asked", async () => {
    const host = new SimulatedHost();
    const fence = new Fence(host, "one");
    let asked = 0;
    host.servingInstance = async () => {
      asked++;
      return "one";
    };
    await fence.check();
    await host.clock.advance(safetyLimits.ownerCheckMs);
    const before = host.journal.length;
    await fence.check();
    expect([asked, host.journal.length]).toEqual([1, before]);
    await host.clock.advance(1);
    expect(fence.isFresh()).toBe(false);
    await fence.check();
    expect(asked).toBe(2);
    expect(fence.isFresh()).toBe(true);
  });

  it("a question that was not answered prolongs nothing", async () => {
    const host = new SimulatedHost();
    const fence = new Fence(host, "one");
    host.serving = "one";
    await fence.check();
    host.serving = undefined;
    await host.clock.advance(safetyLimits.ownerCheckMs + 1);
    expect(await codeOf(fence.check())).toBe("write_coordinator_unavailable");
    expect(await codeOf(fence.check())).toBe("write_coordinator_unavailable");
  });

  it("nobody takes an emptied workspace back when SiYuan cannot be asked", async () => {
    const host = new SimulatedHost();
    const fence = new Fence(host, "old");
    await fence.claim();
    host.files.empty("/temp");
    expect(await codeOf(fence.check())).toBe("write_coordinator_unavailable");
    expect(host.files.disk.size).toBe(0);
  });

  describe("a new instance takes over", () => {
    const takenOver = async (host: SimulatedHost) => {
      const fence = new Fence(host, "young");
      let follows: boolean | undefined;
      fence.takeOver().then((known) => {
        follows = known;
      });
      await host.clock.advance(0);
      for (let turn = 0; turn < 5; turn++) await settle();
      const atOnce = follows;
      await host.clock.advance(safetyLimits.takeOverMs);
      return { atOnce, follows };
    };

    it("at once where nobody was, or only an instance of another kernel process", async () => {
      const host = new SimulatedHost();
      expect(await takenOver(host)).toEqual({ atOnce: false, follows: false });
      expect(await takenOver(host.restarted())).toEqual({ atOnce: false, follows: false });
    });

    it("after a while where an earlier one may still send what it had checked", async () => {
      const host = new SimulatedHost();
      await new Fence(host, "old").claim();
      expect(await takenOver(host.reloaded())).toEqual({ atOnce: undefined, follows: true });
    });

    it("after a while where nobody can tell", async () => {
      const host = new SimulatedHost();
      host.isFirstInProcess = async () => undefined;
      expect(await takenOver(host)).toEqual({ atOnce: undefined, follows: true });
    });
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
