// The command as typed, with credentials added: how to commit a dry run, or to ask again for an unknown outcome.

import { shellWord } from "./flags/shell.js";

const droppedSwitches = /^--(?:no-)?(?:dry[-_]?run|validate[-_]?only|json|debug)(?:=.*)?$/i;
const replacedValues = /^--(?:request[-_]?id|expected[-_]?\w+[-_]?hash|token)$/i;
const replacedInline = /^--(?:request[-_]?id|expected[-_]?\w+[-_]?hash|token)=/i;

export function repeatCommand(typed: readonly string[], credentialFlags: string): string {
  const words: string[] = [];
  for (let index = 0; index < typed.length; index++) {
    const word = typed[index] ?? "";
    // A token never appears in what is printed.
    if (replacedValues.test(word)) index++;
    else if (!droppedSwitches.test(word) && !replacedInline.test(word)) words.push(shellWord(word));
  }
  return `siyuan-sisyphus ${words.join(" ")} ${credentialFlags}`;
}
