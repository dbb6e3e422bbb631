// Writes package.zip for SiYuan's marketplace: the plugin's own files only, the same bytes for the same content.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { zipSync } from "fflate";
import { writeWhole } from "./atomic-file.mjs";

/** The earliest time a zip can hold would depend on the time zone; noon of a fixed day does not. */
const fixedTime = new Date(2000, 0, 1, 12);

export async function writePackage(folder, names, target) {
  const files = {};
  for (const name of [...names].sort()) files[name] = new Uint8Array(await readFile(join(folder, name)));
  const zip = zipSync(files, { mtime: fixedTime, level: 9 });
  await writeWhole(target, zip);
  console.log(`package.zip: ${(zip.byteLength / 1000).toFixed(1)} kB with ${Object.keys(files).join(", ")}`);
}
