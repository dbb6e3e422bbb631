// Which moves of documents are refused, and what proves one. SiYuan answers code 0 to most of the impossible ones and
// does nothing; its own answer to a real move echoes nothing either: the oracle is every folder that was touched.

import { sizeLimits } from "../../../shared/limits.js";
import { refusal } from "../block/content.js";
import { changedAttributes, sameContent } from "./document-state.js";
import { type Folder, idsIn, isInManualOrder, pathIn, sameIds } from "./folder.js";
import { idsOfPath } from "./live-document.js";
import { isIn, type MoveAfter, type MoveFacts, type Mover } from "./moving.js";

/** SiYuan marks a document without a title; a title takes the mark away. */
const untitledMark = "custom-sy-title-empty";

/** Throws a refusal for a move that SiYuan would not make, would make in part, or that would damage notes. */
export function requireMovable(
  { movers, target, sources, allowsDeeper }: MoveFacts,
  fieldOf: (mover: Mover) => string,
  targetField: string,
): void {
  const refuse = (field: string, message: string) => refusal("invalid_arguments", field, message);
  const above = idsOfPath(target.path);
  for (const mover of movers) {
    const { id, notebook, title } = mover.state;
    if (above.includes(id))
      throw refuse(
        targetField,
        id === target.parentID ? `${id} would move into itself` : `the target lies below ${id}`,
      );
    const other = movers.find(
      ({ state, below }) => state.id !== id && below.some((path) => path.endsWith(`/${id}.sy`)),
    );
    if (other) throw refuse(fieldOf(mover), `${id} lies below ${other.state.id} and goes with it; leave it out`);
    if (isIn(mover.state, target)) continue;
    requireRoom(mover, target, allowsDeeper, targetField);
    if (notebook !== target.notebook && (target.conf.encrypted === true || isEncrypted(sources, notebook)))
      throw refuse(targetField, "SiYuan moves no document into or out of an encrypted notebook");
    if (
      mover.blocking.length > 0 ||
      idsIn(target)
        .concat(target.hidden.map((entry) => entry.id))
        .includes(id)
    ) {
      throw refuse(
        targetField,
        `files of ${title} lie in the target already, left over from a broken move; SiYuan would overwrite them`,
      );
    }
  }
}

function isEncrypted(folders: readonly Folder[], notebook: string): boolean {
  return folders.some((folder) => folder.notebook === notebook && folder.conf.encrypted === true);
}

/** SiYuan counts the notebook's root as one level here. */
function requireRoom({ state, below }: Mover, { path }: Folder, allowsDeeper: boolean, field: string): void {
  const levels = path.split("/").length - 1;
  const deepest = below.reduce((most, file) => Math.max(most, file.split("/").length - 1), 0);
  if (allowsDeeper || levels + deepest < sizeLimits.maxHumanPathLevels) return;
  throw refusal(
    "invalid_arguments",
    field,
    `${state.title} with ${deepest} levels below it would lie deeper than the ${sizeLimits.maxHumanPathLevels} levels that SiYuan allows`,
  );
}

export interface Expected {
  /** New title of the only document; undefined keeps it. */
  readonly title?: string;
  /** Moved documents in the order in which they must stand. */
  readonly group?: readonly string[];
  /** The whole order of the target, where the call sets it. */
  readonly order?: readonly string[];
}

/** Pure: what is wrong with the notes now; undefined when everything is where it belongs, and nowhere else. */
export function moveProblem(before: MoveFacts, after: MoveAfter, expected: Expected): string | undefined {
  const ids = before.movers.map(({ state }) => state.id);
  for (const [index, mover] of before.movers.entries()) {
    const problem = arrivalProblem(before.target, mover, after.arrivals[index], expected.title);
    if (problem !== undefined) return `${mover.state.id}: ${problem}`;
  }
  const left = after.sources.find((folder) => idsIn(folder).some((id) => ids.includes(id)));
  if (left) return `a moved document is still listed below ${left.parentID} as well`;
  for (const [index, source] of before.sources.entries()) {
    const problem = othersProblem(source, after.sources[index] as Folder, ids, false);
    if (problem !== undefined) return problem;
  }
  const count = (id: string) => idsIn(after.target).filter((other) => other === id).length;
  const hidden = after.target.hidden.map(({ id }) => id);
  const missing = ids.find((id) => count(id) !== 1 && !hidden.includes(id));
  if (missing !== undefined) return `${missing} is not listed in the target once`;
  if (
    expected.group &&
    !sameIds(
      idsIn(after.target).filter((id) => expected.group?.includes(id)),
      expected.group,
    )
  )
    return "the moved documents do not stand in the asked order";
  if (expected.order && !sameIds(idsIn(after.target), expected.order))
    return "the documents of the target do not stand in the expected order";
  return othersProblem(before.target, after.target, ids, expected.order !== undefined);
}

