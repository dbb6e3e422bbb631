// Command words between global flags.

import { expect, it } from "vitest";
import { takeWords } from "./global.js";

it.each<[string[], number, string[], string[]]>([
  [["fs", "ls", "/"], 2, ["fs", "ls"], ["/"]],
  [
    ["--json", "--url", "http://x", "fs", "--debug", "ls", "/"],
    2,
    ["fs", "ls"],
    ["--json", "--url", "http://x", "--debug", "/"],
  ],
  [["--url=http://x", "fs", "ls"], 2, ["fs", "ls"], ["--url=http://x"]],
  [["fs", "--page", "2"], 2, ["fs"], ["--page", "2"]],
  [["--url"], 1, [], ["--url"]],
  [["fs", "-h"], 2, ["fs"], ["-h"]],
])("%j", (args, count, words, rest) => expect(takeWords(args, count)).toEqual({ words, rest }));
