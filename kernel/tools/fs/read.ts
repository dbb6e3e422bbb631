// fs.read: a document as Markdown, whole or as a window of whole top-level blocks.

import { fsRead } from "../../../shared/catalogue/fs.js";
import { SisyphusError } from "../../../shared/errors.js";
import { readLimits, sizeLimits } from "../../../shared/limits.js";
import type { Json, JsonObject } from "../../../shared/wire/json.js";
import type { ChildBlock } from "../../api/reader.js";
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
      const blocks = text === "" ? [] : [{ id: "", type: "virtual", subType: "", markdown: text }];
      return { path: found.file.path, virtual: true, ...windowOf(blocks, { ...input, includeBlockIds: false }) };
    }
    const blocks = await reader.children(found.id);
    // A document always holds a block: no tree holds this one any more.
    if (blocks.length === 0) throw nothingFits(input.path);
    return { path: found.path, id: found.id, notebook: found.notebook.id, ...windowOf(blocks, input) };
  },
});

/** Whole blocks from `blockStart`, as many as the limits allow, at least one. */
export function windowOf(blocks: readonly ChildBlock[], input: WindowInput): JsonObject {
  const blockStart = Math.min(input.blockStart ?? 0, blocks.length);
  const asked = blocks.slice(blockStart, blockStart + (input.blockLimit ?? blocks.length));
  const texts = asked.map((block) => block.markdown);
  const budget = input.tokenBudget ?? Number.POSITIVE_INFINITY;
  let tokens = 0;
  let chars = 0;
  let count = 0;
  while (count < texts.length) {
    const { length } = texts[count] as string;
    const cost = Math.ceil(length / readLimits.charsPerToken);
    if (count > 0 && (tokens + cost > budget || chars + length > sizeLimits.maxDocumentWindowBytes)) break;
    tokens += cost;
    chars += length;
    count++;
  }
  const taken = count < asked.length ? asked.slice(0, count) : asked;
  const next = blockStart + count;
  const hasNextWindow = next < blocks.length;
  return {
    content: texts.slice(0, count).join("\n\n"),
    outline: outlineOf(taken, blockStart),
    blockStart,
    returnedBlocks: count,
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
