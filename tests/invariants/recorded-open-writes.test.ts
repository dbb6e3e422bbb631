// The file of open writes of each release, read by the present version: what it left open stays closed to other writes
// as long as the process that may still run it is the same.

import { describe, expect, it } from "vitest";
import type { Host } from "../../kernel/host/host.js";
import { OpenWrites } from "../../kernel/safety/open-writes.js";
import { recordedReleases } from "../recorded-ledgers/recorded.js";

describe.each(recordedReleases())("written by $version", ({ openWrites, calls, ledger, permissions }) => {
  const hanging = calls[calls.length - 1]?.args ?? {};
  const requestId = String(hanging.requestId);
  const [notebook = ""] = Object.keys(permissions);
  const document = String(calls.find(({ args }) => args.title !== undefined)?.args.id);
  const recordedProcess = /"process":"([^"]*)"/.exec(ledger[`${requestId}.json`] ?? "")?.[1];

  async function loaded(process: string | undefined, text = openWrites): Promise<OpenWrites> {
    const files = { read: async () => text, write: async () => undefined };
    const writes = new OpenWrites({ files, processMark: async () => process } as unknown as Host);
    await writes.load();
    return writes;
  }
  const targets = (documents: string[]) => ({ ids: documents, notebooks: [notebook], documents, found: undefined });
  const attempt = (writes: OpenWrites, documents = [document], id = "other") => {
    try {
      writes.check(targets(documents), id);
      return "allowed";
    } catch (thrown) {
      return (thrown as { code: string }).code;
    }
  };

  it("holds its document closed in the same process, and nothing else", async () => {
    expect(recordedProcess).toMatch(/^[0-9a-f]+$/);
    const writes = await loaded(recordedProcess);
    expect(writes.has(requestId)).toBe(true);
    expect(attempt(writes)).toBe("write_outcome_open");
    expect(attempt(writes, ["20200101000000-another"])).toBe("allowed");
    // The same request may be asked for its outcome.
    expect(attempt(writes, [document], requestId)).toBe("allowed");
    await writes.settle(requestId);
    expect(attempt(writes)).toBe("allowed");
  });

  it("holds it closed where the process cannot be told, and opens it in another one", async () => {
    expect(attempt(await loaded(undefined))).toBe("write_outcome_open");
    expect(attempt(await loaded("another"))).toBe("allowed");
  });
});
