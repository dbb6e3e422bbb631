// The stdio server: answers the protocol in both eras itself and carries each tool call to the coordinator. Stateless.

import { type CallToolResult, type ListToolsResult, ProtocolError, Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { SisyphusError } from "../../shared/errors.js";
import { bridgeLimits } from "../../shared/limits.js";
import type { JsonObject } from "../../shared/wire/json.js";
import type { Confirmation } from "../../shared/wire/safety.js";
import { pluginName, pluginTitle } from "../../shared/wire/plugin.js";
import { serverInstructions } from "../../shared/surface/instructions.js";
import type { SiyuanAddress } from "../coordinator/address.js";
import { RpcError } from "../coordinator/answers.js";
import { CoordinatorClient } from "../coordinator/client.js";
import { purposeOf } from "../coordinator/purpose.js";
import { refusal } from "../coordinator/refusal.js";
import { version } from "../version.js";
import { defaultTools } from "./default-tools.js";

export interface RelayOptions {
  readonly address: SiyuanAddress;
  readonly token?: string;
}

export function serveRelay({ address, token }: RelayOptions): void {
  const coordinator = new CoordinatorClient({
    address,
    ...(token !== undefined && { token }),
    client: { name: "siyuan-sisyphus-mcp", version },
    connectRetries: bridgeLimits.connectRetries,
    notify: log,
  });
  serveStdio(({ era }) => relayServer(coordinator, era === "modern" ? "dialog" : "convention"), {
    onerror: (error) => log(error.message),
  });
  // The kept connection to SiYuan would hold the process for a while; clients wait for its end.
  const leave = () => process.exit(0);
  process.stdin.on("end", leave);
  process.stdin.on("close", leave);
  process.stdout.on("error", leave);
}

function log(message: string): void {
  process.stderr.write(`siyuan-sisyphus-mcp: ${message}\n`);
}

function relayServer(coordinator: CoordinatorClient, confirmation: Confirmation): Server {
  const server = new Server(
    { name: pluginName, title: pluginTitle, version },
    { capabilities: { tools: {} }, instructions: serverInstructions(true) },
  );

  server.setRequestHandler("tools/list", async (_request, context) => {
    const tools = await coordinator.listTools({ signal: context.mcpReq.signal }).catch((error: unknown) => {
      log(`the tools enabled by default are listed: ${messageOf(error)}`);
      return defaultTools();
    });
    return { tools } as unknown as ListToolsResult;
  });

  server.setRequestHandler("tools/call", async (request, context) => {
    const { name } = request.params;
    const args = (request.params.arguments ?? {}) as JsonObject;
    const purpose = purposeOf(name, args);
    try {
      const { result } = await coordinator.call(name, args, { purpose, confirmation, signal: context.mcpReq.signal });
      return toolResult(result);
    } catch (error) {
      if (error instanceof RpcError) throw new ProtocolError(error.rpcCode, error.message);
      if (!(error instanceof SisyphusError)) throw error;
      log(`${name}: ${error.code}: ${error.message}`);
      const structured = refusal(error, {
        tool: name,
        ...(typeof args.action === "string" && { action: args.action }),
        purpose,
      });
      return toolResult({
        content: [{ type: "text", text: JSON.stringify(structured) }],
        structuredContent: structured,
        isError: true,
      });
    }
  });
  return server;
}

/** The era of the client decides about the rest of the envelope, and the SDK writes that. */
function toolResult({ content, structuredContent, isError }: JsonObject): CallToolResult {
  return { content, structuredContent, ...(isError === true && { isError }) } as unknown as CallToolResult;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
