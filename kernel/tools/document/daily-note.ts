// Today's note of a notebook: where it lies by the notebook's settings, whether it is there, and what making it leaves.

import type { JsonObject } from "../../../shared/wire/json.js";
import type { SiyuanReader } from "../../api/reader.js";
import { refusal } from "../block/content.js";
import { visibleText } from "../block/text-diff.js";
import { humanPath } from "./creation.js";
import { renderPathTemplate } from "./path-template.js";

/** Before a write. */
export interface DailyNote {
  readonly notebook: string;
  /** Human path that the settings render to today. */
  readonly path: string;
  /** Attribute that SiYuan gives to notes of today. */
  readonly mark: string;
  /** Documents at that path, more than one where titles are there twice. */
  readonly existing: readonly string[];
  /** True when one of them has the mark. */
  readonly marked: boolean;
  /** Ids per human path of the documents above it. */
  readonly parents: ReadonlyMap<string, readonly string[]>;
  readonly template: string;
}

/** After a write. */
export interface DailyNoteAfter {
  readonly id: string;
  readonly notebook: string;
  readonly path: string;
  /** False when it lies neither where the note of the plan nor where that of this moment belongs: midnight may lie between. */
  readonly inPlace: boolean;
  readonly marked: boolean;
  readonly text: string;
  /** Documents that were made above it. */
  readonly createdParents: readonly string[];
}

const datePrefix = "custom-dailynote-";
/** Rendered together with the path, so that both are of one moment. */
const dayTemplate = '{{now | date "20060102"}}';

/** Throws a refusal that names the notebook for settings that SiYuan would not follow, or follow in another way. */
export async function readDailyNote(reader: SiyuanReader, notebook: string): Promise<DailyNote> {
  const conf = await reader.notebookConf(notebook);
  const setting = String(conf.dailyNoteSavePath ?? "").trim();
  if (setting === "" || setting === "/")
    throw refusal(
      "invalid_arguments",
      "notebook",
      "its settings name no path for daily notes (dailyNoteSavePath, notebook set_conf)",
    );
  const rendered = await renderPathTemplate(reader, `${setting}\n${dayTemplate}`, "notebook");
  const end = rendered.lastIndexOf("\n");
  const path = dailyPath(rendered.slice(0, end));
  const mark = datePrefix + rendered.slice(end + 1);
  const existing = await reader.idsByHumanPath(notebook, path);
  let marked = false;
  for (const id of existing) marked = marked || (await reader.documentInfo(id)).attributes.has(mark);
  return {
    notebook,
    path,
    mark,
    existing,
    marked,
    parents: await parentsOf(reader, notebook, path),
    template: String(conf.dailyNoteTemplatePath ?? ""),
  };
}

/** As SiYuan trims it. Refuses what it would rename: the note would never be found again, and be made anew each time. */
function dailyPath(rendered: string): string {
  const titles = rendered.split("/").map((title) => title.trim());
  if (titles[0] === "") titles.shift();
  try {
    return humanPath(titles, "notebook");
  } catch {
    throw refusal(
      "invalid_arguments",
      "notebook",
      `its path for daily notes gives ${rendered.trim()}, which SiYuan would change or refuse; correct dailyNoteSavePath`,
    );
  }
}

async function parentsOf(
  reader: SiyuanReader,
  notebook: string,
  path: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const parents = new Map<string, readonly string[]>();
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    const parent = path.slice(0, end);
    parents.set(parent, await reader.idsByHumanPath(notebook, parent));
  }
  return parents;
}

export async function readDailyNoteAfter(
  reader: SiyuanReader,
  before: DailyNote,
  id: string,
): Promise<DailyNoteAfter | undefined> {
  const location = await reader.location(id);
  if (!location) return undefined;
  const { attributes } = await reader.documentInfo(id);
  const [path, dom, parents] = await Promise.all([
    reader.humanPath(id),
    reader.blockDom(id),
    parentsOf(reader, before.notebook, before.path),
  ]);
  const created = Array.from(parents).reduce<string[]>(
    (all, [parent, ids]) => all.concat(ids.filter((each) => !before.parents.get(parent)?.includes(each))),
    [],
  );
  return {
    id,
    notebook: location.notebook,
    path,
    inPlace: path === before.path || path === (await readDailyNote(reader, before.notebook)).path,
    // At midnight the day of the path and the day of the mark may differ.
    marked: Array.from(attributes.keys()).some((name) => name.startsWith(datePrefix)),
    text: visibleText(dom ?? ""),
    createdParents: created,
  };
}

/** Pure: what is wrong with the note; undefined when it is today's. */
export function dailyNoteProblem(before: DailyNote, after: DailyNoteAfter | undefined): string | undefined {
  if (!after) return "the note is not there";
  if (after.notebook !== before.notebook) return "the note is not in the notebook";
  if (!after.inPlace) return `the note lies at ${after.path}`;
  if (after.path === before.path && before.existing.length > 0 && !before.existing.includes(after.id))
    return "another note was made although one was there";
  if (!after.marked) return "the note does not have the mark of daily notes";
  return undefined;
}

/** Ids and facts of the note, for answers. */
export function dailyNoteAnswer(before: DailyNote, after: DailyNoteAfter | undefined): JsonObject {
  const created = after === undefined || !before.existing.includes(after.id);
  return {
    hPath: after?.path ?? before.path,
    created,
    ...(after && after.createdParents.length > 0 ? { createdParents: after.createdParents } : {}),
  };
}

export function dailyNoteNotes(before: DailyNote, after: DailyNoteAfter | undefined): readonly string[] {
  const notes: string[] = [];
  if (before.existing.length > 1) notes.push(`${before.existing.length} documents have this path; SiYuan chose one`);
  if (before.existing.length > 0 && !before.marked)
    notes.push("a document was there and got today's mark as a daily note");
  if (before.existing.length === 0 && before.template !== "" && after?.text === "")
    notes.push("the notebook's template for daily notes gave no content");
  return notes;
}

export function dailyNotePreview({ path, existing, parents, template }: DailyNote): JsonObject {
  const missing = Array.from(parents).filter(([, ids]) => ids.length === 0);
  return {
    hPath: path,
    ...(existing.length > 0
      ? { exists: existing }
      : { newParents: missing.length, ...(template === "" ? {} : { template }) }),
  };
}
