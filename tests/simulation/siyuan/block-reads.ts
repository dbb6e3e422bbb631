// Reads of blocks: DOM, source, place, children.

import type { Json, JsonObject } from "../../../shared/wire/json.js";
import { domOf, domsOf } from "./dom.js";
import { kramdownOf, lineOf, parseMarkdown, previewHtml, textOf } from "./markdown.js";
import type { Block, Note, Notes, Place } from "./notes.js";
import { type ReadRoute, Refusal, text, texts } from "./route.js";

/** Every attribute of a document's root, as SiYuan shows it. */
export function rootAttributes(note: Note): ReadonlyMap<string, string> {
  return new Map([["id", note.id], ["title", note.title], ["type", "doc"], ...note.root.attributes]);
}

function domAt(place: Place | undefined): string {
  if (!place) return "";
  return place.parent ? domOf(place.block, 1) : domsOf(place.block.children);
}

function kramdownAt(place: Place | undefined): string {
  if (!place) return "";
  const { block, note, parent } = place;
  if (!parent) return kramdownOf(block, rootAttributes(note));
  return `${textOf(block)}\n${lineOf(new Map([["id", block.id], ...block.attributes]))}`;
}

function infoOf({ block, parent }: Place): JsonObject {
  const siblings: readonly Block[] = parent?.children ?? [];
  const index = siblings.findIndex((sibling) => sibling.id === block.id);
  return {
    id: block.id,
    type: block.type,
    parentID: parent?.id ?? "",
    previousID: siblings[index - 1]?.id ?? "",
    nextID: siblings[index + 1]?.id ?? "",
  };
}

function each(notes: Notes, body: JsonObject, value: (place: Place) => Json): JsonObject {
  const found: Record<string, Json> = {};
  for (const id of texts(body, "ids")) {
    const place = notes.find(id);
    if (place) found[id] = value(place);
  }
  return found;
}

export const blockReads: Readonly<Record<string, ReadRoute>> = {
  "/api/block/getBlockDOM": (notes, body) => {
    const id = text(body, "id");
    return { id, dom: domAt(notes.find(id)) };
  },
  "/api/block/getBlockDOMs": (notes, body) => each(notes, body, domAt),
  "/api/block/getBlockKramdown": (notes, body) => {
    const id = text(body, "id");
    return { id, kramdown: kramdownAt(notes.find(id)) };
  },
  "/api/block/getBlockKramdowns": (notes, body) => each(notes, body, kramdownAt),
  "/api/block/getBlockTreeInfos": (notes, body) => each(notes, body, infoOf),
  "/api/block/getChildBlocks": (notes, body) =>
    (notes.find(text(body, "id"))?.block.children ?? []).map((block) => ({
      id: block.id,
      type: block.type,
      markdown: textOf(block),
    })),
  "/api/block/getDocInfo": (notes, body) => {
    const place = notes.find(text(body, "id"));
    if (!place) throw new Refusal(-1, "block not found");
    const { note } = place;
    return {
      id: note.id,
      rootID: note.id,
      name: note.title,
      subFileCount: notes.below(note.notebook, note.id).length,
      ial: Object.fromEntries(rootAttributes(note)),
    };
  },
  "/api/block/getDocsInfo": (notes, body) => {
    const found = texts(body, "ids").filter((id) => notes.find(id));
    if (found.length === 0) throw new Refusal(-1, "block not found");
    return found.map((id) => {
      const note = notes.find(id)?.note;
      return { id, rootID: note?.id ?? "", ial: note ? Object.fromEntries(rootAttributes(note)) : {} };
    });
  },
  // No block of the simulation refers to another one.
  "/api/sqlite/flushTransaction": () => null,
  "/api/query/sql": () => [],
  "/api/lute/md2html": (notes, body) => ({ html: previewHtml(parseMarkdown(text(body, "markdown"), notes)) }),
};

/** Reads that let SiYuan finish its pending block operations first. */
export const drainingReads: ReadonlySet<string> = new Set(["/api/block/getDocInfo", "/api/block/getDocsInfo"]);
