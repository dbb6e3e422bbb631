// Entry of siyuan-sisyphus. The version is answered before anything else is loaded.

import { version } from "../node-bridge/version.js";

const words = process.argv.slice(2);

if (words.length === 1 && (words[0] === "--version" || words[0] === "-v")) {
  process.stdout.write(`${version}\n`);
} else {
  const { run } = await import("./run.js");
  await run(words);
}
