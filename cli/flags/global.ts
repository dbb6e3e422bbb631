// The flags that every command has.

import type { FlagSpec } from "./parser.js";

const group = "Global:";

export const globalFlags: readonly FlagSpec[] = [
  { flag: "url", kind: "value", description: "Address of SiYuan", group, typeName: "url" },
  { flag: "token", kind: "value", description: "API token of SiYuan; better @env:NAME or a profile", group, typeName: "token" },
  { flag: "profile", kind: "value", description: "Profile to use", group, typeName: "name" },
  { flag: "config", kind: "value", description: "Profiles file", group, typeName: "file" },
  { flag: "json", kind: "switch", description: "One compact JSON line, errors too", group },
  { flag: "debug", kind: "switch", description: "Tell on stderr what is done", group },
  { flag: "help", kind: "switch", description: "This text", group, aliases: ["h"] },
];

const takesValue = new Set(globalFlags.filter((flag) => flag.kind === "value").map((flag) => `--${flag.flag}`));

/** Takes up to `count` command words out of the arguments; global flags may stand before and between them. */
export function takeWords(args: readonly string[], count: number): { readonly words: readonly string[]; readonly rest: readonly string[] } {
  const words: string[] = [];
  const rest: string[] = [];
  let index = 0;
  for (; index < args.length && words.length < count; index++) {
    const word = args[index] ?? "";
    if (word === "--") break;
    if (!word.startsWith("-") || word === "-") {
      words.push(word);
      continue;
    }
    rest.push(word);
    if (takesValue.has(word) && index + 1 < args.length) rest.push(args[++index] ?? "");
    // A flag of the command itself: what follows belongs to it.
    else if (words.length > 0 && !takesValue.has(word) && !globalFlags.some((flag) => word.split("=")[0] === `--${flag.flag}` || word === "-h")) {
      index++;
      break;
    }
  }
  return { words, rest: [...rest, ...args.slice(index)] };
}
