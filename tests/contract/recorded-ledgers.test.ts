// Files that released versions wrote, read by the present one: receipts are found by the same id and arguments, and what
// is torn, of another version or of another id is never taken for proof. Not on a live SiYuan, whose own files these are.

import { beforeAll, describe, expect, it } from "vitest";
import { checksum } from "../../kernel/host/checksum.js";
import { deviceFolder, storageFolder } from "../../shared/wire/plugin.js";
import { type RecordedCall, recordedReleases } from "../recorded-ledgers/recorded.js";
import { countRequests, restartPlugin } from "./faults.js";
import { ModernClient } from "./modern-client.js";
import { Siyuan } from "./siyuan.js";
import { tierName, useTier } from "./tier.js";

const releases = recordedReleases();

it("there are some", () => {
  expect(releases.length).toBeGreaterThan(0);
  for (const { calls } of releases) expect(new Set(calls.map(({ outcome }) => outcome)).size).toBe(4);
});

describe.skipIf(tierName === "live").each(releases)("written by $version (I-17, I-22)", (release) => {
  const tier = useTier();
  const client = new ModernClient(tier);
  const siyuan = new Siyuan(tier);
  const ledgerFile = (name: string) => {
    const today = new Date().toISOString().slice(0, 10).replace(/-/g, "");
    return `${deviceFolder}/ledger/${today}/${name}`;
  };
  const fileOf = ({ args }: RecordedCall) => `${args.requestId}.json`;
  const call = (outcome: RecordedCall["outcome"]) =>
    release.calls.find((one) => one.outcome === outcome) as RecordedCall;
  const storedIds = async () => {
    const files = await siyuan.data<{ name: string }[]>("/api/file/readDir", { path: storageFolder });
    return files.map(({ name }) => name).filter((name) => name.startsWith("request-ids"));
  };
  /** Puts the release's files in place, changed where a test wants it, and starts the plugin over them. */
  const install = async (changed: { ledger?: Record<string, string>; requestIds?: string } = {}) => {
    await siyuan.writeFile(`${storageFolder}/notebookPermissions`, JSON.stringify(release.permissions));
    for (const [name, text] of Object.entries({ ...release.ledger, ...changed.ledger }))
      await siyuan.writeFile(ledgerFile(name), text);
    await siyuan.writeFile(`${deviceFolder}/request-ids.json`, changed.requestIds ?? release.requestIds);
    await siyuan.writeFile(`${deviceFolder}/open-writes.json`, release.openWrites);
    await siyuan.writeFile(`${deviceFolder}/instance.json`, release.instance);
    for (const name of await storedIds())
      await siyuan.writeFile(`${storageFolder}/${name}`, changed.requestIds ?? release.requestIds);
    await restartPlugin(siyuan);
  };
  /** Nothing that changes notes was sent. */
  const expectNothingSent = async () => {
    const sent = Object.keys(await countRequests(tier)).filter((path) =>
      /Block$|createDocWithMd|renameDoc|setBlockAttrs|transactions|createNotebook/.test(path),
    );
    expect(sent.filter((path) => !/\/get|\/api\/block\/check/.test(path))).toEqual([]);
  };

  beforeAll(async () => {
    // The device's own copy of the ids exists only after a first preflight.
    await client.preflight("notebook", { action: "create", name: "never made" });
    expect(await storedIds()).toHaveLength(1);
    await install();
  }, 30_000);

  it.each(release.calls.map((one) => [`${one.tool} ${one.args.action} (${one.args.requestId})`, one] as const))(
    "%s answers as it was recorded, and with other arguments not at all",
    async (_name, { tool, args, outcome, answer }) => {
      await countRequests(tier);
      const { structured, isError } = await client.call(tool, args);
      if (outcome === "committed" || outcome === "no_change") {
        expect(structured).toMatchObject({
          ...answer,
          success: true,
          safety: { requestId: args.requestId, transactionState: outcome, replayed: true, writeExecuted: false },
        });
      } else {
        expect(isError).toBe(true);
        expect(structured.error.code).toBe(outcome);
      }
      const other = { ...args, ...(args.items ? { items: (args.items as unknown[]).slice(1) } : changed(args)) };
      expect((await client.refused(tool, other)).code).toBe("idempotency_conflict");
      await expectNothingSent();
    },
  );

  it("ids go on behind those that may have been issued", async () => {
    const issued = new Set(release.calls.map(({ args }) => args.requestId));
    for (let round = 0; round < 50; round++) {
      const { requestId } = await client.preflight("notebook", { action: "create", name: `never made ${round}` });
      expect(issued.has(requestId)).toBe(false);
    }
  });

  describe("damaged", () => {
    const record = () => release.ledger[fileOf(call("committed"))] as string;
    const versioned = (version: number) => {
      const body = record()
        .slice(record().indexOf('"record":') + 9, -1)
        .replace('"version":1', `"version":${version}`);
      return `{"checksum":"${checksum(body)}","record":${body}}`;
    };
    const texts: [string, () => string][] = [
      ["empty", () => ""],
      ["cut in the middle", () => record().slice(0, record().length / 2)],
      ["cut by one", () => record().slice(0, -1)],
      ["longer by one", () => `${record()} `],
      ["twice", () => record() + record()],
      ["with another state", () => record().replace('"committed"', '"no_change"')],
      ["with one digit changed", () => record().replace(/"argumentsDigest":"./, '"argumentsDigest":"x')],
      ["of another id", () => release.ledger[fileOf(call("state_unchanged"))] as string],
      ["of a newer version", () => versioned(2)],
      ["of an older version", () => versioned(0)],
    ];
    it.each(texts)("a record %s is unknown: never committed, never executed again", async (_name, text) => {
      const { tool, args } = call("committed");
      await install({ ledger: { [`${args.requestId}.json`]: text() } });
      await countRequests(tier);
      expect((await client.refused(tool, args)).code).toBe("outcome_unknown");
      await expectNothingSent();
    });

    it("only its version makes the last two unreadable", async () => {
      const { tool, args } = call("committed");
      await install({ ledger: { [fileOf(call("committed"))]: versioned(1) } });
      expect((await client.ok(tool, args)).safety).toMatchObject({ replayed: true, transactionState: "committed" });
    });

    it("without its record an issued id executes nothing, and an invented one is told apart", async () => {
      const { tool, args } = call("committed");
      await siyuan.removeFile(ledgerFile(`${args.requestId}.json`));
      await restartPlugin(siyuan);
      await countRequests(tier);
      expect((await client.refused(tool, args)).code).toBe("preflight_lease_invalid");
      expect((await client.refused(tool, { ...args, requestId: "f".repeat(20) })).code).toBe("invalid_request_id");
      await expectNothingSent();
    });

    const create = { action: "create", name: "never made" };

    const foreign: [string, string][] = [
      ["of a newer version", release.requestIds.replace('"version":1', '"version":99')],
      ["without a counter", '{"version":1}'],
    ];
    it.each(foreign)(
      "both files of request ids %s: no write starts, and nothing is overwritten",
      async (_name, text) => {
        await install({ requestIds: text });
        const error = await client.refused("notebook", { ...create, validateOnly: true });
        expect(error.code).toBe("write_ledger_unavailable");
        expect(await siyuan.readFile(`${deviceFolder}/request-ids.json`)).toBe(text);
        // One whole copy is enough.
        await siyuan.writeFile(`${deviceFolder}/request-ids.json`, release.requestIds);
        await restartPlugin(siyuan);
        await client.preflight("notebook", create);
      },
    );

    const torn: [string, string][] = [
      ["cut", release.requestIds.slice(0, -3)],
      ["empty", ""],
    ];
    it.each(torn)("both files of request ids %s: longer ids, which none before had", async (_name, text) => {
      await install({ requestIds: text });
      const first = await client.preflight("notebook", create);
      await restartPlugin(siyuan);
      const second = await client.preflight("notebook", create);
      expect([first.requestId, second.requestId].map((id) => String(id).length)).toEqual([10, 10]);
      expect(second.requestId).not.toBe(first.requestId);
    });
  });
});

/** One argument changed, in a way that its schema allows. */
function changed(args: RecordedCall["args"]): Record<string, unknown> {
  for (const name of ["data", "markdown", "title", "name"])
    if (typeof args[name] === "string") return { [name]: `${args[name]} x` };
  if (args.attrs) return { attrs: { memo: "another" } };
  return { edit: { old: "another", new: "x" } };
}
