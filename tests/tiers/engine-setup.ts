// Builds the engine once before its tests, which run side by side. Fails where Go is missing in CI.

import { buildEngine } from "../goja/engine.js";

export async function setup(): Promise<void> {
  await buildEngine();
}
