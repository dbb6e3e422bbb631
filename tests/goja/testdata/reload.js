// Answers "VERSION"; /pending waits for onunload, which settles it only when SETTLES is replaced by true.
var pending = [];
var text = function (data) { return { statusCode: 200, headers: {}, body: { raw: { contentType: "text/plain", data: data } } }; };
siyuan.server.private.http.handler = function (r) {
  if (r.context.path !== "/pending") return text("VERSION");
  return new Promise(function (done) { pending.push(done); });
};
siyuan.server.private.es.handler = function (r) { r.port.send({ data: "1" }); return {}; };
siyuan.plugin.lifecycle.onunload = async function () {
  if (!SETTLES) return;
  pending.forEach(function (done) { done(text("stopping")); });
  await new Promise(function (done) { setTimeout(done, 50); });
};
