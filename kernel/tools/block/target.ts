// The target of a read of one block or document.

import type { ReadTools } from "../../safety/contract.js";
import { liveBlock } from "./location.js";

export async function readTarget(id: string, { reader }: ReadTools) {
  const block = await liveBlock(reader, id, "id");
  return { ids: [id], notebooks: [block.notebook], found: block };
}
