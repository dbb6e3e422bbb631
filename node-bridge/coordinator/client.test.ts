// The client against a server that answers as SiYuan, its plugin, or somebody else would.

import { afterEach, describe, expect, it } from "vitest";
import type { ErrorCode, SisyphusError } from "../../shared/errors.js";
import {
  type FakeReply,
  type FakeSiyuan,
  freePort,
  type ReceivedRequest,
  refusalReply,
  startFakeSiyuan,
  toolReply,
} from "../testing/fake-siyuan.js";
import { parseApiUrl } from "./address.js";
import { CoordinatorClient, type CoordinatorOptions } from "./client.js";
import type { CallPurpose } from "./purpose.js";

let siyuan: FakeSiyuan | undefined;
let client: CoordinatorClient | undefined;
afterEach(async () => {
  client?.close();
  await siyuan?.close();
});

const notices: string[] = [];

async function connect(
  reply: (request: ReceivedRequest) => FakeReply | Promise<FakeReply>,
  options: Partial<CoordinatorOptions> = {},
) {
  siyuan = await startFakeSiyuan(reply);
  return clientOf(siyuan.url, options);
}

function clientOf(url: string, options: Partial<CoordinatorOptions> = {}) {
  notices.length = 0;
  client = new CoordinatorClient({
    address: parseApiUrl(url, "SIYUAN_API_URL"),
    client: { name: "test", version: "0" },
    connectRetries: 0,
    notify: (message) => notices.push(message),
    ...options,
  });
  return client;
}

const failure = (pending: Promise<unknown>) =>
  pending.then(
    () => expect.unreachable("the call must fail"),
    (error: SisyphusError) => error,
  );

const call = (caller: CoordinatorClient, purpose: CallPurpose = "read") =>
  caller.call("fs", { action: "ls", path: "/" }, { purpose });

describe("requests", () => {
  it("carry the envelope, the headers that repeat it, and the token", async () => {
    const caller = await connect((request) => toolReply(request, { items: [] }), { token: "t0ken" });
    expect((await call(caller)).structured).toEqual({ items: [] });
    const [request] = siyuan?.requests ?? [];
    expect(request).toMatchObject({
      method: "POST",
      path: "/plugin/private/siyuan-plugins-mcp-sisyphus/mcp/listen",
      headers: {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "fs",
        authorization: "Token t0ken",
      },
      body: { method: "tools/call", params: { name: "fs", arguments: { action: "ls", path: "/" } } },
    });
  });

  it("trailing slashes of the address do not double", async () => {
    siyuan = await startFakeSiyuan((request) => toolReply(request, {}));
    await call(clientOf(`${siyuan.url}//`));
    expect(siyuan.requests[0]?.path).toBe("/plugin/private/siyuan-plugins-mcp-sisyphus/mcp/listen");
  });

  it("https on loopback is spoken as http on the same port", async () => {
    siyuan = await startFakeSiyuan((request) => toolReply(request, { ok: true }));
    expect((await call(clientOf(`https://127.0.0.1:${siyuan.port}`))).structured).toEqual({ ok: true });
  });

  it("a name that is not ASCII travels as Base64", async () => {
    const caller = await connect((request) => toolReply(request, {}));
    await caller.call("笔记", {}, { purpose: "read" });
    expect(siyuan?.requests[0]?.headers["mcp-name"]).toBe(`=?base64?${Buffer.from("笔记").toString("base64")}?=`);
  });
});

describe("answers that no plugin gave", () => {
  const json = (status: number, body: object): FakeReply => ({ status, body: JSON.stringify(body) });
  const authFailed = json(401, { code: -1, msg: "Auth failed [header: Authorization]" });
  const rows: readonly [string, FakeReply, string | undefined, ErrorCode][] = [
    ["wrong token", authFailed, "wrong", "authentication_failed"],
    ["access code, no token", json(401, { code: -1, msg: "Auth failed [session]" }), undefined, "token_required"],
    [
      "redirect to the login page",
      { status: 302, headers: { location: "/check-auth?to=x" } },
      undefined,
      "token_required",
    ],
    ["too many failures", { status: 429 }, "wrong", "authentication_failed"],
    ["a proxy that forbids", { status: 403, body: "<html>" }, "t", "unexpected_answer"],
    ["publish port", { status: 403 }, "t", "publish_port"],
    [
      "a foreign name",
      json(403, { error: { code: "untrusted_origin", message: "the host is a public name" } }),
      "t",
      "untrusted_origin",
    ],
    ["no plugin", { status: 404, body: "[plugin:siyuan-plugins-mcp-sisyphus] not found" }, "t", "plugin_missing"],
    [
      "plugin failed",
      { status: 503, body: "[plugin:siyuan-plugins-mcp-sisyphus] is not running" },
      "t",
      "plugin_not_running",
    ],
    [
      "read-only",
      json(200, { code: -1, msg: "not supported in read-only mode", data: { closeTimeout: 5000 } }),
      "t",
      "read_only",
    ],
    ["another server", { status: 200, body: "<html>hello</html>" }, "t", "unexpected_answer"],
    ["another path", { status: 404, body: "404 page not found" }, "t", "unexpected_answer"],
    ["a redirect elsewhere", { status: 307, headers: { location: "http://127.0.0.1:1/" } }, "t", "unexpected_answer"],
  ];
  it.each(rows)("%s", async (_, reply, token, code) => {
    const caller = await connect(() => reply, token === undefined ? {} : { token });
    const error = await failure(call(caller));
    expect(error.code).toBe(code);
    expect(siyuan?.requests).toHaveLength(1);
  });

  it("a write without its coordinator has one code and says the reason", async () => {
    const caller = await connect(() => ({ status: 404, body: "[plugin:x] not found" }));
    for (const purpose of ["preflight", "commit"] as const) {
      expect(await failure(call(caller, purpose))).toMatchObject({
        code: "write_coordinator_unavailable",
        details: { reason: "plugin_missing" },
      });
    }
  });

  it("a commit that a proxy answers in our place has an unknown outcome", async () => {
    const caller = await connect(() => ({ status: 502, body: "bad gateway" }));
    expect((await failure(call(caller, "commit"))).code).toBe("outcome_unknown");
    expect((await failure(call(caller, "preflight"))).code).toBe("unexpected_answer");
  });
});

