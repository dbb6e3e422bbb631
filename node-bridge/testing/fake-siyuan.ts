// A small HTTP server for tests: answers as SiYuan's port would, and keeps what it was asked.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../shared/wire/json.js";

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: JsonObject;
}

/** `reset` cuts the connection, `hang` never answers. */
export type FakeReply =
  | { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> }
  | "reset"
  | "hang";

export interface FakeSiyuan {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly ReceivedRequest[];
  /** Arguments of the tool calls that arrived, in order. */
  readonly calls: readonly JsonObject[];
  close(): Promise<void>;
}

export async function startFakeSiyuan(
  reply: (request: ReceivedRequest) => FakeReply | Promise<FakeReply>,
  port = 0,
): Promise<FakeSiyuan> {
  const requests: ReceivedRequest[] = [];
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    let text = "";
    for await (const chunk of incoming) text += String(chunk);
    const body = text === "" ? {} : (JSON.parse(text) as JsonObject);
    const received = { method: incoming.method ?? "", path: incoming.url ?? "", headers: incoming.headers, body };
    requests.push(received);
    const chosen = await reply(received);
    if (chosen === "hang") return;
    if (chosen === "reset") return void incoming.socket.destroy();
    outgoing.writeHead(chosen.status, chosen.headers).end(chosen.body ?? "");
  };
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { port: chosenPort } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${chosenPort}`,
    port: chosenPort,
    requests,
    get calls() {
      return requests.filter(({ body }) => body.method === "tools/call").map(({ body }) => toolArguments(body));
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function toolArguments(body: JsonObject): JsonObject {
  return (body.params as JsonObject).arguments as JsonObject;
}

/** The answer of the endpoint to a tools/call. */
export function toolReply(request: ReceivedRequest, structured: JsonObject, isError = false): FakeReply {
  const content = [{ type: "text", text: JSON.stringify(structured) }];
  return rpcReply(request, {
    content,
    structuredContent: structured,
    ...(isError && { isError }),
    resultType: "complete",
  });
}

export function rpcReply(request: ReceivedRequest, result: JsonObject): FakeReply {
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify({ jsonrpc: "2.0", id: request.body.id ?? null, result }),
  };
}

export function refusalReply(request: ReceivedRequest, code: string, transactionState = "rejected"): FakeReply {
  return toolReply(
    request,
    { success: false, transactionState, error: { type: code, code, message: `the plugin says ${code}` } },
    true,
  );
}

/** A port nothing listens on. */
export async function freePort(): Promise<number> {
  const server = await startFakeSiyuan(() => "hang");
  await server.close();
  return server.port;
}
