// Measures what a strict write and a read cost, as ratios to SiYuan's own calls in the same run.

import { mkdir, writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { credentialsOf, ModernClient } from "../contract/modern-client.js";
import { Siyuan } from "../contract/siyuan.js";
import type { Tier } from "../contract/tier.js";
import { pluginFolder } from "../package-folder.js";
import { startSandbox } from "../sandbox/sandbox.js";

const rounds = 30;
const agent = new Agent({ keepAlive: true });

interface Row {
  readonly name: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly baseP50Ms: number;
  readonly ratio: number;
}

const { SIYUAN_API_URL: apiUrl, SIYUAN_TOKEN: token } = process.env;
if (apiUrl !== undefined) {
  const base = apiUrl.replace(/\/+$/, "");
  await bench(
    { apiUrl: base, token: token ?? "", mcpUrl: `${base}/plugin/private/siyuan-plugins-mcp-sisyphus/mcp/listen` },
    "live",
  );
} else {
  console.log("No SIYUAN_API_URL: a smoke test on the sandbox, whose figures say nothing about SiYuan.");
  const sandbox = await startSandbox({ pluginDir: pluginFolder });
  await bench(sandbox, "sandbox");
  await sandbox.stop();
}
agent.destroy();

/** A POST on a kept connection: less noise than fetch. */
function post(tier: Tier, path: string, body: object, headers: Record<string, string> = {}): Promise<string> {
  const text = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      tier.apiUrl + path,
      {
        method: "POST",
        agent,
        headers: {
          Authorization: `Token ${tier.token}`,
          "Content-Type": "application/json",
          "Content-Length": Buffer.byteLength(text),
          ...headers,
        },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () => resolve(Buffer.concat(parts).toString("utf8")));
      },
    );
    sent.on("error", reject);
    sent.end(text);
  });
}

async function call(tier: Tier, tool: string, args: object): Promise<Record<string, unknown>> {
  const params = {
    name: tool,
    arguments: args,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  };
  const headers = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool };
  const path = tier.mcpUrl.slice(tier.apiUrl.length);
  const { result } = JSON.parse(
    await post(tier, path, { jsonrpc: "2.0", id: 1, method: "tools/call", params }, headers),
  );
  if (result.isError) throw new Error(result.content[0].text);
  return result.structuredContent;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Runs both in turn, so that a drift of the machine hits both. */
async function compare(
  name: string,
  base: (round: number) => Promise<unknown>,
  ours: (round: number) => Promise<() => Promise<unknown>>,
): Promise<Row> {
  const baseMs: number[] = [];
  const oursMs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    baseMs.push(await timed(() => base(round)));
    const ready = await ours(round);
    oursMs.push(await timed(ready));
  }
  const baseP50Ms = percentile(baseMs, 0.5);
  const p50Ms = percentile(oursMs, 0.5);
  const row = { name, p50Ms, p95Ms: percentile(oursMs, 0.95), baseP50Ms, ratio: p50Ms / baseP50Ms };
  console.log(
    `${name.padEnd(44)} p50 ${p50Ms.toFixed(1)} ms  p95 ${row.p95Ms.toFixed(1)} ms  ratio ${row.ratio.toFixed(2)} (SiYuan ${baseP50Ms.toFixed(1)} ms)`,
  );
  return row;
}

async function bench(tier: Tier, kind: string): Promise<void> {
  const client = new ModernClient(tier);
  const siyuan = new Siyuan(tier);
  const version = await siyuan.data<string>("/api/system/version", {});
  const notebook = String(
    (await client.write("notebook", { action: "create", name: `bench ${Date.now().toString(36)}` })).notebook,
  );
  const rows: Row[] = [];
  try {
    const makeDocument = (markdown: string, path: string) =>
      siyuan.data<string>("/api/filetree/createDocWithMd", { notebook, path, markdown });
    const single = await makeDocument("first", "/single");
    const id = (await siyuan.children(single))[0]?.id ?? "";
    const textOf = (bytes: number, seed: string) => `${seed} ${"word ".repeat(bytes / 5)}`;
    const update = (data: string) => ({ action: "update", id, dataType: "markdown", data });
    const raw = (data: string) => post(tier, "/api/block/updateBlock", { id, dataType: "markdown", data });
    const prepared = async (data: string) => {
      const credentials = credentialsOf((await call(tier, "block", { ...update(data), validateOnly: true })) as never);
      return () => call(tier, "block", { ...update(data), ...credentials });
    };
    for (const [label, bytes] of [
      ["4 KiB", 4_096],
      ["64 KiB", 65_536],
    ] as const) {
      rows.push(
        await compare(
          `commit of a ${label} block`,
          (round) => raw(textOf(bytes, `raw${round}`)),
          (round) => prepared(textOf(bytes, `own${round}`)),
        ),
      );
      rows.push(
        await compare(
          `preflight of a ${label} block`,
          (round) => raw(textOf(bytes, `raw${round}`)),
          async (round) => () => call(tier, "block", { ...update(textOf(bytes, `own${round}`)), validateOnly: true }),
        ),
      );
    }
    rows.push(
      await compare(
        "commit without a change",
        () => raw(textOf(4_096, "same")),
        () => prepared(textOf(4_096, "same")),
      ),
    );

    const hundred = await makeDocument(
      Array.from({ length: 100 }, (_, index) => `line ${index}`).join("\n\n"),
      "/hundred",
    );
    const ids = (await siyuan.children(hundred)).map((block) => block.id);
    const items = (seed: string) =>
      ids.map((block, index) => ({ id: block, dataType: "markdown", data: `${seed} ${index}` }));
    rows.push(
      await compare(
        "commit of 100 blocks",
        (round) => post(tier, "/api/block/batchUpdateBlock", { blocks: items(`raw${round}`) }),
        async (round) => {
          const args = { action: "update", items: items(`own${round}`) };
          const credentials = credentialsOf((await call(tier, "block", { ...args, validateOnly: true })) as never);
          return () => call(tier, "block", { ...args, ...credentials });
        },
      ),
    );

    const long = await makeDocument(
      Array.from({ length: 500 }, (_, index) => `paragraph ${index} with some more words in it`).join("\n\n"),
      "/long",
    );
    const name = (
      await siyuan.data<{ notebooks: { id: string; name: string }[] }>("/api/notebook/lsNotebooks", {})
    ).notebooks.find((entry) => entry.id === notebook)?.name;
    rows.push(
      await compare(
        "fs.read of 500 blocks",
        () => post(tier, "/api/export/exportMdContent", { id: long }),
        async () => () => call(tier, "fs", { action: "read", path: `/${name}/long` }),
      ),
    );
  } finally {
    await siyuan.call("/api/notebook/removeNotebook", { notebook });
  }
  await mkdir("bench-results", { recursive: true });
  const file = `bench-results/${kind}-${new Date().toISOString().replace(/[:.]/g, "-")}.json`;
  await writeFile(
    file,
    `${JSON.stringify({ kind, siyuan: version, node: process.version, rounds, rows }, undefined, 2)}\n`,
  );
  console.log(`Written to ${file}`);
}
