// The flags that every command has.

import type { FlagSpec } from "./parser.js";

const group = "Global:";

export const globalFlags: readonly FlagSpec[] = [
  { flag: "url", kind: "value", description: "Address of SiYuan", group, typeName: "url" },
  {
    flag: "token",
    kind: "value",
    description: "API token of SiYuan; better @env:NAME or a profile",
    group,
    typeName: "token",
  },
  { flag: "profile", kind: "value", description: "Profile to use", group, typeName: "name" },
  { flag: "config", kind: "value", description: "Profiles file", group, typeName: "file" },
  { flag: "json", kind: "switch", description: "One compact JSON line, errors too", group },
  { flag: "debug", kind: "switch", description: "Tell on stderr what is done", group },
  { flag: "help", kind: "switch", description: "This text", group, aliases: ["h"] },
];

const valueFlags = new Set(globalFlags.filter((flag) => flag.kind === "value").map((flag) => `--${flag.flag}`));
const switchFlags = new Set([
  ...globalFlags.filter((flag) => flag.kind === "switch").map((flag) => `--${flag.flag}`),
  "-h",
]);

/** Takes up to `count` command words out of the arguments; global flags may stand before and between them. */
export function takeWords(
  args: readonly string[],
  count: number,
): { readonly words: readonly string[]; readonly rest: readonly string[] } {
  const words: string[] = [];
  const skipped: string[] = [];
  let index = 0;
  while (index < args.length && words.length < count) {
    const word = args[index] ?? "";
    if (valueFlags.has(word)) skipped.push(word, ...args.slice(index + 1, index + 2));
    else if (switchFlags.has(word) || valueFlags.has(word.split("=")[0] ?? "")) skipped.push(word);
    // Whatever else starts with a dash belongs to the command.
    else if (word.startsWith("-")) break;
    else words.push(word);
    index += valueFlags.has(word) ? 2 : 1;
  }
  return { words, rest: [...skipped, ...args.slice(index)] };
}
