// How the simulation tries an action: arguments from the present notes, what they may change, and what they ask for.

import type { ToolName } from "../../../shared/catalogue/declaration.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import type { Notes, State } from "../siyuan/notes.js";
import type { Random } from "../world/random.js";

/** Gives words that no text had before. */
export type Words = () => string;

export interface Scenario {
  readonly tool: ToolName;
  readonly action: string;
  /** Business arguments; undefined when the notes offer no target. */
  build(notes: Notes, random: Random, words: Words): JsonObject | undefined;
  /** The same call with another content. */
  vary(args: JsonObject, words: Words): JsonObject;
  /** Notebooks whose permission the call needs, as they are now. */
  notebooks(notes: Notes, args: JsonObject): readonly string[];
  /** Everything the precondition must cover, as text. Absent for what makes something new. */
  observed?(notes: Notes, args: JsonObject): string;
  /** True when the notes are as the call asked, judged by the arguments alone and the state that its commit read. */
  holds(notes: Notes, args: JsonObject, before: State | undefined): boolean;
  /**
   * True for an entry of the state that the call may change. Keys are ids, and `children of <id>`. `read` is the state
   * that its commit read, for names that may belong to something else when the effect comes.
   */
  mayChange(key: string, args: JsonObject, before: State, after: State, read: State): boolean;
}
