// Builds everything that ships: bakes the schemas, bundles one file per runtime into dist/, and with --package zips the plugin.

import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeWhole } from "./scripts/atomic-file.mjs";
import { bakeSchemas } from "./scripts/bake-schemas.mjs";
import { writePackage } from "./scripts/package-zip.mjs";

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, "dist");
/** The host parses and compiles the whole file at each start; goja needs about a second for 1 MB. */
const maxKernelBytes = 600_000;

const common = {
  bundle: true,
  write: false,
  absWorkingDir: root,
  legalComments: "none",
  charset: "utf8",
  logLevel: "warning",
};

/** goja has neither of the two; both must exist before the first bundled statement runs. */
const kernelPolyfills = [
  'if(!Symbol.asyncIterator)Object.defineProperty(Symbol,"asyncIterator",{value:Symbol.for("Symbol.asyncIterator")});',
  'if(typeof queueMicrotask!=="function")globalThis.queueMicrotask=function(task){Promise.resolve().then(task)};',
].join("");

/** Bundled CommonJS dependencies call `require` for Node's own modules, which an ES module does not have. */
const nodeRequire =
  'import{createRequire as nodeRequireFactory}from"node:module";const require=nodeRequireFactory(import.meta.url);';

const nodeProgram = (entry) => ({
  ...common,
  entryPoints: [entry],
  platform: "node",
  target: "node20",
  format: "esm",
  minify: true,
  banner: { js: `#!/usr/bin/env node\n${nodeRequire}` },
});

const outputs = [
  {
    file: "kernel.js",
    maxBytes: maxKernelBytes,
    options: {
      ...common,
      entryPoints: ["kernel/main.ts"],
      platform: "neutral",
      mainFields: ["module", "main"],
      target: "es2017",
      format: "iife",
      // A name for every function keeps the stack traces in SiYuan's log readable, so names are not shortened.
      minifySyntax: true,
      minifyWhitespace: true,
      banner: { js: kernelPolyfills },
    },
  },
  {
    file: "index.js",
    options: {
      ...common,
      entryPoints: ["console/index.ts"],
      platform: "browser",
      target: "es2020",
      format: "cjs",
      external: ["siyuan"],
    },
  },
  {
    file: "cli.mjs",
    executable: true,
    // Two copies of string-width would each compile an emoji pattern at every start.
    options: {
      ...nodeProgram("cli/main.ts"),
      alias: { "string-width": join(root, "node_modules/string-width/index.js") },
    },
  },
  { file: "mcp-stdio.mjs", executable: true, options: nodeProgram("node-bridge/stdio/main.ts") },
];

async function bundle({ file, maxBytes, executable, options }) {
  const [entry] = options.entryPoints;
  if (!existsSync(join(root, entry))) return console.log(`dist/${file}: skipped, ${entry} does not exist yet`);
  const [output] = (await build(options)).outputFiles;
  const bytes = output.contents.byteLength;
  // goja loads what a source map comment names and refuses the script when it cannot.
  if (file === "kernel.js" && output.text.includes("sourceMappingURL="))
    throw new Error(`dist/${file} names a source map`);
  if (maxBytes !== undefined && bytes > maxBytes)
    throw new Error(`dist/${file} has ${bytes} bytes, more than ${maxBytes}`);
  await writeWhole(join(dist, file), output.contents, executable ? 0o755 : 0o644);
  console.log(`dist/${file}: ${(bytes / 1000).toFixed(1)} kB`);
}

/** What SiYuan's marketplace reads beside the code. */
async function copyPluginFiles() {
  const readmes = (await readdir(root)).filter((name) => /^README.*\.md$/.test(name));
  const present = ["plugin.json", "icon.png", "preview.png", ...readmes].filter((name) => existsSync(join(root, name)));
  await Promise.all(present.map((name) => copyFile(join(root, name), join(dist, name))));
  return present;
}

async function checkVersions() {
  const versions = await Promise.all(
    ["package.json", "plugin.json"].map(async (name) => JSON.parse(await readFile(join(root, name), "utf8")).version),
  );
  if (versions[0] !== versions[1])
    throw new Error(`package.json says version ${versions[0]}, plugin.json ${versions[1]}`);
}

await checkVersions();
await mkdir(dist, { recursive: true });
await bakeSchemas(root);
// One program that does not build yet must not keep the others from being tried.
const results = await Promise.allSettled(outputs.map(bundle));
const pluginFiles = await copyPluginFiles();
for (const { reason } of results.filter(({ status }) => status === "rejected")) {
  console.error(reason.message);
  process.exitCode = 1;
}
if (process.argv.includes("--package") && process.exitCode === undefined) {
  await writePackage(dist, ["kernel.js", "index.js", ...pluginFiles], join(root, "package.zip"));
}
