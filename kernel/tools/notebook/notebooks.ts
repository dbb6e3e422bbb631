// The list of notebooks before and after a change of one: what the change may touch, and nothing else.

import { SisyphusError } from "../../../shared/errors.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import type { Notebook, SiyuanReader } from "../../api/reader.js";
import type { Targets, Verdict } from "../../safety/contract.js";

/** A notebook among all the others, as lsNotebooks shows them. */
export interface Among {
  readonly notebook: Notebook;
  readonly all: readonly Notebook[];
}

/** Asks anew and refuses an id that names none: SiYuan would make a ghost notebook of it. */
export async function existingNotebook(reader: SiyuanReader, id: string): Promise<Targets<Among>> {
  const all = await reader.freshNotebooks();
  const notebook = all.find((entry) => entry.id === id);
  if (!notebook) {
    throw new SisyphusError("notebook_not_found", `No notebook ${id}`, {
      fields: [{ path: "notebook", message: "no notebook has this id" }],
    });
  }
  return { ids: [id], notebooks: [id], found: { notebook, all } };
}

/** Like existingNotebook, and refuses a closed one. */
export async function openNotebookTarget(reader: SiyuanReader, id: string): Promise<Targets<Among>> {
  const targets = await existingNotebook(reader, id);
  const { notebook } = targets.found;
  if (notebook.closed) throw new SisyphusError("notebook_closed", `Notebook ${notebook.name} is closed`);
  return targets;
}

/** Without the sort value: SiYuan renumbers all notebooks whenever one is made. */
export function entryState({ id, name, icon, closed }: Notebook): JsonObject {
  return { id, name, icon, closed };
}

export function sameEntry(left: Notebook, right: Notebook): boolean {
  return left.id === right.id && left.name === right.name && left.icon === right.icon && left.closed === right.closed;
}

/** The first notebook besides `id` that appeared, went or changed; undefined when all others are as they were. */
export function strayChange(before: readonly Notebook[], after: readonly Notebook[], id: string): string | undefined {
  for (const entry of before) {
    if (entry.id === id) continue;
    const now = after.find((other) => other.id === entry.id);
    if (!now) return `notebook ${entry.id} is gone`;
    if (!sameEntry(entry, now)) return `notebook ${entry.id} changed too`;
  }
  const appeared = after.find((entry) => entry.id !== id && !before.some((other) => other.id === entry.id));
  return appeared && `notebook ${appeared.id} appeared`;
}

/** The verdict on a change that makes one notebook `expected` and touches no other. */
export function verdictOn(
  expected: Notebook,
  { notebook, all }: Among,
  after: readonly Notebook[],
  answer: JsonObject,
): Verdict {
  const found = after.find((entry) => entry.id === expected.id);
  const problem =
    found && sameEntry(found, expected) ? strayChange(all, after, expected.id) : "the notebook is not as asked";
  const state = found ? entryState(found) : null;
  if (!found || problem !== undefined)
    return { outcome: "mismatch", state, answer, difference: { problem: problem ?? "", found: state } };
  return { outcome: sameEntry(notebook, found) ? "no_change" : "committed", state, answer };
}