describe("requests without an answer", () => {
  it("nothing listens: the call is repeated within its bound, then fails", async () => {
    const started = Date.now();
    const caller = clientOf(`http://127.0.0.1:${await freePort()}`, { connectRetries: 1 });
    expect((await failure(call(caller))).code).toBe("kernel_unreachable");
    expect(Date.now() - started).toBeGreaterThan(150);
    expect((await failure(call(caller, "commit"))).code).toBe("write_coordinator_unavailable");
  });

  it("SiYuan that starts meanwhile is found", async () => {
    const port = await freePort();
    const caller = clientOf(`http://127.0.0.1:${port}`, { connectRetries: 3 });
    const pending = call(caller, "commit");
    await new Promise((resolve) => setTimeout(resolve, 100));
    siyuan = await startFakeSiyuan((request) => toolReply(request, { done: true }), port);
    expect((await pending).structured).toEqual({ done: true });
    expect(siyuan.requests).toHaveLength(1);
  });

  it.each([
    ["read", "answer_lost"],
    ["preflight", "answer_lost"],
    ["commit", "outcome_unknown"],
  ] as const)("a reset %s is %s and is never sent again", async (purpose, code) => {
    const caller = await connect(() => "reset", { connectRetries: 5 });
    expect((await failure(call(caller, purpose))).code).toBe(code);
    expect(siyuan?.requests).toHaveLength(1);
  });

  it("a commit never uses a kept connection", async () => {
    const ports = new Set<unknown>();
    const caller = await connect((request) => {
      ports.add(request.headers.connection);
      return toolReply(request, {});
    });
    await call(caller, "read");
    await call(caller, "commit");
    expect([...ports]).toEqual(["keep-alive", "close"]);
  });

  it("an answer that breaks off is lost", async () => {
    const caller = await connect(() => ({ status: 200, headers: { "content-length": "100" }, body: "{" }));
    const server = siyuan;
    setTimeout(() => void server?.close(), 50);
    expect((await failure(call(caller, "commit"))).code).toBe("outcome_unknown");
  });

  it("cancelling a read cancels it; a sent commit becomes unknown", async () => {
    const caller = await connect(() => "hang");
    for (const [purpose, code] of [
      ["read", "request_cancelled"],
      ["commit", "outcome_unknown"],
    ] as const) {
      const controller = new AbortController();
      const pending = caller.call(
        "fs",
        {},
        { purpose, signal: controller.signal, onSent: () => setTimeout(() => controller.abort(), 20) },
      );
      expect((await failure(pending)).code).toBe(code);
    }
  });
});

describe("a dead plugin token", () => {
  it("is healed once, and the refused call is sent again", async () => {
    let alive = false;
    let healthAsked = 0;
    const caller = await connect(
      (request) => {
        if (request.path === "/api/petal/setPetalEnabled") return { status: 200, body: '{"code":0}' };
        if (request.path.endsWith("/health")) {
          alive = ++healthAsked > 1;
          return { status: 200, body: JSON.stringify({ ok: true, hostToken: alive ? "unknown" : "rejected" }) };
        }
        return alive ? toolReply(request, { done: true }) : refusalReply(request, "host_token_rejected");
      },
      { token: "t0ken" },
    );
    const answers = await Promise.all([call(caller, "preflight"), call(caller, "preflight")]);
    expect(answers.map((answer) => answer.structured)).toEqual([{ done: true }, { done: true }]);
    const enabled = siyuan?.requests.filter((request) => request.path === "/api/petal/setPetalEnabled");
    expect(enabled).toHaveLength(1);
    expect(enabled?.[0]).toMatchObject({
      body: { packageName: "siyuan-plugins-mcp-sisyphus", enabled: true },
      headers: { authorization: "Token t0ken" },
    });
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain("SISYPHUS_SIYUAN_TOKEN");
  });

  it("without a token of our own the refusal stands", async () => {
    const caller = await connect((request) => refusalReply(request, "host_token_rejected"));
    expect((await call(caller)).structured).toMatchObject({ error: { code: "host_token_rejected" } });
    expect(siyuan?.requests).toHaveLength(1);
  });

  it("a failed attempt is reported and not repeated", async () => {
    const caller = await connect(
      (request) =>
        request.path.includes("setPetal")
          ? { status: 200, body: '{"code":-1}' }
          : refusalReply(request, "host_token_rejected"),
      { token: "t0ken" },
    );
    await call(caller);
    await call(caller);
    expect(siyuan?.requests.map((request) => request.path.includes("setPetal"))).toEqual([false, true, false]);
    expect(notices[0]).toContain("without success");
  });
});
