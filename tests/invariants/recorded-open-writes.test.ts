// The file of open writes of each release, read by the present version: what it left open stays closed to other writes
// as long as the process that may still run it is the same.

import { describe, expect, it } from "vitest";
import type { Host } from "../../kernel/host/host.js";
import { Ledger } from "../../kernel/safety/ledger.js";
import { OpenWrites } from "../../kernel/safety/open-writes.js";
import { recordedReleases } from "../recorded-ledgers/recorded.js";

describe.each(recordedReleases())("written by $version", ({ openWrites, calls, ledger, permissions }) => {
  const hanging = calls[calls.length - 1]?.args ?? {};
  const requestId = String(hanging.requestId);
  const [notebook = ""] = Object.keys(permissions);
  const document = String(calls.find(({ args }) => args.title !== undefined)?.args.id);
  const recordedProcess = /"process":"([^"]*)"/.exec(ledger[`${requestId}.json`] ?? "")?.[1];

  async function loaded(process: string | undefined, text = openWrites): Promise<OpenWrites> {
    const files = { read: async () => text, write: async () => undefined, list: async () => [] };
    const host = { files, processMark: async () => process } as unknown as Host;
    const writes = new OpenWrites(host, new Ledger(host), async () => true);
    await writes.load();
    return writes;
  }
  const targets = (documents: string[]) => ({ ids: documents, notebooks: [notebook], documents, found: undefined });
  const attempt = (writes: OpenWrites, documents = [document], id = "other") =>
    writes.check(targets(documents), id).then(
      () => "allowed",
      (thrown: { readonly code: string }) => thrown.code,
    );

  it("holds its document closed in the same process, and nothing else", async () => {
    expect(recordedProcess).toMatch(/^[0-9a-f]+$/);
    const writes = await loaded(recordedProcess);
    expect(await attempt(writes)).toBe("write_outcome_open");
    expect(await attempt(writes, ["20200101000000-another"])).toBe("allowed");
    // The same request may be asked for its outcome.
    expect(await attempt(writes, [document], requestId)).toBe("allowed");
    await writes.settle(requestId);
    expect(await attempt(writes)).toBe("allowed");
  });

  it("holds it closed where the process cannot be told, and opens it in another one", async () => {
    expect(await attempt(await loaded(undefined))).toBe("write_outcome_open");
    expect(await attempt(await loaded("another"))).toBe("allowed");
  });
});
