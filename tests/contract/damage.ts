// What every damage input must leave behind: a notebook as it was where it was refused, and a kernel that goes on.

import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { Fields } from "./modern-client.js";
import { notebookSnapshot, oneSpelling } from "./notebook-snapshot.js";
import { type Scratch, useScratch } from "./scratch.js";
import { type Tier, tierName } from "./tier.js";
import { world } from "./world.js";

/** No other write may hold one up for longer than this. */
export const longestHoldUpMs = 1_000;

export const missing = "20200101000000-zzzzzzz";

export interface Call {
  readonly tool: string;
  readonly args: Fields;
}

/** What a refusal says; without a field any will do. */
export interface Refusal {
  readonly code: string;
  readonly field?: string;
}

export interface Damage extends Scratch {
  /** Appends one paragraph elsewhere, preflight included; how long that took. */
  probe(): Promise<number>;
  /** Fails when a probe took over a second longer than with nothing else going on. Only a live SiYuan's time counts. */
  expectQuick(tookMs: number): void;
  /** Refused for the reason given, as a preflight and as a bare commit. The notes are compared by the caller. */
  refuses(call: Call, refusal: Refusal): Promise<void>;
  /** Runs something that must leave all documents and notebooks as they are. */
  harmless(run: () => Promise<void>): Promise<void>;
  /** What SiYuan shows of these blocks: type and source, or the whole DOM. */
  shown(id: string): Promise<readonly ShownBlock[]>;
}

export interface ShownBlock {
  readonly id: string;
  readonly type: string;
  readonly markdown: string;
  readonly dom: string;
}

/** A scratch notebook in which each test is followed by a look at the kernel and a plain write. */
export function useDamage(tier: Tier): Damage {
  const scratch = useScratch(tier);
  const { client, siyuan } = scratch;
  let probing = "";
  let probed = "";
  let probes = 0;
  let usualMs = 0;

  const damage = Object.assign(scratch, {
    async probe() {
      const started = Date.now();
      const data = `still there ${++probes}`;
      const done = await client.write("block", { action: "append", parentID: probed, dataType: "markdown", data });
      const took = Date.now() - started;
      expect(await siyuan.kramdown(String(done.id))).toContain(data);
      return took;
    },

    expectQuick(tookMs: number) {
      expect(tookMs).toBeGreaterThan(0);
      if (tierName === "live") expect(tookMs - usualMs).toBeLessThan(longestHoldUpMs);
    },

    async refuses({ tool, args }: Call, { code, field }: Refusal) {
      const error = await client.refused(tool, { ...args, validateOnly: true });
      expect(error.code, error.message).toBe(code);
      if (field !== undefined) expect(error.fields?.map(({ path }) => path)).toContain(field);
      expect(error.message).not.toBe("");
      const bare = await client.call(tool, args);
      expect(bare.isError, bare.text).toBe(true);
    },

    async harmless(run: () => Promise<void>) {
      const before = [await world(siyuan), await notebookSnapshot(siyuan, scratch.notebook)];
      await run();
      expect([await world(siyuan), await notebookSnapshot(siyuan, scratch.notebook)]).toEqual(before);
    },

    async shown(id: string) {
      return Promise.all(
        (await siyuan.children(id)).map(async ({ id: block, type, markdown }) => ({
          id: block,
          type,
          // SiYuan leaves it out where it is empty; the widths of a table's dashes are no matter.
          markdown: ((markdown as string | undefined) ?? "").replace(/(?<=\| )-{3,}/g, "---"),
          dom: oneSpelling(await siyuan.dom(block)),
        })),
      );
    },
  });

  beforeAll(async () => {
    const name = `probe ${Date.now().toString(36)}`;
    const made = await siyuan.data<{ notebook: { id: string } }>("/api/notebook/createNotebook", { name });
    const notebook = made.notebook.id;
    probes = 0;
    probed = await siyuan.data<string>("/api/filetree/createDocWithMd", {
      notebook,
      path: "/probe",
      markdown: "first",
    });
    probing = notebook;
    await scratch.setPermission(notebook, "rw");
    for (let quiet = 0; quiet < 5; quiet++) usualMs = Math.max(usualMs, await damage.probe());
  }, 30_000);
  afterAll(() => siyuan.call("/api/notebook/removeNotebook", { notebook: probing }), 30_000);

  afterEach(async () => {
    expect((await siyuan.call("/api/system/version", {})).code).toBe(0);
    damage.expectQuick(await damage.probe());
  });

  return damage;
}
