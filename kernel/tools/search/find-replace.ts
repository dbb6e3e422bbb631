// search.find_replace: a text replaced everywhere in the named documents and blocks. SiYuan's own route picks by its
// lagging index, stops at a bad pattern or without places silently, and rewrites marks around a match. So we find the
// matches in the live trees, list the blocks, change their DOM and nothing else, all in one transaction.

import {
  type ReplacedPlace,
  replacedPlaces,
  type SearchedType,
  searchedTypes,
  searchFindReplace,
} from "../../../shared/catalogue/search.js";
import { sizeLimits } from "../../../shared/limits.js";
import type { Json, JsonObject } from "../../../shared/wire/json.js";
import { canonicalDom, decodeEntities, referenceIds } from "../../api/dom.js";
import { type DocumentPart, documentParts, withoutStamp } from "../../api/document-dom.js";
import type { Location, SiyuanReader } from "../../api/reader.js";
import { implementMutation, type Plan, type Verdict } from "../../safety/contract.js";
import { compareStored } from "../block/comparison.js";
import { refusal } from "../block/content.js";
import { documentOf } from "../block/document-blocks.js";
import { blockNotFound, requireOpen } from "../block/location.js";
import { textDiff, visibleText } from "../block/text-diff.js";
import { type Replacer, replacerOf } from "./pattern.js";
import { type LeafBlock, leafBlocks, replaceInDom } from "./replace-in-dom.js";

interface FindReplaceInput {
  readonly k: string;
  readonly r: string;
  readonly ids: readonly string[];
  readonly paths?: readonly string[];
  readonly types?: Readonly<Partial<Record<SearchedType, boolean>>>;
  readonly method?: number;
  readonly methodName?: "keyword" | "query" | "sql" | "regex";
  readonly replaceTypes?: Readonly<Partial<Record<ReplacedPlace, boolean>>>;
}

/** A block with a match: as it is, and as it will be. */
interface Match extends Location {
  readonly id: string;
  readonly document: string;
  readonly before: string;
  readonly after: string;
  readonly count: number;
}

/** A block whose match is left alone. */
interface Skipped {
  readonly id: string;
  readonly reason: string;
}

interface Found {
  readonly matches: readonly Match[];
  readonly skipped: readonly Skipped[];
}

interface FindReplacePlan extends Plan, Found {
  readonly input: FindReplaceInput;
}

/** The blocks with matches, by id; a block that is gone is left out. */
type After = ReadonlyMap<string, string>;

/** Blocks whose difference a preflight shows. */
const shownChanges = 5;
/** Blocks worked on between two pauses. */
const blocksPerSlice = 20;

export const findReplace = implementMutation(searchFindReplace, {
  async targets(input: FindReplaceInput, { reader }) {
    const { documents, matches, skipped } = await find(input, reader);
    return {
      ids: Array.from(new Set(input.ids.concat(matches.map(({ id }) => id)))),
      notebooks: Array.from(new Set(Array.from(documents.values(), ({ notebook }) => notebook))),
      documents: Array.from(new Set(matches.map(({ document }) => document))),
      found: { matches, skipped },
    };
  },

  async observe(_input: FindReplaceInput, { found }) {
    const state = {
      blocks: found.matches.map(({ id, notebook, path, before }) => ({
        id,
        notebook,
        path,
        dom: canonicalDom(before),
      })),
      skipped: found.skipped as unknown as Json,
    };
    return { state, facts: found };
  },

  plan(input: FindReplaceInput, { facts: { matches, skipped } }): FindReplacePlan {
    if (matches.length > sizeLimits.maxEditedBlocks) {
      throw refusal(
        "invalid_arguments",
        "ids",
        `${matches.length} blocks match; at most ${sizeLimits.maxEditedBlocks} in one call, so name fewer`,
      );
    }
    return { input, matches, skipped, preview: () => previewOf(matches, skipped) };
  },

  stages: [
    {
      name: "replace",
      /** Nothing is sent where nothing matches. */
      apply: async ({ matches }: FindReplacePlan, { writer }) =>
        matches.length === 0
          ? undefined
          : writer.replaceDoms(matches.map(({ id, after }) => ({ id, dom: withoutStamp(after) }))),
    },
  ],

  async readback({ matches }: FindReplacePlan, _answers, { reader }): Promise<After> {
    const ids = new Set(matches.map(({ id }) => id));
    const after = new Map<string, string>();
    for (const document of Array.from(new Set(matches.map(({ document }) => document)))) {
      for (const part of await partsOf(reader, document)) {
        if (!part.blocks.some(({ id }) => ids.has(id))) continue;
        for (const leaf of leafBlocks(part.dom)) if (ids.has(leaf.id)) after.set(leaf.id, leaf.dom);
      }
    }
    return after;
  },

  verify({ input, matches, skipped }: FindReplacePlan, _before, _answers, after: After): Verdict {
    const notes = new Set<string>();
    const problems = matches.map(({ id, after: asked }) => {
      const stored = after.get(id);
      if (stored === undefined) return "the block is gone";
      const comparison = compareStored(asked, canonicalDom(stored));
      for (const note of comparison.notes) notes.add(note);
      return comparison.equal ? undefined : "the block is not as it was asked";
    });
    const items = matches.map(({ id, count }, index) => ({ id, count, result: problems[index] ?? "committed" }));
    const answer: JsonObject = {
      success: true,
      replaced: matches.reduce((sum, { count }) => sum + count, 0),
      ids: input.ids,
      k: input.k,
      r: input.r,
      items,
      ...(skipped.length > 0 ? { skipped: skipped as unknown as Json } : {}),
    };
    const failed = problems.findIndex((problem) => problem !== undefined);
    if (failed >= 0) {
      const { id, after: asked } = matches[failed] as Match;
      return {
        outcome: "mismatch",
        answer,
        difference: {
          problem: problems[failed] as string,
          block: id,
          diff: textDiff(visibleText(asked), visibleText(after.get(id) ?? "")),
          items: items.filter(({ result }) => result !== "committed").slice(0, shownChanges),
        },
      };
    }
    if (skipped.length > 0) notes.add(`${skipped.length} blocks with a match were left as they are; see skipped`);
    const state = { blocks: matches.map(({ id }) => canonicalDom(after.get(id) ?? "")) };
    return { outcome: matches.length === 0 ? "no_change" : "committed", state, answer, notes: Array.from(notes) };
  },

  /** Done when the text is nowhere any more; how often it was replaced went with the answer. */
  async reconcile(input: FindReplaceInput, { targetIds }, { reader }) {
    const { matches, skipped } = await find(input, reader);
    const named = new Set(input.ids);
    const items = targetIds.filter((id) => !named.has(id)).map((id) => ({ id, result: "committed" }));
    const { ids, k, r } = input;
    return { done: matches.length === 0 && skipped.length === 0, answer: { success: true, ids, k, r, items } };
  },
});

