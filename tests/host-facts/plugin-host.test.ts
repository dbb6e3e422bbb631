// Facts: how the plugin host routes to a kernel plugin, what it takes as an answer, and what the plugin can do.
import { randomUUID } from "node:crypto";
import { copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canInstallPlugins, fixtureFolder, fixtureName, installFixture, pause, removeFixture, timed } from "./host.ts";
import { useHost } from "./use-host.ts";

const { api, host } = useHost();

beforeAll(async () => {
  if (canInstallPlugins) await installFixture(api, fixtureName);
}, 30_000);

afterAll(async () => {
  if (canInstallPlugins) await removeFixture(api, fixtureName);
}, 30_000);

const base = () => `${host.apiUrl}/plugin/private/${fixtureName}`;
const authorized = () => ({ Authorization: `Token ${host.token}` });

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${base()}${path}`, {
    ...init,
    headers: { ...authorized(), ...(init.headers as Record<string, string>) },
  });
}

async function json<T>(path: string, init: RequestInit = {}): Promise<T> {
  return JSON.parse(await (await ask(path, init)).text()) as T;
}

test("a plugin that is not loaded is a 404 with a text", async () => {
  const response = await fetch(`${host.apiUrl}/plugin/private/no-such-plugin/x`, { headers: authorized() });
  expect([response.status, await response.text()]).toEqual([404, "[plugin:no-such-plugin] not found"]);
  expect(await api.call("plugin/getLoadedPlugin", { name: "no-such-plugin" })).toMatchObject({ code: 4 });
  expect(await api.call("petal/setPetalEnabled", { packageName: "no-such-plugin", enabled: true })).toMatchObject({
    code: -1,
  });
});

describe.skipIf(!canInstallPlugins)("answers", { timeout: 30_000 }, () => {
  test("well typed ones arrive as they are", async () => {
    const ok = await ask("/ok");
    expect([ok.status, ok.headers.get("content-type"), await ok.text()]).toEqual([200, "text/plain", "ok"]);
    expect(await (await ask("/async-ok")).text()).toBe("ok");
    expect(new Uint8Array(await (await ask("/raw-bytes")).arrayBuffer())).toEqual(new Uint8Array([0, 255, 1]));
    expect((await ask("/header-list")).headers.get("x-test")).toBe("two");
    expect(await (await ask("/data")).text()).toBe('{"a":"\\u003c","b":1}');
    const accepted = await ask("/accepted");
    expect([accepted.status, await accepted.text()]).toEqual([202, ""]);
    expect((await ask("/unknown")).status).toBe(404);
  });

  test.each([
    "status-string",
    "header-string",
    "body-text",
    "raw-number",
    "array",
    "sync-text",
    "sync-throw",
    "async-reject",
  ])("%s is a 500", async (path) => {
    const response = await ask(`/${path}`);
    expect(response.status).toBe(500);
    expect(await response.text()).toContain(`[plugin:${fixtureName}] Error occurred while handling HTTP request`);
  });

  test("an async handler that settles with a primitive never answers", async () => {
    const signal = AbortSignal.timeout(500);
    await expect(ask("/async-text", { signal })).rejects.toThrow();
  });

  test("a cached answer object is empty the second time", async () => {
    expect(await (await ask("/cached")).text()).toBe("cached");
    expect(await (await ask("/cached")).text()).toBe("");
  });
});

describe.skipIf(!canInstallPlugins)("requests", { timeout: 30_000 }, () => {
  interface Echo {
    url: { path: string; pathname: string; search: string; query: Record<string, string[]> };
    request: {
      method: string;
      headers: Record<string, string[]>;
      cookies: Record<string, string[]>;
      contentType: string;
      contentLength: number;
      body: { form: unknown; data: string | null };
    };
    context: { path: string; params: Record<string, string[]> };
    port: unknown;
  }

  test("have lists of canonical headers, queries and cookies, without Authorization and Cookie", async () => {
    const echo = await json<Echo>("/echo?a=1&b=x&a=3", {
      method: "POST",
      headers: { "content-type": "application/json; charset=utf-8", "mcp-session-id": "s", Cookie: "c=1" },
      body: '{"text":"ü"}',
    });
    expect(echo.request).toMatchObject({
      method: "POST",
      contentType: "application/json",
      contentLength: 13,
      cookies: { c: ["1"] },
    });
    expect(echo.request.headers["Mcp-Session-Id"]).toEqual(["s"]);
    expect(echo.request.headers).not.toHaveProperty("Authorization");
    expect(echo.request.headers).not.toHaveProperty("Cookie");
    expect(echo.request.body).toEqual({ form: null, data: '{"text":"ü"}' });
    expect(echo.url).toMatchObject({ search: "a=1&b=x&a=3", query: { a: ["1", "3"], b: ["x"] } });
    expect(echo.context).toMatchObject({ path: "/echo", params: { name: [fixtureName], path: ["/echo"] } });
    expect(echo.port).toBeNull();
  });

  test("urlencoded bodies are lost", async () => {
    const echo = await json<Echo>("/echo", { method: "POST", body: new URLSearchParams({ a: "1" }) });
    expect(echo.request.body).toEqual({ form: null, data: "" });
  });

  test("a wrong bearer token never reaches the plugin", async () => {
    const response = await ask("/ok", { headers: { Authorization: "Bearer other" } });
    expect([response.status, await response.json()]).toEqual([
      401,
      { code: -1, msg: "Auth failed [header: Authorization]" },
    ]);
  });
});

describe.skipIf(!canInstallPlugins)("paths", { timeout: 30_000 }, () => {
  test("one path is serialised, list… is not", async () => {
    const slow = await timed(() => Promise.all([1, 2, 3].map(() => ask("/slow"))));
    expect(slow.ms).toBeGreaterThanOrEqual(880);
    const free = await timed(() => Promise.all([1, 2, 3].map(() => ask("/list-slow"))));
    expect(free.ms).toBeLessThan(800);
  });

  test("a hanging request holds its path until the client leaves", async () => {
    const controller = new AbortController();
    const hanging = ask("/async-text?x=1", { signal: controller.signal }).catch(() => undefined);
    await pause(100);
    setTimeout(() => controller.abort(), 300);
    const { ms } = await timed(() => ask("/async-text", { signal: AbortSignal.timeout(900) }).catch(() => undefined));
    await hanging;
    expect(ms).toBeGreaterThanOrEqual(850);
  });
});

describe.skipIf(!canInstallPlugins)("event streams", { timeout: 30_000 }, () => {
  const accept = (value: string) => ask("/list-events", { headers: { Accept: value } });

  test("need an Accept of exactly text/event-stream", async () => {
    const stream = await accept("text/event-stream");
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream;charset=utf-8"]);
    const text = await stream.text();
    expect(text).toContain('data:{"a":"two","b":1}\n');
    expect(text).toContain("event:ready\n");
    expect(text).toContain("id:7\n");
    expect(text).toContain("data:line one\ndata:line two\n\n");
  });

  test.each(["application/json, text/event-stream", "text/event-stream, */*", "text/event-stream; charset=utf-8"])(
    "%s goes to the HTTP handler",
    async (value) => {
      const response = await accept(value);
      expect([response.status, await response.text()]).toEqual([404, "http GET"]);
    },
  );

  test("lose what is sent in the turn of the close", async () => {
    const response = await ask("/lost", { headers: { Accept: "text/event-stream" } });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });
});

describe.skipIf(!canInstallPlugins)("inside the plugin", { timeout: 30_000 }, () => {
  test("goja's globals, not more", async () => {
    const { present, asyncIterator, timer } = await json<{ present: string[]; asyncIterator: string; timer: string }>(
      "/globals",
    );
    expect(present.sort()).toEqual(
      [
        "Buffer",
        "GoError",
        "URL",
        "URLSearchParams",
        "console",
        "require",
        "setImmediate",
        "setInterval",
        "setTimeout",
        "siyuan",
      ].sort(),
    );
    expect(asyncIterator).toBe("undefined");
    expect(timer).toBe("object");
  });

  test("Buffer", async () => {
    expect(await json("/buffer")).toEqual({
      hex: "61c3b1",
      base64: "YcOx",
      back: "✓",
      sliced: "throws",
      url: expect.stringMatching(/^__4=?$/) as string,
      isBytes: true,
    });
  });

  test("storage keeps text only and stays in its folder", async () => {
    expect(await json("/storage")).toEqual({
      stored: "1,2",
      names: ["b.txt"],
      missing: "GoError",
      outside: "siyuan.storage: path traversal not allowed",
    });
  });

  test("fetch is administrator, drops typed arrays, numbers its status text", async () => {
    const answer = await json<{ status: number; statusText: string; body: string }>("/fetch", {
      method: "POST",
      body: JSON.stringify({ path: "/api/notebook/lsNotebooks", init: { method: "POST", body: "{}" } }),
    });
    expect(answer).toMatchObject({ status: 200, statusText: "200 OK" });
    expect(JSON.parse(answer.body)).toMatchObject({ code: 0 });
    const { dropped, kept } = await json<{ dropped: string; kept: string }>("/fetch-bytes");
    expect(JSON.parse(dropped)).toMatchObject({ code: -1 });
    expect(JSON.parse(kept)).toMatchObject({ code: 0 });
  });

  test("secrets of the settings are resolved by name, unknown ones stay as written", async () => {
    const { conf } = await api.data<{ conf: { secrets?: { items: { name: string; value: string }[] } } }>(
      "system/getConf",
    );
    const before = conf.secrets?.items ?? [];
    const name = `HOST_FACTS_${randomUUID().slice(0, 4)}`.toUpperCase();
    await api.data("setting/setSecrets", { items: [...before, { name, value: "hidden" }] });
    expect(await (await ask(`/secret?name=${name}`)).text()).toBe("hidden");
    await api.data("setting/setSecrets", { items: before });
    expect(await (await ask(`/secret?name=${name}`)).text()).toBe(`{{secrets.${name}}}`);
  });

  test("state is listed", async () => {
    expect(await json("/identity")).toEqual({ name: fixtureName, version: "0.0.1" });
    expect(await api.data("plugin/getLoadedPlugin", { name: fixtureName })).toMatchObject({
      name: fixtureName,
      state: "running",
      stateCode: 2,
    });
  });
});

describe.skipIf(!canInstallPlugins)("life", { timeout: 30_000 }, () => {
  const deploy = (source: string) => {
    const folder = join(host.workspace as string, "data/plugins", fixtureName);
    writeFileSync(join(folder, "next.txt"), source);
    renameSync(join(folder, "next.txt"), join(folder, "kernel.js"));
  };

  test("a rename over kernel.js reloads it; a script that throws leaves state error and 503", async () => {
    const original = readFileSync(join(fixtureFolder, "kernel.js"), "utf8");
    deploy(original.replace('text("ok"),', 'text("new"),'));
    await expect.poll(async () => (await ask("/ok")).text(), { timeout: 5000 }).toBe("new");
    deploy("throw new Error('broken')");
    await expect.poll(async () => (await ask("/ok")).status, { timeout: 5000 }).toBe(503);
    const broken = await ask("/ok");
    expect(await broken.text()).toBe(`[plugin:${fixtureName}] is not running`);
    expect(await api.data("plugin/getLoadedPlugin", { name: fixtureName })).toMatchObject({
      state: "error",
      stateCode: 5,
    });
    const staged = join(host.workspace as string, "data/plugins", fixtureName, "back.txt");
    copyFileSync(join(fixtureFolder, "kernel.js"), staged);
    renameSync(staged, staged.replace("back.txt", "kernel.js"));
    await expect.poll(async () => (await ask("/ok")).status, { timeout: 5000 }).toBe(200);
  });

  test("a cookie from an own route stays in the client's jar across a reload", async () => {
    const through = async (path: string) => {
      const body = JSON.stringify({ path: `/plugin/private/${fixtureName}${path}` });
      return (await json<{ body: string }>("/fetch", { method: "POST", body })).body;
    };
    const value = randomUUID();
    await through(`/cookie-set?value=${value}`);
    await api.data("petal/setPetalEnabled", { packageName: fixtureName, enabled: true });
    const echo = JSON.parse(await through("/echo")) as { request: { cookies: Record<string, string[]> } };
    expect(echo.request.cookies.facts).toEqual([value]);
  });

  test("disabled it is not found, enabled again it runs", async () => {
    await api.data("petal/setPetalEnabled", { packageName: fixtureName, enabled: false });
    expect((await ask("/ok")).status).toBe(404);
    await api.data("petal/setPetalEnabled", { packageName: fixtureName, enabled: true });
    expect((await ask("/ok")).status).toBe(200);
  });
});
