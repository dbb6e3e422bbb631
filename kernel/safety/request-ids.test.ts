// Request ids are never issued twice: across restarts, lost files, failed writes and parallel callers.

import { describe, expect, it } from "vitest";
import { SisyphusError } from "../../shared/errors.js";
import { safetyLimits } from "../../shared/limits.js";
import { deviceFolder, storageFolder } from "../../shared/wire/plugin.js";
import { SimulatedHost } from "../host/testing/simulated-host.js";
import { RequestIds } from "./request-ids.js";

const tempFile = `${deviceFolder}/request-ids.json`;
const storageFile = `${storageFolder}/request-ids-device.json`;

const idsOf = (host: SimulatedHost, device = "device") =>
  new RequestIds(
    host,
    async () => device,
    async () => undefined,
  );

async function draw(ids: RequestIds, count: number): Promise<string[]> {
  const drawn: string[] = [];
  for (let index = 0; index < count; index++) drawn.push(await ids.issue());
  return drawn;
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const thrown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return thrown instanceof SisyphusError ? thrown.code : `no refusal: ${String(thrown)}`;
}

describe("issue", () => {
  it("starts with four digits and writes nothing most of the time", async () => {
    const host = new SimulatedHost();
    const ids = await draw(idsOf(host), 50);
    expect(new Set(ids).size).toBe(50);
    expect(ids.every((id) => /^[0-9a-f]{4}$/.test(id))).toBe(true);
    expect(host.journal.filter((entry) => entry.kind === "write").map((entry) => entry.path)).toEqual([
      tempFile,
      storageFile,
    ]);
  });

  it("reserves again at the end of a reservation", async () => {
    const host = new SimulatedHost();
    const ids = await draw(idsOf(host), safetyLimits.requestIdReservation + 1);
    expect(new Set(ids).size).toBe(ids.length);
    expect(host.journal.filter((entry) => entry.kind === "write")).toHaveLength(4);
  });

  it("never issues an id twice across 20 restarts", async () => {
    let host = new SimulatedHost();
    const all: string[] = [];
    for (let run = 0; run < 20; run++) {
      all.push(...(await draw(idsOf(host), 7)));
      host = host.restarted();
    }
    expect(new Set(all).size).toBe(all.length);
  });

  it("parallel callers get different ids from one reservation", async () => {
    const host = new SimulatedHost();
    const ids = idsOf(host);
    const drawn = await Promise.all(Array.from({ length: 200 }, () => ids.issue()));
    expect(new Set(drawn).size).toBe(200);
    expect(host.journal.filter((entry) => entry.kind === "write")).toHaveLength(2);
  });

  it("parallel callers across the end of a reservation get different ids", async () => {
    const host = new SimulatedHost();
    const ids = idsOf(host);
    const count = safetyLimits.requestIdReservation * 2 + 50;
    const drawn = await Promise.all(Array.from({ length: count }, () => ids.issue()));
    expect(new Set(drawn).size).toBe(count);
  });
});

describe("two copies", () => {
  it("the copy in plugin storage suffices when temp was emptied", async () => {
    const host = new SimulatedHost();
    const before = await draw(idsOf(host), 5);
    host.files.empty("/temp");
    const after = await draw(idsOf(host.restarted()), 5);
    expect(new Set(before.concat(after)).size).toBe(10);
    expect(host.files.disk.has(tempFile)).toBe(true);
  });

  it("the copy in temp suffices when storage was emptied", async () => {
    const host = new SimulatedHost();
    const before = await draw(idsOf(host), 5);
    host.files.disk.delete(storageFile);
    expect(new Set(before.concat(await draw(idsOf(host.restarted()), 5))).size).toBe(10);
  });

  it.each([tempFile, storageFile])("the larger counter wins when %s is older", async (older) => {
    const host = new SimulatedHost();
    const first = await draw(idsOf(host), 3);
    const old = host.files.disk.get(older) ?? "";
    const second = await draw(idsOf(host.restarted()), 3);
    host.files.disk.set(older, old);
    const third = await draw(idsOf(host.restarted()), 3);
    expect(new Set(first.concat(second, third)).size).toBe(9);
  });

  it("without both copies a new key begins", async () => {
    const host = new SimulatedHost();
    await draw(idsOf(host), 1);
    const key = host.files.disk.get(tempFile);
    host.files.disk.clear();
    await draw(idsOf(host.restarted()), 1);
    expect(host.files.disk.get(tempFile)).not.toBe(key);
  });

  it("devices that share the storage folder keep files of their own", async () => {
    const host = new SimulatedHost();
    await draw(idsOf(host, "one"), 1);
    await draw(idsOf(host, "../two"), 1);
    const names = Array.from(host.files.disk.keys()).filter((path) => path.startsWith(storageFolder));
    expect(names).toEqual([`${storageFolder}/request-ids-one.json`, `${storageFolder}/request-ids-___two.json`]);
  });
});

