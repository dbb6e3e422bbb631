// What is looked for and what comes instead: a text or a regular expression, one replacement per match.

import { needsBacktracking } from "../fs/line-matcher.js";
import { refusal } from "../block/content.js";

export interface Replacer {
  /** The text with every match replaced, and how many there were. */
  replace(text: string): { readonly text: string; readonly count: number };
}

/** Throws `invalid_arguments` naming `k`. */
export function replacerOf(k: string, r: string, isRegex: boolean, isCaseSensitive: boolean): Replacer {
  const pattern = compiled(k, isRegex, isCaseSensitive);
  const instead = isRegex ? expansion(r) : () => r;
  return {
    replace(text) {
      let count = 0;
      const replaced = text.replace(pattern, (...match: unknown[]) => {
        count++;
        return instead(match);
      });
      return { text: replaced, count };
    },
  };
}

function compiled(k: string, isRegex: boolean, isCaseSensitive: boolean): RegExp {
  if (!isRegex) return new RegExp(k.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), isCaseSensitive ? "g" : "gi");
  if (needsBacktracking(k))
    throw refusal("invalid_arguments", "k", "look-around and back-references are not supported");
  let pattern: RegExp;
  try {
    pattern = new RegExp(k, "g");
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : "syntax";
    throw refusal("invalid_arguments", "k", `not a regular expression: ${reason}`);
  }
  // It would put the replacement between all characters.
  if ("".search(pattern) >= 0)
    throw refusal("invalid_arguments", "k", "it matches nothing at all, which is everywhere");
  return pattern;
}

/** `$1`, `${1}`: a group; `$0`: the match; `$$`: a dollar sign. */
function expansion(r: string): (match: readonly unknown[]) => string {
  return (match) =>
    r.replace(/\$(?:\$|(\d{1,2})|\{(\d{1,2})\})/g, (whole, plain?: string, braced?: string) => {
      const group = plain ?? braced;
      if (group === undefined) return whole === "$$" ? "$" : whole;
      const value = match[Number(group)];
      return typeof value === "string" ? value : "";
    });
}
