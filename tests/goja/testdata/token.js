// Calls an API of the target and reports the status it got.
siyuan.server.private.http.handler = async function (r) {
  var headers = r.context.path === "/list-own" ? { Authorization: "Token T" } : {};
  var answer = await siyuan.client.fetch("/api/who", { method: "POST", body: "{}", headers: headers });
  return { statusCode: 200, headers: {}, body: { raw: { contentType: "text/plain", data: String(answer.status) } } };
};
