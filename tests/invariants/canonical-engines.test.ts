// One corpus of states through the engine inside SiYuan and through Node: equal bytes, so equal digests.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { buildEngine } from "../goja/engine.js";

const engine = await buildEngine();

it.skipIf(engine === null)(
  "the canonical form is equal byte for byte in goja and in Node (I-02)",
  async () => {
    const entry = fileURLToPath(new URL("canonical-corpus.ts", import.meta.url));
    const bundle = await build({ entryPoints: [entry], bundle: true, write: false, format: "iife", target: "es2017" });
    const folder = mkdtempSync(join(tmpdir(), "corpus-"));
    try {
      const script = join(folder, "corpus.js");
      writeFileSync(script, bundle.outputFiles[0]?.text ?? "");
      const node = execFileSync(process.execPath, [script], { encoding: "utf8" });
      const goja = execFileSync(engine ?? "", ["-eval", script], { encoding: "utf8" });
      expect(node.split("\n").length).toBeGreaterThan(45);
      expect(goja).toBe(node);
      const digest = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");
      expect(digest(goja)).toBe(digest(node));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  60_000,
);
