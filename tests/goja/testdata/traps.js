// One handler result per path: the traps of the host's HTTP routes.
var kept = { statusCode: 200, headers: {}, body: { raw: { contentType: "text/plain", data: "kept" } } };
var sleep = function (ms) { return new Promise(function (done) { setTimeout(done, ms); }); };
var text = function (data) { return { statusCode: 200, headers: {}, body: { raw: { contentType: "text/plain", data: data } } }; };
var strict = (function () { return this === undefined; })();

var routes = {
  "/object": function () { return text("ok"); },
  "/undefined": function () { },
  "/undefined-immediate": async function () { },
  "/undefined-timer": async function () { await sleep(5); },
  "/undefined-host": async function () { await siyuan.storage.put("x", "y"); },
  "/body-string": function () { return { statusCode: 200, body: "text" }; },
  "/string": function () { return "text"; },
  "/string-immediate": async function () { return "text"; },
  "/string-timer": async function () { await sleep(5); return "text"; },
  "/string-host": async function () { await siyuan.storage.put("x", "y"); return "text"; },
  "/throw": function () { throw new Error("boom"); },
  "/reject": async function () { throw new Error("boom"); },
  "/reject-primitive": async function () { throw "boom"; },
  "/array": function () { return []; },
  "/status-type": function () { return { statusCode: "200", body: null }; },
  "/header-type": function () { return { statusCode: 200, headers: { "X-A": "1" } }; },
  "/header-last": function () { return { statusCode: 202, headers: { "X-A": ["1", "2"] } }; },
  "/raw-kept": function () { return kept; },
  "/raw-frozen": function () { var r = text("x"); Object.freeze(r.body.raw); return r; },
  "/raw-bytes": function () { return text(new Uint8Array([104, 105, 106]).subarray(1)); },
  "/raw-buffer": function () { return text(new Uint8Array([104, 105]).buffer); },
  "/raw-number": function () { return text(5); },
  "/raw-int8": function () { return text(new Int8Array([104])); },
  "/slow": async function () { await sleep(200); return text("slow"); },
  "/list-slow": async function () { await sleep(200); return text("slow"); },
  "/hang": function () { return new Promise(function () { }); },
  "/request": function (r) {
    var headers = {};
    Object.keys(r.request.headers).forEach(function (k) { headers[k] = Array.from(r.request.headers[k]); });
    return text(JSON.stringify({ headers: headers, path: r.context.path, search: r.url.search, port: r.port, strict: strict }));
  },
  "/echo": async function (r) { return text(await r.request.body.data.text()); },
  "/fetch-bodies": async function () {
    var bytes = new Uint8Array([104, 105]);
    var bodies = ["hi", bytes.buffer, bytes, Buffer.from("hi"), { a: 1 }, 5];
    var seen = [];
    for (var i = 0; i < bodies.length; i++) {
      var answer = await siyuan.client.fetch("/api/echo" + i, { method: "POST", body: bodies[i] });
      seen.push(JSON.parse(await answer.text()).body);
    }
    return text(JSON.stringify(seen));
  },
  "/fetch-info": async function () {
    var answer = await siyuan.client.fetch("/api/who", { method: "POST", body: "{}" });
    var seen = JSON.parse(await answer.text());
    var bad = await siyuan.client.fetch("http://x/").then(function () { return null; }, function (e) { return e; });
    return text(JSON.stringify({
      status: answer.status, statusText: answer.statusText, ok: answer.ok, type: answer.headers["Content-Type"],
      authorization: seen.authorization, sent: seen.type, bad: bad && bad.name, isError: bad instanceof Error,
    }));
  },
  "/storage": async function () {
    await siyuan.storage.put("a/b.json", { not: "json" });
    var stored = await (await siyuan.storage.get("/a/b.json")).text();
    var names = (await siyuan.storage.list("a")).map(function (e) { return e.name; });
    var escape = await siyuan.storage.get("../x").catch(function (e) { return e.message; });
    await siyuan.storage.remove("a");
    var gone = await siyuan.storage.get("a/b.json").catch(function (e) { return e.name; });
    return text(JSON.stringify({ stored: stored, names: names, escape: escape, gone: gone }));
  },
  "/secret": function () { return text(siyuan.secrets.resolve("{{secrets.GIVEN}} $ASKED {{secrets.NONE}}")); },
};

siyuan.plugin.lifecycle.onload = async function () { await sleep(1); };
siyuan.plugin.lifecycle.onrunning = function () { };
siyuan.plugin.lifecycle.onunload = function () { };
siyuan.server.private.http.handler = function (r) { return routes[r.context.path](r); };
