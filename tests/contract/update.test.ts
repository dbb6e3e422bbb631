// block.update: preflight, commit, replay, refusals; outcomes are read through SiYuan's own API.

import { describe, expect, it } from "vitest";
import { credentialsOf } from "./modern-client.js";
import { useScratch } from "./scratch.js";
import { useTier } from "./tier.js";

const scratch = useScratch(useTier());
const { client, siyuan } = scratch;

const update = (id: string, data: string) => ({ action: "update", id, dataType: "markdown", data });

describe("preflight", () => {
  it("writes nothing and hands out the credentials", async () => {
    const { id, document } = await scratch.paragraph();
    const before = await siyuan.dom(document);
    const preflight = await client.preflight("block", update(id, "other words"));
    expect(preflight).toMatchObject({
      validateOnly: true,
      writeAttempted: false,
      writeExecuted: false,
      preconditionField: "expectedStateHash",
      targetCount: 1,
    });
    expect(preflight.requestId).toMatch(/^[0-9a-f]{4,}$/);
    expect(preflight.expectedStateHash).toMatch(/^[0-9a-f]{4,}$/);
    expect(Number(preflight.leaseExpiresAt) - Date.now()).toBeGreaterThan(590_000);
    expect(await siyuan.dom(document)).toBe(before);
  });

  it("shows a short readable difference", async () => {
    const { id } = await scratch.paragraph("old line");
    const preflight = await client.preflight("block", update(id, "new line"));
    expect(JSON.stringify(preflight.preview)).toContain("- old line\\n+ new line");
  });

  it("gives the same hash for the same state and another id each time", async () => {
    const { id } = await scratch.paragraph();
    const first = await client.preflight("block", update(id, "a"));
    const second = await client.preflight("block", update(id, "b"));
    expect(second.expectedStateHash).toBe(first.expectedStateHash);
    expect(second.requestId).not.toBe(first.requestId);
  });
});