/** Every match that can be replaced, the documents looked at, and the blocks that are left alone. */
async function find(
  input: FindReplaceInput,
  reader: SiyuanReader,
): Promise<Found & { readonly documents: ReadonlyMap<string, Location> }> {
  const search = await searchOf(input, reader);
  const { documents, parts } = await placesOf(input, reader);
  const wanted = new Set(input.ids);
  const matches: Match[] = [];
  const skipped: Skipped[] = [];
  for (const [document, location] of Array.from(documents)) {
    if (!isBelow(location, input.paths)) continue;
    const found = await matchesIn(parts.get(document) ?? [], wanted.has(document) ? undefined : wanted, search, reader);
    for (const match of found.matches) matches.push({ ...match, ...location, document });
    skipped.push(...found.skipped);
  }
  return { documents, matches: await withoutDangling(matches, skipped, reader), skipped };
}

function previewOf(matches: readonly Match[], skipped: readonly Skipped[]): JsonObject {
  return {
    replacements: matches.reduce((sum, { count }) => sum + count, 0),
    blocks: matches.map(({ id, document, count }) => ({ id, document, count })),
    changes: matches
      .slice(0, shownChanges)
      .map(({ id, before, after }) => ({ id, diff: textDiff(visibleText(before), visibleText(after)) })),
    ...(skipped.length > 0 ? { skipped: skipped as unknown as Json } : {}),
  };
}

interface Search {
  readonly replacer: Replacer;
  /** Cheap, because most blocks of a large document hold no match at all; false is certain. */
  mayMatch(dom: string): boolean;
  readonly places: ReadonlySet<ReplacedPlace>;
  /** Types that a block or one above it must have; undefined for any. */
  readonly types: ReadonlySet<string> | undefined;
}

async function searchOf(input: FindReplaceInput, reader: SiyuanReader): Promise<Search> {
  const { k, r, types, replaceTypes = replacedPlaces } = input;
  const method = input.methodName ?? (["keyword", "query", "sql", "regex"] as const)[input.method ?? 0];
  if (method === "sql") {
    const field = input.methodName === undefined ? "method" : "methodName";
    throw refusal(
      "invalid_arguments",
      field,
      "a statement in SQL finds blocks, not text; use text or a regular expression",
    );
  }
  if (replaceTypes.docTitle) {
    throw refusal("invalid_arguments", "replaceTypes.docTitle", "titles are changed with document rename");
  }
  if (/[\n\r]/.test(r)) throw refusal("invalid_arguments", "r", "a line break would end headings and cells");
  const places = new Set((Object.keys(replaceTypes) as ReplacedPlace[]).filter((place) => replaceTypes[place]));
  if (places.size === 0)
    throw refusal("invalid_arguments", "replaceTypes", "it names no place, so nothing would change");
  const named = types && (Object.keys(types) as SearchedType[]).filter((type) => types[type]);
  const isRegex = method === "regex";
  const isCaseSensitive = !isRegex && (await reader.searchIsCaseSensitive());
  const replacer = replacerOf(k, r, isRegex, isCaseSensitive);
  return {
    replacer,
    // An expression may name the start of a text, which the DOM does not begin with.
    mayMatch: (dom) => isRegex || replacer.replace(decodeEntities(dom)).count > 0,
    places,
    types: named && new Set(named.map((type) => searchedTypes[type])),
  };
}

