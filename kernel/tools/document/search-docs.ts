// document.search_docs: documents of one notebook by title, from SiYuan's title index.

import { documentSearchDocs } from "../../../shared/catalogue/document.js";
import type { Json } from "../../../shared/wire/json.js";
import { implementRead } from "../../safety/contract.js";
import { requireOpen } from "../block/location.js";
import { documentAt, documentIdOf } from "./live-document.js";

interface SearchDocsInput {
  readonly notebook: string;
  readonly query: string;
  readonly path?: string;
}

export const searchDocuments = implementRead(documentSearchDocs, {
  async targets({ notebook }: SearchDocsInput, { reader }) {
    await requireOpen(reader, notebook);
    return { ids: [], notebooks: [notebook], found: undefined };
  },

  async read({ notebook, query, path }: SearchDocsInput, _targets, { reader, config }): Promise<Json> {
    const isUnderPath = path !== undefined && path !== "/";
    const folder = isUnderPath ? (await documentAt(reader, notebook, path, "path")).path.replace(/\.sy$/, "") : "";
    const [rows, limit] = await Promise.all([reader.searchTitles(query), reader.searchLimit()]);
    const inScope = (row: { notebook: string; path: string }) =>
      row.notebook === notebook && (!isUnderPath || row.path === `${folder}.sy` || row.path.startsWith(`${folder}/`));
    // A row with the path "/" is a notebook.
    const documents = rows.filter((row) => row.path !== "/");
    const docs = documents.filter(inScope).map((row) => ({
      id: documentIdOf(row.path),
      path: row.path,
      hPath: row.humanPath.slice(row.humanPath.indexOf("/")),
    }));
    let filteredOutCount = 0;
    // Rows of notebooks that may not be read are not even counted.
    for (const row of documents) if (!inScope(row) && (await config.mayRead(row.notebook))) filteredOutCount++;
    return {
      notebook,
      query,
      docs,
      ...(isUnderPath ? { pathApplied: true } : {}),
      ...(rows.length >= limit ? { partial: true } : {}),
      ...(filteredOutCount > 0 ? { filteredOutCount } : {}),
    };
  },
});
