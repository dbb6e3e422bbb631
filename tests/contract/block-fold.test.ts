// block.set_fold_state: folds and opens; the marks of all other blocks, and every word, stay as they were.

import { afterEach, describe, expect, it } from "vitest";
import { setFaults } from "./faults.js";
import { credentialsOf } from "./modern-client.js";
import { notebookSnapshot } from "./notebook-snapshot.js";
import { useScratch } from "./scratch.js";
import { tierName, useTier } from "./tier.js";

const scratch = useScratch(useTier());
const { client, siyuan } = scratch;
const missing = "20200101000000-zzzzzzz";
const fold = (id: string | undefined, folded: boolean) => ({ action: "set_fold_state", id, folded });
const snapshot = () => notebookSnapshot(siyuan, scratch.notebook);
const chapters = "# A\n\np1\n\n## B\n\np2\n\n- l1\n  - l2\n\n# C\n\np3\n\n> q1";

/** Ids of folded blocks, with a mark for those in a folded section. */
async function foldedIn(document: string): Promise<string[]> {
  const tags = (await siyuan.dom(document)).match(/<div [^>]*data-node-id="[^"]*"[^>]*>/g) ?? [];
  return tags
    .filter((tag) => / (?:heading-)?fold="1"/.test(tag))
    .map((tag) => `${/data-node-id="([^"]*)"/.exec(tag)?.[1]}${tag.includes(' heading-fold="1"') ? " hidden" : ""}`);
}
const withoutMarks = (dom: string | undefined) =>
  (dom ?? "").replace(/ (?:fold|heading-fold|parent-heading)="[^"]*"/g, "");

async function book() {
  const { id, blocks } = await scratch.document(chapters);
  const [a = "", p1 = "", b = "", p2 = "", list = "", c = "", p3 = "", quote = ""] = blocks;
  const [item] = await siyuan.children(list);
  return { document: id, a, p1, b, p2, list, c, p3, quote, item: item?.id ?? "" };
}

describe("a heading", () => {
  it("folds with its section and opens again, and nothing else changes in the notebook", async () => {
    const { document, c, p3, quote } = await book();
    const [inner] = await siyuan.children(quote);
    const before = await snapshot();
    const preflight = await client.preflight("block", fold(c, true));
    expect(preflight).toMatchObject({
      preconditionField: "expectedStateHash",
      targetCount: 1,
      preview: { from: false, sectionBlocks: 3 },
    });
    expect(await snapshot()).toEqual(before);
    const done = await client.ok("block", { ...fold(c, true), ...credentialsOf(preflight) });
    expect(done).toMatchObject({
      success: true,
      id: c,
      folded: true,
      sectionBlocks: 3,
      safety: { transactionState: "committed" },
    });
    expect(await foldedIn(document)).toEqual([c, `${p3} hidden`, `${quote} hidden`, `${inner?.id} hidden`]);
    const folded = await snapshot();
    expect({ ...folded, [document]: null }).toEqual({ ...before, [document]: null });
    expect(withoutMarks(folded[document]?.dom)).toBe(before[document]?.dom);
    expect(folded[document]?.attributes).toEqual(before[document]?.attributes);
    const again = await client.write("block", fold(c, true));
    expect(again.safety.transactionState).toBe("no_change");
    expect(again.safety.resultHash).toBe(again.safety.previousHash);
    await client.write("block", fold(c, false));
    expect(await snapshot()).toEqual(before);
  });

  it("names what was folded inside on its own, and what opens besides", async () => {
    const { document, a, b, list } = await book();
    await client.write("block", fold(list, true));
    const inner = await client.write("block", fold(b, true));
    expect(inner).toMatchObject({ foldedInside: [list], notes: [expect.stringContaining("on their own")] });
    await client.write("block", fold(a, true));
    const preflight = await client.preflight("block", fold(b, false));
    expect(preflight.preview).toMatchObject({ alsoUnfolded: [a] });
    const opened = await client.ok("block", { ...fold(b, false), ...credentialsOf(preflight) });
    expect(opened).toMatchObject({ alsoUnfolded: [a], safety: { transactionState: "committed" } });
    expect(await foldedIn(document)).toEqual([]);
  });

  it("without a section folds alone", async () => {
    const { id, blocks } = await scratch.document("# only");
    expect(await client.write("block", fold(blocks[0], true))).toMatchObject({ sectionBlocks: 0 });
    expect(await foldedIn(id)).toEqual([blocks[0]]);
  });
});

describe("another block", () => {
  it("folds alone", async () => {
    const { document, list, item, quote, p1 } = await book();
    for (const id of [list, item, quote, p1]) {
      const done = await client.write("block", fold(id, true));
      expect(done).toMatchObject({ id, folded: true, safety: { transactionState: "committed" } });
      expect(await foldedIn(document)).toEqual([id]);
      expect((await client.write("block", fold(id, false))).safety.transactionState).toBe("committed");
      expect((await client.write("block", fold(id, false))).safety.transactionState).toBe("no_change");
    }
    expect(await foldedIn(document)).toEqual([]);
  });

  it("keeps its attributes", async () => {
    const { list } = await book();
    const attributes = { name: "n", memo: 'a "q" {x}', "custom-k": "v" };
    await siyuan.setAttributes(list, attributes);
    await client.write("block", fold(list, true));
    expect(await siyuan.data("/api/attr/getBlockAttrs", { id: list })).toMatchObject({ ...attributes, fold: "1" });
  });
});

