// Test fixture: each path answers in one particular way, so that the host's typing and routing rules can be seen.
const text = (data, statusCode) => ({
  statusCode: statusCode || 200,
  body: { raw: { contentType: "text/plain", data } },
});
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const cached = text("cached");

const answers = {
  "/ok": () => text("ok"),
  "/status-string": () => ({ statusCode: "200" }),
  "/header-string": () => ({ headers: { "X-Test": "one" } }),
  "/header-list": () => ({
    headers: { "X-Test": ["one", "two"] },
    body: { raw: { contentType: "text/plain", data: "ok" } },
  }),
  "/body-text": () => ({ body: "text" }),
  "/raw-number": () => ({ body: { raw: { contentType: "text/plain", data: 5 } } }),
  "/raw-bytes": () => text(new Uint8Array([0, 255, 1])),
  "/array": () => [],
  "/sync-text": () => "text",
  "/sync-throw": () => {
    throw new Error("fixture failure");
  },
  "/cached": () => cached,
  "/data": () => ({ body: { data: { type: "JSON", data: { b: 1, a: "<" } } } }),
  "/accepted": () => ({ statusCode: 202 }),
  "/cookie-set": (request) => ({
    cookies: [{ name: "facts", value: request.url.query.value[0], path: "/plugin/private/", httpOnly: true }],
    body: { raw: { contentType: "text/plain", data: "set" } },
  }),
  "/async-ok": async () => {
    await sleep(1);
    return text("ok");
  },
  "/async-reject": async () => {
    await sleep(1);
    throw new Error("fixture failure");
  },
  "/async-text": async () => {
    await sleep(1);
    return "text";
  },
  "/slow": async () => {
    await sleep(300);
    return text("slow");
  },
  "/list-slow": async () => {
    await sleep(300);
    return text("slow");
  },
  "/echo": async (request) => {
    const { data } = request.request.body;
    const body = data === null ? null : await data.text();
    const copy = JSON.parse(JSON.stringify(request));
    copy.request.body.data = body;
    return text(JSON.stringify(copy));
  },
  "/fetch": async (request) => {
    const { path, init } = JSON.parse(await request.request.body.data.text());
    const answer = await siyuan.client.fetch(path, init);
    return text(JSON.stringify({ status: answer.status, statusText: answer.statusText, body: await answer.text() }));
  },
  "/fetch-bytes": async () => {
    const bytes = new Uint8Array([123, 125]);
    const dropped = await siyuan.client.fetch("/api/block/checkBlockExist", { method: "POST", body: bytes });
    const kept = await siyuan.client.fetch("/api/block/checkBlockExist", { method: "POST", body: bytes.buffer });
    return text(JSON.stringify({ dropped: await dropped.text(), kept: await kept.text() }));
  },
  "/storage": async () => {
    await siyuan.storage.put("/a/b.txt", new Uint8Array([1, 2]));
    const stored = await (await siyuan.storage.get("/a/b.txt")).text();
    const names = (await siyuan.storage.list("/a")).map((entry) => entry.name);
    let missing = "";
    let outside = "";
    try {
      await siyuan.storage.get("/none");
    } catch (error) {
      missing = error.name;
    }
    try {
      await siyuan.storage.get("../../x");
    } catch (error) {
      outside = error.message;
    }
    await siyuan.storage.remove("/a");
    return text(JSON.stringify({ stored, names, missing, outside }));
  },
  "/globals": () => {
    const names = [
      "Intl",
      "WebAssembly",
      "WeakRef",
      "FinalizationRegistry",
      "Atomics",
      "SharedArrayBuffer",
      "structuredClone",
      "queueMicrotask",
      "TextEncoder",
      "TextDecoder",
      "AbortController",
      "crypto",
      "fetch",
      "process",
      "performance",
      "atob",
      "Buffer",
      "URL",
      "URLSearchParams",
      "console",
      "setTimeout",
      "setInterval",
      "setImmediate",
      "require",
      "siyuan",
      "GoError",
    ];
    const present = names.filter((name) => typeof globalThis[name] !== "undefined");
    return text(
      JSON.stringify({ present, asyncIterator: typeof Symbol.asyncIterator, timer: typeof setTimeout(() => {}, 0) }),
    );
  },
  "/buffer": () => {
    const buffer = Buffer.from("añ", "utf8");
    let sliced = "";
    try {
      buffer.slice(0);
    } catch {
      sliced = "throws";
    }
    return text(
      JSON.stringify({
        hex: buffer.toString("hex"),
        base64: buffer.toString("base64"),
        back: Buffer.from("4pyT", "base64").toString(),
        sliced,
        url: Buffer.from([255, 254]).toString("base64Url"),
        isBytes: buffer instanceof Uint8Array,
      }),
    );
  },
  "/identity": () => text(JSON.stringify({ name: siyuan.plugin.name, version: siyuan.plugin.version })),
  "/secret": (request) => text(siyuan.secrets.resolve(`{{secrets.${request.url.query.name[0]}}}`)),
};

siyuan.plugin.lifecycle.onload = async () => {};
siyuan.plugin.lifecycle.onrunning = async () => {};
siyuan.plugin.lifecycle.onunload = async () => {};
siyuan.server.private.http.handler = (request) => {
  const answer = answers[request.context.path];
  return answer ? answer(request) : text(`http ${request.request.method}`, 404);
};
siyuan.server.private.es.handler = async (request) => {
  const { port } = request;
  if (request.context.path === "/lost") {
    port.send({ data: "lost" });
    port.close();
    return {};
  }
  port.send({ event: "ready", data: { b: 1, a: "two" }, id: "7" });
  port.send({ data: "line one\nline two" });
  setTimeout(() => port.close(), 100);
  return {};
};