describe("failures", () => {
  it.each([tempFile, storageFile])("no id is issued while %s cannot be written", async (path) => {
    const host = new SimulatedHost();
    const ids = idsOf(host);
    host.files.fail({ kind: "write", path });
    expect(await codeOf(ids.issue())).toBe("write_ledger_unavailable");
    host.files.heal();
    expect(await ids.issue()).toMatch(/^[0-9a-f]{4}$/);
  });

  it("a reservation that reached only one file is not issued twice", async () => {
    const host = new SimulatedHost();
    const first = await draw(idsOf(host), 3);
    const next = host.restarted();
    next.files.fail({ kind: "write", path: storageFile, answerLost: true });
    const failed = idsOf(next);
    expect(await codeOf(failed.issue())).toBe("write_ledger_unavailable");
    next.files.heal();
    const second = await draw(failed, 3);
    const third = await draw(idsOf(next.restarted()), 3);
    expect(new Set(first.concat(second, third)).size).toBe(9);
  });

  it.each([tempFile, storageFile])("an unreadable %s refuses, and is read again later", async (path) => {
    const host = new SimulatedHost();
    const before = await draw(idsOf(host), 3);
    const next = host.restarted();
    const ids = idsOf(next);
    next.files.fail({ kind: "read", path });
    expect(await codeOf(ids.issue())).toBe("api_error");
    next.files.heal();
    expect(before).not.toContain(await ids.issue());
  });

  const torn: [string, string][] = [
    ["an empty file", ""],
    ["a torn file", '{"version":1,"key":[1,2'],
  ];
  const foreign: [string, string][] = [
    ["another version", '{"version":2,"key":[1,2,3,4],"reserved":1024}'],
    ["a short key", '{"version":1,"key":[1,2,3],"reserved":1024}'],
    ["a key of texts", '{"version":1,"key":["1","2","3","4"],"reserved":1024}'],
    ["no counter", '{"version":1,"key":[1,2,3,4]}'],
    ["a negative counter", '{"version":1,"key":[1,2,3,4],"reserved":-1024}'],
    ["half a counter", '{"version":1,"key":[1,2,3,4],"reserved":1024.5}'],
    ["an endless counter", '{"version":1,"key":[1,2,3,4],"reserved":1e999}'],
    ["a list", "[]"],
    ["null", "null"],
  ];
  const damaged = torn.concat(foreign);
  const places = [[tempFile], [storageFile], [tempFile, storageFile]];

  it.each(foreign)("%s is refused rather than written over", async (_name, text) => {
    for (const paths of places) {
      const host = new SimulatedHost();
      await draw(idsOf(host), 1);
      for (const path of [tempFile, storageFile]) host.files.disk.delete(path);
      for (const path of paths) host.files.disk.set(path, text);
      expect(await codeOf(idsOf(host.restarted()).issue())).toBe("write_ledger_unavailable");
      for (const path of paths) expect(host.files.disk.get(path)).toBe(text);
    }
  });

  it.each(torn)("%s without a whole copy makes longer ids, and none again", async (_name, text) => {
    for (const paths of places) {
      const host = new SimulatedHost();
      const before = await draw(idsOf(host), safetyLimits.requestIdReservation);
      for (const path of [tempFile, storageFile]) host.files.disk.delete(path);
      for (const path of paths) host.files.disk.set(path, text);
      const ids = idsOf(host.restarted());
      const after = await draw(ids, safetyLimits.requestIdReservation + 5);
      expect(after.every((id) => id.length === safetyLimits.digitsAfterDamage)).toBe(true);
      expect(new Set(before.concat(after)).size).toBe(before.length + after.length);
      for (const id of after) expect(await ids.mayBeOurs(id)).toBe(true);
      const later = await draw(idsOf(host.restarted()), 5);
      expect(after.filter((id) => later.includes(id))).toEqual([]);
    }
  });

  it.each(damaged)("%s beside a whole copy costs nothing", async (_name, text) => {
    for (const path of [tempFile, storageFile]) {
      const host = new SimulatedHost();
      const before = await draw(idsOf(host), safetyLimits.requestIdReservation + 5);
      host.files.disk.set(path, text);
      const after = await draw(idsOf(host.restarted()), 20);
      expect(before.filter((id) => after.includes(id))).toEqual([]);
    }
  });

  it.each([tempFile, storageFile, "both"])(
    "a power cut that loses the last reservation of %s repeats no id",
    async (lost) => {
      const host = new SimulatedHost();
      const paths = [tempFile, storageFile].filter((path) => lost === "both" || path === lost);
      const ids = idsOf(host);
      const before = await draw(ids, safetyLimits.requestIdReservation - 1);
      const older = paths.map((path) => [path, host.files.disk.get(path) ?? ""] as const);
      before.push(...(await draw(ids, 5)));
      for (const [path, text] of older) host.files.disk.set(path, text);
      const next = idsOf(host.restarted());
      const after = await draw(next, 20);
      expect(before.filter((id) => after.includes(id))).toEqual([]);
      for (const id of before) expect(await next.mayBeOurs(id)).toBe(true);
    },
  );

  it("an instance that was replaced reserves nothing any more", async () => {
    const host = new SimulatedHost();
    const ids = new RequestIds(
      host,
      async () => "device",
      async () => {
        throw new SisyphusError("write_coordinator_changed");
      },
    );
    expect(await codeOf(ids.issue())).toBe("write_coordinator_changed");
    expect(host.files.disk.size).toBe(0);
  });

  it("a reservation goes on behind one that another instance made meanwhile", async () => {
    const host = new SimulatedHost();
    const [one, other] = [idsOf(host), idsOf(host)];
    const all = await draw(one, 1);
    for (let round = 0; round < 3; round++) {
      all.push(...(await draw(other, safetyLimits.requestIdReservation)));
      all.push(...(await draw(one, safetyLimits.requestIdReservation)));
    }
    expect(new Set(all).size).toBe(all.length);
  });

  it("without entropy no key is made up", async () => {
    const host = new SimulatedHost();
    host.entropy.absent = true;
    expect(await codeOf(idsOf(host).issue())).toBe("entropy_unavailable");
    expect(host.files.disk.size).toBe(0);
  });

  it("with a key on disk no entropy is needed", async () => {
    const host = new SimulatedHost();
    await draw(idsOf(host), 1);
    const next = host.restarted();
    next.entropy.absent = true;
    expect(await idsOf(next).issue()).toMatch(/^[0-9a-f]{4}$/);
  });
});

describe("mayBeOurs", () => {
  it("knows ids of this run and of earlier ones, and nothing else", async () => {
    const host = new SimulatedHost();
    const issued = await draw(idsOf(host), 20);
    const next = idsOf(host.restarted());
    for (const id of issued) expect(await next.mayBeOurs(id)).toBe(true);
    const all = Array.from({ length: 16 ** 4 }, (_, index) => index.toString(16).padStart(4, "0"));
    const known = (await Promise.all(all.map((id) => next.mayBeOurs(id)))).filter(Boolean);
    // One reservation more than is on disk: the last one may have been lost with ids out of it.
    expect(known).toHaveLength(2 * safetyLimits.requestIdReservation);
  });

  it.each(["", "abc", "ABCD", "xyzw", "12345", "f".repeat(64), "f".repeat(65), "00 0"])(
    "%o is not ours",
    async (id) => {
      const ids = idsOf(new SimulatedHost());
      await ids.issue();
      expect(await ids.mayBeOurs(id)).toBe(false);
    },
  );

  it("before the first reservation nothing is ours", async () => {
    expect(await idsOf(new SimulatedHost()).mayBeOurs("0000")).toBe(false);
  });
});
