// Writes the fixtures of the present version anew: build, then `npx tsx tests/recorded-ledgers/record.ts`, once per
// release. The built kernel runs in the sandbox, makes writes of every outcome, and its files are copied.

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deviceFolder } from "../../shared/wire/plugin.js";
import { restartPlugin, setFaults } from "../contract/faults.js";
import { type Answered, credentialsOf, type Fields, ModernClient } from "../contract/modern-client.js";
import { Siyuan } from "../contract/siyuan.js";
import { pluginFolder } from "../package-folder.js";
import { startSandbox } from "../sandbox/sandbox.js";
import { fixtureFile, type RecordedCall, type RecordedRelease } from "./recorded.js";

const { version } = JSON.parse(readFileSync(join(pluginFolder, "plugin.json"), "utf8")) as { version: string };
const sandbox = await startSandbox({ pluginDir: pluginFolder });
const client = new ModernClient(sandbox);
const siyuan = new Siyuan(sandbox);
const calls: RecordedCall[] = [];

async function record(tool: string, args: Fields, outcome?: RecordedCall["outcome"]): Promise<Answered> {
  const commit = { ...args, ...credentialsOf(await client.preflight(tool, args)) };
  const { structured } = await client.call(tool, commit);
  const seen = outcome ?? (structured.safety?.transactionState as RecordedCall["outcome"] | undefined);
  if (seen === undefined) throw new Error(`${tool}: ${JSON.stringify(structured)}`);
  calls.push({ tool, args: commit, outcome: seen, answer: {} });
  return structured;
}

/** What the version itself answers from its ledger, after a restart. */
async function withAnswer(call: RecordedCall): Promise<RecordedCall> {
  if (call.outcome !== "committed" && call.outcome !== "no_change") return call;
  const { safety, ...answer } = await client.ok(call.tool, call.args);
  if (!safety.replayed) throw new Error(`${call.tool} was not replayed`);
  return { ...call, answer };
}

const update = (id: string, data: string) => ({ action: "update", id, dataType: "markdown", data });
const updateFault = { path: "/api/block/updateBlock", times: 1 };

const notebook = String((await record("notebook", { action: "create", name: "Recorded", icon: "1f4d4" })).notebook);
const created = await record("document", { action: "create", notebook, path: "/Doc", markdown: "one\n\ntwo\n\nthree" });
const document = String(created.id);
const [first = "", second = "", third = ""] = (await siyuan.children(document)).map((block) => block.id);
await record("block", { action: "append", parentID: document, dataType: "markdown", data: "- four\n- five" });
await record("block", update(first, "words of one"));
await record("block", update(first, "words of one"));
await record("block", { action: "set_attrs", id: second, attrs: { "custom-a": 'a "b"', memo: "m" } });
await record("fs", { action: "replace", path: "/Recorded/Doc", edit: { old: "two", new: "2" } });
await record("block", {
  action: "update",
  items: [
    { id: first, dataType: "markdown", data: "batch one" },
    { id: second, dataType: "markdown", data: "batch two" },
  ],
});
await record("document", { action: "rename", id: document, title: "Renamed 题" });

await setFaults(siyuan, [{ ...updateFault, kind: "code-1" }]);
await record("block", update(third, "refused"), "state_unchanged");
await setFaults(siyuan, [{ ...updateFault, kind: "no-effect" }]);
await record("block", update(third, "without effect"), "outcome_unknown");
await setFaults(siyuan, [{ ...updateFault, kind: "http-500" }]);
await record("block", update(third, "lost"), "outcome_unknown");

// The last one never ends: the plugin stops while SiYuan has it.
await setFaults(siyuan, [{ ...updateFault, kind: "hang" }]);
const hanging = {
  ...update(third, "hangs"),
  ...credentialsOf(await client.preflight("block", update(third, "hangs"))),
};
calls.push({ tool: "block", args: hanging, outcome: "outcome_unknown", answer: {} });
const cutOff = client.call("block", hanging).catch(() => undefined);
await new Promise((resolve) => setTimeout(resolve, 1_000));
await restartPlugin(siyuan);
await cutOff;
await setFaults(siyuan, []);

const folder = join(sandbox.workspace, deviceFolder);
const read = (name: string) => readFileSync(join(folder, name), "utf8");
const [day = ""] = readdirSync(join(folder, "ledger"));
const records = readdirSync(join(folder, "ledger", day));
const answered: RecordedCall[] = [];
for (const call of calls) answered.push(await withAnswer(call));
const release: RecordedRelease = {
  version,
  permissions: { [notebook]: "rw" },
  calls: answered,
  ledger: Object.fromEntries(records.map((name) => [name, read(join("ledger", day, name))])),
  requestIds: read("request-ids.json"),
  openWrites: read("open-writes.json"),
  instance: read("instance.json"),
};
const file = fixtureFile(version);
writeFileSync(file, `${JSON.stringify(release, null, 2)}\n`);
spawnSync("npx", ["biome", "format", "--write", file], { stdio: "inherit" });
await sandbox.stop();
console.log(`${calls.length} calls recorded for ${version}`);
process.exit(0);
