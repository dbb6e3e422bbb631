// block.update: replaces the content of one block or of many in one dispatch, and keeps their attributes.

import { blockUpdate } from "../../../shared/catalogue/block.js";
import type { Json, JsonObject } from "../../../shared/wire/json.js";
import { blockIds, canonicalDom, type DomNode, outerAttributes, topLevelNodes, userAttributes } from "../../api/dom.js";
import type { SiyuanReader } from "../../api/reader.js";
import type { BlockContent, Echo } from "../../api/writer.js";
import { implementMutation, type Plan, type Verdict } from "../../safety/contract.js";
import { documentOf, readDocumentBlocks } from "./document-blocks.js";
import { compareStored, lostReferences, missingWords } from "./comparison.js";
import { type Content, readContent, refusal } from "./content.js";
import { isDocument, liveBlock, liveBlocks, type ReadBlock } from "./location.js";
import { textOf } from "./new-blocks.js";
import { previewForm } from "./preview-form.js";
import { prepareUpdate } from "./prepare-update.js";
import { textDiff, visibleText } from "./text-diff.js";

interface UpdateItem extends BlockContent {
  readonly id: string;
}

type UpdateInput = UpdateItem | { readonly items: readonly UpdateItem[] };

/** One block before or after: its place and its DOM. */
export interface BlockState {
  readonly id: string;
  readonly parentID: string;
  readonly path: string;
  readonly dom: string;
  /** Canonical form of `dom`. */
  readonly form: string;
}

interface UpdateFacts {
  readonly blocks: readonly {
    readonly item: UpdateItem;
    readonly before: BlockState;
    readonly type: string;
    readonly content: Content;
  }[];
}

/** Differences shown by the preflight of a batch. */
const shownChanges = 5;

interface UpdatePlan extends Plan {
  readonly single: boolean;
  readonly changes: readonly (UpdateItem & { readonly path: string; readonly content: Content })[];
}

/** Distinct items; the same id with two contents is a contradiction. */
function itemsOf(input: UpdateInput): readonly UpdateItem[] {
  if (!("items" in input)) return [input];
  const byId = new Map<string, UpdateItem>();
  input.items.forEach((item, index) => {
    const earlier = byId.get(item.id);
    if (earlier && (earlier.data !== item.data || earlier.dataType !== item.dataType)) {
      throw refusal("invalid_arguments", `items.${index}.id`, "this block has another content earlier in the list");
    }
    byId.set(item.id, item);
  });
  return Array.from(byId.values());
}

/** The argument that a block's id or content came from. */
function fieldNames(input: UpdateInput): (id: string, name: "id" | "data") => string {
  if (!("items" in input)) return (_id, name) => name;
  const positions = new Map(input.items.map((item, index) => [item.id, index]));
  return (id, name) => `items.${positions.get(id)}.${name}`;
}

/** The content of each item, in their order. */
function readContents(input: UpdateInput, reader: SiyuanReader): Promise<readonly Content[]> {
  const fieldOf = fieldNames(input);
  return Promise.all(itemsOf(input).map((item) => readContent(item, fieldOf(item.id, "data"), reader)));
}

type Place = Pick<ReadBlock, "id" | "path" | "parentID">;

/** The three questions about one block at once. */
async function readBlock(reader: SiyuanReader, id: string, field: string): Promise<ReadBlock> {
  const [block, dom] = await Promise.all([liveBlock(reader, id, field), reader.blockDom(id)]);
  return { ...block, dom: dom ?? "" };
}

/** One block by its own DOM, many by the DOM of their documents. A block that is gone has an empty DOM. */
export async function readStates(reader: SiyuanReader, places: readonly Place[]): Promise<readonly BlockState[]> {
  const [only] = places;
  if (places.length === 1 && only) return [blockState(only, (await reader.blockDom(only.id)) ?? "")];
  const blocks = await readDocumentBlocks(reader, places);
  return places.map(({ id, path }) => {
    const block = blocks.get(id);
    return blockState({ id, path, parentID: block?.parentID ?? "" }, block?.dom ?? "");
  });
}

function blockState({ id, path, parentID }: Place, dom: string): BlockState {
  return { id, parentID, path, dom, form: canonicalDom(dom) };
}

export function stateOf(blocks: readonly BlockState[]): Json {
  return blocks.map(({ id, parentID, path, form }) => ({ id, parentID, path, dom: form }));
}