function arrivalProblem(
  target: Folder,
  { state: before, below }: Mover,
  arrival: MoveAfter["arrivals"][number] | undefined,
  title: string | undefined,
): string | undefined {
  const after = arrival?.state;
  if (!arrival || !after) return "the document is gone";
  if (after.notebook !== target.notebook || after.path !== pathIn(target, before.id))
    return `the document lies at ${after.path} of notebook ${after.notebook}`;
  if (arrival.left.length > 0) return `${arrival.left.length} documents below it stayed behind`;
  if (!sameIds(arrival.below, below)) return "the documents below it are not the same";
  if (after.title !== (title ?? before.title)) return `the title is ${after.title}`;
  const changed = changedAttributes(before, after, title === undefined ? [] : [untitledMark]);
  if (changed.length > 0) return `attributes changed meanwhile: ${changed.join(", ")}`;
  return sameContent(before, after) ? undefined : "the content changed meanwhile";
}

/**
 * The documents that were not asked about: none came or went or has another title, and in manual order none has
 * another place. SiYuan shows equal places in any order, so that places are compared, not positions.
 */
function othersProblem(
  before: Folder,
  after: Folder,
  moved: readonly string[],
  renumbered: boolean,
): string | undefined {
  const known = new Map(before.visible.concat(before.hidden).map((entry) => [entry.id, entry]));
  const others = after.visible.concat(after.hidden).filter(({ id }) => !moved.includes(id));
  for (const { id, title, sort } of others) {
    const entry = known.get(id);
    if (!entry) return `${id} appeared below ${before.parentID} meanwhile`;
    if (entry.title !== title) return `${id} was renamed meanwhile`;
    if (entry.sort !== sort && !renumbered) return `${id} has another place than before`;
  }
  const still = new Set(others.map(({ id }) => id));
  const gone = Array.from(known.keys()).find((id) => !moved.includes(id) && !still.has(id));
  if (gone !== undefined) return `${gone} is gone from below ${before.parentID}`;
  if (before.sortMode !== after.sortMode) return "the sort mode changed meanwhile";
  return undefined;
}

/** The order in which SiYuan will show the target's documents, from the places that documents carry along. */
export function expectedOrder({ movers, target }: MoveFacts): readonly string[] {
  const arriving = movers
    .filter(({ state }) => !isIn(state, target) && state.attributes.get("custom-hidden") !== "true")
    .map(({ state, sort }) => ({ id: state.id, sort }));
  const age = (id: string) => Number(id.slice(0, 14));
  return target.visible
    .map(({ id, sort }) => ({ id, sort }))
    .concat(arriving)
    .map((entry, index) => ({ ...entry, index }))
    .sort((left, right) => left.sort - right.sort || age(right.id) - age(left.id) || left.index - right.index)
    .map(({ id }) => id);
}

/** Moved documents that must stand in the asked order: in manual order, those that a person sees. */
export function groupOf({ movers, target }: MoveFacts): readonly string[] {
  const shown = movers.filter(({ state }) => state.attributes.get("custom-hidden") !== "true");
  return isInManualOrder(target) && shown.length > 1 ? shown.map(({ state }) => state.id) : [];
}

/** The order with the group as asked, in the places that it takes together; undefined where SiYuan's own is so. */
export function orderToSet(facts: MoveFacts): readonly string[] | undefined {
  const group = groupOf(facts);
  const places = group.map((id) => facts.movers.find(({ state }) => state.id === id)?.sort ?? 0);
  if (places.every((place, index) => index === 0 || (places[index - 1] as number) < place)) return undefined;
  const queue = group.slice();
  return expectedOrder(facts).map((id) => (group.includes(id) ? (queue.shift() as string) : id));
}
