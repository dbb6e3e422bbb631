// Block DOM that SiYuan would damage, at every action that takes DOM: refused with a reason, and nothing is changed.

import { beforeAll, describe, expect, it } from "vitest";
import { missing, useDamage } from "./damage.js";
import { type Bed, makeBed } from "./damage-places.js";
import type { Fields } from "./modern-client.js";
import { useTier } from "./tier.js";

const damage = useDamage(useTier());
const { client, siyuan } = damage;
let bed: Bed;
let other = "";
beforeAll(async () => {
  bed = await makeBed(damage);
  other = (await damage.paragraph("in another document")).id;
}, 30_000);

const paragraph = (id: string, inner: string, more = "") =>
  `<div data-node-id="${id}" data-type="NodeParagraph" class="p"${more}><div contenteditable="true">${inner}</div></div>`;
const quote = (id: string, inner: string) =>
  `<div data-node-id="${id}" data-type="NodeBlockquote" class="bq">${inner}</div>`;
let count = 0;
const fresh = () => `20260102000000-${String(++count).padStart(7, "0")}`;
const deep = (levels: number) => {
  let html = paragraph(fresh(), "x");
  for (let level = 0; level < levels; level++) html = quote(fresh(), html);
  return html;
};
const reference = (id: string) => `<span data-type="block-ref" data-id="${id}" data-subtype="s">x</span>`;

/** The outer id is the target's in an update, and a new one elsewhere. */
const cases: readonly (readonly [name: string, dom: (id: string) => string, code: string])[] = [
  ["no block", () => "plain words", "invalid_arguments"],
  ["nothing", () => "", "invalid_arguments"],
  ["an element without id", () => '<div data-type="NodeParagraph"><div>x</div></div>', "invalid_arguments"],
  ["a malformed id", () => paragraph("bad", "x"), "invalid_arguments"],
  ["a tag left open", (id) => paragraph(id, "x").slice(0, -6), "invalid_arguments"],
  ["a reference to a missing block", (id) => paragraph(id, reference(missing)), "missing_reference"],
  ["NUL", (id) => paragraph(id, "a\u0000b"), "content_would_be_lost"],
  ["a live block of another document", (id) => quote(id, paragraph("OTHER", "torn")), "content_would_be_lost"],
  ["the same id twice", (id) => quote(id, paragraph(missing, "a") + paragraph(missing, "b")), "content_would_be_lost"],
  ["200 levels", () => deep(200), "nesting_too_deep"],
];

const writes = (id: string): readonly (readonly [string, string, (data: string) => Fields])[] => [
  ["update", id, (data) => ({ action: "update", id, dataType: "dom", data })],
  ["update of two", id, (data) => ({ action: "update", items: [{ id, dataType: "dom", data }] })],
  ["append", fresh(), (data) => ({ action: "append", parentID: bed.document, dataType: "dom", data })],
  ["prepend", fresh(), (data) => ({ action: "prepend", parentID: bed.document, dataType: "dom", data })],
  ["insert", fresh(), (data) => ({ action: "insert", previousID: bed.second, dataType: "dom", data })],
  [
    "insert of several",
    fresh(),
    (data) => ({ action: "insert", nextID: bed.second, blocks: [{ dataType: "dom", data }] }),
  ],
];

describe("refused everywhere", () => {
  it.each(cases)("%s", async (_name, dom, code) => {
    await damage.harmless(async () => {
      for (const [, outer, argsOf] of writes(bed.target))
        await damage.refuses({ tool: "block", args: argsOf(dom(outer).replace("OTHER", other)) }, { code });
    });
  });
});

describe("refused by an update", () => {
  it("several blocks, another block's id, and changed attributes", async () => {
    const update = (data: string): Fields => ({ action: "update", id: bed.target, dataType: "dom", data });
    await damage.harmless(async () => {
      for (const [data, code] of [
        [paragraph(bed.target, "a") + paragraph(fresh(), "b"), "several_blocks"],
        [paragraph(bed.second, "a"), "invalid_arguments"],
        [paragraph(bed.target, "a", ' memo="other"'), "content_would_be_lost"],
      ] as const)
        await damage.refuses({ tool: "block", args: update(data) }, { code, field: "data" });
    });
  });
});

describe("refused where it becomes a new block", () => {
  it("a live block's own DOM, and bindings of databases and cards", async () => {
    const own = await siyuan.dom(bed.target);
    const bound = paragraph(fresh(), "x", ` custom-avs="${missing}"`);
    await damage.harmless(async () => {
      for (const [name, , argsOf] of writes(bed.target).slice(2))
        for (const data of [own, bound]) {
          const error = await client.refused("block", { ...argsOf(data), validateOnly: true });
          expect(error.code, name).toBe("content_would_be_lost");
        }
    });
  });
});
