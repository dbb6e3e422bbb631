// block.add_to_daily_note: adds content at one end of today's note, which SiYuan makes where it is not there yet.

import { blockAddToDailyNote } from "../../../shared/catalogue/block.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import type { DomNode } from "../../api/dom.js";
import type { BlockContent, Echo } from "../../api/writer.js";
import { implementMutation, type Plan, type Verdict } from "../../safety/contract.js";
import {
  type DailyNote,
  type DailyNoteAfter,
  dailyNoteAnswer,
  dailyNoteNotes,
  dailyNotePreview,
  dailyNoteProblem,
  readDailyNote,
  readDailyNoteAfter,
} from "../document/daily-note.js";
import { documentOf } from "./document-blocks.js";
import { requireOpen } from "./location.js";
import {
  compareNewBlocks,
  echoedNodes,
  type NewBlocks,
  type NewContent,
  prepareNewBlocks,
  readNewContent,
  readStored,
  requireNew,
  standInOrder,
  type StoredBlocks,
  textOf,
} from "./new-blocks.js";
import { textDiff } from "./text-diff.js";

type End = "append" | "prepend";

interface AddInput extends BlockContent {
  readonly notebook: string;
  readonly position: End;
}

interface AddFacts {
  readonly note: DailyNote;
  readonly content: NewContent;
}

interface AddPlan extends Plan {
  readonly note: DailyNote;
  readonly end: End;
  readonly blocks: NewBlocks;
}

interface AddAfter extends StoredBlocks {
  readonly echo: Echo | undefined;
  readonly nodes: readonly DomNode[];
  readonly note: DailyNoteAfter | undefined;
}

export const addToDailyNote = implementMutation(blockAddToDailyNote, {
  reserves: 1,

  async targets({ notebook }: AddInput, { reader }) {
    await requireOpen(reader, notebook);
    return { ids: [notebook], notebooks: [notebook], found: undefined };
  },

  async observe(input: AddInput, _targets, { reader }) {
    const [note, content] = await Promise.all([
      readDailyNote(reader, input.notebook),
      readNewContent({ dataType: input.dataType, data: input.data }, "data", reader),
    ]);
    return { state: null, facts: { note, content } as AddFacts };
  },

  plan({ position }: AddInput, { facts: { note, content } }, [reserved]): AddPlan {
    requireNew(content, "data");
    const blocks = prepareNewBlocks(content.content, reserved);
    return {
      note,
      end: position,
      blocks,
      preview: () => ({
        ...dailyNotePreview(note),
        blocks: blocks.expected,
        diff: textDiff("", textOf(content.content)),
      }),
    };
  },

  stages: [
    {
      name: "add",
      apply: ({ note, end, blocks }: AddPlan, { writer }): Promise<readonly Echo[]> =>
        writer.addToDailyNote(note.notebook, end, blocks.send),
    },
  ],

  async readback({ note }: AddPlan, answers, { reader }): Promise<AddAfter> {
    const [echo] = answers[0] as readonly Echo[];
    const nodes = echoedNodes(echo);
    const after = echo && echo.parentID !== "" ? await readDailyNoteAfter(reader, note, echo.parentID) : undefined;
    return { echo, nodes, note: after, ...(await readStored(reader, nodes)) };
  },

  verify({ note, end, blocks }: AddPlan, _before, _answers, after: AddAfter): Verdict {
    const ids = after.nodes.map((node) => node.id);
    const parentID = after.note?.id ?? "";
    const answer: JsonObject = {
      success: true,
      notebook: note.notebook,
      id: ids[0] ?? "",
      createdBlockIDs: ids,
      count: ids.length,
      documentID: parentID,
      ...dailyNoteAnswer(note, after.note),
    };
    const comparison = compareNewBlocks(blocks, after.echo, after.nodes, parentID, after);
    const problem =
      dailyNoteProblem(note, after.note) ??
      ("problem" in comparison ? comparison.problem : placeProblem(end, ids, after));
    if (problem !== undefined) return { outcome: "mismatch", answer, difference: { problem, createdBlockIDs: ids } };
    const notes = dailyNoteNotes(note, after.note).concat("notes" in comparison ? comparison.notes : []);
    return { outcome: "committed", answer, notes: Array.from(new Set(notes)) };
  },

  async reconcile({ notebook }: AddInput, { reservedIds }, { reader }) {
    const [id = ""] = reservedIds;
    const location = id === "" ? undefined : await reader.location(id);
    const held = location?.notebook === notebook && (await reader.treeInfos([id])).has(id);
    return {
      done: held,
      answer: { success: true, notebook, id, ...(location ? { documentID: documentOf(location.path) } : {}) },
    };
  },
});

/** Another writer may already have put more below the appended blocks, so the end itself is not asked for. */
function placeProblem(end: End, ids: readonly string[], { infos }: AddAfter): string | undefined {
  if (end === "prepend" && infos.get(ids[0] ?? "")?.previousID !== "") return "the new blocks are not the first ones";
  return standInOrder(ids, infos) ? undefined : "the new blocks are not in the asked order";
}
