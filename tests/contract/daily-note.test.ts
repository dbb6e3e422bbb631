// document.create_daily_note and block.add_to_daily_note: today's note, made once; all other documents stay.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setFaults } from "./faults.js";
import { credentialsOf, type Fields } from "./modern-client.js";
import { notebookSnapshot } from "./notebook-snapshot.js";
import { useScratch } from "./scratch.js";
import { tierName, useTier } from "./tier.js";

const scratch = useScratch(useTier());
const { client, siyuan } = scratch;
const missing = "20200101000000-zzzzzzz";
let notebook = "";

beforeEach(async () => {
  // The product gives its own notebooks the level that writes need.
  notebook = String((await client.write("notebook", { action: "create", name: "days" })).notebook);
});
afterEach(async () => {
  await siyuan.call("/api/notebook/removeNotebook", { notebook });
});

const snapshot = () => notebookSnapshot(siyuan, notebook);
const create = (more: Fields = {}) => ({ action: "create_daily_note", notebook, ...more });
const add = (data: string, position: string, more: Fields = {}) => ({
  action: "add_to_daily_note",
  notebook,
  dataType: "markdown",
  data,
  position,
  ...more,
});
const savePath = (dailyNoteSavePath: string) =>
  siyuan.data("/api/notebook/setNotebookConf", { notebook, conf: { dailyNoteSavePath } });
const today = () => siyuan.data<string>("/api/template/renderSprig", { template: '{{now | date "20060102"}}' });
const texts = async (id: string) => (await siyuan.children(id)).map((block) => block.markdown ?? "");
const without = <Value>(all: Record<string, Value>, ids: string[]) =>
  Object.fromEntries(Object.entries(all).filter(([id]) => !ids.includes(id)));