export const updateBlock = implementMutation(blockUpdate, {
  async targets(input: UpdateInput, { reader }) {
    const ids = itemsOf(input).map((item) => item.id);
    const fieldOf = fieldNames(input);
    const [only] = ids;
    const finding =
      ids.length === 1 && only !== undefined
        ? readBlock(reader, only, fieldOf(only, "id")).then((block) => [block])
        : liveBlocks(reader, ids, (id) => fieldOf(id, "id"));
    // Looked at while SiYuan answers; its refusals come after the blocks are found and permitted.
    const reading = readContents(input, reader);
    reading.catch(() => undefined);
    const blocks = await finding;
    const document = blocks.find(isDocument);
    if (document) {
      throw refusal(
        "not_a_block",
        fieldOf(document.id, "id"),
        `${document.id} is a document; update one of its blocks (block get_children lists them)`,
      );
    }
    return {
      ids,
      notebooks: Array.from(new Set(blocks.map((block) => block.notebook))),
      documents: Array.from(new Set(blocks.map((block) => documentOf(block.path)))),
      found: { blocks, reading },
    };
  },

  async observe(input: UpdateInput, { found }) {
    const contents = await found.reading;
    const states = found.blocks.map((block) => blockState(block, block.dom));
    const blocks = itemsOf(input).map((item, index) => ({
      item,
      before: states[index] as BlockState,
      type: (found.blocks[index] as ReadBlock).type,
      content: contents[index] as Content,
    }));
    return { state: stateOf(states), facts: { blocks } as UpdateFacts };
  },

  plan(input: UpdateInput, { facts }): UpdatePlan {
    const fieldOf = fieldNames(input);
    const ids = new Set(facts.blocks.map(({ before }) => before.id));
    const inside = facts.blocks.reduce<string[]>((all, { before }) => all.concat(blockIds(before.dom).slice(1)), []);
    const nested = inside.find((id) => ids.has(id));
    if (nested !== undefined)
      throw refusal("invalid_arguments", fieldOf(nested, "id"), "this block lies inside another block of the list");
    const changes = facts.blocks.map(({ item, before, type, content }) => ({
      id: item.id,
      path: before.path,
      content,
      ...prepareUpdate(content, { id: item.id, type, dom: before.dom }, fieldOf(item.id, "data")),
    }));
    const preview = () => ({
      changes: facts.blocks.slice(0, shownChanges).map(({ item, before, content }) => ({
        id: item.id,
        diff: textDiff(visibleText(before.dom), textOf(content)),
      })),
    });
    return { single: !("items" in input), changes, preview };
  },

  stages: [
    {
      name: "update",
      async apply(plan: UpdatePlan, { writer }): Promise<readonly Echo[]> {
        const [change] = plan.changes;
        if (plan.changes.length === 1 && change)
          return writer.updateBlock(change.id, { dataType: change.dataType, data: change.data });
        return writer.updateBlocks(plan.changes.map(({ id, dataType, data }) => ({ id, dataType, data })));
      },
    },
  ],

  foresee(_plan: UpdatePlan, before, answers): Json | undefined {
    const blocks = before.facts.blocks;
    const [echo, second] = answers[0] as readonly Echo[];
    const [only] = blocks;
    // Of many blocks the digest costs less than finding their echoes twice.
    if (!echo || second || blocks.length !== 1 || !only) return undefined;
    const form = canonicalDom(echo.dom);
    // Without a change there is a digest already.
    return form === only.before.form ? undefined : stateOf([{ ...only.before, form }]);
  },

  async readback(plan: UpdatePlan, _answers, { reader }): Promise<readonly BlockState[]> {
    const places = plan.changes.map(({ id, path }) => ({ id, path, parentID: "" }));
    if (places.length > 1) return readStates(reader, places);
    const [infos, [state]] = await Promise.all([
      reader.treeInfos(places.map((place) => place.id)),
      readStates(reader, places),
    ]);
    return state ? [{ ...state, parentID: infos.get(state.id)?.parentID ?? "" }] : [];
  },

  verify(plan: UpdatePlan, before, answers, after): Verdict {
    const echoes = new Map((answers[0] as readonly Echo[]).map((echo) => [echo.id, echo]));
    const results = plan.changes.map((change, index) =>
      verifyBlock(
        change.content,
        (before.facts.blocks[index] as UpdateFacts["blocks"][number]).before,
        echoes.get(change.id),
        after[index] as BlockState,
      ),
    );
    const failed = results.find((result) => result.problem !== undefined);
    const state = stateOf(after);
    const outcome = failed ? "mismatch" : results.every((result) => result.unchanged) ? "no_change" : "committed";
    const notes = Array.from(new Set(results.reduce<string[]>((all, result) => all.concat(result.notes), [])));
    const items = plan.changes.map((change, index) => ({
      id: change.id,
      result: results[index]?.unchanged ? "no_change" : "committed",
    }));
    const answer: JsonObject = plan.single
      ? { success: true, id: plan.changes[0]?.id ?? "", attributesPreserved: true }
      : { success: true, count: plan.changes.length, items, attributesPreserved: true };
    return {
      outcome,
      state,
      answer,
      notes,
      ...(failed
        ? { difference: { problem: failed.problem as string, block: failed.id, diff: failed.diff ?? "" } }
        : {}),
    };
  },

  async reconcile(input: UpdateInput, _lost, { reader }) {
    const items = itemsOf(input);
    const contents = await readContents(input, reader);
    const holding = await Promise.all(items.map((item, index) => holds(reader, item.id, contents[index] as Content)));
    const done = holding.every((each) => each);
    const answer: JsonObject =
      "items" in input ? { success: true, count: items.length } : { success: true, id: input.id };
    return { done, answer };
  },
});

