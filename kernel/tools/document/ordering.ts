// The manual order of all documents of a folder, for every action that sets it. SiYuan echoes nothing; the oracle is
// the folder listed afterwards, in the order a person sees.

import type { JsonObject } from "../../../shared/wire/json.js";
import { manualOrder } from "../../api/folder-reader.js";
import type { SiyuanReader } from "../../api/reader.js";
import type { Evidence, Observation, Plan, Verdict, WriteTools } from "../../safety/contract.js";
import { refusal } from "../block/content.js";
import { type Folder, folderJson, type FolderPlace, idsIn, isInManualOrder, readFolder, sameIds } from "./folder.js";

export interface OrderPlan extends Plan {
  readonly place: FolderPlace;
  readonly order: readonly string[];
  /** Storage paths to number; empty when the stored order is right already. */
  readonly paths: readonly string[];
  readonly switchesMode: boolean;
}

/** Titles that a preflight shows, and ids that a refusal names. */
const shown = 20;

const modeNote =
  "the whole notebook changes to the manual order: its other folders show their stored manual order from now on";

export async function observeOrder(reader: SiyuanReader, place: FolderPlace): Promise<Observation<Folder>> {
  const folder = await readFolder(reader, place);
  return { state: folderJson(folder), facts: folder };
}

/** Pure. Refuses a list that is not exactly the visible documents. */
export function planOrder(folder: Folder, order: readonly string[], field: string): OrderPlan {
  requireAll(folder, order, field);
  const switchesMode = !isInManualOrder(folder);
  const entries = new Map(folder.visible.map((entry) => [entry.id, entry]));
  const wanted = order.map((id) => entries.get(id)).filter((entry) => entry !== undefined);
  const isStored = switchesMode
    ? wanted.every((entry, index) => index === 0 || (wanted[index - 1]?.sort ?? 0) < entry.sort)
    : sameIds(idsIn(folder), order);
  return {
    place: { notebook: folder.notebook, path: folder.path, parentID: folder.parentID },
    order,
    // What is left out SiYuan numbers by age: hidden documents keep their own order behind the others.
    paths: isStored ? [] : wanted.concat(folder.hidden).map(({ path }) => path),
    switchesMode,
    preview: () => ({
      documents: order.length,
      orderChanged: !sameIds(idsIn(folder), order),
      sortModeChanged: switchesMode,
      from: folder.visible.slice(0, shown).map(({ title }) => title),
      to: wanted.slice(0, shown).map(({ title }) => title),
      ...(switchesMode ? { note: modeNote } : {}),
    }),
  };
}

function requireAll(folder: Folder, order: readonly string[], field: string): void {
  const problems: string[] = [];
  const say = (what: string, ids: readonly string[]) => {
    if (ids.length === 0) return;
    const more = ids.length > shown ? ` and ${ids.length - shown} more` : "";
    problems.push(`${what}: ${ids.slice(0, shown).join(", ")}${more}`);
  };
  const given = new Set<string>();
  const twice = new Set<string>();
  for (const id of order) (given.has(id) ? twice : given).add(id);
  const here = new Set(idsIn(folder));
  say("given twice", Array.from(twice));
  say(
    "not directly in this folder",
    Array.from(given).filter((id) => !here.has(id)),
  );
  say(
    "missing",
    idsIn(folder).filter((id) => !given.has(id)),
  );
  if (problems.length === 0) return;
  throw refusal("invalid_arguments", field, `give every document of the folder exactly once; ${problems.join("; ")}`);
}

/** The places first: until the mode changes nobody sees them, and a call that stops between leaves the tree as it was. */
export const orderStages = [
  {
    name: "order",
    async apply({ place, paths }: OrderPlan, { writer }: WriteTools): Promise<void> {
      if (paths.length > 0) await writer.orderDocuments(place.notebook, paths);
    },
  },
  {
    name: "sort_mode",
    async apply({ place, switchesMode }: OrderPlan, { writer }: WriteTools): Promise<void> {
      if (switchesMode) await writer.setNotebookConf(place.notebook, { sortMode: manualOrder });
    },
  },
];

export function readOrder({ place }: OrderPlan, reader: SiyuanReader): Promise<Folder> {
  return readFolder(reader, place);
}

export function verifyOrder(plan: OrderPlan, before: Folder, after: Folder, words: JsonObject): Verdict {
  const previousOrder = idsIn(before);
  const order = idsIn(after);
  const orderChanged = !sameIds(previousOrder, plan.order);
  const changed = orderChanged || plan.switchesMode;
  const answer: JsonObject = {
    success: true,
    ...words,
    parentID: plan.place.parentID,
    notebook: plan.place.notebook,
    changed,
    orderChanged,
    sortModeChanged: plan.switchesMode,
    previousOrder,
    order,
  };
  const state = folderJson(after);
  const problem = orderProblem(plan, before, after);
  if (problem !== undefined) return { outcome: "mismatch", state, answer, difference: { problem, order } };
  return {
    outcome: changed ? "committed" : "no_change",
    state,
    answer,
    notes: plan.switchesMode ? [modeNote] : [],
  };
}

function orderProblem(plan: OrderPlan, before: Folder, after: Folder): string | undefined {
  if (!sameIds(idsIn(after), plan.order)) return "the documents do not stand in the asked order";
  if (!isInManualOrder(after)) return "the folder is not in manual order";
  const { sortMode: _before, ...kept } = before.conf;
  const { sortMode: _after, ...found } = after.conf;
  if (JSON.stringify(kept) !== JSON.stringify(found)) return "other settings of the notebook changed meanwhile";
  const hiddenBefore = before.hidden.map(({ id }) => id);
  if (
    !sameIds(
      hiddenBefore,
      after.hidden.map(({ id }) => id),
    )
  )
    return "the hidden documents changed meanwhile";
  const titles = new Map(before.visible.map(({ id, title }) => [id, title]));
  const renamed = after.visible.find(({ id, title }) => titles.get(id) !== title);
  return renamed && `the document ${renamed.id} was renamed meanwhile`;
}

/** After a lost outcome: done when the documents stand in the asked order for everybody to see. */
export async function reconcileOrder(
  reader: SiyuanReader,
  place: FolderPlace,
  wanted: (folder: Folder) => readonly string[],
  words: JsonObject,
): Promise<Evidence> {
  const folder = await readFolder(reader, place);
  const order = idsIn(folder);
  return {
    done: isInManualOrder(folder) && sameIds(order, wanted(folder)),
    answer: { success: true, ...words, parentID: place.parentID, notebook: place.notebook, order },
  };
}
