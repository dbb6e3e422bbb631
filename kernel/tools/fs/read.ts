// fs.read: a document as Markdown, whole or as a window of whole top-level blocks.

import { fsRead } from "../../../shared/catalogue/fs.js";
import { SisyphusError } from "../../../shared/errors.js";
import { readLimits, sizeLimits } from "../../../shared/limits.js";
import type { Json, JsonObject } from "../../../shared/wire/json.js";
import type { ChildBlock } from "../../api/reader.js";
import { implementRead, type Targets } from "../../safety/contract.js";
import { type Resolved, resolvePath } from "./resolve.js";
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
      const blocks = text === "" ? [] : [{ id: "", type: "virtual", subType: "", markdown: text }];
      return { path: found.file.path, virtual: true, ...windowOf(blocks, { ...input, includeBlockIds: false }) };
    }
    const blocks = await reader.children(found.id);
    return { path: found.path, id: found.id, notebook: found.notebook.id, ...windowOf(blocks, input) };
  },
});

const approximateTokens = (text: string) => Math.ceil(text.length / readLimits.charsPerToken);

/** Whole blocks from `blockStart`, as many as the limits allow, at least one. */
export function windowOf(blocks: readonly ChildBlock[], input: WindowInput): JsonObject {
  const blockStart = Math.min(input.blockStart ?? 0, blocks.length);
  const limit = input.blockLimit ?? blocks.length;
  const taken: ChildBlock[] = [];
  let tokens = 0;
  let chars = 0;
  for (const block of blocks.slice(blockStart, blockStart + limit)) {
    const cost = approximateTokens(block.markdown);
    const overBudget = input.tokenBudget !== undefined && tokens + cost > input.tokenBudget;
    const overSize = chars + block.markdown.length > sizeLimits.maxDocumentWindowBytes;
    if (taken.length > 0 && (overBudget || overSize)) break;
    taken.push(block);
    tokens += cost;
    chars += block.markdown.length;
  }
  const next = blockStart + taken.length;
  const hasNextWindow = next < blocks.length;
  return {
    content: taken.map((block) => block.markdown).join("\n\n"),
    outline: outlineOf(taken, blockStart),
    blockStart,
    returnedBlocks: taken.length,
    totalBlocks: blocks.length,
    estimatedTokens: tokens,
    tokenMode: "approx_context_v1",
    truncated: hasNextWindow || blockStart > 0,
    hasNextWindow,
    ...(input.tokenBudget !== undefined && tokens > input.tokenBudget ? { budgetExceeded: true } : {}),
    ...(input.includeBlockIds
      ? {
          blockRefs: taken.map(({ id, type, subType }, index) => ({
            blockIndex: blockStart + index,
            id,
            type,
            subtype: subType,
          })),
        }
      : {}),
    ...(hasNextWindow ? { nextWindow: { ...input, action: "read", blockStart: next } as unknown as JsonObject } : {}),
  };
}

function outlineOf(blocks: readonly ChildBlock[], blockStart: number): readonly JsonObject[] {
  const headings: JsonObject[] = [];
  blocks.forEach((block, index) => {
    if (block.type !== "h") return;
    const level = Number(block.subType.slice(1)) || 1;
    headings.push({
      blockIndex: blockStart + index,
      level,
      title: block.markdown.replace(/^#+\s*/, "").split("\n")[0] ?? "",
      id: block.id,
    });
  });
  return headings;
}
