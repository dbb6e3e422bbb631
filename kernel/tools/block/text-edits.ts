// Exact edits of texts: each old passage is found or refused, never guessed. Pure; knows nothing of blocks.

/** One wanted edit, as it stands in the arguments. */
export interface TextEdit {
  readonly old: string;
  readonly new: string;
  readonly replace_all?: boolean;
}

/** Every edit was made. */
export interface EditedTexts {
  /** The texts afterwards, as many as before. */
  readonly texts: readonly string[];
  /** Replacements per edit. */
  readonly counts: readonly number[];
}

/** The first edit that cannot be made, and how often its old passage was found: never, or more than once. */
export interface RefusedEdit {
  readonly edit: number;
  readonly found: number;
}

/**
 * Makes the edits in order, each in what the ones before it left. An edit without `replace_all` is made only where its
 * old passage stands exactly once in all the texts together. No passage reaches over two texts.
 */
export function applyEdits(texts: readonly string[], edits: readonly TextEdit[]): EditedTexts | RefusedEdit {
  let current = texts;
  const counts: number[] = [];
  for (let edit = 0; edit < edits.length; edit++) {
    const { old, new: replacement, replace_all: all = false } = edits[edit] as TextEdit;
    const found = current.reduce((sum, text) => sum + placesOf(text, old, all ? old.length : 1).length, 0);
    if (found === 0 || (found > 1 && !all)) return { edit, found };
    current = current.map((text) => text.split(old).join(replacement));
    counts.push(found);
  }
  return { texts: current, counts };
}

/**
 * Where the passage begins. With a step of 1 places that overlap count each ("aa" stands twice in "aaa"), with its
 * length as the step only those that a replacement of all would take.
 */
export function placesOf(text: string, passage: string, step: number): readonly number[] {
  const places: number[] = [];
  if (passage === "") return places;
  for (let at = text.indexOf(passage); at >= 0; at = text.indexOf(passage, at + step)) places.push(at);
  return places;
}

/** What a caller reads about an edit that was not made. */
export function refusedEditText({ found }: RefusedEdit): string {
  return found === 0
    ? "the old text does not stand there"
    : `the old text stands there ${found} times; give more of its surroundings, or replace_all`;
}
