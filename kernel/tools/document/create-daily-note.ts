// document.create_daily_note: today's note by the notebook's settings. One that is there is answered as it is.

import { documentCreateDailyNote } from "../../../shared/catalogue/document.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import { implementMutation, type Plan, type Verdict } from "../../safety/contract.js";
import { requireOpen } from "../block/location.js";
import {
  type DailyNote,
  type DailyNoteAfter,
  dailyNoteAnswer,
  dailyNoteNotes,
  dailyNotePreview,
  dailyNoteProblem,
  readDailyNote,
  readDailyNoteAfter,
} from "./daily-note.js";

interface DailyNoteInput {
  readonly notebook: string;
  readonly app?: string;
}

interface DailyNotePlan extends Plan {
  readonly note: DailyNote;
  readonly app: string | undefined;
}

export const createDailyNote = implementMutation(documentCreateDailyNote, {
  async targets({ notebook }: DailyNoteInput, { reader }) {
    await requireOpen(reader, notebook);
    return { ids: [notebook], notebooks: [notebook], found: undefined };
  },

  observe: async ({ notebook }: DailyNoteInput, _targets, { reader }) => ({
    state: null,
    facts: await readDailyNote(reader, notebook),
  }),

  plan: ({ app }: DailyNoteInput, { facts }): DailyNotePlan => ({
    note: facts,
    app,
    preview: () => dailyNotePreview(facts),
  }),

  stages: [
    {
      name: "create",
      apply: ({ note, app }: DailyNotePlan, { writer }): Promise<string> => writer.createDailyNote(note.notebook, app),
    },
  ],

  readback: ({ note }: DailyNotePlan, [id], { reader }): Promise<DailyNoteAfter | undefined> =>
    readDailyNoteAfter(reader, note, id as string),

  verify({ note }: DailyNotePlan, _before, [id], after): Verdict {
    const answer: JsonObject = {
      success: true,
      notebook: note.notebook,
      id: id as string,
      ...dailyNoteAnswer(note, after),
    };
    const problem = dailyNoteProblem(note, after);
    if (problem !== undefined) return { outcome: "mismatch", answer, difference: { problem } };
    return {
      outcome: note.marked && note.existing.includes(id as string) ? "no_change" : "committed",
      answer,
      notes: dailyNoteNotes(note, after),
    };
  },

  async reconcile({ notebook }: DailyNoteInput, _lost, { reader }) {
    const note = await readDailyNote(reader, notebook);
    const [id = ""] = note.existing;
    return { done: note.marked, answer: { success: true, notebook, id, hPath: note.path } };
  },
});
