// The blocks of a document's DOM with their places: which block lies in which.

import { scanDom } from "./dom.js";

export interface BlockPlace {
  readonly id: string;
  /** For example `NodeParagraph`. */
  readonly type: string;
  /** "" for a block at the top of the DOM. */
  readonly parentID: string;
  /** True for a heading whose section is folded away. */
  readonly folded: boolean;
}

/** Every block, in document order. */
export function blockPlaces(html: string): readonly BlockPlace[] {
  const places: BlockPlace[] = [];
  const open: { readonly id: string; readonly depth: number }[] = [];
  scanDom(html, (tag, _text, depth) => {
    const innermost = open[open.length - 1];
    if (tag.closes) {
      if (innermost?.depth === depth) open.pop();
      return;
    }
    const id = tag.attributes.get("data-node-id");
    if (id === undefined) return;
    places.push({
      id,
      type: tag.attributes.get("data-type") ?? "",
      parentID: innermost?.id ?? "",
      folded: tag.attributes.get("fold") === "1",
    });
    if (!tag.void) open.push({ id, depth });
  });
  return places;
}

/** The block and everything inside it. */
export function subtreeIds(places: readonly BlockPlace[], id: string): ReadonlySet<string> {
  const ids = new Set([id]);
  for (const place of places) if (ids.has(place.parentID)) ids.add(place.id);
  return ids;
}

const vanishWhenEmpty: ReadonlySet<string> = new Set(["NodeList", "NodeBlockquote", "NodeSuperBlock"]);

/** Containers that SiYuan removes together with their last child; callouts and list items stay. */
export function emptiedBy(places: readonly BlockPlace[], id: string): readonly string[] {
  const byId = new Map(places.map((place) => [place.id, place]));
  const emptied: string[] = [];
  let child = id;
  for (;;) {
    const parent = byId.get(byId.get(child)?.parentID ?? "");
    if (!parent || !vanishWhenEmpty.has(parent.type)) return emptied;
    if (places.filter((place) => place.parentID === parent.id).length > 1) return emptied;
    emptied.push(parent.id);
    child = parent.id;
  }
}
