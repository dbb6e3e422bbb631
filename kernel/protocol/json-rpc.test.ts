// JSON-RPC messages: what a body is taken for, and which texts are refused before anything reads them.

import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../shared/wire/json.js";
import { readMessage, rpcCodes, rpcError, rpcResult } from "./json-rpc.js";

const call = (parts: object) => JSON.stringify({ jsonrpc: "2.0", ...parts });

/** The error code of a refused body, or the kind of another one. */
function kindOf(body: string): string | number {
  const message = readMessage(body);
  if (message.kind !== "refusal") return message.kind;
  return (JSON.parse(message.answer.body ?? "") as { error: { code: number } }).error.code;
}

describe("readMessage", () => {
  const cases: [string, string, string | number][] = [
    ["a request", call({ id: 1, method: "ping" }), "request"],
    ["a request with a text id", call({ id: "", method: "ping" }), "request"],
    ["a request with id 0", call({ id: 0, method: "ping", params: {} }), "request"],
    ["a notification", call({ method: "notifications/cancelled" }), "notification"],
    ["a notification with a list", call({ method: "x", params: [] }), "notification"],
    ["an answer", call({ id: 1, result: {} }), "response"],
    ["an error answer", call({ id: 1, error: {} }), "response"],
    ["nothing", "", rpcCodes.parse],
    ["torn JSON", '{"jsonrpc":"2.0"', rpcCodes.parse],
    ["a batch", `[${call({ id: 1, method: "ping" })}]`, rpcCodes.invalidRequest],
    ["null", "null", rpcCodes.invalidRequest],
    ["a text", '"ping"', rpcCodes.invalidRequest],
    ["another version", '{"jsonrpc":"1.0","id":1,"method":"ping"}', rpcCodes.invalidRequest],
    ["no version", '{"id":1,"method":"ping"}', rpcCodes.invalidRequest],
    ["no method", call({ id: 1 }), rpcCodes.invalidRequest],
    ["a method that is no text", call({ id: 1, method: 5 }), rpcCodes.invalidRequest],
    ["id null", call({ id: null, method: "ping" }), rpcCodes.invalidRequest],
    ["a fraction as id", call({ id: 1.5, method: "ping" }), rpcCodes.invalidRequest],
    ["an object as id", call({ id: {}, method: "ping" }), rpcCodes.invalidRequest],
    ["a list of parameters", call({ id: 1, method: "ping", params: [] }), rpcCodes.invalidParams],
    ["parameters null", call({ id: 1, method: "ping", params: null }), rpcCodes.invalidParams],
  ];
  it.each(cases)("%s", (_name, body, kind) => {
    expect(kindOf(body)).toBe(kind);
  });

  it("reads id, method and parameters, absent ones as empty", () => {
    expect(readMessage(call({ id: "a", method: "m", params: { b: 1 } }))).toEqual({
      kind: "request",
      request: { id: "a", method: "m", params: { b: 1 } },
    });
    expect(readMessage(call({ id: 1, method: "m" }))).toMatchObject({ request: { params: {} } });
  });
});

describe("lone surrogate escapes", () => {
  const withText = (source: string) => `{"jsonrpc":"2.0","id":1,"method":"m","params":{"data":"${source}"}}`;
  const whole: [string, string][] = [
    ["no escape", "a"],
    ["an emoji as it is", "\u{1f600}"],
    ["an escaped pair", "\\ud83d\\ude00"],
    ["an escaped pair in capitals", "\\uD83D\\uDE00"],
    ["two pairs", "\\ud83d\\ude00\\ud83d\\ude01"],
    ["a pair between texts", "a\\ud83d\\ude00b"],
    ["another escape", "\\u0041\\u00e9\\ud7ff\\ue000"],
    ["a written backslash before", "\\\\ud83d"],
    ["a written backslash before a pair", "\\\\\\ud83d\\ude00"],
    ["a quote before", '\\"ud83d'],
    ["a line break and a pair", "\\n\\ud83d\\ude00\\t"],
  ];
  it.each(whole)("%s is fine", (_name, source) => {
    expect(kindOf(withText(source))).toBe("request");
  });

  const lone: [string, string][] = [
    ["a high half", "\\ud83d"],
    ["a low half", "\\ude00"],
    ["a high half in capitals", "\\uD83D"],
    ["halves in the wrong order", "\\ude00\\ud83d"],
    ["two high halves and a low one", "\\ud83d\\ud83d\\ude00"],
    ["a pair and a low half", "\\ud83d\\ude00\\ude00"],
    ["a letter between the halves", "\\ud83da\\ude00"],
    ["an escape between the halves", "\\ud83d\\n\\ude00"],
    ["a written backslash between the halves", "\\ud83d\\\\\\ude00"],
    ["a low half behind a written backslash and u", "\\\\ud83d\\ude00"],
    ["a high half at the end", "a\\ud800"],
    ["a half behind many backslashes", "\\\\\\\\\\ud83d"],
  ];
  it.each(lone)("%s is refused", (_name, source) => {
    expect(kindOf(withText(source))).toBe(rpcCodes.invalidParams);
  });

  it("a half in a name is refused too", () => {
    expect(kindOf('{"jsonrpc":"2.0","id":1,"method":"m","params":{"\\ud83d":1}}')).toBe(rpcCodes.invalidParams);
  });

  it("agrees with the texts that JSON.parse makes", () => {
    const units = ["\\ud83d", "\\ude00", "a", "\\\\", "\\n", "\\u0041", '\\"', "u"];
    for (let seed = 0; seed < units.length ** 4; seed += 3) {
      const source = [0, 1, 2, 3].map((at) => units[Math.floor(seed / units.length ** at) % units.length]).join("");
      const text = JSON.parse(`"${source}"`) as string;
      const isLone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);
      expect(kindOf(withText(source)), source).toBe(isLone ? rpcCodes.invalidParams : "request");
    }
  });
});

describe("answers", () => {
  it("carry the id as it came, and leave out one that could not be read", () => {
    expect(JSON.parse(rpcResult("a", { b: 1 }).body ?? "")).toEqual({ jsonrpc: "2.0", id: "a", result: { b: 1 } });
    const structured = { structuredJson: '{"c":"}"}' };
    for (const result of [{}, { b: "}}" }] as JsonObject[])
      expect(JSON.parse(rpcResult(1, result, structured).body ?? "")).toEqual({
        jsonrpc: "2.0",
        id: 1,
        result: { ...result, structuredContent: { c: "}" } },
      });
    expect(JSON.parse(rpcError(400, 0, -1, "m").body ?? "")).toEqual({
      jsonrpc: "2.0",
      id: 0,
      error: { code: -1, message: "m" },
    });
    expect(JSON.parse(rpcError(400, undefined, -1, "m", { c: 2 }).body ?? "")).toEqual({
      jsonrpc: "2.0",
      error: { code: -1, message: "m", data: { c: 2 } },
    });
  });
});
