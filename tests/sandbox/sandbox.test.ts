// The sandbox's own promises, which no SiYuan makes: fault rules, the request log, survival of a kill, the command line.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Api, fixtureFolder, fixtureName, installFixture } from "../host-facts/host.ts";
import { type Sandbox, startSandbox } from "./sandbox.ts";

let sandbox: Sandbox;
let api: Api;
let notebook: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  api = new Api({ ...sandbox });
  notebook = (await api.data<{ notebook: { id: string } }>("notebook/createNotebook", { name: "n" })).notebook.id;
  await installFixture(api, fixtureName);
}, 30_000);

afterAll(() => sandbox.stop());

async function faults(...rules: object[]): Promise<number> {
  return (await fetch(`${sandbox.apiUrl}/sandbox/faults`, { method: "POST", body: JSON.stringify({ rules }) })).status;
}

const path = "/api/block/appendBlock";

describe("fault rules", { timeout: 30_000 }, () => {
  const append = (doc: string, data: string) =>
    api.call("block/appendBlock", { dataType: "markdown", data, parentID: doc });

  test.each([
    ["no-effect", { code: 0 }, false],
    ["null-data", { code: 0, data: null }, true],
    ["code-1", { code: -1 }, false],
    ["http-500", { msg: "sandbox fault" }, false],
  ] as const)("%s", async (kind, answer, written) => {
    const doc = await api.document(notebook, "x");
    await faults({ path, kind, times: 1 });
    expect(await append(doc, "first")).toMatchObject(answer);
    expect((await api.kramdown(doc)).includes("first")).toBe(written);
    expect(await append(doc, "second")).toMatchObject({ code: 0 });
    expect(await api.kramdown(doc)).toContain("second");
  });

  test("lost-answer executes and cuts the connection; a match limits the rule", async () => {
    const doc = await api.document(notebook, "x");
    await faults({ path, kind: "lost-answer", times: 1, match: "unlucky" });
    await append(doc, "lucky");
    await expect(append(doc, "unlucky one")).rejects.toThrow();
    expect(await api.kramdown(doc)).toContain("unlucky one");
  });

  test("absent looks like an unknown route, for randomness alone too", async () => {
    await faults({ path: "/api/template/renderSprig", kind: "absent", match: "randBytes" });
    const random = await api.request("/api/template/renderSprig", { template: "{{ randBytes 1 }}" });
    expect([random.status, await random.text()]).toEqual([200, ""]);
    expect(await api.call("template/renderSprig", { template: "plain" })).toMatchObject({ data: "plain" });
    await faults();
    expect((await api.call("template/renderSprig", { template: "{{ randBytes 1 }}" })).code).toBe(0);
  });

  test("delay and hang", async () => {
    const doc = await api.document(notebook, "x");
    await faults({ path, kind: "delay", delayMs: 300, times: 1 });
    const start = performance.now();
    await append(doc, "late");
    expect(performance.now() - start).toBeGreaterThan(300);
    await faults({ path, kind: "hang", times: 1 });
    const body = JSON.stringify({ dataType: "markdown", data: "never", parentID: doc });
    const headers = { Authorization: `Token ${sandbox.token}` };
    const hanging = fetch(sandbox.apiUrl + path, { method: "POST", headers, body, signal: AbortSignal.timeout(300) });
    await expect(hanging).rejects.toThrow();
    await append(doc, "afterwards");
    expect(await api.kramdown(doc)).not.toContain("never");
  });

  test("an unknown kind is refused", async () => {
    expect(await faults({ path, kind: "nope" })).toBe(400);
  });
});

test("the request log names the caller and empties on reset", async () => {
  const log = async (query: string) =>
    (await (await fetch(`${sandbox.apiUrl}/sandbox/requests${query}`)).json()) as {
      path: string;
      from: string;
      at: number;
    }[];
  await log("?reset=1");
  await api.request(`/plugin/private/${fixtureName}/fetch`, {
    path: "/api/system/currentTime",
    init: { method: "POST", body: "{}" },
  });
  expect((await log("?reset=1")).map(({ path: seen, from }) => [seen, from])).toEqual([
    [`/plugin/private/${fixtureName}/fetch`, "outside"],
    ["/api/system/currentTime", "plugin"],
  ]);
  expect(await log("")).toEqual([]);
});

test("reloadPlugin deploys new code", { timeout: 30_000 }, async () => {
  const own = await startSandbox({ pluginDir: fixtureFolder });
  const client = new Api({ ...own });
  try {
    const ask = async () => (await client.request(`/plugin/private/${fixtureName}/ok`, {})).text();
    expect(await ask()).toBe("ok");
    await own.reloadPlugin(
      'siyuan.server.private.http.handler = () => ({ body: { raw: { contentType: "text/plain", data: "reloaded" } } });',
    );
    expect(await ask()).toBe("reloaded");
    await own.reloadPlugin();
    expect(await ask()).toBe("ok");
  } finally {
    await own.stop();
  }
});

describe("the command line", { timeout: 60_000 }, () => {
  const children: ChildProcess[] = [];
  afterAll(() => {
    for (const child of children) child.kill("SIGKILL");
  });

  async function run(...args: string[]): Promise<{ child: ChildProcess; api: Api }> {
    const child = spawn(
      process.execPath,
      ["--import", "tsx", join(import.meta.dirname, "main.ts"), "--json", ...args],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    children.push(child);
    if (!child.stdout) throw new Error("no output");
    for await (const line of createInterface({ input: child.stdout })) {
      const { apiUrl, token, pid } = JSON.parse(line) as { apiUrl: string; token: string; pid: number };
      expect(pid).toBe(child.pid);
      return { child, api: new Api({ apiUrl, token, workspace: undefined, stop: async () => {} }) };
    }
    throw new Error("the sandbox ended without a line");
  }

  const ended = (child: ChildProcess) =>
    new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));

  test("a workspace survives kill -9, token and trees and index", async () => {
    const workspace = mkdtempSync(join(tmpdir(), "siyuan-sandbox-kept-"));
    try {
      const first = await run("--no-plugin", "--workspace", workspace);
      const { notebook: box } = await first.api.data<{ notebook: { id: string } }>("notebook/createNotebook", {
        name: "kept",
      });
      const doc = await first.api.document(box.id, '# kept\n\n- item\n{: custom-a="1"}', "/Parent/Kept");
      const dom = await first.api.dom(doc);
      first.child.kill("SIGKILL");
      await ended(first.child);
      const second = await run("--no-plugin", "--workspace", workspace);
      expect(second.api.host.token).toBe(first.api.host.token);
      expect((await second.api.dom(doc)).length).toBe(dom.length);
      expect(await second.api.data("filetree/getHPathByID", { id: doc })).toBe("/Parent/Kept");
      const rows = await second.api.data("query/sql", { stmt: `SELECT content FROM blocks WHERE id = '${doc}'` });
      expect(rows).toEqual([{ content: "Kept" }]);
      const exit = ended(second.child);
      second.child.kill("SIGTERM");
      expect(await exit).toBe(0);
    } finally {
      rmSync(workspace, { recursive: true, force: true });
    }
  });
});
