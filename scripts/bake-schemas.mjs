// Bakes the JSON Schema of every action into shared/surface/generated: making them from zod costs too much in goja.

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { writeWhole } from "./atomic-file.mjs";

export async function bakeSchemas(root) {
  const { catalogue, toJSONSchema } = await loadCatalogue(root);
  const lines = catalogue.flatMap((tool) =>
    tool.actions.map((action) => {
      const { $schema, ...schema } = toJSONSchema(action.input(), { io: "input" });
      return `  ${JSON.stringify(`${tool.name}.${action.name}`)}: ${JSON.stringify(withoutSafeIntegerMaximum(schema))},`;
    }),
  );
  const folder = join(root, "shared/surface/generated");
  await mkdir(folder, { recursive: true });
  await writeWhole(
    join(folder, "schemas.ts"),
    [
      "// The JSON Schema of every action, by tool.action. Written by build.mjs from the catalogue; do not edit.",
      "",
      'import type { Schemas } from "../json-schema.js";',
      "",
      "export const schemas: Schemas = {",
      ...lines,
      "};",
      "",
    ].join("\n"),
  );
}

/** The catalogue and the zod that its schemas were made with, which must be the same instance. */
async function loadCatalogue(root) {
  const cache = join(root, "node_modules/.cache");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "catalogue-"));
  try {
    const outfile = join(folder, "catalogue.mjs");
    await build({
      stdin: {
        contents:
          'export { catalogue } from "./shared/catalogue/catalogue.js"; export { toJSONSchema } from "zod/mini";',
        resolveDir: root,
      },
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "warning",
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** zod bounds every integer by the largest safe one, which tells a caller nothing and costs 29 characters a field. */
function withoutSafeIntegerMaximum(schema) {
  return JSON.parse(
    JSON.stringify(schema, (key, value) =>
      (key === "maximum" && value === Number.MAX_SAFE_INTEGER) ||
      (key === "minimum" && value === Number.MIN_SAFE_INTEGER)
        ? undefined
        : value,
    ),
  );
}
