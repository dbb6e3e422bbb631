// What a route handler is given, and the table of routes.
import type { Kernel } from "../kernel.ts";
import type { PluginHost } from "../plugin-host/plugin-host.ts";
import type { Envelope } from "./answer.ts";
import type { RequestArguments } from "./arguments.ts";

export interface RouteCall {
  kernel: Kernel;
  plugins: PluginHost;
  arguments: RequestArguments;
  /** A fault rule wants the answer of a write without the write: skip every change. */
  withoutEffect: boolean;
}

export type JsonRoute = (call: RouteCall) => Promise<Envelope> | Envelope;

/** Keyed by the path below /api/. */
export type RouteTable = Record<string, JsonRoute>;
