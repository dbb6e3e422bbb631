// The notes that every simulated run begins with.

import { addNote } from "./documents.js";
import { addNotebook } from "./notebooks.js";
import type { Notes } from "./notes.js";

/** With how many documents. The last one may be removed. */
const notebooks = [
  ["20260101000000-notebka", 4],
  ["20260101000000-notebkb", 4],
  ["20260101000000-notebkc", 1],
] as const;

export function firstNotes(notes: Notes): void {
  for (const [index, [notebook, documents]] of notebooks.entries()) {
    addNotebook(notes, notebook, `First name ${index}`);
    let parent = "";
    for (let number = 0; number < documents; number++) {
      const id = `2026010100000${number}-doc${index}aaa`;
      const markdown = `Begin ${number}\n\n## Part\n\nMiddle ${number}\n\n> Quoted one\n> \n> Quoted two\n\nEnd`;
      addNote(notes, { notebook, parent, title: `First title ${index}${number}`, id, markdown });
      // The second document lies below the first one.
      parent = number === 0 ? id : "";
    }
  }
}
