// document.get_child_blocks and document.get_child_docs: what lies directly inside and below a document.

import { documentGetChildBlocks, documentGetChildDocs } from "../../../shared/catalogue/document.js";
import type { Json, JsonObject } from "../../../shared/wire/json.js";
import { implementRead, type ReadTools } from "../../safety/contract.js";
import { pageOf } from "../paging.js";
import { liveDocument } from "./live-document.js";

interface PagedInput {
  readonly id: string;
  readonly page?: number;
  readonly pageSize?: number;
}

async function target({ id }: PagedInput, { reader }: ReadTools) {
  const document = await liveDocument(reader, id, "id");
  return { ids: [id], notebooks: [document.notebook], found: document };
}

/** All rows, unless the caller asked for a page. */
function rowsOf({ id, page, pageSize }: PagedInput, rows: readonly Json[]): JsonObject {
  const wantsPage = page !== undefined || pageSize !== undefined;
  return { id, ...(wantsPage ? pageOf(rows, page, pageSize) : pageOf(rows, 1, Math.max(1, rows.length))) };
}

export const getChildBlocks = implementRead(documentGetChildBlocks, {
  targets: target,
  async read(input: PagedInput, _targets, { reader }) {
    const blocks = await reader.children(input.id);
    return rowsOf(
      input,
      blocks.map((block) => ({ ...block })),
    );
  },
});

export const getChildDocuments = implementRead(documentGetChildDocs, {
  targets: target,
  async read(input: PagedInput, { found }, { reader }) {
    const documents = await reader.documents(found.notebook, found.path);
    return rowsOf(
      input,
      documents.map(({ id: child, title, path, icon, children }) => ({ id: child, title, path, icon, children })),
    );
  },
});
