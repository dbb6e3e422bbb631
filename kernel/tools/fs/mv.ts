// fs.mv: the document at a workspace path to another path: another parent, another title, or both.

import { fsMv } from "../../../shared/catalogue/fs.js";
import { SisyphusError } from "../../../shared/errors.js";
import {
  type Evidence,
  implementMutation,
  type Plan,
  type ReadTools,
  type StageTrace,
  type Trace,
  type Verdict,
} from "../../safety/contract.js";
import { refusal } from "../block/content.js";
import { requireOpen } from "../block/location.js";
import { type FolderPlace, pathIn, readFolder } from "../document/folder.js";
import { liveDocument } from "../document/live-document.js";
import { moveProblem, requireMovable } from "../document/move-rules.js";
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
} from "../document/moving.js";
import { strayCopies } from "../document/stray-copies.js";
import { requireTitle } from "../document/title.js";
import {
  ambiguous,
  invalid,
  pathParts,
  readableNotebooks,
  resolvePath,
  storagePathOf,
  type WritableDocument,
  writableDocument,
} from "./resolve.js";
import { virtualFiles, virtualIsReadOnly } from "./virtual-files.js";

interface MvInput {
  readonly from: string;
  readonly to: string;
}

interface Destination {
  readonly place: FolderPlace;
  readonly title: string;
  /** Workspace path with the notebook's name. */
  readonly path: string;
}

interface MvFacts {
  readonly move: MoveFacts;
  readonly destination: Destination;
  readonly path: string;
}

interface MvPlan extends Plan {
  readonly id: string;
  readonly facts: MvFacts;
  /** Storage path to move; undefined when the parent stays. */
  readonly leaving: string | undefined;
  /** The new title; undefined when it stays. */
  readonly title: string | undefined;
}

/** Errors of a path name the argument that held it. */
async function named<Value>(field: "from" | "to", found: Promise<Value>): Promise<Value> {
  try {
    return await found;
  } catch (thrown) {
    if (!(thrown instanceof SisyphusError) || !thrown.details.fields) throw thrown;
    const fields = thrown.details.fields.map(({ path, message }) => ({
      path: path === "path" ? field : path,
      message,
    }));
    throw new SisyphusError(thrown.code, thrown.message, { ...thrown.details, fields });
  }
}

function sourceAt(path: string, tools: ReadTools): Promise<WritableDocument> {
  return writableDocument(path, tools, "this names no document; a notebook is renamed with notebook rename");
}

/** The parent must exist: a move makes no documents. */
async function destinationAt(path: string, tools: ReadTools): Promise<Destination> {
  const parts = pathParts(path);
  const title = parts[parts.length - 1] ?? "";
  const file = virtualFiles.find((entry) => entry.path === `/${parts.join("/")}`);
  if (file) throw virtualIsReadOnly(file);
  const notebooks = (await readableNotebooks(tools)).filter(({ name }) => name === parts[0]);
  const [notebook, second] = notebooks;
  if (parts.length < 2) throw invalid(path, "give the whole new path, /Notebook/Title");
  if (parts.length === 2 && second)
    throw ambiguous(
      path,
      notebooks.map(({ id }) => id),
    );
  if (parts.length === 2 && notebook) {
    await requireOpen(tools.reader, notebook.id);
    return {
      place: { notebook: notebook.id, path: "/", parentID: notebook.id },
      title,
      path: `/${notebook.name}/${title}`,
    };
  }
  const parent = await resolvePath(`/${parts.slice(0, -1).join("/")}`, tools);
  if (parent.kind !== "document") throw invalid(path, "its parent is no document");
  return {
    place: {
      notebook: parent.notebook.id,
      path: await storagePathOf(parent, tools.reader),
      parentID: parent.id,
    },
    title,
    path: `${parent.path}/${title}`,
  };
}

/** Human path inside the notebook. */
function inNotebook(path: string): string {
  return `/${pathParts(path).slice(1).join("/")}`;
}

