// The lint proves itself: each rule about runtimes and layers is broken once in a copy of the tree and must be reported there.

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const copied = [
  "shared",
  "kernel",
  "node-bridge",
  "cli",
  "console",
  "scripts",
  "biome.json",
  "package.json",
  "tsconfig.base.json",
  "tsconfig.kernel.json",
  ".gitignore",
];

let copy = "";

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "lint-"));
  for (const name of copied) cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "junction");
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function run(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: "utf8" });
  return status === 0 ? "" : stdout + stderr;
}

const biome = (...paths: string[]) =>
  run(["node_modules/@biomejs/biome/bin/biome", "lint", "--error-on-warnings", "--max-diagnostics=none", ...paths]);
const importTable = () => run(["scripts/check-imports.mjs"]);
const compiler = () => run(["node_modules/typescript/bin/tsc", "-p", "tsconfig.kernel.json", "--pretty", "false"]);

/** The lint's output while the files lie in the copy. */
function withPlanted(files: Readonly<Record<string, string>>, check: () => string): string {
  const paths = Object.keys(files);
  try {
    for (const path of paths) writeFileSync(join(copy, path), `// Planted.\n\n${files[path]}\n`);
    return check();
  } finally {
    for (const path of paths) rmSync(join(copy, path));
  }
}

it("finds nothing in the tree as it is", () => {
  expect(biome()).toBe("");
  expect(importTable()).toBe("");
});

describe("runtimes", () => {
  it("catches a Node module in the kernel, twice", () => {
    const files = { "kernel/api/planted.ts": 'export { readFile } from "node:fs/promises";' };
    expect(withPlanted(files, importTable)).toContain("kernel/api/planted.ts:3 kernel/api does not run in Node");
    expect(withPlanted(files, () => biome("kernel/api/planted.ts"))).toContain("noNodejsModules");
  });

  it("catches the kernel importing a Node program", () => {
    const files = { "kernel/dispatch/planted.ts": 'export { version } from "../../node-bridge/version.js";' };
    expect(withPlanted(files, importTable)).toContain("kernel/dispatch may not import node-bridge");
  });

  it("catches the kernel in a relay", () => {
    const files = { "node-bridge/planted.ts": 'export { Coordinator } from "../kernel/safety/coordinator.js";' };
    expect(withPlanted(files, importTable)).toContain("node-bridge may not import kernel/safety");
  });

  it("catches a Node program's part in shared, and a package nobody listed", () => {
    const files = {
      "shared/wire/planted.ts": 'export { version } from "../../node-bridge/version.js";',
      "kernel/safety/planted.ts": 'export { fetch } from "undici";',
    };
    const output = withPlanted(files, importTable);
    expect(output).toContain("shared/wire may not import node-bridge");
    expect(output).toContain("kernel/safety may not import the package undici");
  });

  it("catches process in the kernel", () => {
    const files = { "kernel/tools/planted.ts": "export const home = process.env.HOME;" };
    expect(withPlanted(files, () => biome("kernel/tools/planted.ts"))).toContain("There is no process");
  });

  it("compiles no global in the kernel that its engine lacks", () => {
    const names = [
      "process",
      "window",
      "fetch",
      "TextEncoder",
      "structuredClone",
      "AbortController",
      "console",
      "WeakRef",
    ];
    const files = { "kernel/host/planted.ts": `export const planted = [${names.join(", ")}];` };
    const output = withPlanted(files, compiler);
    for (const name of names) expect(output).toContain(`Cannot find name '${name}'`);
  });
});

describe("the Host seam", () => {
  it.each([
    ["the clock", "Date.now()", "reads the clock"],
    ["a timer", "setTimeout(() => undefined, 1)", "starts timers"],
    ["SiYuan", "siyuan.plugin.name", "touches SiYuan"],
  ])("catches %s in kernel/safety", (_what, expression, message) => {
    const files = { "kernel/safety/planted.ts": `export const planted = ${expression};` };
    expect(withPlanted(files, () => biome("kernel/safety/planted.ts"))).toContain(message);
  });

  it("catches Math.random in the kernel", () => {
    const files = { "kernel/safety/planted.ts": "export const planted = () => Math.random();" };
    expect(withPlanted(files, importTable)).toContain("Math.random can be guessed");
  });
});

describe("layers", () => {
  it.each([
    ["kernel/safety", "../tools/implementations.js", "kernel/safety may not import kernel/tools"],
    ["kernel/safety", "../protocol/endpoint.js", "kernel/safety may not import kernel/protocol"],
    ["kernel/api", "../safety/ledger.js", "kernel/api may not import kernel/safety"],
    ["kernel/host", "../api/reader.js", "kernel/host may not import kernel/api"],
    ["kernel/protocol", "../safety/coordinator.js", "kernel/protocol may not import kernel/safety"],
    ["kernel/tools", "../safety/coordinator.js", "kernel/tools may not import kernel/safety"],
    ["kernel/safety", "../host/siyuan-host.js", "kernel/safety may import only types of kernel/host"],
    ["console", "../cli/run.js", "console may not import cli"],
  ])("catches %s importing %s", (folder, specifier, message) => {
    expect(withPlanted({ [`${folder}/planted.ts`]: `export * from "${specifier}";` }, importTable)).toContain(message);
  });

  it("catches a cycle", () => {
    const files = {
      "kernel/safety/planted-a.ts": 'import { b } from "./planted-b.js";\n\nexport const a = () => b;',
      "kernel/safety/planted-b.ts": 'import { a } from "./planted-a.js";\n\nexport const b = () => a;',
    };
    expect(withPlanted(files, biome)).toContain("noImportCycles");
  });
});