describe("commit", () => {
  it("replaces the content and says so", async () => {
    const { id, document } = await scratch.paragraph();
    const done = await client.write("block", update(id, "other **words**"));
    expect(done.safety).toMatchObject({ transactionState: "committed", replayed: false, writeExecuted: true });
    expect(done.safety.previousHash).not.toBe(done.safety.resultHash);
    expect(await siyuan.exported(document)).toContain("other **words**");
  });

  it("carries the commit state in text and structure alike", async () => {
    const { id } = await scratch.paragraph();
    const preflight = await client.preflight("block", update(id, "both"));
    const answer = await client.call("block", { ...update(id, "both"), ...credentialsOf(preflight) });
    expect(JSON.parse(answer.text)).toEqual(answer.structured);
    expect(JSON.parse(answer.text).safety.transactionState).toBe("committed");
  });

  it("reports no_change when before, after and request are equal", async () => {
    const { id } = await scratch.paragraph("same words");
    const done = await client.write("block", update(id, "same words"));
    expect(done.safety.transactionState).toBe("no_change");
    expect(done.safety.previousHash).toBe(done.safety.resultHash);
  });

  it("keeps name, alias, memo, bookmark, style and custom attributes", async () => {
    const { id } = await scratch.paragraph();
    const attributes = {
      name: "n<1>",
      alias: "al",
      memo: 'a "quote" {x} & <b>\nline two',
      bookmark: "bm",
      style: "color: red;",
      "custom-status": "进行中",
    };
    await siyuan.setAttributes(id, attributes);
    await client.write("block", update(id, "changed"));
    const stored = await siyuan.data<Record<string, string>>("/api/attr/getBlockAttrs", { id });
    expect(stored).toMatchObject(attributes);
    expect((await siyuan.kramdown(id)).split("\n")[0]).toBe("changed");
  });

  it("keeps attributes when the type changes to a heading", async () => {
    const { id } = await scratch.paragraph();
    await siyuan.setAttributes(id, { "custom-k": "v" });
    await client.write("block", update(id, "## now a heading"));
    expect(await siyuan.kramdown(id)).toMatch(/^## now a heading\n.*custom-k="v"/s);
  });

  it("keeps fixed and dynamic references apart", async () => {
    const target = await scratch.paragraph("target");
    const { id } = await scratch.paragraph();
    await client.write("block", update(id, `see ((${target.id} "fixed")) and ((${target.id} 'target'))`));
    const dom = await siyuan.dom(id);
    expect(dom).toMatch(/data-subtype="s"[^>]*>fixed</);
    expect(dom).toMatch(/data-subtype="d"/);
  });

  it("stores look-alikes inside a code fence as they are", async () => {
    const { id } = await scratch.paragraph();
    const code = '```text\n{: id="20200101000000-fake000" custom-a="1"}\n{{{row\n((not-a-ref))\n```';
    await client.write("block", update(id, code));
    expect(await siyuan.exported(await documentOf(id))).toContain(
      '{: id="20200101000000-fake000" custom-a="1"}\n{{{row\n((not-a-ref))',
    );
    expect(await siyuan.call("/api/filetree/getPathByID", { id: "20200101000000-fake000" })).not.toMatchObject({
      code: 0,
    });
  });

  it("updates by DOM and keeps attributes that the DOM lacks", async () => {
    const { id } = await scratch.paragraph("dom words");
    await siyuan.setAttributes(id, { memo: "kept" });
    const dom = (await siyuan.dom(id))
      .replace("dom words", 'dom <span data-type="strong">bold</span>')
      .replace(/ memo="[^"]*"/, "");
    await client.write("block", { action: "update", id, dataType: "dom", data: dom });
    expect(await siyuan.kramdown(id)).toMatch(/dom \*\*bold\*\*[\s\S]*memo="kept"/);
  });

  it("accepts its own kramdown back", async () => {
    const { blocks } = await scratch.document("- one\n- two");
    const kramdown = String((await client.ok("block", { action: "get_kramdown", id: blocks[0] })).kramdown);
    await client.write("block", update(blocks[0] ?? "", kramdown.replace("two", "three")));
    expect(await siyuan.kramdown(blocks[0] ?? "")).toContain("three");
  });

  it("takes the credential in any case and with its prefix", async () => {
    const { id } = await scratch.paragraph();
    const preflight = await client.preflight("block", update(id, "cased"));
    const done = await client.ok("block", {
      ...update(id, "cased"),
      requestId: preflight.requestId.toUpperCase(),
      expectedStateHash: `SHA256:v1:${preflight.expectedStateHash?.toUpperCase()}`.replace("SHA256", "sha256"),
    });
    expect(done.safety.transactionState).toBe("committed");
  });
});

describe("batch", () => {
  it("updates eleven blocks as one", async () => {
    const { blocks } = await scratch.document(Array.from({ length: 11 }, (_, index) => `line ${index}`).join("\n\n"));
    const items = blocks.map((id, index) => ({ id, dataType: "markdown", data: `changed ${index}` }));
    const preflight = await client.preflight("block", { action: "update", items });
    expect(preflight.targetCount).toBe(11);
    const done = await client.ok("block", { action: "update", items, ...credentialsOf(preflight) });
    expect(done).toMatchObject({ count: 11, safety: { transactionState: "committed" } });
    for (const [index, id] of blocks.entries()) expect(await siyuan.kramdown(id)).toContain(`changed ${index}`);
  });

  it("counts a repeated id once", async () => {
    const { id } = await scratch.paragraph();
    const item = { id, dataType: "markdown", data: "twice" };
    expect((await client.preflight("block", { action: "update", items: [item, item] })).targetCount).toBe(1);
  });

  it("refuses the whole batch for one missing block", async () => {
    const { id } = await scratch.paragraph("stays");
    const items = [
      { id, dataType: "markdown", data: "gone" },
      { id: "20200101000000-zzzzzzz", dataType: "markdown", data: "x" },
    ];
    const error = await client.refused("block", { action: "update", items, validateOnly: true });
    expect(error).toMatchObject({ code: "block_not_found", fields: [{ path: "items.1.id" }] });
    expect(await siyuan.kramdown(id)).toContain("stays");
  });

  it("refuses two contents for one block", async () => {
    const { id } = await scratch.paragraph();
    const items = ["a", "b"].map((data) => ({ id, dataType: "markdown", data }));
    expect(await client.refused("block", { action: "update", items, validateOnly: true })).toMatchObject({
      code: "invalid_arguments",
      fields: [{ path: "items.1.id" }],
    });
  });
});

describe("what happened meanwhile", () => {
  it("refuses after an edit behind the preflight, and writes nothing", async () => {
    const { id } = await scratch.paragraph();
    const preflight = await client.preflight("block", update(id, "mine"));
    await siyuan.update(id, "theirs");
    const error = await client.refused("block", { ...update(id, "mine"), ...credentialsOf(preflight) });
    expect(error).toMatchObject({ code: "state_changed", expectedField: "expectedStateHash" });
    expect(error.currentHash).not.toBe(error.expectedHash);
    expect(await siyuan.kramdown(id)).toContain("theirs");
  });

  it("refuses after a change of an attribute only", async () => {
    const { id } = await scratch.paragraph();
    const preflight = await client.preflight("block", update(id, "mine"));
    await siyuan.setAttributes(id, { memo: "theirs" });
    expect((await client.refused("block", { ...update(id, "mine"), ...credentialsOf(preflight) })).code).toBe(
      "state_changed",
    );
    expect(await siyuan.kramdown(id)).toContain("first words");
  });

  it("refuses after a move to another parent", async () => {
    const { id } = await scratch.paragraph();
    const other = await scratch.document("elsewhere");
    const preflight = await client.preflight("block", update(id, "mine"));
    await siyuan.data("/api/block/moveBlock", { id, parentID: other.id });
    expect((await client.refused("block", { ...update(id, "mine"), ...credentialsOf(preflight) })).code).toBe(
      "state_changed",
    );
  });

  it("refuses after a deletion", async () => {
    const { blocks } = await scratch.document("one\n\ntwo");
    const id = blocks[0] ?? "";
    const preflight = await client.preflight("block", update(id, "mine"));
    await siyuan.data("/api/block/deleteBlock", { id });
    await siyuan.data("/api/block/getDocInfo", { id: blocks[1] });
    const error = await client.refused("block", { ...update(id, "mine"), ...credentialsOf(preflight) });
    expect(error.code).toBe("state_changed");
  });

  it("does not mind a new order of attributes", async () => {
    const { id } = await scratch.paragraph();
    await siyuan.setAttributes(id, { "custom-a": "1", "custom-b": "2", memo: "m" });
    const preflight = await client.preflight("block", update(id, "mine"));
    await siyuan.setAttributes(id, { "custom-a": "1" });
    expect(
      (await client.ok("block", { ...update(id, "mine"), ...credentialsOf(preflight) })).safety.transactionState,
    ).toBe("committed");
  });
});

describe("the same request again", () => {
  it("is answered from the ledger and not executed", async () => {
    const { id } = await scratch.paragraph();
    const call = { ...update(id, "once"), ...credentialsOf(await client.preflight("block", update(id, "once"))) };
    const first = await client.ok("block", call);
    await siyuan.update(id, "later");
    const again = await client.ok("block", call);
    expect(again.safety).toMatchObject({ replayed: true, transactionState: "committed", writeExecuted: false });
    expect(again.safety.resultHash).toBe(first.safety.resultHash);
    expect(await siyuan.kramdown(id)).toContain("later");
  });

  it("with other arguments is a conflict", async () => {
    const { id } = await scratch.paragraph();
    const credentials = credentialsOf(await client.preflight("block", update(id, "once")));
    await client.ok("block", { ...update(id, "once"), ...credentials });
    expect((await client.refused("block", { ...update(id, "twice"), ...credentials })).code).toBe(
      "idempotency_conflict",
    );
    expect(await siyuan.kramdown(id)).toContain("once");
  });

  it("sent twenty times at once is executed once", async () => {
    const { id, document } = await scratch.paragraph();
    const data = { action: "append", parentID: document, dataType: "markdown", data: "only once" };
    const call = { ...data, ...credentialsOf(await client.preflight("block", data)) };
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.call("block", call)));
    expect(answers.filter((answer) => !answer.isError && !answer.structured.safety.replayed)).toHaveLength(1);
    const texts = (await siyuan.children(document)).filter((block) => block.markdown === "only once");
    expect(texts).toHaveLength(1);
    expect(id).not.toBe("");
  });
});

