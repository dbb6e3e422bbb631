// Texts that look dangerous, at every action that writes text: written whole, and everything else stays.

import { beforeAll, describe, expect, it } from "vitest";
import { useDamage } from "./damage.js";
import { type WholeText, wholeTexts } from "./damage-content.js";
import { attributesOfTarget, type Bed, makeBed, type Place, placesOf } from "./damage-places.js";
import { useTier } from "./tier.js";
import { world } from "./world.js";

const damage = useDamage(useTier());
const { client, siyuan } = damage;
let live = "";
let places: readonly Place[] = [];

/** The text with the id of this run. */
const filled = (text: string) => text.replace(/LIVE/g, live);

beforeAll(async () => {
  live = (await damage.document("the live one")).id;
  places = placesOf(damage, (await world(siyuan))[damage.notebook]?.name ?? "");
}, 30_000);

describe("whole everywhere, and nothing else changes (I-37)", () => {
  it.each(wholeTexts)("$name", async (text) => {
    const bed = await makeBed(damage);
    const others = await otherDocuments(bed);
    for (const place of places) await writeWhole(text, place, bed);
    expect(await otherDocuments(bed)).toEqual(others);
    await siyuan.data("/api/filetree/removeDocByID", { id: bed.document });
  });
});

const view = ({ type, markdown }: { type: string; markdown: string }) => [type, markdown];

async function writeWhole(text: WholeText, place: Place, bed: Bed): Promise<void> {
  const call = place.call(filled(text.text), bed);
  const wanted = text.blocks.map(([type, markdown]) => [type, filled(markdown)]);
  if (place.kind === "update" && text.update !== undefined) {
    const before = await damage.shown(bed.document);
    await damage.refuses(call, { code: text.update, field: place.field });
    expect(await damage.shown(bed.document)).toEqual(before);
    return;
  }
  const before = await damage.shown(bed.document);
  const done = await client.write(call.tool, call.args);
  expect(done.safety.transactionState, place.name).toMatch(/^(committed|no_change)$/);
  if (place.kind === "document") {
    const made = String(done.id);
    const blocks = await damage.shown(made);
    expect(blocks.map(view), place.name).toEqual(wanted);
    await checkAttributes(text, blocks[0]?.id);
    await siyuan.data("/api/filetree/removeDocByID", { id: made });
  } else {
    const after = await damage.shown(bed.document);
    const known = new Map(before.map((block) => [block.id, block]));
    const replaced = place.kind === "update" ? place.at(bed) : "";
    // Blocks from before are compared whole, the others by type and source.
    const compared = after.map((block) => (known.has(block.id) && block.id !== replaced ? block : view(block)));
    expect(compared, place.name).toEqual(expectedBlocks(before, wanted, place, bed));
    if (replaced !== "") {
      expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
      if (replaced === bed.target) expect(await attributesOf(bed.target)).toMatchObject(attributesOfTarget);
    } else {
      const created = done.createdBlockIDs as string[];
      expect(after.filter(({ id }) => !known.has(id)).map(({ id }) => id)).toEqual(created);
      await checkAttributes(text, created[0]);
    }
  }
}

function expectedBlocks(
  before: readonly { readonly id: string }[],
  wanted: readonly unknown[],
  place: Place,
  bed: Bed,
): readonly unknown[] {
  const at = place.at(bed);
  if (place.kind === "update") return before.flatMap((block) => (block.id === at ? wanted : [block]));
  if (at === "") return [...wanted, ...before];
  if (at === "END") return [...before, ...wanted];
  if (at.startsWith("before "))
    return before.flatMap((block) => (at.endsWith(block.id) ? [...wanted, block] : [block]));
  return before.flatMap((block) => (block.id === at ? [block, ...wanted] : [block]));
}

async function checkAttributes({ attributes }: WholeText, id: string | undefined): Promise<void> {
  if (attributes !== undefined) expect(await attributesOf(id ?? "")).toMatchObject(attributes);
}

const attributesOf = (id: string) => siyuan.data<Record<string, string>>("/api/attr/getBlockAttrs", { id });

/** Every document of the notebook but the one that is written to. */
async function otherDocuments(bed: Bed): Promise<object> {
  const { [`/${bed.document}.sy`]: _own, ...others } = (await world(siyuan))[damage.notebook]?.documents ?? {};
  return others;
}
