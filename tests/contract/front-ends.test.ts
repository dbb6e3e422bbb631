// The same strict write through modern HTTP, a legacy stdio client and the command line, and across them.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cliFile, relayFile } from "../package-folder.js";
import { type Answered, credentialsOf, type Fields } from "./modern-client.js";
import { useScratch } from "./scratch.js";
import { useTier } from "./tier.js";

const tier = useTier();
const scratch = useScratch(tier);
const { client, siyuan } = scratch;

const environment = () => ({
  ...(process.env as Record<string, string>),
  SIYUAN_API_URL: tier.apiUrl,
  SIYUAN_TOKEN: tier.token,
});

/** Runs the command line; a non-zero exit is an answer, not a failure. */
async function cli(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [cliFile, ...args], { env: environment() });
    return { code: 0, stdout, stderr };
  } catch (thrown) {
    const { code, stdout, stderr } = thrown as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

const legacy = new Client({ name: "contract", version: "1" });
async function viaLegacy(tool: string, args: Fields): Promise<Answered> {
  return (await legacy.callTool({ name: tool, arguments: args })).structuredContent as Answered;
}

beforeAll(async () => {
  await legacy.connect(new StdioClientTransport({ command: process.execPath, args: [relayFile], env: environment() }));
}, 30_000);
afterAll(() => legacy.close());

const update = (id: string, data: string) => ({ action: "update", id, dataType: "markdown", data });

describe("legacy stdio", () => {
  it("lists the tools", async () => {
    expect((await legacy.listTools()).tools.map((tool) => tool.name)).toEqual([
      "fs",
      "notebook",
      "document",
      "block",
      "search",
    ]);
  });

  it("preflights, commits and replays", async () => {
    const { id } = await scratch.paragraph();
    const call = {
      ...update(id, "over stdio"),
      ...credentialsOf(await viaLegacy("block", { ...update(id, "over stdio"), validateOnly: true })),
    };
    expect((await viaLegacy("block", call)).safety.transactionState).toBe("committed");
    expect((await viaLegacy("block", call)).safety.replayed).toBe(true);
    expect(await siyuan.kramdown(id)).toContain("over stdio");
  });

  it("refuses a stale write", async () => {
    const { id } = await scratch.paragraph();
    const credentials = credentialsOf(await viaLegacy("block", { ...update(id, "mine"), validateOnly: true }));
    await siyuan.update(id, "theirs");
    expect((await viaLegacy("block", { ...update(id, "mine"), ...credentials })).error.code).toBe("state_changed");
  });
});

describe("the command line", () => {
  it("preflights and commits in one go", async () => {
    const { id } = await scratch.paragraph();
    const { code, stdout } = await cli(
      "block",
      "update",
      "--id",
      id,
      "--data-type",
      "markdown",
      "--data",
      "typed",
      "--json",
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout).safety.transactionState).toBe("committed");
    expect(await siyuan.kramdown(id)).toContain("typed");
  });

  it("shows a preflight with --dry-run and writes nothing", async () => {
    const { id } = await scratch.paragraph();
    const { code, stdout } = await cli(
      "block",
      "update",
      "--id",
      id,
      "--data-type",
      "markdown",
      "--data",
      "dry",
      "--dry-run",
      "--json",
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ validateOnly: true, preconditionField: "expectedStateHash" });
    expect(await siyuan.kramdown(id)).toContain("first words");
  });

  it("exits with 6 for a stale commit and with 5 without permission", async () => {
    const { id } = await scratch.paragraph();
    const preflight = await client.preflight("block", update(id, "mine"));
    await siyuan.update(id, "theirs");
    const stale = await cli(
      "block",
      "update",
      "--id",
      id,
      "--data-type",
      "markdown",
      "--data",
      "mine",
      "--request-id",
      preflight.requestId,
      "--expected-state-hash",
      String(preflight.expectedStateHash),
    );
    expect(stale.code).toBe(6);
    expect(stale.stderr).toContain("changed after the preflight");
  });
});

describe("across front ends", () => {
  it("a preflight over HTTP is committed by the command line", async () => {
    const { id } = await scratch.paragraph();
    const preflight = await client.preflight("block", update(id, "crossed"));
    const { code, stdout } = await cli(
      "block",
      "update",
      "--id",
      id,
      "--data-type",
      "markdown",
      "--data",
      "crossed",
      "--request-id",
      preflight.requestId,
      "--expected-state-hash",
      String(preflight.expectedStateHash),
      "--json",
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout).safety.requestId).toBe(preflight.requestId);
  });

  it("a preflight of the command line is committed over stdio and replayed over HTTP", async () => {
    const { id } = await scratch.paragraph();
    const { stdout } = await cli(
      "block",
      "update",
      "--id",
      id,
      "--data-type",
      "markdown",
      "--data",
      "three ways",
      "--dry-run",
      "--json",
    );
    const call = { ...update(id, "three ways"), ...credentialsOf(JSON.parse(stdout) as Answered) };
    expect((await viaLegacy("block", call)).safety.transactionState).toBe("committed");
    expect((await client.ok("block", call)).safety.replayed).toBe(true);
    expect(await siyuan.kramdown(id)).toContain("three ways");
  });
});
