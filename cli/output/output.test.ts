// What people see of answers and errors.

import { describe, expect, it } from "vitest";
import { repeatCommand } from "../repeat-command.js";
import { errorText } from "./error-text.js";
import { printable } from "./printable.js";
import { humanRead } from "./read-answer.js";
import { dryRun, receipt } from "./receipt.js";

describe("reads", () => {
  it("a list is a table with wide characters aligned, the rest follows as key and value", () => {
    const { text } = humanRead({
      path: "/",
      items: [
        { name: "工作", children: 2 },
        { name: "ab", children: 10 },
      ],
    });
    expect(text.split("\n")).toEqual(["name  children", "工作  2", "ab    10", "", "path  /"]);
  });

  it("note text is printed as it is, without what a terminal would obey", () => {
    expect(humanRead({ content: "# 标题\n\u001b[31mred\u001b[0m\ttab", returnedBlocks: 2 }).text).toBe(
      "# 标题\n[31mred[0m\ttab",
    );
    expect(printable("a\r\nb\u009bc")).toBe("a\nbc");
  });

  it("a window says on stderr how to go on", () => {
    const { notes } = humanRead({
      content: "x",
      hasNextWindow: true,
      returnedBlocks: 50,
      totalBlocks: 120,
      nextWindow: { blockStart: 50, blockLimit: 50 },
    });
    expect(notes).toEqual(["Only a part: 50 of 120 blocks. Continue with --block-start 50 --block-limit 50"]);
  });

  it("an empty list says so", () => {
    expect(humanRead({ items: [] }).text).toBe("(none)");
  });
});

describe("writes", () => {
  it("a receipt names the state, the payload and both digests", () => {
    const text = receipt("block update", {
      success: true,
      id: "20260812120000-abcdefg",
      safety: {
        requestId: "1a2b",
        transactionState: "committed",
        replayed: true,
        previousHash: "sha256:v1:aa",
        resultHash: "sha256:v1:bb",
      },
    });
    expect(text).toContain("Committed: block update (already done earlier; nothing was sent again)");
    for (const part of ["20260812120000-abcdefg", "1a2b", "sha256:v1:aa", "sha256:v1:bb"]) expect(text).toContain(part);
  });

  it("a dry run shows the preview and how to commit it", () => {
    const text = dryRun(
      "block update",
      { preview: { diff: "-a\n+b", note: "one block" }, requestId: "1a2b", targetCount: 1 },
      "siyuan-sisyphus …",
    );
    for (const part of ["nothing was executed", "-a\n+b", "1a2b", "siyuan-sisyphus …"]) expect(text).toContain(part);
  });

  it("the command to repeat carries new credentials and no token", () => {
    const typed = [
      "block",
      "update",
      "--data",
      "it's",
      "--dry-run",
      "--json",
      "--token",
      "secret",
      "--request-id=old",
      "--url",
      "http://x",
    ];
    expect(repeatCommand(typed, "--request-id 1a2b")).toBe(
      `siyuan-sisyphus block update --data 'it'\\''s' --url http://x --request-id 1a2b`,
    );
  });
});

describe("errors", () => {
  it("name the flags, the facts and the next step", () => {
    const text = errorText({
      success: false,
      transactionState: "rejected",
      error: {
        code: "permission_denied",
        message: "The level is r",
        notebook: "20260812120000-abcdefg",
        fields: [
          { path: "parentID", message: "wrong" },
          { path: "items.0.id", message: "bad" },
        ],
      },
    });
    expect(text.split("\n")).toEqual([
      "siyuan-sisyphus: permission_denied: The level is r",
      "  --parent-id: wrong",
      "  --items-json 0.id: bad",
      "  notebook: 20260812120000-abcdefg",
      "  next: Ask the owner to raise the level of this notebook, in the file notebookPermissions of the plugin's storage",
      "  Nothing was executed.",
    ]);
  });
});
