// Each text that SiYuan would damage, at every action that writes text: refused with a reason, and nothing is changed.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { missing, useDamage } from "./damage.js";
import { refusedTexts } from "./damage-content.js";
import { type Bed, makeBed, type Place, placesOf } from "./damage-places.js";
import { useTier } from "./tier.js";
import { world } from "./world.js";

const damage = useDamage(useTier());
const { client, siyuan } = damage;
const ids = { live: "", closed: "" };
let closed = "";
let places: readonly Place[] = [];

/** The text with the ids of this run. */
const filled = (text: string) => text.replace(/LIVE/g, ids.live).replace(/CLOSED/g, ids.closed);

beforeAll(async () => {
  ids.live = (await damage.document("the live one")).id;
  const made = await siyuan.data<{ notebook: { id: string } }>("/api/notebook/createNotebook", { name: "shut" });
  const notebook = made.notebook.id;
  const shut = await siyuan.data<string>("/api/filetree/createDocWithMd", { notebook, path: "/d", markdown: "shut" });
  ids.closed = (await siyuan.children(shut))[0]?.id ?? missing;
  await siyuan.data("/api/notebook/closeNotebook", { notebook });
  closed = notebook;
  // Nothing of a notebook that is closed may be found any more.
  while ((await siyuan.kramdown(ids.closed)) !== "") await new Promise((resolve) => setTimeout(resolve, 50));
  places = placesOf(damage, (await world(siyuan))[damage.notebook]?.name ?? "");
}, 30_000);
afterAll(() => siyuan.call("/api/notebook/removeNotebook", { notebook: closed }), 30_000);

describe("refused everywhere", () => {
  let bed: Bed;
  beforeAll(async () => {
    bed = await makeBed(damage);
  }, 20_000);

  it.each(refusedTexts)("%s", async (_name, text, code) => {
    await damage.harmless(async () => {
      for (const place of places) await damage.refuses(place.call(filled(text), bed), { code, field: place.field });
    });
  });

  it("an HTML block with an attribute line, which would become part of the HTML", async () => {
    const call = (place: Place) => place.call('<div>html</div>\n{: custom-a="1"}', bed);
    await damage.harmless(async () => {
      for (const place of places) await damage.refuses(call(place), { code: "content_would_be_lost" });
    });
  });

  it("half of a character pair, which the engine would replace unseen", async () => {
    await damage.harmless(async () => {
      for (const place of places) {
        const { tool, args } = place.call("half \ud800 pair", bed);
        const response = await client.request("tools/call", { name: tool, arguments: { ...args, validateOnly: true } });
        expect(await response.json()).toMatchObject({
          error: { code: -32602, message: expect.stringContaining("lone surrogate") },
        });
      }
    });
  });
});
