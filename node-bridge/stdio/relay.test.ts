// The relay as a process, with clients of both eras, while SiYuan is up, down, protected or restarted.

import { spawn } from "node:child_process";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { exitCodes } from "../../shared/errors.js";
import { bundle, type Program, runProgram } from "../testing/bundle.js";
import {
  type FakeReply,
  type FakeSiyuan,
  freePort,
  type ReceivedRequest,
  refusalReply,
  rpcReply,
  startFakeSiyuan,
  toolReply,
} from "../testing/fake-siyuan.js";

let program: Program;
let siyuan: FakeSiyuan | undefined;
let closeClient: (() => Promise<void>) | undefined;

beforeAll(async () => {
  program = await bundle("node-bridge/stdio/main.ts");
});
afterAll(() => program.remove());
afterEach(async () => {
  await closeClient?.();
  closeClient = undefined;
  await siyuan?.close();
  siyuan = undefined;
});

type Structured = {
  success?: boolean;
  transactionState?: string;
  error?: { code: string; next?: string; reason?: string };
};

interface AnyClient {
  listTools(): Promise<{ tools: readonly { name: string }[] }>;
  callTool(call: {
    name: string;
    arguments: Record<string, unknown>;
  }): Promise<{ isError?: unknown; structuredContent?: unknown }>;
  getServerCapabilities(): unknown;
  getInstructions(): string | undefined;
}

const modes = ["modern", "legacy", "v1"] as const;

async function connect(mode: (typeof modes)[number], url: string, token?: string): Promise<AnyClient> {
  const spawned = {
    command: process.execPath,
    args: [program.file],
    stderr: "ignore" as const,
    env: { HOME: program.folder, SIYUAN_API_URL: url, ...(token !== undefined && { SIYUAN_TOKEN: token }) },
  };
  const info = { name: "test", version: "0" };
  if (mode === "v1") {
    const client = new FirstClient(info);
    await client.connect(new FirstTransport(spawned));
    closeClient = () => client.close();
    return client as unknown as AnyClient;
  }
  const client = new Client(info, mode === "modern" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {});
  await client.connect(new StdioClientTransport(spawned));
  closeClient = () => client.close();
  return client as unknown as AnyClient;
}

function plugin(request: ReceivedRequest): FakeReply {
  if (request.body.method === "tools/list") {
    return rpcReply(request, {
      tools: [{ name: "fs", inputSchema: { type: "object" } }],
      resultType: "complete",
      ttlMs: 0,
      cacheScope: "private",
    });
  }
  return toolReply(request, { path: "/", items: [] });
}

describe.each(modes)("a %s client", (mode) => {
  it("lists the tools of this SiYuan and calls them", async () => {
    siyuan = await startFakeSiyuan(plugin);
    const client = await connect(mode, `${siyuan.url}/`, "t0ken");
    expect(client.getInstructions()).toContain("validateOnly");
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(["fs"]);
    const answer = await client.callTool({ name: "fs", arguments: { action: "ls", path: "/" } });
    expect(answer.structuredContent).toEqual({ path: "/", items: [] });
    expect(answer.isError).toBeUndefined();
    expect(siyuan.calls).toEqual([{ action: "ls", path: "/" }]);
    expect(siyuan.requests[0]?.headers.authorization).toBe("Token t0ken");
  });

  it("passes a refusal of the coordinator on unchanged", async () => {
    siyuan = await startFakeSiyuan((request) => refusalReply(request, "state_changed"));
    const client = await connect(mode, siyuan.url);
    const answer = await client.callTool({ name: "block", arguments: { action: "update" } });
    expect(answer).toMatchObject({
      isError: true,
      structuredContent: { transactionState: "rejected", error: { code: "state_changed" } },
    });
  });

  it("has the default tools without a token, and is told what to do", async () => {
    siyuan = await startFakeSiyuan(() => ({ status: 401, body: '{"code":-1,"msg":"Auth failed [session]"}' }));
    const client = await connect(mode, siyuan.url);
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual([
      "fs",
      "notebook",
      "document",
      "block",
      "search",
    ]);
    const answer = await client.callTool({ name: "fs", arguments: { action: "ls", path: "/" } });
    expect((answer.structuredContent as Structured).error).toMatchObject({
      code: "token_required",
      next: expect.stringContaining("SIYUAN_TOKEN"),
    });
  });
});

describe("SiYuan is down", () => {
  it("tools are listed, and each call is answered with what to do", async () => {
    const client = await connect("modern", `http://127.0.0.1:${await freePort()}`);
    const listed = client.listTools();
    const read = client.callTool({ name: "fs", arguments: { action: "ls", path: "/" } });
    const write = client.callTool({ name: "block", arguments: { action: "update", validateOnly: true } });
    expect((await listed).tools).toHaveLength(5);
    expect(await read).toMatchObject({
      isError: true,
      structuredContent: { success: false, error: { code: "kernel_unreachable" } },
    });
    expect(await write).toMatchObject({
      isError: true,
      structuredContent: {
        transactionState: "rejected",
        error: { code: "write_coordinator_unavailable", reason: "kernel_unreachable" },
      },
    });
  }, 20_000);

  it("a call waits for a SiYuan that starts in a moment", async () => {
    const port = await freePort();
    const client = await connect("modern", `http://127.0.0.1:${port}`);
    const pending = client.callTool({ name: "fs", arguments: { action: "ls", path: "/" } });
    await new Promise((resolve) => setTimeout(resolve, 300));
    siyuan = await startFakeSiyuan(plugin, port);
    expect((await pending).structuredContent).toEqual({ path: "/", items: [] });
  });
});

it("a commit whose answer is lost is unknown and not sent again", async () => {
  siyuan = await startFakeSiyuan(() => "reset");
  const client = await connect("legacy", siyuan.url);
  const answer = await client.callTool({ name: "block", arguments: { action: "update", requestId: "1a2b" } });
  expect(answer).toMatchObject({
    isError: true,
    structuredContent: { transactionState: "unknown", error: { code: "outcome_unknown" } },
  });
  expect(siyuan.requests).toHaveLength(1);
});

describe("the program", () => {
  it("answers --version and --help, and refuses other arguments", async () => {
    expect(await runProgram(program, ["--version"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    expect((await runProgram(program, ["--help"])).stdout).toContain("SIYUAN_TOKEN");
    expect(await runProgram(program, ["--nope"])).toMatchObject({ code: exitCodes.usage, stdout: "" });
  });

  it("a bad SIYUAN_API_URL is named on stderr", async () => {
    const result = await runProgram(program, [], { env: { SIYUAN_API_URL: "127.0.0.1:6806" } });
    expect(result).toMatchObject({ code: exitCodes.usage, stdout: "" });
    expect(result.stderr).toContain("SIYUAN_API_URL");
  });

  it("leaves promptly when stdin ends, although SiYuan has not answered", async () => {
    siyuan = await startFakeSiyuan(() => "hang");
    const child = spawn(process.execPath, [program.file], {
      env: { SIYUAN_API_URL: siyuan.url },
      stdio: ["pipe", "ignore", "ignore"],
    });
    const left = new Promise<number | null>((resolve) => child.on("close", resolve));
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta } })}\n`);
    while (siyuan.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    const endedMs = Date.now();
    child.stdin.end();
    expect(await left).toBe(0);
    expect(Date.now() - endedMs).toBeLessThan(1_000);
  });
});
