// The endpoint in both eras: negotiation, headers, sessions, streams, gates.

import { describe, expect, it } from "vitest";
import { routeBase } from "../../shared/wire/plugin.js";
import { ModernClient } from "./modern-client.js";
import { tierName, useTier } from "./tier.js";

const tier = useTier();
const client = new ModernClient(tier);

const legacyHeaders = () => ({
  Authorization: `Token ${tier.token}`,
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
});

function legacy(message: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(tier.mcpUrl, {
    method: "POST",
    headers: { ...legacyHeaders(), ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
  });
}

async function initialize(version = "2025-11-25"): Promise<{ session: string; result: Record<string, unknown> }> {
  const response = await legacy({
    id: 1,
    method: "initialize",
    params: { protocolVersion: version, capabilities: {}, clientInfo: { name: "t", version: "1" } },
  });
  const { result } = (await response.json()) as { result: Record<string, unknown> };
  return { session: response.headers.get("mcp-session-id") ?? "", result };
}

describe("modern", () => {
  it("discovers", async () => {
    const { result } = (await (await client.request("server/discover")).json()) as { result: Record<string, unknown> };
    expect(result).toMatchObject({
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
    });
    expect(String(result.instructions)).toContain("validateOnly");
  });

  it("answers removed and unknown methods with 404", async () => {
    for (const method of ["initialize", "ping", "subscriptions/listen", "nothing/here"]) {
      const response = await client.request(method);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: -32601 } });
    }
  });

  const headers: [string, Record<string, string>, number][] = [
    ["another version in the header", { "MCP-Protocol-Version": "2025-11-25" }, -32020],
    ["another method in the header", { "Mcp-Method": "tools/call" }, -32020],
  ];
  it.each(headers)("refuses %s", async (_name, header, code) => {
    const response = await client.request("tools/list", {}, header);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code } });
  });

  it("refuses another name in the header and decodes its Base64 form", async () => {
    expect(
      (
        await client.request(
          "tools/call",
          { name: "fs", arguments: { action: "ls", path: "/" } },
          { "Mcp-Name": "block" },
        )
      ).status,
    ).toBe(400);
    const encoded = `=?base64?${Buffer.from("fs").toString("base64")}?=`;
    expect(
      (
        await client.request(
          "tools/call",
          { name: "fs", arguments: { action: "ls", path: "/" } },
          { "Mcp-Name": encoded },
        )
      ).status,
    ).toBe(200);
  });

  it("refuses bodies that are no request", async () => {
    const post = (body: string, type = "application/json") =>
      fetch(tier.mcpUrl, { method: "POST", headers: { ...legacyHeaders(), "Content-Type": type }, body });
    expect((await post("{nope")).status).toBe(400);
    expect((await post("[]")).status).toBe(400);
    expect((await post("{}", "text/plain")).status).toBe(415);
  });
});

describe("legacy", () => {
  it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])("initialises %s", async (version) => {
    const { session, result } = await initialize(version);
    expect(result).toMatchObject({ protocolVersion: version, serverInfo: { name: "siyuan-plugins-mcp-sisyphus" } });
    expect(session).not.toBe("");
  });

  it("offers its newest legacy version for an unknown one", async () => {
    expect((await initialize("2026-07-28")).result.protocolVersion).toBe("2025-11-25");
  });

  it("lists and calls within a session, answers ping and notifications", async () => {
    const { session } = await initialize();
    const headers = { "Mcp-Session-Id": session };
    expect((await legacy({ method: "notifications/initialized" }, headers)).status).toBe(202);
    expect(await (await legacy({ id: 2, method: "ping" }, headers)).json()).toMatchObject({ id: 2, result: {} });
    const { result } = (await (
      await legacy(
        { id: 3, method: "tools/call", params: { name: "fs", arguments: { action: "ls", path: "/" } } },
        headers,
      )
    ).json()) as { result: Record<string, unknown> };
    expect(result.structuredContent).toMatchObject({ path: "/" });
    expect(result.resultType).toBeUndefined();
  });

  it("keeps an unknown but well-formed session and forgets an ended one", async () => {
    const headers = { "Mcp-Session-Id": "s1-2025-11-25-0123456789abcdef01234567" };
    expect((await legacy({ id: 1, method: "ping" }, headers)).status).toBe(200);
    const ended = await fetch(tier.mcpUrl, { method: "DELETE", headers: { ...legacyHeaders(), ...headers } });
    expect(ended.status).toBe(204);
    expect((await legacy({ id: 2, method: "ping" }, headers)).status).toBe(404);
    expect((await legacy({ id: 3, method: "ping" })).status).toBe(400);
  });

  it.each(["/mcp", "/mcp/listen"])("ends a GET stream on %s at once, so that nothing hangs or loops", async (path) => {
    const response = await fetch(tier.apiUrl + routeBase + path, {
      headers: { Authorization: `Token ${tier.token}`, Accept: "text/event-stream" },
    });
    const text = await response.text();
    expect(text).toMatch(/retry: ?2000000000/);
  });
});

describe("gates", () => {
  it("refuses foreign origins", async () => {
    const response = await fetch(tier.mcpUrl, {
      method: "POST",
      headers: { ...legacyHeaders(), Origin: "http://evil.example" },
      body: "{}",
    });
    expect(response.status).toBe(403);
  });

  it("refuses a wrong token before the plugin sees it", async () => {
    const response = await fetch(tier.mcpUrl, {
      method: "POST",
      headers: { ...legacyHeaders(), Authorization: "Token wrong" },
      body: "{}",
    });
    expect(response.status).toBe(401);
  });

  it("answers health with the measured levers", async () => {
    const response = await fetch(`${tier.apiUrl}${routeBase}/health`, {
      headers: { Authorization: `Token ${tier.token}` },
    });
    const health = (await response.json()) as Record<string, unknown>;
    expect(health).toMatchObject({
      plugin: "siyuan-plugins-mcp-sisyphus",
      levers: { digest: "template-route", entropy: "template-route" },
      queue: { maxInFlight: 128 },
    });
    if (tierName === "live") expect(health).toMatchObject({ levers: { pathLock: "present" } });
  });

  it("answers unknown routes with 404", async () => {
    expect(
      (await fetch(`${tier.apiUrl}${routeBase}/nothing`, { headers: { Authorization: `Token ${tier.token}` } })).status,
    ).toBe(404);
  });
});
