// block.set_attrs on blocks and documents, and document.set_attr.

import { type JsonObject, isJsonObject } from "../../../shared/wire/json.js";
import type { Place } from "../siyuan/notes.js";
import type { Scenario } from "./scenario.js";
import { blockText, documentText, entry, notebookOf, someBlock, someNote } from "./targets.js";

function attrsOf(args: JsonObject): JsonObject {
  return isJsonObject(args.attrs) ? args.attrs : {};
}

/** The asked attributes over the earlier ones, and nothing else. */
function hasAttributes(place: Place | undefined, asked: JsonObject, earlier: JsonObject | undefined): boolean {
  if (!place) return false;
  const before = isJsonObject(earlier?.attributes) ? earlier.attributes : undefined;
  const wanted: JsonObject = { ...before, ...asked };
  const names = new Set(Object.keys(wanted).concat(before ? Array.from(place.block.attributes.keys()) : []));
  return Array.from(names).every((name) => (place.block.attributes.get(name) ?? "") === (wanted[name] ?? ""));
}

export const setAttrs: Scenario = {
  tool: "block",
  action: "set_attrs",
  build(notes, random, words) {
    const id = random.chance(0.3) ? someNote(notes, random)?.id : someBlock(notes, random, () => true)?.block.id;
    const attrs: Record<string, string | null> = { "custom-a": words() };
    if (random.chance(0.5)) attrs.memo = random.chance(0.3) ? null : `memo ${words()}`;
    return id === undefined ? undefined : { id, attrs };
  },
  vary: (args, words) => ({ ...args, attrs: { "custom-a": words() } }),
  notebooks: (notes, { id }) => notebookOf(notes, id),
  observed(notes, { id }) {
    const place = notes.find(String(id));
    if (!place || place.parent) return blockText(notes, id);
    return JSON.stringify([notes.path(place.note), Array.from(place.block.attributes).sort()]);
  },
  holds: (notes, args, before) =>
    hasAttributes(notes.find(String(args.id)), attrsOf(args), before && entry(before, String(args.id))),
  mayChange: (key, { id }) => key === id,
};

export const setDocumentAttr: Scenario = {
  tool: "document",
  action: "set_attr",
  build(notes, random, words) {
    const note = someNote(notes, random);
    return (
      note && { id: note.id, attrs: { icon: random.chance(0.2) ? null : "1f4d4", cover: `assets/${words()}.png` } }
    );
  },
  vary: (args, words) => ({ ...args, attrs: { cover: `assets/${words()}.png` } }),
  notebooks: (notes, { id }) => notebookOf(notes, id),
  observed: (notes, { id }) => documentText(notes, id),
  holds(notes, args, before) {
    const { icon, cover } = attrsOf(args);
    const asked = {
      ...(icon === undefined ? {} : { icon }),
      ...(cover === undefined ? {} : { "title-img": `background-image:url("${String(cover)}")` }),
    };
    return hasAttributes(notes.find(String(args.id)), asked, before && entry(before, String(args.id)));
  },
  mayChange: (key, { id }) => key === id,
};
