// Event streams and the plain handler beside them, with a record of what the port's hooks saw.
var seen = [];
var text = function (data) { return { statusCode: 200, headers: {}, body: { raw: { contentType: "text/plain", data: data } } }; };
siyuan.server.private.http.handler = function (r) {
  return text(r.context.path === "/list-seen" ? seen.join(",") : "http");
};
siyuan.server.private.es.handler = function (r) {
  var port = r.port;
  port.onopen = function () { seen.push("open"); };
  port.onclose = function () { seen.push("close"); };
  if (r.context.path === "/list-throw") throw new Error("no stream");
  if (r.context.path === "/list-late16" || r.context.path === "/list-late17") {
    port.send({ event: "ready", data: "1" });
    setTimeout(function () {
      port.close();
      for (var i = 0; i < Number(r.context.path.slice(-2)); i++) port.send({ data: "late" });
    }, 50);
    return {};
  }
  port.send({ event: "ready", id: "7", retry: 5, data: "a\nb" });
  return {};
};