describe("create_daily_note", () => {
  it("makes the note with its parents, and answers it afterwards as it is", async () => {
    const other = await siyuan.data<string>("/api/filetree/createDocWithMd", { notebook, path: "/o", markdown: "x" });
    const before = await snapshot();
    const preflight = await client.preflight("document", create());
    expect(preflight.preconditionField).toBeUndefined();
    expect(preflight.preview).toMatchObject({ hPath: expect.stringMatching(/^\/daily note\//), newParents: 3 });
    expect(await snapshot()).toEqual(before);
    const done = await client.ok("document", { ...create(), ...credentialsOf(preflight) });
    const id = String(done.id);
    expect(done).toMatchObject({
      success: true,
      notebook,
      created: true,
      hPath: (preflight.preview as Fields).hPath,
      safety: { transactionState: "committed" },
    });
    const after = await snapshot();
    expect(done.createdParents).toHaveLength(3);
    expect(without(after, [id, ...(done.createdParents as string[])])).toEqual(before);
    expect(after[id]?.attributes[`custom-dailynote-${await today()}`]).toBe(await today());
    expect(after[id]?.humanPath).toBe(done.hPath);
    expect(after[other]).toEqual(before[other]);
    const again = await client.write("document", create({ app: "window" }));
    expect(again).toMatchObject({ id, created: false, safety: { transactionState: "no_change" } });
    expect(again.createdParents).toBeUndefined();
    expect(await snapshot()).toEqual(after);
    const replayed = await client.ok("document", { ...create(), ...credentialsOf(preflight) });
    expect(replayed).toMatchObject({ id, created: true, safety: { replayed: true } });
  });

  it("takes a document that is there for the note, and says so", async () => {
    await savePath('/Notes: "today" & <more>/é😀');
    const id = await siyuan.data<string>("/api/filetree/createDocWithMd", {
      notebook,
      path: '/Notes: "today" & <more>/é😀',
      markdown: "mine",
    });
    const before = await snapshot();
    const done = await client.write("document", create());
    expect(done).toMatchObject({
      id,
      created: false,
      notes: [expect.stringContaining("mark")],
      safety: { transactionState: "committed" },
    });
    const day = await today();
    expect(await snapshot()).toEqual({
      ...before,
      [id]: { ...before[id], attributes: { ...before[id]?.attributes, [`custom-dailynote-${day}`]: day } },
    });
    expect((await client.write("document", create())).safety.transactionState).toBe("no_change");
  });

  const templates: [string, RegExp][] = [
    ["", /no path/],
    ["/{{ nofunc }}", /nofunc/],
    ["/{{now | date", /./],
    ['/{{ querySQL "select 1" }}', /querySQL/],
    ["/a//b", /change or refuse/],
    ["/1/2/3/4/5/6/7/8", /change or refuse/],
  ];
  it.each(templates)("refuses the path template %s and writes nothing", async (template, message) => {
    await savePath(template);
    for (const call of [create(), add("x", "append")]) {
      const tool = call.action === "create_daily_note" ? "document" : "block";
      const error = await client.refused(tool, { ...call, validateOnly: true });
      expect(error).toMatchObject({ code: "invalid_arguments", fields: [{ path: "notebook" }] });
      expect(error.message).toMatch(message);
    }
    expect(await snapshot()).toEqual({});
  });

  it("refuses missing and closed notebooks, and wrong arguments", async () => {
    const wrong = (args: Fields) =>
      client.refused("document", { action: "create_daily_note", validateOnly: true, ...args });
    expect((await wrong({ notebook: missing })).code).toBe("notebook_not_found");
    expect((await wrong({ notebook: "x" })).fields?.[0]?.path).toBe("notebook");
    expect((await wrong({})).fields?.[0]?.path).toBe("notebook");
    expect((await wrong({ notebook, app: 1 })).fields?.[0]?.path).toBe("app");
    const credentials = credentialsOf(await client.preflight("document", create()));
    await siyuan.data("/api/notebook/closeNotebook", { notebook });
    // Open notebooks are at most one second old.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect((await wrong({ notebook })).code).toBe("notebook_closed");
    expect((await client.refused("document", { ...create(), ...credentials })).code).toBe("state_changed");
  });

  it("needs the level rw when it starts", async () => {
    const credentials = credentialsOf(await client.preflight("document", create()));
    await scratch.setPermission(notebook, "r");
    expect((await client.refused("document", { ...create(), ...credentials })).code).toBe("permission_denied");
    expect(await snapshot()).toEqual({});
  });
});

describe("add_to_daily_note", () => {
  it("makes the note first, then adds at both ends", async () => {
    const target = await scratch.paragraph("target");
    const first = await client.write("block", add("**last**\n\n- a\n- b", "append"));
    const id = String(first.documentID);
    expect(first).toMatchObject({
      success: true,
      notebook,
      count: 2,
      created: true,
      hPath: expect.stringMatching(/^\/daily note\//),
      safety: { transactionState: "committed" },
    });
    expect(first.createdParents).toHaveLength(3);
    const before = await snapshot();
    expect(await texts(id)).toEqual(["", "**last**", expect.stringContaining("- a")]);
    const second = await client.write("block", add(`one ((${target.id} "t")) 日记 é😀\n\ntwo`, "prepend"));
    expect(second).toMatchObject({
      documentID: id,
      created: false,
      count: 2,
      safety: { transactionState: "committed" },
    });
    expect((await texts(id)).slice(0, 3)).toEqual([expect.stringMatching(/^one .*日记 é😀$/), "two", ""]);
    expect((await siyuan.children(id)).slice(0, 2).map((block) => block.id)).toEqual(second.createdBlockIDs);
    expect(without(await snapshot(), [id])).toEqual(without(before, [id]));
    const dom = await client.ok("block", { action: "dom", id: (first.createdBlockIDs as string[])[0] });
    const copy = String(dom.dom).replace(/data-node-id="[^"]*"/, 'data-node-id="20260101000000-daynote"');
    const third = await client.write("block", { ...add(copy, "append"), dataType: "dom" });
    expect(third).toMatchObject({ count: 1, safety: { transactionState: "committed" } });
  });

  it("is executed once, however often it is sent", async () => {
    const call = add("once", "append");
    const confirmed = { ...call, ...credentialsOf(await client.preflight("block", call)) };
    const first = await client.ok("block", confirmed);
    const again = await client.ok("block", confirmed);
    expect(again).toMatchObject({ id: first.id, documentID: first.documentID, safety: { replayed: true } });
    expect((await texts(String(first.documentID))).filter((text) => text === "once")).toHaveLength(1);
  });

  it("refuses wrong arguments and content that would be lost, and makes no note", async () => {
    const live = await scratch.paragraph("live");
    const wrong: [Fields, string, string][] = [
      [add("x", "top"), "invalid_arguments", "position"],
      [{ ...add("x", "append"), position: undefined }, "invalid_arguments", "position"],
      [{ ...add("x", "append"), dataType: "html" }, "invalid_arguments", "dataType"],
      [{ ...add("x", "append"), data: undefined }, "invalid_arguments", "data"],
      [add("x", "append", { parentID: live.id }), "invalid_arguments", "parentID"],
      [add(`((${missing} "x"))`, "append"), "missing_reference", "data"],
      [add(`x\n{: id="${live.id}"}`, "append"), "content_would_be_lost", "data"],
      [add("x", "append", { notebook: missing }), "notebook_not_found", ""],
    ];
    for (const [call, code, field] of wrong) {
      const error = await client.refused("block", { ...call, validateOnly: true });
      expect([call.position, error.code]).toEqual([call.position, code]);
      if (field !== "") expect(error.fields?.[0]?.path).toBe(field);
    }
    expect(await snapshot()).toEqual({});
  });

  it("needs the level rw when it starts", async () => {
    const call = add("x", "append");
    const credentials = credentialsOf(await client.preflight("block", call));
    await scratch.setPermission(notebook, "r");
    expect((await client.refused("block", { ...call, ...credentials })).code).toBe("permission_denied");
    expect(await snapshot()).toEqual({});
  });
});

describe.skipIf(tierName === "live")("a SiYuan that lies", () => {
  afterEach(() => setFaults(siyuan, []));

  it("code 0 without effect is a mismatch", async () => {
    const created = credentialsOf(await client.preflight("document", create()));
    await setFaults(siyuan, [{ path: "/api/filetree/createDailyNote", kind: "no-effect", times: 1 }]);
    expect((await client.refused("document", { ...create(), ...created })).code).toBe("readback_mismatch");
    const call = add("x", "append");
    const added = credentialsOf(await client.preflight("block", call));
    await setFaults(siyuan, [{ path: "/api/block/appendDailyNoteBlock", kind: "no-effect", times: 1 }]);
    expect((await client.refused("block", { ...call, ...added })).code).toBe("readback_mismatch");
    expect(await snapshot()).toEqual({});
  });

  it("a lost answer is unknown and is not sent again", async () => {
    const call = add("x", "append");
    const credentials = credentialsOf(await client.preflight("block", call));
    await setFaults(siyuan, [{ path: "/api/block/appendDailyNoteBlock", kind: "lost-answer", times: 1 }]);
    expect((await client.refused("block", { ...call, ...credentials })).code).toBe("outcome_unknown");
  });
});
