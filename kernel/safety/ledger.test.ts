// Ledger records: found again in this run and the next, by day, and detected when anything about them is damaged.

import { describe, expect, it } from "vitest";
import type { SisyphusError } from "../../shared/errors.js";
import { safetyLimits } from "../../shared/limits.js";
import { deviceFolder } from "../../shared/wire/plugin.js";
import { settle, SimulatedHost } from "../host/testing/simulated-host.js";
import { Ledger, type LedgerRecord } from "./ledger.js";

const dayMs = 86_400_000;

function record(requestId: string, createdAtMs: number, change: Partial<LedgerRecord> = {}): LedgerRecord {
  return {
    version: 1,
    requestId,
    tool: "block",
    action: "update",
    argumentsDigest: "1".repeat(64),
    targetIds: ["20260812120000-abcdefg"],
    notebooks: ["20260101000000-noteboo"],
    state: "committed",
    instance: "run-1",
    reservedIds: [],
    beforeDigest: "2".repeat(64),
    afterDigest: "3".repeat(64),
    stages: ["update"],
    receipt: { success: true, id: "20260812120000-abcdefg" },
    createdAtMs,
    updatedAtMs: createdAtMs,
    ...change,
  };
}

async function written(requestId = "abcd") {
  const host = new SimulatedHost();
  const stored = record(requestId, host.clock.nowMs());
  await new Ledger(host).write(stored);
  const [path = "", text = ""] = Array.from(host.files.disk)[0] ?? [];
  return { host, stored, path, text };
}

describe("Ledger", () => {
  it("keeps one file per id in a folder per UTC day", async () => {
    const { path } = await written();
    expect(path).toBe(`${deviceFolder}/ledger/20260812/abcd.json`);
  });

  it("finds a record of this run without a file", async () => {
    const host = new SimulatedHost();
    const ledger = new Ledger(host);
    await ledger.write(record("abcd", host.clock.nowMs()));
    const reads = host.journal.length;
    expect(await ledger.find("abcd")).toMatchObject({ requestId: "abcd" });
    expect(host.journal.length).toBe(reads);
  });

  it("finds an equal record after a restart, and reads it once", async () => {
    const { host, stored } = await written();
    const ledger = new Ledger(host.restarted());
    expect(await ledger.find("abcd")).toEqual(stored);
    const reads = host.journal.length;
    await ledger.find("abcd");
    expect(host.journal.length).toBe(reads);
  });

  it("the last record of an id counts", async () => {
    const host = new SimulatedHost();
    const ledger = new Ledger(host);
    const createdAtMs = host.clock.nowMs();
    await ledger.write(record("abcd", createdAtMs, { state: "executing" }));
    await ledger.write(record("abcd", createdAtMs, { state: "unknown" }));
    expect(await new Ledger(host.restarted()).find("abcd")).toMatchObject({ state: "unknown" });
    expect(host.files.disk.size).toBe(1);
  });

  it("an outcome after midnight replaces the record of the day before", async () => {
    const host = new SimulatedHost();
    const ledger = new Ledger(host);
    const createdAtMs = Date.UTC(2026, 7, 12, 23, 59, 59);
    await ledger.write(record("abcd", createdAtMs, { state: "executing" }));
    await ledger.write(record("abcd", createdAtMs, { state: "committed", updatedAtMs: createdAtMs + 5_000 }));
    expect(host.files.disk.size).toBe(1);
  });

  it.each([undefined, "receipt", "afterDigest", "beforeDigest"] as const)(
    "a record without %s survives",
    async (field) => {
      const host = new SimulatedHost();
      const stored = record("abcd", host.clock.nowMs(), field ? { [field]: undefined } : {});
      await new Ledger(host).write(stored);
      expect(await new Ledger(host.restarted()).find("abcd")).toEqual(stored);
    },
  );

  it("an id without a record is absent", async () => {
    const { host } = await written();
    const ledger = new Ledger(host.restarted());
    expect(await ledger.find("abce")).toBeUndefined();
    expect(await ledger.find("abc")).toBeUndefined();
  });

  it("a failed write is reported and not remembered", async () => {
    const host = new SimulatedHost();
    const ledger = new Ledger(host);
    host.files.fail({ kind: "write", path: "/ledger/" });
    const thrown = await ledger.write(record("abcd", host.clock.nowMs())).catch((reason: unknown) => reason);
    expect((thrown as SisyphusError).code).toBe("write_ledger_unavailable");
    host.files.heal();
    expect(await ledger.find("abcd")).toBeUndefined();
  });
});