export const mv = implementMutation(fsMv, {
  async targets({ from, to }: MvInput, tools) {
    const source = await named("from", sourceAt(from, tools));
    const destination = await named("to", destinationAt(to, tools));
    return {
      ids: [source.document.id, destination.place.parentID],
      notebooks: Array.from(new Set([source.document.notebook, destination.place.notebook])),
      found: { ...source, destination },
    };
  },

  async observe(_input: MvInput, { found: { document, destination, path } }, { reader }) {
    const { state, facts } = await observeMove(reader, [document], destination.place);
    const isInSteps = !isIn(document, destination.place) && facts.movers[0]?.state.title !== destination.title;
    return {
      state,
      facts: { move: facts, destination, path },
      witness: () => (isInSteps ? carriedJson(facts) : undefined),
    };
  },

  plan(_input: MvInput, { facts }: { readonly facts: MvFacts }): MvPlan {
    const { move, destination, path } = facts;
    const { state, below } = move.movers[0] as Mover;
    const there = move.target.visible.concat(move.target.hidden);
    const taken = there.find((entry) => entry.title === destination.title && entry.id !== state.id);
    if (taken) throw refusal("invalid_arguments", "to", `${destination.path} exists already (id ${taken.id})`);
    requireMovable(move, () => "from", "to");
    if (destination.title !== state.title) requireTitle(destination.title, "to");
    return {
      id: state.id,
      facts,
      leaving: isIn(state, move.target) ? undefined : state.path,
      title: destination.title === state.title ? undefined : destination.title,
      preview: () => ({ id: state.id, from: path, to: destination.path, subDocuments: below.length }),
    };
  },

  // A call that stops between the two leaves the document below its new parent under its old title, as a whole.
  stages: [
    {
      name: "move",
      async apply({ leaving, facts: { move } }: MvPlan, { writer }): Promise<void> {
        if (leaving !== undefined) await writer.moveDocuments([leaving], move.target.notebook, move.target.path);
      },
    },
    {
      name: "rename",
      async apply({ id, title }: MvPlan, { writer }): Promise<void> {
        if (title !== undefined) await writer.renameDocument(id, title);
      },
    },
  ],

  async readback({ id, facts }: MvPlan, _answers, { reader }) {
    const after = await readMoved(reader, facts.move);
    return { after, humanPath: after.arrivals[0]?.state ? await reader.humanPath(id) : "" };
  },

  verify(
    { id, title, leaving, facts }: MvPlan,
    _before,
    _answers,
    { after, humanPath }: { readonly after: MoveAfter; readonly humanPath: string },
  ): Verdict {
    const { move, destination, path } = facts;
    const answer = {
      success: true,
      path,
      movedTo: destination.path,
      id,
      notebook: destination.place.notebook,
      moved: leaving !== undefined || move.arrived === true,
      renamed: title !== undefined,
      movedSubDocuments: broughtAlong(move),
    };
    const problem =
      moveProblem(move, after, title === undefined ? {} : { title }) ??
      (inNotebook(destination.path) === humanPath ? undefined : `the human path is ${humanPath}`);
    const state = movedJson(after);
    if (problem !== undefined) return { outcome: "mismatch", state, answer, difference: { problem } };
    return { outcome: answer.moved || answer.renamed ? "committed" : "no_change", state, answer };
  },

  words: ({ from, to }: MvInput) => ({ path: from, movedTo: to }),

  async reconcile({ to }: MvInput, { targetIds }, tools): Promise<Evidence> {
    const found = await resolvePath(to, tools).catch((thrown) => {
      if (thrown instanceof SisyphusError && thrown.code === "document_not_found") return undefined;
      throw thrown;
    });
    if (found?.kind !== "document") return { done: false, answer: {} };
    const { id, notebook, path } = found;
    const storagePath = await storagePathOf(found, tools.reader);
    const destination = await destinationAt(to, tools);
    // The ids are those of the document and of its new parent.
    const isOurs = targetIds.includes(id) && id !== destination.place.parentID;
    const isThere = notebook.id === destination.place.notebook && storagePath === pathIn(destination.place, id);
    const { visible, hidden } = await readFolder(tools.reader, destination.place);
    const isListed = visible.concat(hidden).some((entry) => entry.id === id && entry.title === destination.title);
    const done =
      isOurs &&
      isThere &&
      isListed &&
      (await strayCopies(tools.reader, [{ id, notebook: notebook.id, path: storagePath }])).length === 0;
    return { done, answer: { success: true, movedTo: path, id, notebook: notebook.id } };
  },

  async trace({ from, to }: MvInput, { stages, targetIds }, { reader, config }): Promise<Trace<MvFacts>> {
    const destination = await destinationAt(to, { reader, config });
    const { parentID } = destination.place;
    const id = targetIds.find((each) => each !== parentID);
    if (id === undefined || !targetIds.includes(parentID)) return { stages: stages.map(() => "unclear") };
    const document = await liveDocument(reader, id, "from");
    const isThere = isIn(document, destination.place);
    const isWhole = isThere && (await strayCopies(reader, [document])).length === 0;
    const { state, facts } = await observeMove(reader, [document], destination.place);
    const isRenamed = facts.movers[0]?.state.title === destination.title;
    const move: StageTrace = isWhole ? "done" : isThere ? "unclear" : "absent";
    const rename: StageTrace = isRenamed ? "done" : "absent";
    const traces = [move, rename].slice(0, stages.length);
    if (!isWhole || stages.length > 1) return { stages: traces };
    const observed = { move: { ...facts, arrived: true }, destination, path: `/${pathParts(from).join("/")}` };
    return {
      stages: traces,
      rest: { witness: carriedJson(facts), observation: { state, facts: observed }, answers: [undefined] },
    };
  },
});
