// fs.read: a document as Markdown, whole or as a window of whole top-level blocks.

import { fsRead } from "../../../shared/catalogue/fs.js";
import { SisyphusError } from "../../../shared/errors.js";
import { readLimits, sizeLimits } from "../../../shared/limits.js";
import type { Json, JsonObject } from "../../../shared/wire/json.js";
import { type ChildBlock, ChildRows } from "../../api/child-rows.js";
import { implementRead, type Targets } from "../../safety/contract.js";
import { nothingFits, type Resolved, resolvePath } from "./resolve.js";
import { virtualText } from "./virtual-files.js";

/** Which blocks of a document a caller asks for; what else the input holds goes into the continuation unchanged. */
export interface WindowInput {
  readonly blockStart?: number;
  readonly blockLimit?: number;
  readonly tokenBudget?: number;
  readonly includeBlockIds?: boolean;
}

type Readable = Extract<Resolved, { kind: "virtual" | "document" }>;

export const readDocument = implementRead(fsRead, {
  async targets({ path }, tools): Promise<Targets<Readable>> {
    const found = await resolvePath(path, tools);
    if (found.kind === "virtual") return { ids: [], notebooks: [], found };
    if (found.kind !== "document") {
      throw new SisyphusError(
        "invalid_path",
        `${path} is ${found.kind === "root" ? "the list of notebooks" : "a notebook"}; fs ls lists its documents`,
        {
          fields: [{ path: "path", message: "not a document" }],
        },
      );
    }
    return { ids: [found.id], notebooks: [found.notebook.id], found };
  },
  async read(input, { found }, { reader, config }): Promise<Json> {
    if (found.kind === "virtual") {
      const text = await virtualText(config, found.file);
      // Never cut: one block, of a kind that no document has.
      const rows = ChildRows.of(text === "" ? [] : [{ id: "", type: "virtual", subType: "", markdown: text }]);
      return { path: found.file.path, virtual: true, ...windowOf(rows, { ...input, includeBlockIds: false }) };
    }
    const rows = await reader.childRows(found.id);
    // A document always holds a block: no tree holds this one any more.
    if (rows.length === 0) throw nothingFits(input.path);
    return { path: found.path, id: found.id, notebook: found.notebook.id, ...windowOf(rows, input) };
  },
});

/** Whole blocks from `blockStart`, as many as the limits allow, at least one. */
export function windowOf(rows: ChildRows, input: WindowInput): JsonObject {
  const blockStart = Math.min(input.blockStart ?? 0, rows.length);
  const texts = rows.markdown(blockStart, blockStart + (input.blockLimit ?? rows.length));
  const { count, tokens } = fitting(texts, input.tokenBudget);
  const taken = texts.slice(0, count);
  const next = blockStart + count;
  const hasNextWindow = next < rows.length;
  return {
    content: taken.join("\n\n"),
    outline: rows.headings(blockStart, next).map((index) => headingRow(index, rows.block(index))),
    blockStart,
    returnedBlocks: count,
    totalBlocks: rows.length,
    estimatedTokens: tokens,
    tokenMode: "approx_context_v1",
    truncated: hasNextWindow || blockStart > 0,
    hasNextWindow,
    ...(input.tokenBudget !== undefined && tokens > input.tokenBudget ? { budgetExceeded: true } : {}),
    ...(input.includeBlockIds
      ? { blockRefs: taken.map((_text, index) => refRow(blockStart + index, rows.block(blockStart + index))) }
      : {}),
    ...(hasNextWindow ? { nextWindow: { ...input, action: "read", blockStart: next } as unknown as JsonObject } : {}),
  };
}

/** How many of the first texts the budget and the size of an answer allow, at least one, and what they cost. */
function fitting(texts: readonly string[], tokenBudget = Number.POSITIVE_INFINITY): { count: number; tokens: number } {
  let tokens = 0;
  let chars = 0;
  let count = 0;
  while (count < texts.length) {
    const { length } = texts[count] as string;
    const cost = Math.ceil(length / readLimits.charsPerToken);
    chars += length;
    if (count > 0 && (tokens + cost > tokenBudget || chars > sizeLimits.maxDocumentWindowBytes)) break;
    tokens += cost;
    count++;
  }
  return { count, tokens };
}

function headingRow(blockIndex: number, { id, subType, markdown }: ChildBlock): JsonObject {
  return {
    blockIndex,
    level: Number(subType.slice(1)) || 1,
    title: markdown.replace(/^#+\s*/, "").split("\n")[0] ?? "",
    id,
  };
}

function refRow(blockIndex: number, { id, type, subType }: ChildBlock): JsonObject {
  return { blockIndex, id, type, subtype: subType };
}