describe("damage (I-22)", () => {
  it("a record torn at any 64-byte border, or one byte short, is detected", async () => {
    const { host, path, text } = await written();
    const lengths = Array.from({ length: Math.ceil(text.length / 64) }, (_, index) => index * 64).concat(
      text.length - 1,
    );
    for (const length of lengths) {
      host.files.disk.set(path, text.slice(0, length));
      expect(await new Ledger(host.restarted()).find("abcd"), `${length}`).toBe("damaged");
    }
  });

  it("blocks of zeros at any 64-byte border are detected", async () => {
    const { host, path, text } = await written();
    for (let start = 0; start < text.length; start += 64) {
      const end = Math.min(start + 64, text.length);
      host.files.disk.set(path, text.slice(0, start) + "\0".repeat(end - start) + text.slice(end));
      expect(await new Ledger(host.restarted()).find("abcd"), `${start}`).toBe("damaged");
    }
  });

  it("any changed character inside the record is detected", async () => {
    const { host, path, text } = await written();
    const from = text.indexOf('"record":');
    for (let at = from; at < text.length; at++) {
      const changed = text[at] === "1" ? "2" : "1";
      host.files.disk.set(path, text.slice(0, at) + changed + text.slice(at + 1));
      expect(await new Ledger(host.restarted()).find("abcd"), `at ${at}`).toBe("damaged");
    }
  });

  const foreign: [string, (text: string) => string][] = [
    ["an empty file", () => ""],
    ["null", () => "null"],
    ["a list", () => "[]"],
    ["no record", () => '{"checksum":"00000000"}'],
    ["a later version", (text) => text.replace('"version":1', '"version":2')],
    ["the file twice", (text) => text + text],
    ["another file", () => '{"instance":"run-1"}'],
  ];
  it.each(foreign)("%s is detected", async (_name, change) => {
    const { host, path, text } = await written();
    host.files.disk.set(path, change(text));
    expect(await new Ledger(host.restarted()).find("abcd")).toBe("damaged");
  });

  it("a copy of another id's record is detected", async () => {
    const { host, path, text } = await written();
    host.files.disk.set(path.replace("abcd", "ffff"), text);
    expect(await new Ledger(host.restarted()).find("ffff")).toBe("damaged");
  });

  it("a record written by another hand, with the same fields, is detected", async () => {
    const { host, path, text } = await written();
    host.files.disk.set(path, JSON.stringify(JSON.parse(text), null, 2));
    expect(await new Ledger(host.restarted()).find("abcd")).toBe("damaged");
  });
});

describe("retention", () => {
  it.each([
    [0, true],
    [1, true],
    [safetyLimits.ledgerRetentionDays, true],
    [safetyLimits.ledgerRetentionDays + 1, false],
  ])("a record of %i days ago is found: %s", async (days, found) => {
    const { host } = await written();
    host.clock.step(days * dayMs);
    expect((await new Ledger(host.restarted()).find("abcd")) !== undefined).toBe(found);
  });

  it("days that nobody may ask for any more are removed, once a day, and nothing else (I-24)", async () => {
    const { host, path } = await written();
    const stray = `${path.slice(0, path.lastIndexOf("/ledger/"))}/ledger/readme.txt`;
    host.files.disk.set(stray, "kept");
    host.clock.step((safetyLimits.ledgerRetentionDays + 2) * dayMs);
    const ledger = new Ledger(host.restarted());
    await ledger.write({ ...(await written()).stored, requestId: "beef", createdAtMs: host.clock.nowMs() });
    await settle();
    for (let turn = 0; turn < 5; turn++) await settle();
    expect(host.files.disk.has(path)).toBe(false);
    expect(host.files.disk.has(stray)).toBe(true);
    expect(await new Ledger(host.restarted()).find("beef")).toMatchObject({ requestId: "beef" });
  });

  it("remembers a bounded number of records and finds the others on disk", async () => {
    const { host, stored } = await written();
    const ledger = new Ledger(host);
    for (let count = 0; count <= safetyLimits.maxRememberedRecords; count++)
      await ledger.write({ ...stored, requestId: (0x10000 + count).toString(16) });
    const reads = () => host.journal.filter(({ kind }) => kind === "read").length;
    const before = reads();
    expect(await ledger.find((0x10000 + safetyLimits.maxRememberedRecords).toString(16))).toBeDefined();
    expect(reads()).toBe(before);
    expect(await ledger.find("10000")).toMatchObject({ requestId: "10000" });
    expect(reads()).toBeGreaterThan(before);
  }, 20_000);

  it("a record of a day ahead is found after the clock was set back", async () => {
    const { host } = await written();
    host.clock.step(-3 * dayMs);
    expect(await new Ledger(host.restarted()).find("abcd")).toBeDefined();
  });

  it("names in the folder that are no day are passed over", async () => {
    const { host, path, text } = await written();
    host.files.disk.set(path.replace("20260812", "backup"), text);
    host.files.disk.delete(path);
    expect(await new Ledger(host.restarted()).find("abcd")).toBeUndefined();
  });
});
