// document.move: documents to another parent, by ids or storage paths, each with everything below it.

import { documentMove } from "../../../shared/catalogue/document.js";
import type { Json, JsonObject } from "../../../shared/wire/json.js";
import type { SiyuanReader } from "../../api/reader.js";
import { implementMutation, type Plan, type StageTrace, type Trace, type Verdict } from "../../safety/contract.js";
import { refusal } from "../block/content.js";
import { requireOpen } from "../block/location.js";
import { inParallel } from "../parallel.js";
import {
  type FolderPlace,
  folderJson,
  folderPlace,
  idsIn,
  isInManualOrder,
  pathIn,
  readFolder,
  sameIds,
} from "./folder.js";
import {
  documentAt,
  documentIdOf,
  documentNotFound,
  isStoragePath,
  type LiveDocument,
  liveDocument,
} from "./live-document.js";
import { strayCopies } from "./stray-copies.js";
import { groupOf, moveProblem, orderToSet, requireMovable } from "./move-rules.js";
import {
  broughtAlong,
  carriedJson,
  isIn,
  type MoveAfter,
  type MoveFacts,
  type Mover,
  movedJson,
  observeMove,
  readMoved,
} from "./moving.js";

type MoveInput =
  | { readonly fromIDs: readonly string[]; readonly toID: string }
  | { readonly fromPaths: readonly string[]; readonly toNotebook: string; readonly toPath: string };

interface MovePlan extends Plan {
  readonly facts: MoveFacts;
  /** Storage paths of those that are elsewhere. */
  readonly leaving: readonly string[];
  /** The whole order of the target, where it must be set. */
  readonly order: readonly string[] | undefined;
}

/** Titles that a preflight shows. */
const shown = 20;

function targetFieldOf(input: MoveInput): "toID" | "toPath" {
  return "toID" in input ? "toID" : "toPath";
}

function fieldOf(input: MoveInput, id: string): string {
  return "fromIDs" in input
    ? `fromIDs.${input.fromIDs.indexOf(id)}`
    : `fromPaths.${input.fromPaths.findIndex((path) => documentIdOf(path) === id)}`;
}

async function targetOf(reader: SiyuanReader, input: MoveInput): Promise<FolderPlace> {
  if ("toID" in input) return folderPlace(reader, input.toID, "toID");
  const { toNotebook: notebook, toPath } = input;
  await requireOpen(reader, notebook);
  if (toPath === "/") return { notebook, path: "/", parentID: notebook };
  const { id, path } = await documentAt(reader, notebook, toPath, "toPath");
  return { notebook, path, parentID: id };
}

async function documentsOf(reader: SiyuanReader, input: MoveInput): Promise<readonly LiveDocument[]> {
  const ids = "fromIDs" in input ? input.fromIDs : input.fromPaths.map(documentIdOf);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined)
    throw refusal("invalid_arguments", "fromIDs" in input ? "fromIDs" : "fromPaths", `${twice} is given twice`);
  const documents: LiveDocument[] = [];
  for (const [index, id] of ids.entries()) {
    documents.push(
      "fromIDs" in input
        ? await liveDocument(reader, id, `fromIDs.${index}`)
        : await documentAtPath(reader, input.fromPaths[index] ?? "", `fromPaths.${index}`),
    );
  }
  return documents;
}

/** A storage path names its notebook only through the id in it. */
async function documentAtPath(reader: SiyuanReader, path: string, field: string): Promise<LiveDocument> {
  const location = isStoragePath(path) ? await reader.location(documentIdOf(path)) : undefined;
  if (isStoragePath(path) && !location) throw documentNotFound(`No live document lies at ${path}`, field);
  return documentAt(reader, location?.notebook ?? "", path, field);
}

function idsToMove(input: MoveInput): readonly string[] {
  return "fromIDs" in input ? input.fromIDs : input.fromPaths.map(documentIdOf);
}

