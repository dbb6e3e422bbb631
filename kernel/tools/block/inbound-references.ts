// Who refers to a block: the index finds the holders after it caught up, their live blocks prove it.

import { SisyphusError } from "../../../shared/errors.js";
import { sizeLimits } from "../../../shared/limits.js";
import { referenceIds } from "../../api/dom.js";
import type { IndexedReference, SiyuanReader } from "../../api/reader.js";
import { readDocumentBlocks } from "./document-blocks.js";

/** A live block that refers to another one. */
export interface ReferenceHolder extends IndexedReference {
  readonly dom: string;
}

/**
 * The live holders of references to the block, or to any block inside the document, in a stable order. What was written
 * a moment ago counts; rows of blocks that are gone, or refer to it no more, do not.
 */
export async function inboundReferences(
  reader: SiyuanReader,
  to: { readonly block: string } | { readonly insideDocument: string },
): Promise<readonly ReferenceHolder[]> {
  await reader.catchUpIndex();
  const limit = sizeLimits.maxReferences;
  const rows = await reader.indexedReferences(to, limit + 1);
  if (rows.length > limit) {
    throw new SisyphusError("invalid_arguments", `more than ${limit} references; none was touched`, {
      fields: [{ path: "block" in to ? "fromID" : "path", message: `more than ${limit} references` }],
    });
  }
  const blocks = await readDocumentBlocks(
    reader,
    rows.map(({ holder, path }) => ({ id: holder, path })),
  );
  const holders: ReferenceHolder[] = [];
  for (const row of rows) {
    const dom = blocks.get(row.holder)?.dom ?? "";
    if (dom.includes(row.target) && referenceIds(dom).includes(row.target)) holders.push({ ...row, dom });
  }
  return holders;
}
