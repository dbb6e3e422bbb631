// Writes of blocks and documents whose answers are lost: a retry is settled from the notes, and nothing is sent twice.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { storageFolder } from "../../shared/wire/plugin.js";
import { countRequests, setFaults } from "./faults.js";
import { LegacyClient } from "./legacy-client.js";
import { credentialsOf, type Fields } from "./modern-client.js";
import { useScratch } from "./scratch.js";
import { tierName, useTier } from "./tier.js";

interface Lost {
  readonly tool: string;
  readonly path: string;
  readonly call: Fields;
}

describe.skipIf(tierName === "live")("a lost answer", () => {
  const tier = useTier();
  const scratch = useScratch(tier);
  const { client, siyuan } = scratch;
  const legacy = new LegacyClient(tier);
  const switches = `${storageFolder}/mcpToolsConfig`;

  beforeAll(async () => {
    await siyuan.writeFile(switches, JSON.stringify({ document: { actions: { remove: true } } }));
  }, 20_000);
  // An outcome that stays unknown closes its notebook to other writes, so each test has its own.
  beforeEach(async () => {
    await siyuan.call("/api/notebook/removeNotebook", { notebook: scratch.notebook });
    scratch.notebook = String((await client.write("notebook", { action: "create", name: "lost" })).notebook);
    await scratch.setPermission(scratch.notebook, "rwd");
  }, 20_000);
  afterEach(() => setFaults(siyuan, []));
  afterAll(() => siyuan.removeFile(switches));

  /** Edits in several blocks of one document. */
  async function fsReplace(words: string, path: string): Promise<Lost> {
    const { document } = await scratch.paragraph("first words *here*\n\n# first heading\n\nnone\n\nfirst again");
    const conf = await siyuan.data<{ name: string }>("/api/notebook/getNotebookConf", { notebook: scratch.notebook });
    const human = await siyuan.data<string>("/api/filetree/getHPathByID", { id: document });
    const edit = { old: "first", new: words, replace_all: true };
    return { tool: "fs", path, call: { action: "replace", path: `/${conf.name}${human}`, edit } };
  }

  const writes: Record<string, () => Promise<Lost>> = {
    "block replace": async () => ({
      tool: "block",
      path: "/api/block/updateBlock",
      call: { action: "replace", id: (await scratch.paragraph()).id, edit: { old: "first", new: "x" } },
    }),
    "block replace with marks": async () => ({
      tool: "block",
      path: "/api/block/updateBlock",
      call: {
        action: "replace",
        id: (await scratch.paragraph("first *words* and `code`")).id,
        edit: { old: "first", new: "**x**" },
      },
    }),
    "block update with marks": async () => ({
      tool: "block",
      path: "/api/block/updateBlock",
      call: {
        action: "update",
        id: (await scratch.paragraph()).id,
        dataType: "markdown",
        data: "one **two** `three` [four](https://a.b) é😀",
      },
    }),
    "block update of a list": async () => ({
      tool: "block",
      path: "/api/block/updateBlock",
      call: {
        action: "update",
        id: (await scratch.document("* a\n* b")).blocks[0],
        dataType: "markdown",
        data: "* a **b**\n* c\n  * d",
      },
    }),
    "fs replace": () => fsReplace("x y é😀", "/api/transactions"),
    "fs replace with marks": () => fsReplace("**x** & y", "/api/block/batchUpdateBlock"),
    "block set_fold_state": async () => ({
      tool: "block",
      path: "/api/block/foldBlock",
      call: { action: "set_fold_state", id: (await scratch.document("# A\n\np")).blocks[0], folded: true },
    }),
    "block add_to_daily_note": async () => ({
      tool: "block",
      path: "/api/block/appendDailyNoteBlock",
      call: {
        action: "add_to_daily_note",
        notebook: scratch.notebook,
        dataType: "markdown",
        data: "once",
        position: "append",
      },
    }),
    "document create_daily_note": async () => ({
      tool: "document",
      path: "/api/filetree/createDailyNote",
      call: { action: "create_daily_note", notebook: scratch.notebook },
    }),
    "document remove": async () => ({
      tool: "document",
      path: "/api/filetree/removeDocs",
      call: { action: "remove", ids: [(await scratch.document("a")).id, (await scratch.document("b")).id] },
    }),
    "document duplicate": async () => ({
      tool: "document",
      path: "/api/filetree/duplicateDoc",
      call: { action: "duplicate", id: (await scratch.document("a")).id },
    }),
    "document heading_to_doc": async () => ({
      tool: "document",
      path: "/api/filetree/renameDoc",
      call: {
        action: "heading_to_doc",
        headingID: (await scratch.document("# Q&A\n\nx")).blocks[0],
        targetNotebook: scratch.notebook,
      },
    }),
    "document doc_to_heading": async () => ({
      tool: "document",
      path: "/api/filetree/doc2Heading",
      call: {
        action: "doc_to_heading",
        srcID: (await scratch.document("a")).id,
        targetID: (await scratch.paragraph()).id,
      },
    }),
  };

  it.each(Object.keys(writes))("of %s is settled by a retry", async (name) => {
    const { tool, path, call } = await (writes[name] as () => Promise<Lost>)();
    const committed = { ...call, ...credentialsOf(await client.preflight(tool, call)), confirm: true };
    await setFaults(siyuan, [{ path, kind: "lost-answer", times: 1 }]);
    await countRequests(tier);
    const first = await legacy.call(tool, committed);
    expect(first.structured.error.code).toBe("outcome_unknown");
    const again = await legacy.call(tool, committed);
    expect(again.structured.safety).toMatchObject({ transactionState: "committed", replayed: true, reconciled: true });
    expect((await countRequests(tier))[path]).toBe(1);
  });
});
