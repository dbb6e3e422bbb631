// The search tool: finding over the whole workspace, and replacing what was found.

import * as z from "zod/mini";
import { sizeLimits } from "../limits.js";
import { mutation, type ToolDeclaration } from "./declaration.js";
import { blockId, described } from "./fields.js";

/** Block types by SiYuan's names for them in searches. */
export const searchedTypes = {
  document: "NodeDocument",
  heading: "NodeHeading",
  list: "NodeList",
  listItem: "NodeListItem",
  codeBlock: "NodeCodeBlock",
  mathBlock: "NodeMathBlock",
  table: "NodeTable",
  blockquote: "NodeBlockquote",
  superBlock: "NodeSuperBlock",
  paragraph: "NodeParagraph",
  htmlBlock: "NodeHTMLBlock",
  embedBlock: "NodeBlockQueryEmbed",
  databaseBlock: "NodeAttributeView",
  audioBlock: "NodeAudio",
  videoBlock: "NodeVideo",
  iframeBlock: "NodeIFrame",
  widgetBlock: "NodeWidget",
  callout: "NodeCallout",
} as const;

/** Where text may be replaced, by SiYuan's names; true where a call that names none replaces too. */
export const replacedPlaces = {
  text: true,
  strong: true,
  em: true,
  u: true,
  s: true,
  mark: true,
  sup: true,
  sub: true,
  tag: true,
  kbd: true,
  code: true,
  aText: true,
  aTitle: true,
  aHref: false,
  imgText: true,
  imgTitle: true,
  imgSrc: false,
  blockRef: true,
  fileAnnotationRef: true,
  inlineMath: true,
  inlineMemo: true,
  codeBlock: true,
  mathBlock: true,
  htmlBlock: true,
  docTitle: false,
} as const;

export type ReplacedPlace = keyof typeof replacedPlaces;
export type SearchedType = keyof typeof searchedTypes;

const flags = (names: readonly string[]) => {
  const shape: Record<string, z.ZodMiniOptional<z.ZodMiniBoolean>> = {};
  for (const name of names) shape[name] = z.optional(z.boolean());
  return z.strictObject(shape);
};

export const searchFindReplace = mutation("manifest", {
  tool: "search",
  name: "find_replace",
  permission: "rw",
  confirm: true,
  summary: "Replace a text everywhere in the named documents and blocks",
  signature: "find_replace(k, r, ids)",
  input: () =>
    z.strictObject({
      k: described(
        z.string().check(z.minLength(1), z.maxLength(sizeLimits.maxSearchPatternChars)),
        "Text to find; upper and lower case alike unless SiYuan's search tells them apart",
      ),
      r: described(z.string().check(z.maxLength(sizeLimits.maxSearchPatternChars)), 'Literal text instead; "" deletes'),
      ids: described(
        z.array(blockId("Document or block")).check(z.minLength(1), z.maxLength(sizeLimits.maxEditedBlocks)),
        "Documents and blocks, with all they hold",
      ),
      paths: described(
        z.optional(z.array(z.string().check(z.minLength(1)))),
        "Only below these: a notebook id, or notebook/storage path",
      ),
      types: described(z.optional(flags(Object.keys(searchedTypes))), "Only in these types of block; default all"),
      method: described(
        z.optional(z.int().check(z.gte(0), z.lte(3))),
        "0 text (default), 1 as 0, 3 regular expression; 2 (SQL) is refused",
      ),
      methodName: described(z.optional(z.enum(["keyword", "query", "sql", "regex"])), "Instead of method"),
      replaceTypes: described(
        z.optional(flags(Object.keys(replacedPlaces))),
        "Only in these places; default all but link and image addresses and titles of documents",
      ),
      orderBy: described(z.optional(z.int().check(z.gte(0), z.lte(7))), "Accepted, without effect"),
      sortBy: described(
        z.optional(z.enum(["relevance", "date", "updated_desc", "updated_asc", "created_desc", "created_asc", "type"])),
        "Accepted, without effect",
      ),
      groupBy: described(z.optional(z.int().check(z.gte(0), z.lte(0))), "Only 0"),
    }),
  examples: [
    { k: "teh", r: "the", ids: ["20260812120000-abcdefg"] },
    {
      k: "v(\\d+)",
      r: "version $1",
      ids: ["20260812120000-abcdefg", "20260812120000-bcdefgh"],
      methodName: "regex",
      replaceTypes: { text: true, strong: true },
    },
  ],
  positionals: ["k", "r"],
  guidance: [
    "The preflight lists every block that will change; read it before you commit. Nothing else is written.",
    "In a regular expression $1 is a group, also in braces, $0 the whole match, $$ a dollar sign; look-around and back-references are not supported.",
    "Marks, ids, attributes and embed statements stay. The text of a reference that follows its target is changed at the target only.",
  ],
});

export const searchTool = {
  name: "search",
  title: "Search",
  description: "Replace text over many documents and blocks. fs search finds lines of Markdown.",
  actions: [searchFindReplace],
} as const satisfies ToolDeclaration;