/** True when the block holds the content: its words where it has no marks, else what is stored against what would be. */
async function holds(reader: SiyuanReader, id: string, content: Content): Promise<boolean> {
  const dom = (await reader.blockDom(id)) ?? "";
  if (dom === "" || holdsProse(content, dom)) return dom !== "";
  if (content.kind === "markdown") {
    const kramdown = (await reader.kramdown(id)) ?? "";
    return previewForm(await reader.previewHtml(kramdown)) === previewForm(content.preview.html);
  }
  const type = topLevelNodes(dom).nodes[0]?.type ?? "";
  const { data } = prepareUpdate(content, { id, type, dom }, "data");
  return compareStored(data, canonicalDom(dom)).equal;
}

/**
 * True when the block shows exactly the words of the content. Marks have no words, so where the content has or the block
 * shows any, it proves nothing.
 */
function holdsProse(content: Content, dom: string): boolean {
  return content.kind === "markdown" && content.prose !== undefined
    ? !dom.includes("<span") && visibleText(dom) === content.prose
    : false;
}

interface BlockResult {
  readonly id: string;
  readonly problem?: string;
  readonly diff?: string;
  readonly notes: readonly string[];
  readonly unchanged: boolean;
}

/** The four comparisons: request with echo, echo with stored block, attributes before with after, and the place. */
export function verifyBlock(
  content: Content,
  before: BlockState,
  echo: Echo | undefined,
  after: BlockState,
): BlockResult {
  const echoed = topLevelNodes(echo?.dom ?? "").nodes;
  const result = (problem: string | undefined, notes: readonly string[] = []): BlockResult => ({
    id: before.id,
    ...(problem === undefined
      ? {}
      : { problem, diff: textDiff(visibleText(echoed[0]?.html ?? ""), visibleText(after.dom)) }),
    notes,
    unchanged: problem === undefined && before.form === after.form,
  });
  if (!echo || echoed.length !== 1) return result(`SiYuan's answer holds ${echoed.length} blocks instead of one`);
  if (after.dom === "") return result("the block is gone");
  const missing = missingWords(content, echoed);
  if (missing.length > 0) return result(`SiYuan dropped words of the request: ${missing.slice(0, 5).join(" ")}`);
  const lost = lostReferences(content, [{ html: after.dom }]);
  if (lost.length > 0) return result(`references were emptied: ${lost.join(" ")}`);
  const comparison = compareStored((echoed[0] as DomNode).html, after.form);
  if (!comparison.equal) return result("the stored block is not what SiYuan announced");
  const kept = userAttributes(outerAttributes(after.dom));
  for (const [name, value] of Array.from(userAttributes(outerAttributes(before.dom)))) {
    if (kept.get(name) !== value) return result(`the attribute ${name} was not kept`);
  }
  if (after.parentID !== before.parentID) return result("the block moved meanwhile");
  return result(undefined, comparison.notes);
}
