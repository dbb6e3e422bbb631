// Source text run first in a plugin's context: removes what goja lacks and adds what SiYuan's host adds.
// It is JavaScript for the plugin's own realm, so that promises, errors and buffers belong to that realm.

export const gojaGlobalsSource = `
(function (host) {
  "use strict";
  const absent = ["Intl", "WebAssembly", "WeakRef", "FinalizationRegistry", "Atomics", "SharedArrayBuffer",
    "structuredClone", "Iterator", "queueMicrotask", "TextEncoder", "TextDecoder", "AbortController", "escapeHTML"];
  for (const name of absent) delete globalThis[name];
  delete Array.fromAsync; delete Object.groupBy; delete Map.groupBy; delete Error.captureStackTrace;
  delete Promise.withResolvers; delete Promise.try;
  for (const name of ["isWellFormed", "toWellFormed"]) delete String.prototype[name];
  for (const name of ["resize", "transfer", "transferToFixedLength"]) delete ArrayBuffer.prototype[name];

  // Symbol.asyncIterator cannot be deleted, so Symbol itself is replaced by a copy without it.
  const RealSymbol = Symbol;
  const SymbolCopy = function Symbol(text) {
    if (new.target) throw new TypeError("Symbol is not a constructor");
    return RealSymbol(text);
  };
  for (const key of Reflect.ownKeys(RealSymbol)) {
    if (["asyncIterator", "dispose", "asyncDispose", "length", "name", "prototype"].includes(key)) continue;
    Object.defineProperty(SymbolCopy, key, Object.getOwnPropertyDescriptor(RealSymbol, key));
  }
  SymbolCopy.prototype = RealSymbol.prototype;
  Object.defineProperty(RealSymbol.prototype, "constructor", { value: SymbolCopy, writable: true, configurable: true });
  globalThis.Symbol = SymbolCopy;

  class GoError extends Error {
    constructor(message) { super(message); this.name = "GoError"; }
  }

  // Bytes cross the border as hexadecimal text only inside the host; here they become realm-own arrays.
  const toBytes = (source) => { const bytes = new Uint8Array(source.length); bytes.set(source); return bytes; };
  const decodeUtf8 = (bytes) => host.decodeUtf8(bytes);
  const encodeUtf8 = (text) => toBytes(host.encodeUtf8(String(text)));

  class Buffer extends Uint8Array {
    static from(value, encoding) {
      if (typeof value === "string") {
        if (encoding === "hex" || encoding === "base64" || encoding === "base64Url") {
          return Buffer.wrap(toBytes(host.decodeText(value, encoding)));
        }
        if (encoding === "base64url") throw new TypeError("unknown encoding: base64url");
        return Buffer.wrap(encodeUtf8(value));
      }
      if (value instanceof ArrayBuffer) return new Buffer(value);
      return Buffer.wrap(Uint8Array.from(value));
    }
    static wrap(bytes) { return new Buffer(bytes.buffer, bytes.byteOffset, bytes.byteLength); }
    static alloc(size, fill) { const buffer = new Buffer(size); if (fill !== undefined) buffer.fill(fill); return buffer; }
    static concat(list) {
      const buffer = new Buffer(list.reduce((sum, part) => sum + part.length, 0));
      let at = 0;
      for (const part of list) { buffer.set(part, at); at += part.length; }
      return buffer;
    }
    toString(encoding) {
      if (encoding === "hex" || encoding === "base64" || encoding === "base64Url") return host.encodeBytes(this, encoding);
      if (encoding !== undefined && encoding !== "utf8" && encoding !== "utf-8") throw new TypeError("unknown encoding: " + encoding);
      return decodeUtf8(this);
    }
    equals(other) { return this.length === other.length && this.every((byte, index) => byte === other[index]); }
    slice() { throw new TypeError("Buffer.slice is not supported"); }
    map() { throw new TypeError("Buffer.map is not supported"); }
    filter() { throw new TypeError("Buffer.filter is not supported"); }
  }
  Buffer.poolSize = 8192;

  const timer = (start) => (callback, ms, ...rest) => {
    const handle = {};
    if (typeof callback !== "function") return handle;
    host[start](handle, () => { try { callback(...rest); } catch {} }, Number(ms) || 0);
    return handle;
  };
  const clear = (handle) => {
    if (handle === undefined || handle === null) return;
    if (typeof handle !== "object") throw new TypeError("not a timer");
    host.clearTimer(handle);
  };
  const format = (values) => values.map((value) =>
    value instanceof Error ? String(value) : typeof value === "object" && value !== null ? "[object Object]" : String(value)).join(" ");
  const print = (level) => (...values) => host.log(level, format(values));

  const settle = (start, convert) => new Promise((resolve, reject) => {
    start((message, value) => {
      if (message !== null) reject(new GoError(message));
      else resolve(convert ? convert(value) : undefined);
    });
  });
  const dataObject = (source) => {
    const bytes = toBytes(source);
    return {
      async text() { return decodeUtf8(bytes); },
      async json() { return JSON.parse(decodeUtf8(bytes)); },
      async buffer() { return new Buffer(bytes.buffer); },
      async arrayBuffer() { return bytes.buffer; },
    };
  };

  const jsonLog = (level) => (...values) => {
    host.log(level, values.map((value) => (typeof value === "string" ? value : (JSON.stringify(value) ?? "null"))).join(" "));
  };

  const fetch = (path, init) => {
    const options = init ?? {};
    const headers = {};
    for (const [name, value] of Object.entries(options.headers ?? {})) headers[name] = String(value);
    const body = options.body;
    // Anything but a string or an ArrayBuffer is dropped without a word.
    const sent = typeof body === "string" ? body : body instanceof ArrayBuffer ? new Uint8Array(body.slice(0)) : null;
    return settle((done) => host.fetch(path, options.method ?? "GET", JSON.stringify(headers), sent, done), (answer) => ({
      url: path,
      ok: answer.status >= 200 && answer.status < 300,
      status: answer.status,
      statusText: answer.statusText,
      headers: JSON.parse(answer.headers),
      ...dataObject(answer.body),
    }));
  };

  const storage = Object.freeze({
    get: (path) => settle((done) => host.storageGet(path, done), dataObject),
    put: (path, content) => settle((done) => host.storagePut(path, String(content), done)),
    remove: (path) => settle((done) => host.storageRemove(path, done)),
    list: (path) => settle((done) => host.storageList(path, done), (text) => JSON.parse(text)),
    watcher: Object.freeze({ add: async () => {}, remove: async () => {} }),
  });

  const notImitated = (name) => async () => { throw new GoError(name + " is not part of the sandbox"); };
  const lifecycle = Object.seal({ onload: null, onrunning: null, onunload: null });
  const holder = () => Object.seal({ handler: null });
  const identity = JSON.parse(host.identity);

  globalThis.GoError = GoError;
  globalThis.Buffer = Buffer;
  globalThis.URL = host.URL;
  globalThis.URLSearchParams = host.URLSearchParams;
  globalThis.console = { log: print("info"), info: print("info"), debug: print("info"), warn: print("warn"), error: print("error") };
  globalThis.setTimeout = timer("startTimeout");
  globalThis.setInterval = timer("startInterval");
  globalThis.setImmediate = (callback, ...rest) => globalThis.setTimeout(callback, 0, ...rest);
  globalThis.clearTimeout = clear;
  globalThis.clearInterval = clear;
  globalThis.clearImmediate = clear;
  globalThis.require = (name) => {
    const modules = { buffer: { Buffer }, url: { URL: host.URL, URLSearchParams: host.URLSearchParams }, console: globalThis.console };
    const found = modules[String(name).replace(/^node:/, "")];
    if (!found) throw new GoError("Invalid module");
    return found;
  };
  globalThis.siyuan = Object.freeze({
    plugin: Object.freeze({ ...identity, lifecycle }),
    event: Object.seal({ handler: null, emit: async () => {} }),
    logger: Object.freeze(Object.fromEntries(["trace", "debug", "info", "warn", "error"].map((level) => [level, jsonLog(level)]))),
    storage,
    rpc: Object.freeze({ bind: async () => {}, unbind: async () => {}, broadcast: async () => {} }),
    mcp: Object.freeze({ registerTool: async (name, definition) => ({ name, ...definition }), unregisterTool: async () => {} }),
    client: Object.freeze({ fetch, socket: notImitated("client.socket"), event: notImitated("client.event") }),
    server: Object.freeze({ private: Object.freeze({ http: holder(), ws: holder(), es: holder() }) }),
    secrets: Object.freeze({ resolve: (template) => host.resolve("secrets", template) }),
    vars: Object.freeze({ resolve: (template) => host.resolve("vars", template) }),
  });

  // What the host calls back into: everything that must be made of this realm's objects.
  return {
    isPromise: (value) => value instanceof Promise,
    then: (promise, resolved, rejected) => { promise.then(resolved, rejected); },
    isThenError: (value) => typeof value === "object" && value !== null,
    hook: (name) => {
      const run = lifecycle[name];
      return typeof run === "function" ? run.call(lifecycle) : undefined;
    },
    emit: (id, type) => { try { globalThis.siyuan.event.handler?.({ id, type, detail: null }); } catch {} },
    handler: (kind) => globalThis.siyuan.server.private[kind].handler,
    call: (kind, request) => globalThis.siyuan.server.private[kind].handler(request),
    request: (text, files, bytes, port) => {
      const request = JSON.parse(text);
      request.request.body.data = bytes === null ? null : dataObject(bytes);
      if (request.request.body.form !== null) {
        for (const entry of files) request.request.body.form.files[entry.field][entry.index].data = dataObject(entry.content);
      }
      request.port = port === null ? null : makePort(port);
      return request;
    },
    portEvent: (port, name) => { try { port["on" + name]?.({ type: name }); } catch {} },
  };

  function makePort(bridge) {
    const port = Object.seal({
      onopen: null,
      onclose: null,
      send: (event) => {
        if (event === null || typeof event !== "object" || !("data" in event)) throw new TypeError("data is required");
        const { data } = event;
        const text = data === null ? "<nil>" : data instanceof Uint8Array ? decodeUtf8(data)
          : typeof data === "object" ? host.sortedJson(JSON.stringify(data)) : String(data);
        bridge.send(text, typeof event.event === "string" ? event.event : null,
          typeof event.id === "string" ? event.id : null, typeof event.retry === "number" ? event.retry : null);
      },
      close: () => bridge.close(),
    });
    bridge.attach(port);
    return port;
  }
})
`;