describe("credentials", () => {
  it("are required", async () => {
    const { id } = await scratch.paragraph();
    expect(await client.refused("block", update(id, "x"))).toMatchObject({
      code: "precondition_required",
      expectedField: "requestId",
    });
    const preflight = await client.preflight("block", update(id, "x"));
    expect(await client.refused("block", { ...update(id, "x"), requestId: preflight.requestId })).toMatchObject({
      code: "precondition_required",
      expectedField: "expectedStateHash",
    });
  });

  it("cannot be invented", async () => {
    const { id } = await scratch.paragraph();
    const preflight = await client.preflight("block", update(id, "x"));
    for (const hash of ["0000", "f".repeat(64), `${preflight.expectedStateHash}0`]) {
      const error = await client.refused("block", {
        ...update(id, "x"),
        requestId: preflight.requestId,
        expectedStateHash: hash,
      });
      expect(error.code).toBe("preflight_lease_invalid");
    }
    const invented = await client.refused("block", {
      ...update(id, "x"),
      requestId: "f".repeat(20),
      expectedStateHash: preflight.expectedStateHash,
    });
    expect(invented.code).toBe("invalid_request_id");
    expect(await siyuan.kramdown(id)).toContain("first words");
  });

  it("hold for one block, one action and one text only", async () => {
    const first = await scratch.paragraph();
    const second = await scratch.paragraph();
    const credentials = credentialsOf(await client.preflight("block", update(first.id, "x")));
    expect((await client.refused("block", { ...update(second.id, "x"), ...credentials })).code).toBe(
      "preflight_lease_invalid",
    );
    expect((await client.refused("block", { ...update(first.id, "y"), ...credentials })).code).toBe(
      "preflight_lease_invalid",
    );
    expect(
      (
        await client.refused("block", {
          action: "append",
          parentID: first.document,
          dataType: "markdown",
          data: "x",
          ...credentials,
        })
      ).code,
    ).toBe("preflight_lease_invalid");
  });
});

