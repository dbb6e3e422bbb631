// A document's source, cut into its top-level blocks.

/**
 * The source of each block that was found in it, attribute lines included.
 *
 * @param ids all of the document's top-level blocks, in order
 */
export async function sourceByBlock(
  kramdown: string,
  ids: readonly string[],
  pause: () => Promise<void>,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  let from = 0;
  for (let index = 0; index < ids.length; index++) {
    const id = ids[index] as string;
    const end = endOfBlock(kramdown, id, from);
    if (end >= 0) {
      found.set(id, kramdown.slice(from, end).replace(/^\n+/, ""));
      from = end;
    }
    if (index % idsPerSlice === idsPerSlice - 1) await pause();
  }
  return found;
}

const idsPerSlice = 100;

/** Behind the block's own attribute line, which begins its line; the lines of blocks inside it are led by marks. */
function endOfBlock(kramdown: string, id: string, from: number): number {
  const mark = `id="${id}"`;
  for (let at = kramdown.indexOf(mark, from); at >= 0; at = kramdown.indexOf(mark, at + 1)) {
    const lineStart = kramdown.lastIndexOf("\n", at) + 1;
    if (!kramdown.startsWith("{: ", lineStart)) continue;
    const lineEnd = kramdown.indexOf("\n", at);
    return lineEnd < 0 ? kramdown.length : lineEnd;
  }
  return -1;
}
