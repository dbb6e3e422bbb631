// What the Node programs add: the stdio relay to a direct call, the command line to a bare start of Node.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { cliFile, relayFile } from "../package-folder.js";
import { limits } from "./limits.js";
import { compare, plain, type Row } from "./measure.js";
import type { Scene } from "./scene.js";

export async function* programRows(scene: Scene): AsyncGenerator<Row> {
  const { client, rounds } = scene;
  const env = { ...process.env, SIYUAN_API_URL: scene.tier.apiUrl, SIYUAN_TOKEN: scene.tier.token };

  const relay = new Relay(spawn(process.execPath, [relayFile], { env, stdio: ["pipe", "pipe", "ignore"] }));
  try {
    await relay.open();
    const list = { action: "list" };
    yield await compare(
      plain("the direct call", () => client.call("notebook", list)),
      plain("notebook list over the stdio relay", () => relay.call("notebook", list)),
      rounds,
      limits.relay,
    );
  } finally {
    relay.close();
  }

  const run = async (...args: string[]) => {
    await promisify(execFile)(process.execPath, args, { env });
  };
  const bareNode = plain("node -e 0", () => run("-e", "0"));
  yield await compare(
    bareNode,
    plain("command line: --version", () => run(cliFile, "--version")),
    rounds,
    limits.cliVersion,
  );
  yield await compare(
    bareNode,
    plain("command line: notebook list", () => run(cliFile, "notebook", "list")),
    rounds,
    limits.cliList,
  );
}

/** JSON lines to the relay and back, one call at a time: a client library would add its own cost. */
class Relay {
  readonly #child: ChildProcess;
  #waiting: { resolve(line: string): void; reject(reason: Error): void } | undefined;
  #id = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    if (child.stdout) createInterface({ input: child.stdout }).on("line", (line) => this.#waiting?.resolve(line));
    child.once("exit", () => this.#waiting?.reject(new Error("the relay ended")));
  }

  async open(): Promise<void> {
    const clientInfo = { name: "bench", version: "1" };
    await this.#request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    this.#send({ jsonrpc: "2.0", method: "notifications/initialized" });
  }

  async call(tool: string, args: object): Promise<void> {
    const result = await this.#request("tools/call", { name: tool, arguments: args });
    if (result.isError) throw new Error(JSON.stringify(result));
  }

  close(): void {
    this.#child.kill();
  }

  #send(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  async #request(method: string, params: object): Promise<{ isError?: boolean }> {
    const answer = new Promise<string>((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
    this.#send({ jsonrpc: "2.0", id: ++this.#id, method, params });
    const line = await answer;
    const { result } = JSON.parse(line);
    if (result === undefined) throw new Error(line);
    return result;
  }
}
