// Writes a file whole or not at all: builds may run side by side, and SiYuan loads kernel.js the moment it is written.

import { rename, writeFile } from "node:fs/promises";

let count = 0;

export async function writeWhole(path, content, mode = 0o644) {
  const fresh = `${path}.${process.pid}.${count++}.new`;
  await writeFile(fresh, content, { mode });
  await rename(fresh, path);
}