describe("refuses and changes nothing", () => {
  it("what lies in a folded section", async () => {
    const { a, p1, b, list, item } = await book();
    await siyuan.data("/api/block/foldBlock", { id: a });
    const before = await snapshot();
    for (const call of [fold(p1, false), fold(p1, true), fold(b, true), fold(list, false), fold(item, false)]) {
      const error = await client.refused("block", { ...call, validateOnly: true });
      expect(error).toMatchObject({ code: "invalid_arguments", fields: [{ path: "id" }] });
      if (call.id !== item) expect(error.message).toContain(a);
    }
    expect(await snapshot()).toEqual(before);
  });

  it("documents, missing blocks and wrong arguments", async () => {
    const { document, a } = await book();
    const wrong = (args: object) => client.refused("block", { action: "set_fold_state", validateOnly: true, ...args });
    expect((await wrong({ id: document, folded: true })).code).toBe("not_a_block");
    expect((await wrong({ id: missing, folded: true })).code).toBe("block_not_found");
    expect((await wrong({ id: "zz", folded: true })).fields?.[0]?.path).toBe("id");
    expect((await wrong({ id: a })).fields?.[0]?.path).toBe("folded");
    expect((await wrong({ id: a, folded: "yes" })).fields?.[0]?.path).toBe("folded");
    expect((await wrong({ id: a, folded: true, deep: true })).fields?.[0]?.path).toBe("deep");
    expect(await foldedIn(document)).toEqual([]);
  });

  it("after the permission was taken away behind the preflight", async () => {
    const { document, a } = await book();
    const credentials = credentialsOf(await client.preflight("block", fold(a, true)));
    await scratch.setPermission(scratch.notebook, "r");
    expect((await client.refused("block", { ...fold(a, true), ...credentials })).code).toBe("permission_denied");
    await scratch.setPermission(scratch.notebook, "rw");
    expect(await foldedIn(document)).toEqual([]);
  });
});

describe("what happened meanwhile", () => {
  it("stops it: folded by somebody else, a new block in the section, an edit of the heading, a deletion", async () => {
    const edits: ((ids: Awaited<ReturnType<typeof book>>) => Promise<unknown>)[] = [
      ({ b }) => siyuan.data("/api/block/foldBlock", { id: b }),
      ({ p2 }) => siyuan.data("/api/block/insertBlock", { previousID: p2, dataType: "markdown", data: "new" }),
      ({ a }) => siyuan.update(a, "# other"),
      async ({ a, document }) => {
        await siyuan.data("/api/block/deleteBlock", { id: a });
        await siyuan.data("/api/block/getDocInfo", { id: document });
      },
    ];
    for (const edit of edits) {
      const ids = await book();
      const credentials = credentialsOf(await client.preflight("block", fold(ids.a, true)));
      await edit(ids);
      const before = await snapshot();
      expect((await client.refused("block", { ...fold(ids.a, true), ...credentials })).code).toBe("state_changed");
      expect(await snapshot()).toEqual(before);
    }
  });

  it("does not stop it in another section", async () => {
    const { a, p3, document } = await book();
    const credentials = credentialsOf(await client.preflight("block", fold(a, true)));
    await siyuan.update(p3, "theirs");
    expect((await client.ok("block", { ...fold(a, true), ...credentials })).safety.transactionState).toBe("committed");
    expect((await foldedIn(document))[0]).toBe(a);
  });

  it("the same request again is answered from the ledger", async () => {
    const { a, document } = await book();
    const credentials = credentialsOf(await client.preflight("block", fold(a, true)));
    await client.ok("block", { ...fold(a, true), ...credentials });
    await siyuan.data("/api/block/unfoldBlock", { id: a });
    const again = await client.ok("block", { ...fold(a, true), ...credentials });
    expect(again).toMatchObject({ id: a, folded: true, safety: { replayed: true, transactionState: "committed" } });
    expect(await foldedIn(document)).toEqual([]);
  });
});

describe.skipIf(tierName === "live")("a SiYuan that lies", () => {
  afterEach(() => setFaults(siyuan, []));

  it("code 0 without effect is a mismatch, a refusal is none", async () => {
    const { a, document } = await book();
    const lied = credentialsOf(await client.preflight("block", fold(a, true)));
    await setFaults(siyuan, [{ path: "/api/block/foldBlock", kind: "no-effect", times: 1 }]);
    expect((await client.refused("block", { ...fold(a, true), ...lied })).code).toBe("readback_mismatch");
    const refused = credentialsOf(await client.preflight("block", fold(a, true)));
    await setFaults(siyuan, [{ path: "/api/block/foldBlock", kind: "code-1", times: 1 }]);
    const answer = await client.call("block", { ...fold(a, true), ...refused });
    expect(answer.structured).toMatchObject({ transactionState: "rejected", error: { code: "api_error" } });
    expect(await foldedIn(document)).toEqual([]);
  });
});
