// fs.search: lines of Markdown under a path. It reads the live documents as fs.read does, not SiYuan's export: an export
// puts the text of embedded and referenced notes into a document, out of notebooks that may be hidden too.

import { fsSearch } from "../../../shared/catalogue/fs.js";
import { readLimits } from "../../../shared/limits.js";
import type { Json, JsonObject } from "../../../shared/wire/json.js";
import type { SiyuanReader } from "../../api/reader.js";
import { implementRead, type ReadTools } from "../../safety/contract.js";
import { pageOf } from "../paging.js";
import { inParallel } from "../parallel.js";
import { branchOf, notebookBranch } from "./branches.js";
import { type Branch, errorRow, flatten, grow } from "./forest.js";
import { anyCaseTextMatcher, exactTextMatcher, type LineMatcher, patternMatcher } from "./line-matcher.js";
import { readableNotebooks, type Resolved, resolvePath } from "./resolve.js";
import { type VirtualFile, virtualFiles, virtualText } from "./virtual-files.js";

interface SearchInput {
  readonly path: string;
  readonly query: string;
  readonly regex?: boolean;
  readonly caseSensitive?: boolean;
  readonly page?: number;
  readonly pageSize?: number;
}

export const search = implementRead(fsSearch, {
  async targets(input: SearchInput, tools) {
    // A pattern that cannot run is refused before anything is read.
    matcherOf(input);
    const found = await resolvePath(input.path, tools);
    return { ids: [], notebooks: "notebook" in found ? [found.notebook.id] : [], found };
  },

  async read(input: SearchInput, { found }, tools): Promise<Json> {
    const matcher = matcherOf(input);
    const { files, documents, errors } = await scopeOf(found, tools);
    const searched = documents.slice(0, readLimits.maxSearchedDocuments);
    const inFiles = await inParallel(files, async (file) =>
      linesOf({ path: file.path, virtual: true }, await virtualText(tools.config, file), matcher),
    );
    const inDocuments = await inParallel(searched, async ({ id, path }) =>
      linesOf({ path }, await markdownOf(tools.reader, id), matcher),
    );
    const rows: JsonObject[] = [];
    for (const lines of inFiles.concat(inDocuments)) for (const line of lines) rows.push(line);
    const leftOut = documents.length - searched.length;
    return {
      path: input.path,
      ...pageOf(rows, input.page, input.pageSize),
      ...(leftOut > 0 || errors.length > 0
        ? { partial: true, documentsLeftOut: leftOut, errors, hint: "Search under a narrower path to reach the rest" }
        : {}),
    };
  },
});

function matcherOf({ query, regex, caseSensitive }: SearchInput): LineMatcher {
  if (regex) return patternMatcher(query, caseSensitive ? "" : "i");
  return caseSensitive ? exactTextMatcher(query) : anyCaseTextMatcher(query);
}

interface Scope {
  readonly files: readonly VirtualFile[];
  readonly documents: readonly Branch[];
  readonly errors: readonly JsonObject[];
}

async function scopeOf(found: Resolved, tools: ReadTools): Promise<Scope> {
  if (found.kind === "virtual") return { files: [found.file], documents: [], errors: [] };
  const roots =
    found.kind === "root"
      ? (await readableNotebooks(tools)).filter((notebook) => !notebook.closed).map(notebookBranch)
      : [await branchOf(found, tools.reader)];
  const errors = (await grow(tools.reader, roots, readLimits.maxTreeDepth)).map(errorRow);
  const documents = flatten(roots).filter((branch) => branch.storagePath !== "/");
  return { files: found.kind === "root" ? virtualFiles : [], documents, errors };
}

/** The text that fs.read gives of the whole document. */
async function markdownOf(reader: SiyuanReader, id: string): Promise<string> {
  const rows = await reader.childRows(id);
  return rows.markdown(0, rows.length).join("\n\n");
}

function linesOf(place: JsonObject, text: string, matcher: LineMatcher): readonly JsonObject[] {
  const rows: JsonObject[] = [];
  text.split("\n").forEach((line, index) => {
    const at = matcher(line);
    if (at !== undefined) rows.push({ ...place, line: index + 1, ...excerpt(line, at) });
  });
  return rows;
}

/** The line, or the part of a long one where it matches. */
function excerpt(line: string, at: number): JsonObject {
  const { maxExcerptChars } = readLimits;
  if (line.length <= maxExcerptChars) return { text: line };
  const start = Math.max(0, Math.min(at - Math.floor(maxExcerptChars / 4), line.length - maxExcerptChars));
  return { text: line.slice(start, start + maxExcerptChars), textTruncated: true, originalTextLength: line.length };
}
