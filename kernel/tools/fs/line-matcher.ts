// Finds a text or a regular expression in lines, case apart or not.

import { refusal } from "../block/content.js";

/** Where a line matches first, or undefined. */
export type LineMatcher = (line: string) => number | undefined;

/**
 * The engine runs these with backtracking instead of in linear time, and a pattern that backtracks for minutes would
 * hold up every call; nothing could take it back.
 */
const backtracking = /\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</;

export function needsBacktracking(pattern: string): boolean {
  return backtracking.test(withoutEscapedBackslashes(pattern));
}

/** Throws `invalid_arguments` naming `query`. */
export function patternMatcher(pattern: string, flags: "" | "i"): LineMatcher {
  if (needsBacktracking(pattern)) {
    throw refusal("invalid_arguments", "query", "look-around and back-references are not supported");
  }
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, flags);
  } catch (thrown) {
    throw refusal(
      "invalid_arguments",
      "query",
      `not a regular expression: ${thrown instanceof Error ? thrown.message : "syntax"}`,
    );
  }
  return (line) => {
    const at = line.search(expression);
    return at < 0 ? undefined : at;
  };
}

function withoutEscapedBackslashes(pattern: string): string {
  return pattern.replace(/\\\\/g, "");
}

export function exactTextMatcher(text: string): LineMatcher {
  return (line) => found(line.indexOf(text));
}

export function anyCaseTextMatcher(text: string): LineMatcher {
  const wanted = text.toLowerCase();
  return (line) => found(line.toLowerCase().indexOf(wanted));
}

function found(index: number): number | undefined {
  return index < 0 ? undefined : index;
}
