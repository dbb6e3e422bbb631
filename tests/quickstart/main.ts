// The main job once, end to end, printed for a person: create, update, replay, and a refusal after an edit behind our back.

import { storageFolder } from "../../shared/wire/plugin.js";
import { credentialsOf, ModernClient } from "../contract/modern-client.js";
import { Siyuan } from "../contract/siyuan.js";
import type { Tier } from "../contract/tier.js";
import { pluginFolder } from "../package-folder.js";
import { startSandbox } from "../sandbox/sandbox.js";

const { SIYUAN_API_URL: apiUrl, SIYUAN_TOKEN: token } = process.env;
/** Where a SiYuan on this machine listens, unless told otherwise. */
const ownAddress = "http://127.0.0.1:6806/plugin/private/siyuan-plugins-mcp-sisyphus/mcp/listen";
const permissionsFile = `${storageFolder}/notebookPermissions`;

if (apiUrl !== undefined) {
  const base = apiUrl.replace(/\/+$/, "");
  console.log(`SiYuan at ${base}`);
  await mainJob({
    apiUrl: base,
    token: token ?? "",
    mcpUrl: `${base}/plugin/private/siyuan-plugins-mcp-sisyphus/mcp/listen`,
  });
} else {
  const sandbox = await startSandbox({ pluginDir: pluginFolder });
  console.log(`Embedded sandbox at ${sandbox.apiUrl} (set SIYUAN_API_URL and SIYUAN_TOKEN to use your own SiYuan)`);
  try {
    await mainJob(sandbox);
  } finally {
    await sandbox.stop();
  }
}

async function mainJob(tier: Tier): Promise<void> {
  const client = new ModernClient(tier);
  const siyuan = new Siyuan(tier);
  const permissions = await siyuan.readFile(permissionsFile);
  const notebook = await client.write("notebook", {
    action: "create",
    name: `Sisyphus quickstart ${Date.now().toString(36)}`,
  });
  try {
    say("1. A notebook and a document, each by preflight and commit");
    const document = await client.write("document", {
      action: "create",
      notebook: notebook.notebook,
      path: "/Plan",
      markdown: "First thought",
    });
    show({
      notebook: notebook.notebook,
      document: document.id,
      requestId: document.safety.requestId,
      state: document.safety.transactionState,
    });

    say("2. A block, updated against the hash of what was seen");
    const [block] = await siyuan.children(String(document.id));
    const update = { action: "update", id: block?.id, dataType: "markdown", data: "Second thought" };
    const preflight = await client.preflight("block", update);
    show({ block: block?.id, requestId: preflight.requestId, expectedStateHash: preflight.expectedStateHash });
    const commit = { ...update, ...credentialsOf(preflight) };
    const done = await client.ok("block", commit);
    show({
      state: done.safety.transactionState,
      previousHash: done.safety.previousHash,
      resultHash: done.safety.resultHash,
    });

    say("3. The same commit again: answered from the ledger, nothing written");
    const again = await client.ok("block", commit);
    show({ state: again.safety.transactionState, replayed: again.safety.replayed, requestId: again.safety.requestId });

    say("4. An edit behind our back, then a commit that would have overwritten it");
    const stale = { ...update, data: "Third thought" };
    const credentials = credentialsOf(await client.preflight("block", stale));
    await siyuan.update(String(block?.id), "Edited in SiYuan meanwhile");
    const refusal = await client.refused("block", { ...stale, ...credentials });
    show({ refused: refusal.code, expectedHash: refusal.expectedHash, currentHash: refusal.currentHash });
    const kept = await siyuan.exported(String(document.id));
    if (refusal.code !== "state_changed" || !kept.includes("Edited in SiYuan meanwhile"))
      throw new Error("the edit was not kept");
    show({ "note now": "Edited in SiYuan meanwhile" });
  } finally {
    await siyuan.call("/api/notebook/removeNotebook", { notebook: notebook.notebook });
    if (permissions === undefined) await siyuan.removeFile(permissionsFile);
    else await siyuan.writeFile(permissionsFile, permissions);
  }
  say("Connect a client");
  console.log(`  Modern MCP client   ${apiUrl === undefined ? ownAddress : tier.mcpUrl}`);
  console.log("                      header  Authorization: Token <API token of SiYuan>");
  console.log("  Older client        command siyuan-sisyphus-mcp   with SIYUAN_API_URL and SIYUAN_TOKEN set");
  console.log("  Command line        siyuan-sisyphus notebook list");
}

function say(text: string): void {
  console.log(`\n${text}`);
}

function show(facts: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(facts)) console.log(`   ${name.padEnd(18)} ${value}`);
}