interface Places {
  /** Documents that hold a named block or are named themselves, in the order of the ids. */
  readonly documents: ReadonlyMap<string, Location>;
  readonly parts: ReadonlyMap<string, readonly DocumentPart[]>;
}

/** One read per document, however many of its blocks are named. Throws `block_not_found` or `notebook_closed`. */
async function placesOf({ ids }: FindReplaceInput, reader: SiyuanReader): Promise<Places> {
  const documents = new Map<string, Location>();
  const parts = new Map<string, readonly DocumentPart[]>();
  const known = new Set<string>();
  for (let index = 0; index < ids.length; index++) {
    const id = ids[index] as string;
    if (known.has(id)) continue;
    const location = await reader.location(id);
    if (!location) throw blockNotFound(id, `ids.${index}`);
    await requireOpen(reader, location.notebook);
    const document = documentOf(location.path);
    if (!documents.has(document)) {
      // Makes SiYuan finish what it has pending.
      await reader.documentInfo(document);
      const own = await partsOf(reader, document);
      documents.set(document, location);
      parts.set(document, own);
      known.add(document);
      for (const part of own) for (const block of part.blocks) known.add(block.id);
    }
    if (!known.has(id)) throw blockNotFound(id, `ids.${index}`);
  }
  return { documents, parts };
}

async function partsOf(reader: SiyuanReader, document: string): Promise<readonly DocumentPart[]> {
  return documentParts((await reader.blockDom(document)) ?? "", () => reader.pause());
}

/** Paths as SiYuan's searches take them: a notebook, or a notebook and a storage path, with or without the ending. */
function isBelow({ notebook, path }: Location, paths: readonly string[] | undefined): boolean {
  if (!paths) return true;
  const place = `${notebook}${path.replace(/\.sy$/, "")}/`;
  return paths.some((prefix) => place.startsWith(`${prefix.replace(/\.sy$/, "").replace(/\/+$/, "")}/`));
}

type LeafMatch = Pick<Match, "id" | "before" | "after" | "count">;

async function matchesIn(
  parts: readonly DocumentPart[],
  /** Undefined for all. */
  wanted: ReadonlySet<string> | undefined,
  search: Search,
  reader: SiyuanReader,
): Promise<{ readonly matches: readonly LeafMatch[]; readonly skipped: readonly Skipped[] }> {
  const matches: LeafMatch[] = [];
  const skipped: Skipped[] = [];
  let looked = 0;
  for (const part of parts) {
    if (search.mayMatch(part.dom)) {
      for (const leaf of leafBlocks(part.dom)) {
        if (!isWanted(leaf, wanted, search.types)) continue;
        const { dom, count } = replaceInDom(leaf, search.places, search.replacer);
        if (count === 0 || dom === leaf.dom) continue;
        const reason = reasonToSkip(leaf);
        if (reason) skipped.push({ id: leaf.id, reason });
        else matches.push({ id: leaf.id, before: leaf.dom, after: dom, count });
      }
    }
    if (++looked % blocksPerSlice === 0) await reader.pause();
  }
  return { matches, skipped };
}

function isWanted(
  { lineage }: LeafBlock,
  wanted: ReadonlySet<string> | undefined,
  types: ReadonlySet<string> | undefined,
): boolean {
  if (types && !lineage.some(({ type }) => types.has(type))) return false;
  return !wanted || lineage.some(({ id }) => wanted.has(id));
}

/** SiYuan decodes the source of an HTML block twice on its way in. */
function reasonToSkip({ type, dom }: LeafBlock): string | undefined {
  return type === "NodeHTMLBlock" && /&amp;#?[A-Za-z0-9]+;/.test(dom)
    ? "HTML with character entities, which SiYuan would decode"
    : undefined;
}

/** Writing a block empties its references to what is not there, so such a block is left as it is. */
async function withoutDangling(
  matches: readonly Match[],
  skipped: Skipped[],
  reader: SiyuanReader,
): Promise<readonly Match[]> {
  const references = new Map(
    matches.map(({ id, before }) => [
      id,
      before.includes("block-ref") ? referenceIds(before).filter((target) => target !== "") : [],
    ]),
  );
  const targets = new Set(Array.from(references.values()).reduce<string[]>((all, ids) => all.concat(ids), []));
  const live = await reader.treeInfos(Array.from(targets));
  return matches.filter(({ id }) => {
    const lost = references.get(id)?.find((target) => !live.has(target));
    if (lost === undefined) return true;
    skipped.push({ id, reason: `it refers to ${lost}, which is not there; SiYuan would empty the reference` });
    return false;
  });
}
