// Field types that several actions share, each with the description a caller sees.

import * as z from "zod/mini";
import { readLimits, sizeLimits } from "../limits.js";
import { idPattern } from "../wire/plugin.js";

/** Attaches the description that tools/list, help and the command line show. */
export function described<Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema {
  z.globalRegistry.add(schema, { description });
  return schema;
}

export const blockId = (description: string) =>
  described(z.string().check(z.regex(idPattern, "must be a SiYuan id such as 20260812120000-abcdefg")), description);

/** Several ids, in the order of the answer. */
export const blockIds = (maximum: number) =>
  described(
    z.array(blockId("Block or document")).check(z.minLength(1), z.maxLength(maximum)),
    `Block ids, 1..${maximum}`,
  );

export const notebookId = () => blockId("Notebook id");

/** An emoji by its code points, as SiYuan stores it. */
export const notebookIcon = (description: string) =>
  described(
    z.string().check(z.regex(/^(?:[0-9a-f]{2,8}(?:-[0-9a-f]{2,8})*)?$/, "must be Unicode hex such as 1f4d4")),
    description,
  );

export const dataType = () => described(z.enum(["markdown", "dom"]), "Format of data");

export const markdown = (description: string) =>
  described(z.string().check(z.maxLength(sizeLimits.maxMarkdownChars)), description);

export const workspacePath = (description: string) => described(z.string().check(z.minLength(1)), description);

export const page = () => described(z.optional(z.int().check(z.gte(1))), "Page, from 1");

export const pageSize = () =>
  described(
    z.optional(z.int().check(z.gte(1), z.lte(readLimits.maxPageSize))),
    `Rows per page, 1..${readLimits.maxPageSize}, default ${readLimits.defaultPageSize}`,
  );

/** Window of whole display blocks of a document. */
export const windowFields = () => ({
  blockStart: described(z.optional(z.int().check(z.gte(0))), "First block of the window, from 0"),
  blockLimit: described(z.optional(z.int().check(z.gte(1), z.lte(readLimits.maxBlockLimit))), "Blocks at most"),
  tokenBudget: described(
    z.optional(z.int().check(z.gte(1), z.lte(readLimits.maxTokenBudget))),
    "Approximate tokens at most; blocks are never cut",
  ),
  includeBlockIds: described(z.optional(z.boolean()), "Also list the id and type of each block"),
});

const textEdit = () =>
  z.strictObject({
    old: described(z.string().check(z.minLength(1), z.maxLength(sizeLimits.maxMarkdownChars)), "Text that is there"),
    new: markdown("Text instead"),
    replace_all: described(z.optional(z.boolean()), "All matches; without it exactly one is wanted"),
  });

/** Exact edits of existing text: one, or several in order. */
export const edit = () =>
  described(
    z.union([textEdit(), z.array(textEdit()).check(z.minLength(1), z.maxLength(sizeLimits.maxBatchItems))]),
    "{old, new, replace_all?}, or a list of such, made in order",
  );
