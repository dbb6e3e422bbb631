// Writes of several steps under kill -9, and writes whose outcome never reached the ledger: a retry finishes or settles
// them from what the real SiYuan holds.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checksum } from "../../kernel/host/checksum.js";
import { deviceFolder } from "../../shared/wire/plugin.js";
import { LegacyClient } from "../contract/legacy-client.js";
import { credentialsOf, type Fields } from "../contract/modern-client.js";
import { notebookSnapshot } from "../contract/notebook-snapshot.js";
import { useScratch } from "../contract/scratch.js";
import { makeNotebook, setSortMode, visible } from "../contract/structure.js";
import { useTier } from "../contract/tier.js";
import { restart, restartCommand } from "./siyuan-process.js";

const tier = useTier();
const scratch = useScratch(tier);
const { client, siyuan } = scratch;
const legacy = new LegacyClient(tier);
const runs = Number(process.env.STOPPED_RUNS ?? 16);

describe.skipIf(!restartCommand)("on a real SiYuan", () => {
  const name = `stopped ${Date.now().toString(36)}`;
  let notebook = "";
  beforeAll(async () => {
    notebook = await makeNotebook(scratch, name);
    await setSortMode(siyuan, notebook, 6);
  }, 60_000);
  afterAll(() => siyuan.call("/api/notebook/removeNotebook", { notebook }));

  const create = (path: string, markdown = `text of ${path}\n\n* a **b**`) =>
    siyuan.data<string>("/api/filetree/createDocWithMd", { notebook, path, markdown });
  const prepared = async (tool: string, call: Fields): Promise<Fields> => ({
    ...call,
    ...credentialsOf(await client.preflight(tool, call)),
    confirm: true,
  });
  const humanPath = (id: string) => siyuan.data<string>("/api/filetree/getHPathByID", { id });
  const contentOf = async (ids: readonly string[]) => {
    const all = await notebookSnapshot(siyuan, notebook);
    return ids.map((id) => all[id]?.dom);
  };

  interface Staged {
    readonly tool: string;
    readonly call: Fields;
    /** Documents whose content no step changes. */
    readonly content: readonly string[];
    /** How far the notes show the write to be. */
    state(): Promise<"before" | "between" | "done">;
  }

  async function stagedMv(run: number): Promise<Staged> {
    const [a, inner, b] = [await create(`/mv ${run}`), await create(`/mv ${run}/inner`), await create(`/to ${run}`)];
    return {
      tool: "fs",
      call: { action: "mv", from: `/${name}/mv ${run}`, to: `/${name}/to ${run}/new ${run}` },
      content: [a, inner, b],
      async state() {
        const path = await humanPath(a);
        if (path === `/mv ${run}`) return "before";
        return path === `/to ${run}/new ${run}` ? "done" : "between";
      },
    };
  }

  async function stagedMove(run: number): Promise<Staged> {
    const parent = await create(`/folder ${run}`);
    await create(`/folder ${run}/other`);
    const [a, b] = [await create(`/a ${run}`), await create(`/b ${run}`)];
    return {
      tool: "document",
      call: { action: "move", fromIDs: [a, b], toID: parent },
      content: [a, b, parent],
      async state() {
        const there = (await visible(siyuan, notebook, `/${parent}.sy`)).filter((id) => id === a || id === b);
        if (there.length === 0) return "before";
        return there.join() === [a, b].join() ? "done" : "between";
      },
    };
  }

  async function stagedHeading(run: number): Promise<Staged> {
    const source = await create(`/source ${run}`, `before\n\n# Q&A ${run}\n\nx *y*\n\nz`);
    const heading = (await siyuan.children(source))[1]?.id ?? "";
    return {
      tool: "document",
      call: { action: "heading_to_doc", headingID: heading, targetNotebook: notebook },
      content: [],
      async state() {
        const { path } = await siyuan.data<{ path: string }>("/api/filetree/getPathByID", { id: heading });
        if (!path.endsWith(`${heading}.sy`)) return "before";
        return (await humanPath(heading)) === `/Q&A ${run}` ? "done" : "between";
      },
    };
  }

  it("every kill between the steps ends finished, unchanged or reported, and no step runs twice", async () => {
    const tally: Record<string, number> = {};
    const kinds = [stagedMv, stagedMove, stagedHeading];
    for (let run = 0; run < runs; run++) {
      const staged = await (kinds[run % kinds.length] as (run: number) => Promise<Staged>)(run);
      const before = await contentOf(staged.content);
      const commit = await prepared(staged.tool, staged.call);
      const sent = legacy.call(staged.tool, commit).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 20 + ((run * 37) % 160)));
      await restart(siyuan, client);
      await sent;
      const found = await staged.state();
      const again = (await legacy.call(staged.tool, commit)).structured;
      const safety: Fields = again.safety ?? {};
      const answer = String(safety.transactionState ?? again.error.code);
      const steps = (again.error?.steps ?? []) as { name: string; state: string }[];
      const report = steps.map(({ name: step, state }) => ` ${step} ${state}`).join();
      const how = safety.resumed === true ? ", resumed" : safety.reconciled === true ? ", reconciled" : "";
      const now = await staged.state();
      const end = `${found}: ${answer}${how}${report}`;
      const where = `run ${run}: ${found}, then ${answer}${how}, then ${now}; ${JSON.stringify(again.error ?? {})}`;
      tally[end] = (tally[end] ?? 0) + 1;
      if (answer === "committed") expect(now, where).toBe("done");
      else expect(now, where).toBe(found);
      if (answer === "state_unchanged" || answer === "preflight_lease_invalid") expect(now, where).toBe("before");
      if (answer === "outcome_unknown") expect(again.error.steps, where).toBeDefined();
      expect(await contentOf(staged.content), where).toEqual(before);
      const last = (await legacy.call(staged.tool, commit)).structured;
      expect(String(last.safety?.transactionState ?? last.error.code), where).toBe(answer);
    }
    console.log(`stopped: ${runs} kills, ${JSON.stringify(tally)}`);
  }, 900_000);

  /** The record as a crash leaves it that came before the outcome was written. */
  async function forget(requestId: string, stages?: readonly string[]): Promise<void> {
    const entries = await siyuan.data<{ name: string }[]>("/api/file/readDir", { path: `${deviceFolder}/ledger` });
    for (const { name: day } of entries) {
      const path = `${deviceFolder}/ledger/${day}/${requestId}.json`;
      const text = await siyuan.readFile(path);
      if (text === undefined) continue;
      const { record } = JSON.parse(text) as { record: Fields };
      const { receipt: _receipt, afterDigest: _after, ...kept } = record;
      const lost = JSON.stringify({ ...kept, state: "executing", answered: false, ...(stages ? { stages } : {}) });
      await siyuan.writeFile(path, `{"checksum":"${checksum(lost)}","record":${lost}}`);
      return;
    }
    throw new Error(`no record of ${requestId}`);
  }

  it("what was done and never recorded is proven by what SiYuan holds", async () => {
    const page = await create(
      "/page",
      "first *words* `here`\n\n# first heading\n\n* first item\n\nnone\n\nplain first",
    );
    const blocks = (await siyuan.children(page)).map(({ id }) => id);
    const calls: [string, Fields][] = [
      ["block", { action: "replace", id: blocks[3], edit: { old: "none", new: "some é😀" } }],
      ["block", { action: "replace", id: blocks[0], edit: { old: "first", new: "**x**" } }],
      [
        "block",
        { action: "update", id: blocks[4], dataType: "markdown", data: "one **two** `three` [four](https://a.b)" },
      ],
      ["block", { action: "update", id: blocks[2], dataType: "markdown", data: "* a **b**\n* c\n  * d" }],
      ["fs", { action: "replace", path: `/${name}/page`, edit: { old: "heading", new: "title" } }],
      ["fs", { action: "replace", path: `/${name}/page`, edit: { old: "some", new: "any **b** & c" } }],
      ["document", { action: "duplicate", id: page }],
    ];
    for (const [tool, call] of calls) {
      const commit = await prepared(tool, call);
      const done = await legacy.ok(tool, commit);
      expect(done.safety.transactionState).toBe("committed");
      await forget(String(commit.requestId));
      const before = await notebookSnapshot(siyuan, notebook);
      await restart(siyuan, client);
      const again = (await legacy.call(tool, commit)).structured;
      expect(again, JSON.stringify([call, again])).toMatchObject({
        safety: { transactionState: "committed", replayed: true, reconciled: true },
      });
      expect(await notebookSnapshot(siyuan, notebook)).toEqual(before);
    }
  }, 300_000);

  it("a move whose second step never started gets its title after a restart", async () => {
    const staged = await stagedMv(1_000);
    const commit = await prepared("fs", staged.call);
    const { id } = await legacy.ok("fs", commit);
    await siyuan.data("/api/filetree/renameDocByID", { id, title: "mv 1000" });
    await forget(String(commit.requestId), ["move"]);
    await restart(siyuan, client);
    expect(await staged.state()).toBe("between");
    expect(await legacy.ok("fs", commit)).toMatchObject({
      id,
      safety: { transactionState: "committed", resumed: true },
    });
    expect(await staged.state()).toBe("done");
  }, 120_000);
});