export const moveDocuments = implementMutation(documentMove, {
  async targets(input: MoveInput, { reader }) {
    const [to, documents] = [await targetOf(reader, input), await documentsOf(reader, input)];
    return {
      ids: documents.map(({ id }) => id).concat(to.parentID),
      notebooks: Array.from(new Set(documents.map(({ notebook }) => notebook).concat(to.notebook))),
      found: { documents, to },
    };
  },

  async observe(_input: MoveInput, { found }, { reader }) {
    const { state, facts } = await observeMove(reader, found.documents, found.to);
    const isInSteps = () => facts.movers.some(({ state: each }) => !isIn(each, facts.target)) && orderToSet(facts);
    return { state, facts, witness: () => (isInSteps() ? witnessOf(facts) : undefined) };
  },

  plan(input: MoveInput, { facts }): MovePlan {
    requireMovable(facts, ({ state }) => fieldOf(input, state.id), targetFieldOf(input));
    const { movers, target } = facts;
    const leaving = movers.filter(({ state }) => !isIn(state, target));
    return {
      facts,
      leaving: leaving.map(({ state }) => state.path),
      order: orderToSet(facts),
      preview: (): JsonObject => ({
        documents: movers.slice(0, shown).map(({ state, below }) => ({
          id: state.id,
          title: state.title,
          subDocuments: below.length,
        })),
        from: Array.from(new Set(leaving.map(({ state }) => state.path))).slice(0, shown),
        toNotebook: target.notebook,
        toPath: target.path,
        alreadyThere: movers.length - leaving.length,
        ...withTwins(leaving, facts),
      }),
    };
  },

  stages: [
    {
      name: "move",
      async apply({ facts: { target }, leaving }: MovePlan, { writer }): Promise<void> {
        if (leaving.length > 0) await writer.moveDocuments(leaving, target.notebook, target.path);
      },
    },
    {
      name: "order",
      async apply({ facts, order }: MovePlan, { writer }): Promise<void> {
        const { target, movers } = facts;
        if (!order) return;
        const hidden = target.hidden.concat(
          movers.filter(({ state }) => !order.includes(state.id)).map(({ state, sort }) => ({ ...state, sort })),
        );
        const ids = order.concat(hidden.map(({ id }) => id));
        await writer.orderDocuments(
          target.notebook,
          Array.from(new Set(ids)).map((id) => pathIn(target, id)),
        );
      },
    },
  ],

  readback: ({ facts }: MovePlan, _answers, { reader }) => readMoved(reader, facts),

  verify({ facts, leaving, order }: MovePlan, _before, _answers, after: MoveAfter): Verdict {
    const ids = facts.movers.map(({ state }) => state.id);
    const answer: JsonObject = {
      success: true,
      ids,
      count: ids.length,
      toNotebook: facts.target.notebook,
      toID: facts.target.parentID,
      toPath: facts.target.path,
      movedSubDocuments: broughtAlong(facts),
      order: idsIn(after.target).filter((id) => ids.includes(id)),
      ...withTwins(
        facts.movers.filter(({ state }) => !isIn(state, facts.target)),
        facts,
      ),
    };
    const problem = moveProblem(facts, after, { group: groupOf(facts), ...(order ? { order } : {}) });
    const state = movedJson(after);
    if (problem !== undefined) return { outcome: "mismatch", state, answer, difference: { problem } };
    const changed = leaving.length > 0 || order !== undefined;
    return { outcome: changed ? "committed" : "no_change", state, answer, notes: notesOn(facts, answer, order) };
  },

  async reconcile(input: MoveInput, _lost, { reader }) {
    const to = await targetOf(reader, input);
    const ids = idsToMove(input);
    const folder = await readFolder(reader, to);
    const listed = folder.visible.concat(folder.hidden);
    const shownIds = idsIn(folder).filter((id) => ids.includes(id));
    const isOrdered =
      !isInManualOrder(folder) ||
      sameIds(
        shownIds,
        ids.filter((id) => shownIds.includes(id)),
      );
    const isThere = ids.every((id) => listed.some((entry) => entry.id === id && entry.path === pathIn(to, id)));
    const places = ids.map((id) => ({ id, notebook: to.notebook, path: pathIn(to, id) }));
    return {
      done: isThere && isOrdered && (await strayCopies(reader, places)).length === 0,
      answer: {
        success: true,
        ids,
        count: ids.length,
        toNotebook: to.notebook,
        toID: to.parentID,
        toPath: to.path,
        order: shownIds,
      },
    };
  },

  async trace(input: MoveInput, { stages }, { reader }): Promise<Trace<MoveFacts>> {
    const to = await targetOf(reader, input);
    const ids = idsToMove(input);
    const documents = await inParallel(ids, (id) => liveDocument(reader, id, targetFieldOf(input)));
    const arrived = documents.filter((document) => isIn(document, to)).length;
    const isWhole = arrived === ids.length && (await strayCopies(reader, documents)).length === 0;
    const move = isWhole ? "done" : arrived === 0 ? "absent" : "unclear";
    // An order that was sent and is not there: the caller asked first whether all is as it should be.
    const traces = [move, "absent"].slice(0, stages.length) as StageTrace[];
    if (!isWhole || stages.length > 1) return { stages: traces };
    const { state, facts } = await observeMove(reader, documents, to);
    const observation = { state, facts: { ...facts, arrived: true } };
    return { stages: traces, rest: { witness: witnessOf(facts), observation, answers: [undefined] } };
  },
});

/** What the order builds on: the documents, and all others of the target. */
function witnessOf(facts: MoveFacts): Json {
  const { visible, hidden, ...place } = facts.target;
  const isOther = ({ id }: { readonly id: string }) => facts.movers.every(({ state }) => state.id !== id);
  const others = { ...facts.target, visible: visible.filter(isOther), hidden: hidden.filter(isOther) };
  return { moved: carriedJson(facts), target: folderJson({ ...place, ...others }) };
}

/** Documents of the target that have the title of one that arrives. */
function withTwins(leaving: readonly Mover[], { target }: MoveFacts): JsonObject {
  const titles = leaving.map(({ state }) => state.title);
  const twins = target.visible.filter(({ title }) => titles.includes(title)).map(({ id }) => id);
  return twins.length > 0 ? { sameTitle: twins } : {};
}

function notesOn(
  { target, movers }: MoveFacts,
  answer: JsonObject,
  order: readonly string[] | undefined,
): readonly string[] {
  const notes: string[] = [];
  if (Array.isArray(answer.sameTitle))
    notes.push("documents of the target have the same title as a moved one; use ids, a path may be ambiguous");
  if (order) notes.push("the documents of the target were numbered anew, to keep the asked order of the moved ones");
  else if (movers.length > 1 && !isInManualOrder(target))
    notes.push("the target is not in manual order: the moved documents stand where its sort mode puts them");
  return notes;
}
