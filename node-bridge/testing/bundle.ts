// Builds one of the Node programs into a temporary folder, for tests that start it as a process.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export interface Program {
  readonly file: string;
  readonly folder: string;
  remove(): void;
}

/** `entry` is relative to the repository. The file stands alone in its folder, as when it is installed. */
export async function bundle(entry: string): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), "sisyphus-program-"));
  const file = join(folder, "program.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL(`../../${entry}`, import.meta.url))],
    outfile: file,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    logLevel: "error",
  });
  return { file, folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Called with a way to signal the process once it runs. */
  readonly started?: (kill: (signal: NodeJS.Signals) => void) => void;
}

/** Starts the program with an environment of its own: no profile or token of the machine reaches it. */
export function runProgram(
  program: Program,
  args: readonly string[],
  { env = {}, stdin = "", started }: RunOptions = {},
): Promise<Run> {
  const home = { HOME: program.folder, USERPROFILE: program.folder, PATH: process.env.PATH ?? "" };
  const child = spawn(process.execPath, [program.file, ...args], { cwd: program.folder, env: { ...home, ...env } });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.end(stdin);
  started?.((signal) => child.kill(signal));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}
