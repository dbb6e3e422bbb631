// Builds and starts the engine tier: the Go program beside this file, which hosts kernel.js in SiYuan's goja.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { access, mkdir, readdir, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const here = dirname(fileURLToPath(import.meta.url));
const cacheDir = join(here, "..", "..", "node_modules", ".cache", "goja-engine");
const startTimeoutMs = 30_000;
const stopTimeoutMs = 10_000;
const logTailLines = 200;

export interface EngineOptions {
  /** Base URL of the SiYuan that answers everything but the plugin's own routes. */
  targetUrl: string;
  /** API token of the target, and of the engine's own port. */
  token: string;
  /** With a code the plugin's own token dies one second after the start, as on SiYuan <= 3.7.3. */
  accessAuthCode?: string;
  kernelFile: string;
  plugin?: string;
  /** Folder behind `siyuan.storage`; give the sandbox's `data/storage/petal/<plugin>` to share it. */
  storageDir?: string;
  secrets?: Record<string, string>;
}

export interface Engine {
  apiUrl: string;
  mcpUrl: string;
  pid: number;
  /** Time to compile and run kernel.js. */
  loadMs: number;
  /** The last lines of the engine's and the plugin's log. */
  log(): string;
  /** SIGTERM, so `onunload` runs; SIGKILL after 10 s, which a dead event loop needs. */
  stop(): Promise<void>;
}

/**
 * Path of the built program, from a cache keyed by the Go sources; null with a notice where Go is absent.
 * @throws when Go is absent in CI, or when the build fails.
 */
export async function buildEngine(): Promise<string | null> {
  const binary = join(cacheDir, await sourceKey(), process.platform === "win32" ? "engine.exe" : "engine");
  if (await exists(binary)) return binary;
  await mkdir(dirname(binary), { recursive: true });
  const fresh = `${binary}.${process.pid}`;
  try {
    await promisify(execFile)("go", ["build", "-trimpath", "-o", fresh, "."], { cwd: here });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    if (process.env.CI === "true") throw new Error("the engine tier needs Go in CI: the command `go` was not found");
    process.stderr.write("notice: Go is not installed, the engine tier is skipped\n");
    return null;
  }
  await rename(fresh, binary);
  return binary;
}

/**
 * Starts the engine and waits until the plugin runs, hooks included.
 * @throws when Go is absent, or when the script fails or does not start within 30 s; the message ends with the log.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const binary = await buildEngine();
  if (binary === null) throw new Error("the engine tier needs Go: ask buildEngine() first");
  const child = spawn(binary, flags(options), { stdio: ["ignore", "pipe", "pipe"] });
  const log = tail(child);
  const stop = stopper(child);
  try {
    const deadline = AbortSignal.timeout(startTimeoutMs);
    const ready = await firstLine(child, deadline);
    await untilRunning(child, ready.apiUrl, deadline);
    return { ...ready, log, stop };
  } catch (error) {
    child.kill("SIGKILL");
    await stop();
    throw new Error(`the engine did not start: ${String(error)}\n${log()}`);
  }
}

function flags(options: EngineOptions): string[] {
  const list = ["-target", options.targetUrl, "-kernel", options.kernelFile, "-token", options.token];
  if (options.accessAuthCode) list.push("-access-code", options.accessAuthCode);
  if (options.plugin) list.push("-plugin", options.plugin);
  if (options.storageDir) list.push("-storage", options.storageDir);
  for (const [name, value] of Object.entries(options.secrets ?? {})) list.push("-secret", `${name}=${value}`);
  return list;
}

type Ready = Pick<Engine, "apiUrl" | "mcpUrl" | "pid" | "loadMs">;

function firstLine(child: ChildProcess, deadline: AbortSignal): Promise<Ready> {
  return new Promise((resolve, reject) => {
    if (!child.stdout) return reject(new Error("no stdout"));
    createInterface({ input: child.stdout }).once("line", (line) => resolve(JSON.parse(line) as Ready));
    child.once("error", reject);
    child.once("exit", (code, signal) => reject(new Error(`exit ${code ?? signal}`)));
    deadline.addEventListener("abort", () => reject(new Error("kernel.js still loads (a timer at its top level?)")));
  });
}

async function untilRunning(child: ChildProcess, apiUrl: string, deadline: AbortSignal): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const answer = await fetch(`${apiUrl}/engine/state`, { signal: deadline });
    const { state } = (await answer.json()) as { state: string };
    if (state === "running") return;
    if (state === "error") throw new Error("kernel.js failed to load");
    await delay(10);
  }
  throw new Error(`exit ${child.exitCode ?? child.signalCode}`);
}

function tail(child: ChildProcess): () => string {
  const lines: string[] = [];
  if (child.stderr) {
    createInterface({ input: child.stderr }).on("line", (line) => {
      lines.push(line);
      if (lines.length > logTailLines) lines.shift();
    });
  }
  return () => lines.join("\n");
}

function stopper(child: ChildProcess): () => Promise<void> {
  const onParentExit = () => child.kill("SIGKILL");
  process.once("exit", onParentExit);
  const gone = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  }).then(() => void process.off("exit", onParentExit));
  return async () => {
    child.kill("SIGTERM");
    const patience = new AbortController();
    const late = delay(stopTimeoutMs, "late", { signal: patience.signal }).catch(() => "cancelled");
    if ((await Promise.race([gone, late])) === "late") child.kill("SIGKILL");
    patience.abort();
    await gone;
  };
}

async function sourceKey(): Promise<string> {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}\n`);
  const names = (await readdir(here)).filter((name) => /\.(go|mod|sum)$/.test(name) && !name.endsWith("_test.go"));
  for (const name of names.sort()) hash.update(`${name}\n`).update(await readFile(join(here, name)));
  return hash.digest("hex").slice(0, 16);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