// Every other text that SiYuan would damage: damage-refused and damage-whole.
describe("content that SiYuan would damage", () => {
  const cases: [string, string, string][] = [
    ["a foreign id in an attribute line", 'text\n{: id="20200101000000-zzzzzzz"}', "content_would_be_lost"],
  ];
  it.each(cases)("refuses %s", async (_name, data, code) => {
    const { id, document } = await scratch.paragraph();
    const before = await siyuan.dom(document);
    expect((await client.refused("block", { ...update(id, data), validateOnly: true })).code).toBe(code);
    expect(await siyuan.dom(document)).toBe(before);
  });

  it("refuses a lone surrogate, which the engine would replace unseen", async () => {
    const { id } = await scratch.paragraph();
    const response = await client.request("tools/call", {
      name: "block",
      arguments: { ...update(id, "half \ud800 pair"), validateOnly: true },
    });
    expect(await response.json()).toMatchObject({
      error: { code: -32602, message: expect.stringContaining("lone surrogate") },
    });
    expect((await client.preflight("block", update(id, "whole \ud83d\ude00 and \\ud800 as text"))).validateOnly).toBe(
      true,
    );
  });

  it("refuses a document id", async () => {
    const { document } = await scratch.paragraph();
    expect((await client.refused("block", { ...update(document, "x"), validateOnly: true })).code).toBe("not_a_block");
    expect(await siyuan.exported(document)).toContain("first words");
  });

  it("refuses two items for a list item", async () => {
    const { blocks } = await scratch.document("- 买菜\n- 做饭");
    const items = await siyuan.children(blocks[0] ?? "");
    expect(
      (await client.refused("block", { ...update(items[0]?.id ?? "", "- 买菜\n- 洗碗"), validateOnly: true })).code,
    ).toBe("several_blocks");
    const done = await client.write("block", update(items[0]?.id ?? "", "- 买鱼"));
    expect(done.safety.transactionState).toBe("committed");
    expect(await siyuan.kramdown(blocks[0] ?? "")).toMatch(/买鱼[\s\S]*做饭/);
  });

  it("refuses a list that would drop a child's attributes", async () => {
    const { blocks } = await scratch.document("- one\n- two");
    const [item] = await siyuan.children(blocks[0] ?? "");
    await siyuan.setAttributes(item?.id ?? "", { "custom-due": "today" });
    expect(
      (await client.refused("block", { ...update(blocks[0] ?? "", "- one\n- three"), validateOnly: true })).code,
    ).toBe("content_would_be_lost");
  });
});

async function documentOf(id: string): Promise<string> {
  const { path } = await siyuan.data<{ path: string }>("/api/filetree/getPathByID", { id });
  return path.slice(path.lastIndexOf("/") + 1, -".sy".length);
}
