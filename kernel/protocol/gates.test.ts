// Who may talk to the routes: local hosts and pages of this machine, nobody through a public name.

import { describe, expect, it } from "vitest";
import type { RouteRequest } from "../host/host.js";
import { originProblem } from "./gates.js";

const request = (host: string, origin?: string): RouteRequest => ({
  method: "POST",
  path: "/mcp",
  query: {},
  headers: origin === undefined ? {} : { origin },
  host,
  body: "",
  bodyBytes: 0,
});

describe("the addressed host", () => {
  it.each([
    "127.0.0.1:6806",
    "127.1.2.3",
    "localhost:6806",
    "LOCALHOST:6806",
    "notes.localhost:6806",
    "[::1]:6806",
    "[fe80::1]",
    "192.168.1.20:6806",
    "10.0.0.1",
    "siyuan:6806",
    "desk.local:6806",
    "desk.lan",
    "docker.internal",
    "router.home.arpa",
  ])("%s may", (host) => {
    expect(originProblem(request(host))).toBeUndefined();
  });

  it.each([
    "example.com",
    "example.com:6806",
    "127.0.0.1.example.com:6806",
    "localhost.example.com",
    "example.local.com",
    "locallan.net",
    "example.com.:6806",
    "1.2.3.4.5",
    "evil-internal.com",
  ])("%s may not", (host) => {
    expect(originProblem(request(host))).toContain(host);
  });
});

describe("the origin", () => {
  it.each([
    "http://127.0.0.1:6806",
    "https://127.0.0.1",
    "http://localhost:3000",
    "http://app.localhost",
    "http://[::1]:6806",
    "http://LOCALHOST",
  ])("%s may", (origin) => {
    expect(originProblem(request("127.0.0.1:6806", origin))).toBeUndefined();
  });

  it.each([
    "",
    "null",
    "http://example.com",
    "https://example.com:6806",
    "http://localhost.example.com",
    "http://127.0.0.1.example.com",
    "http://192.168.1.20",
    "http://desk.local",
    "http://siyuan",
    "file://",
    "app://obsidian.md",
    "chrome-extension://abcdef",
    "localhost",
    "ftp://localhost",
    "javascript:http://localhost",
  ])("%j may not", (origin) => {
    expect(originProblem(request("127.0.0.1:6806", origin))).toContain("origin");
  });

  it("a local origin does not help a public host", () => {
    expect(originProblem(request("example.com", "http://localhost"))).toBeDefined();
  });
});
