// The host under test: a live SiYuan named by the environment, or an in-process sandbox; and small helpers to talk to it.
import { cpSync, existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "../sandbox/sandbox.ts";

export const fixtureName = "host-facts-fixture";
export const fixtureFolder = join(import.meta.dirname, "fixture-plugin");
export const missing = "20200101000000-abcdefg";

export interface Envelope<T = unknown> {
  code: number;
  msg: string;
  data: T;
}

export interface HostUnderTest {
  apiUrl: string;
  token: string;
  /** The workspace folder, when this process can reach it. */
  workspace: string | undefined;
  stop(): Promise<void>;
}

const liveUrl = process.env.SIYUAN_API_URL;

export const isLive = liveUrl !== undefined;
/** Facts that need a plugin of our own run where we can install one. */
export const canInstallPlugins = !isLive || process.env.SIYUAN_WORKSPACE !== undefined;

export async function openHost(accessAuthCode?: string): Promise<HostUnderTest> {
  if (liveUrl !== undefined) {
    const token = process.env.SIYUAN_TOKEN;
    if (token === undefined) throw new Error("SIYUAN_API_URL is set: SIYUAN_TOKEN must be set too");
    return { apiUrl: liveUrl, token, workspace: process.env.SIYUAN_WORKSPACE, stop: async () => {} };
  }
  const sandbox: Sandbox = await startSandbox(accessAuthCode === undefined ? {} : { accessAuthCode });
  return { apiUrl: sandbox.apiUrl, token: sandbox.token, workspace: sandbox.workspace, stop: () => sandbox.stop() };
}

/** A client with the API token. */
export class Api {
  constructor(readonly host: HostUnderTest) {}

  request(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.host.apiUrl}${path}`, {
      method: "POST",
      headers: { Authorization: `Token ${this.host.token}`, ...headers },
      body: JSON.stringify(body),
    });
  }

  async call<T = unknown>(route: string, body: unknown = {}): Promise<Envelope<T>> {
    return (await (await this.request(`/api/${route}`, body)).json()) as Envelope<T>;
  }

  /** The data of a call that must succeed. */
  async data<T>(route: string, body: unknown = {}): Promise<T> {
    const answer = await this.call<T>(route, body);
    if (answer.code !== 0) throw new Error(`${route}: code ${answer.code} ${answer.msg}`);
    return answer.data;
  }

  async kramdown(id: string): Promise<string> {
    return (await this.data<{ kramdown: string }>("block/getBlockKramdown", { id })).kramdown;
  }

  async dom(id: string): Promise<string> {
    return (await this.data<{ dom: string }>("block/getBlockDOM", { id })).dom;
  }

  async children(id: string): Promise<{ id: string; type: string; markdown?: string; content?: string }[]> {
    return this.data("block/getChildBlocks", { id });
  }

  async document(notebook: string, markdown: string, path = "/Facts"): Promise<string> {
    return this.data("filetree/createDocWithMd", { notebook, path, markdown });
  }
}

export interface WriteAnswer {
  doOperations: { action: string; id: string; parentID: string; previousID: string; data: string }[];
}

export function firstOperation(answer: Envelope<WriteAnswer[]>): WriteAnswer["doOperations"][number] {
  const operation = answer.data[0]?.doOperations[0];
  if (!operation) throw new Error("the answer has no operation");
  return operation;
}

export async function createScratch(api: Api): Promise<string> {
  const { notebook } = await api.data<{ notebook: { id: string } }>("notebook/createNotebook", {
    name: "host-facts scratch",
  });
  return notebook.id;
}

export async function removeScratch(api: Api, notebook: string): Promise<void> {
  await api.call("notebook/removeNotebook", { notebook });
}

/** Attribute names of the outermost kramdown line, in the order printed. */
export function lastLineNames(kramdown: string): string[] {
  const line = kramdown.slice(kramdown.lastIndexOf("{: "));
  return [...line.matchAll(/([\w-]+)="/g)].map((match) => match[1] as string);
}

export async function timed<T>(run: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const start = performance.now();
  const value = await run();
  return { value, ms: performance.now() - start };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Puts the fixture plugin into the workspace under a name of its own and starts it. */
export async function installFixture(api: Api, name: string): Promise<void> {
  const { workspace } = api.host;
  if (workspace === undefined) throw new Error("no workspace to install into");
  const target = join(workspace, "data/plugins", name);
  rmSync(target, { recursive: true, force: true });
  const staging = `${target}.new`;
  cpSync(fixtureFolder, staging, { recursive: true });
  renameSync(staging, target);
  await api.data("petal/setPetalEnabled", { packageName: name, enabled: true });
}

export async function removeFixture(api: Api, name: string): Promise<void> {
  const { workspace } = api.host;
  if (workspace === undefined) return;
  await api.call("petal/setPetalEnabled", { packageName: name, enabled: false });
  for (const folder of [join(workspace, "data/plugins", name), join(workspace, "data/storage/petal", name)]) {
    if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
  }
}
