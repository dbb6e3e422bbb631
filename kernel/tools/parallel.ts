// Runs requests side by side, at most as many at once as one read may have open.

import { readLimits } from "../../shared/limits.js";

/** The results in the order of the items. Rejects with the first failure. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at] as Item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(readLimits.parallelRequests, items.length) }, worker));
  return results;
}
