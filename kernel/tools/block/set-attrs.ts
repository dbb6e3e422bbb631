// block.set_attrs: sets and removes attributes of one block or document; the others stay.

import { blockSetAttrs } from "../../../shared/catalogue/block.js";
import { canonicalDom } from "../../api/dom.js";
import type { SiyuanReader } from "../../api/reader.js";
import type { Json } from "../../../shared/wire/json.js";
import { implementMutation, type Plan, type Verdict } from "../../safety/contract.js";
import { requireSettable } from "./attribute-rules.js";
import { blockAttributes, documentAttributes } from "./attributes.js";
import { documentOf } from "./document-blocks.js";
import { blockNotFound, isDocument, liveBlock } from "./location.js";
import { textDiff } from "./text-diff.js";

interface Place {
  readonly id: string;
  readonly type: string;
  readonly parentID: string;
  readonly path: string;
}

/** A block's attributes, and the form of the rest of it. */
interface AttributeState {
  readonly place: Place;
  readonly attributes: ReadonlyMap<string, string>;
  /** Canonical DOM without the outer tag; of a document "", its blocks do not depend on its attributes. */
  readonly content: string;
}

interface SetAttrsPlan extends Plan {
  readonly place: Place;
  /** "" removes. */
  readonly changes: ReadonlyMap<string, string>;
}

const outerTag = /^<[a-z0-9]+(?:[^">]|"[^"]*")*>/;

/** Undefined when the block is gone. */
async function readState(reader: SiyuanReader, place: Place): Promise<AttributeState | undefined> {
  if (isDocument(place)) {
    const kramdown = await reader.kramdown(place.id);
    return kramdown === undefined ? undefined : { place, attributes: documentAttributes(kramdown), content: "" };
  }
  const dom = await reader.blockDom(place.id);
  return dom === undefined
    ? undefined
    : { place, attributes: blockAttributes(dom), content: canonicalDom(dom.replace(outerTag, "")) };
}

function stateOf({ place, attributes, content }: AttributeState): Json {
  return {
    id: place.id,
    parentID: place.parentID,
    path: place.path,
    attributes: Object.fromEntries(attributes),
    content,
  };
}

export const setAttrs = implementMutation(blockSetAttrs, {
  async targets({ id }, { reader }) {
    const block = await liveBlock(reader, id, "id");
    return { ids: [id], notebooks: [block.notebook], documents: [documentOf(block.path)], found: block };
  },

  async observe({ attrs }, { found }, { reader }) {
    const { id, type, parentID, path } = found;
    requireSettable(attrs, isDocument(found));
    const before = await readState(reader, { id, type, parentID, path });
    if (!before) throw blockNotFound(id, "id");
    return { state: stateOf(before), facts: before };
  },

  plan({ attrs }, { facts: { place, attributes } }): SetAttrsPlan {
    const changes = new Map(Object.keys(attrs).map((name) => [name, attrs[name] ?? ""] as const));
    const lines = (values: ReadonlyMap<string, string>) =>
      Array.from(changes.keys())
        .filter((name) => (values.get(name) ?? "") !== "")
        .map((name) => `${name}: ${values.get(name)}`)
        .join("\n");
    return { place, changes, preview: () => ({ id: place.id, diff: textDiff(lines(attributes), lines(changes)) }) };
  },

  stages: [
    {
      name: "set_attrs",
      apply: (plan: SetAttrsPlan, { writer }) => writer.setAttributes(plan.place.id, Object.fromEntries(plan.changes)),
    },
  ],

  readback: (plan: SetAttrsPlan, _answers, { reader }) => readState(reader, plan.place),

  // SiYuan echoes nothing here: the oracle is the request laid over the attributes before.
  verify(plan: SetAttrsPlan, { facts: before }, _answers, after: AttributeState | undefined): Verdict {
    const names = Array.from(plan.changes.keys());
    const set = names.filter((name) => plan.changes.get(name) !== "");
    const removed = names.filter((name) => plan.changes.get(name) === "");
    const answer = { success: true, id: plan.place.id, set, removed };
    const mismatch = (problem: string): Verdict => ({
      outcome: "mismatch",
      answer,
      difference: { problem },
      ...(after ? { state: stateOf(after) } : {}),
    });
    if (!after) return mismatch("the block is gone");
    const expected = new Map(before.attributes);
    for (const [name, value] of Array.from(plan.changes)) {
      if (value === "") expected.delete(name);
      else expected.set(name, value);
    }
    for (const name of Array.from(new Set([...Array.from(expected.keys()), ...Array.from(after.attributes.keys())]))) {
      if (expected.get(name) !== after.attributes.get(name))
        return mismatch(`the attribute ${name} is not what was asked`);
    }
    if (after.content !== before.content) return mismatch("the content of the block changed meanwhile");
    const unchanged = names.every((name) => (before.attributes.get(name) ?? "") === (after.attributes.get(name) ?? ""));
    return { outcome: unchanged ? "no_change" : "committed", state: stateOf(after), answer };
  },
});
