// A coordinator over the simulated host, a SiYuan of two small tables, and three tiny actions: mutation, additive, staged.

import * as z from "zod/mini";
import { additive, mutation } from "../../../shared/catalogue/declaration.js";
import { businessArguments } from "../../../shared/catalogue/parse.js";
import { SisyphusError } from "../../../shared/errors.js";
import { safetyLimits } from "../../../shared/limits.js";
import { type Json, type JsonObject, isJsonObject } from "../../../shared/wire/json.js";
import { SiyuanReader } from "../../api/reader.js";
import { SiyuanWriter } from "../../api/writer.js";
import { ConfigReader, permissionsPath } from "../../config/config-reader.js";
import { ConfigWriter } from "../../config/config-writer.js";
import type { CallControl } from "../call-control.js";
import { AliasPool } from "../alias-pool.js";
import { implementMutation, type MutationImplementation, type Plan, type Verdict } from "../contract.js";
import { Coordinator } from "../coordinator.js";
import { Fence } from "../fence.js";
import type { WriteCall } from "../inspection.js";
import { Ledger } from "../ledger.js";
import { OpenWrites } from "../open-writes.js";
import { Preflights } from "../preflights.js";
import { RequestIds } from "../request-ids.js";
import { envelope, SimulatedHost } from "../../host/testing/simulated-host.js";

export const notebook = "20260101000000-noteboo";

/** The routes that change something, as the scene's SiYuan knows them. */
export const writePaths = {
  update: "/api/block/updateBlock",
  append: "/api/block/appendBlock",
  notebook: "/api/notebook/createNotebook",
  icon: "/api/notebook/setNotebookIcon",
} as const;

const draft = { tool: "block", summary: "", signature: "", examples: [], input: () => z.any() } as const;

interface SetInput {
  readonly id: string;
  readonly data: string;
}

interface SetPlan extends SetInput, Plan {}

async function textOf(reader: SiyuanReader, id: string): Promise<string> {
  const text = await reader.kramdown(id);
  if (text === undefined) throw new SisyphusError("block_not_found", `No live block has the id ${id}`);
  return text;
}

/** Replaces a block's text. Its state is the text. */
export const setText = implementMutation(mutation("state", { ...draft, name: "set", permission: "rw" }), {
  async targets({ id }: SetInput, { reader }) {
    await textOf(reader, id);
    return { ids: [id], notebooks: [notebook], found: undefined };
  },
  async observe({ id }: SetInput, _targets, { reader }) {
    return { state: { id, text: await textOf(reader, id) }, facts: undefined };
  },
  plan: ({ id, data }: SetInput): SetPlan => ({ id, data, preview: () => ({ changes: 1 }) }),
  stages: [
    {
      name: "set",
      apply: (plan: SetPlan, { writer }) => writer.updateBlock(plan.id, { dataType: "markdown", data: plan.data }),
    },
  ],
  readback: async (plan: SetPlan, _answers, { reader }) => reader.kramdown(plan.id),
  verify(plan: SetPlan, before, _answers, after: string | undefined): Verdict {
    const state = { id: plan.id, text: after ?? "" };
    const answer = { success: true, id: plan.id };
    if (after !== plan.data) return { outcome: "mismatch", state, answer, difference: { found: after ?? null } };
    return { outcome: (before.state as JsonObject).text === after ? "no_change" : "committed", state, answer };
  },
  async reconcile({ id, data }: SetInput, _lost, { reader }) {
    return { done: (await reader.kramdown(id)) === data, answer: { success: true, id } };
  },
});

interface AddInput {
  readonly parentID: string;
  readonly data: string;
}

interface AddPlan extends AddInput, Plan {
  readonly id: string;
}

interface MakePlan extends Plan {
  readonly name: string;
}

/** Adds a block under the id that was reserved for it. */
export const addText = implementMutation(additive({ ...draft, name: "add", permission: "rw" }), {
  reserves: 1,
  targets: async ({ parentID }: AddInput) => ({ ids: [parentID], notebooks: [notebook], found: undefined }),
  observe: async () => ({ state: null, facts: undefined }),
  plan: ({ parentID, data }: AddInput, _observation, [id]): AddPlan => ({
    parentID,
    data: `${id} ${data}`,
    id: id as string,
    preview: () => ({ blocks: 1 }),
  }),
  stages: [
    {
      name: "add",
      apply: (plan: AddPlan, { writer }) =>
        writer.appendBlock(plan.parentID, { dataType: "markdown", data: plan.data }),
    },
  ],
  readback: async (plan: AddPlan, _answers, { reader }) => reader.kramdown(plan.id),
  verify(plan: AddPlan, _before, _answers, after: string | undefined): Verdict {
    const answer = { success: true, id: plan.id };
    return after === undefined ? { outcome: "mismatch", answer } : { outcome: "committed", answer };
  },
  async reconcile(_input: AddInput, { reservedIds: [id] }, { reader }) {
    return { done: (await reader.kramdown(id as string)) !== undefined, answer: { success: true, id: id as string } };
  },
});

/** Two dispatches: a notebook, then its icon. */
export const makeNotebook = implementMutation(additive({ ...draft, name: "make", permission: "workspace" }), {
  targets: async () => ({ ids: [], notebooks: [], found: undefined }),
  observe: async () => ({ state: null, facts: undefined }),
  plan: ({ name }: { name: string }): MakePlan => ({ name, preview: () => ({ name }) }),
  stages: [
    { name: "create", apply: (plan: MakePlan, { writer }) => writer.createNotebook(plan.name) },
    { name: "icon", apply: (_plan, { writer }, [id]) => writer.setNotebookIcon(id as string, "1f600") },
  ],
  readback: async () => undefined,
  verify: (_plan, _before, [id]): Verdict => ({
    outcome: "committed",
    answer: { success: true, notebook: id as string },
  }),
});

/** A call as the tool service hands it over. */
export function callOf(action: MutationImplementation, args: JsonObject): WriteCall {
  const business = businessArguments(args);
  return { action, input: business as never, business, args };
}

/** The fields that a commit copies from its preflight. */
export function credentialsOf(preflight: JsonObject): JsonObject {
  const { requestId, expectedStateHash } = preflight;
  return { requestId: requestId as string, ...(expectedStateHash ? { expectedStateHash } : {}) };
}

/** A control that lets everything through. */
export const freely: CallControl = { crossBarrier: () => undefined, withinDeadline: (work) => work };

/** One run of the plugin over a host; `restarted` is the next one over the same files and notes. */
export class Scene {
  readonly host: SimulatedHost;
  readonly coordinator: Coordinator;
  readonly fence: Fence;
  /** Texts by block id: what the simulated SiYuan holds. */
  readonly notes: Map<string, string>;
  readonly #run: number;

  constructor(host = new SimulatedHost(), notes = new Map<string, string>(), run = 1) {
    this.host = host;
    this.notes = notes;
    this.#run = run;
    const instance = `run-${run}`;
    const reader = new SiyuanReader(host.siyuan, host.clock);
    const config = new ConfigReader(host.files, host.clock);
    this.fence = new Fence(host, instance);
    const ledger = new Ledger(host);
    this.coordinator = new Coordinator({
      host,
      instance,
      readTools: { reader, config },
      writeTools: { writer: new SiyuanWriter(host.siyuan), config: new ConfigWriter(host.files, config) },
      aliases: new AliasPool(),
      preflights: new Preflights(host.clock),
      requestIds: new RequestIds(
        host,
        async () => "device",
        () => this.fence.check(),
      ),
      ledger,
      fence: this.fence,
      openWrites: new OpenWrites(host, ledger, () => this.fence.takeOver()),
    });
    if (run === 1) {
      this.allow("rw");
      this.#script();
    }
  }

  async restarted(): Promise<Scene> {
    const next = new Scene(this.host.restarted(), this.notes, this.#run + 1);
    await next.fence.claim();
    return next;
  }

  /** The next run in the same kernel process: requests of this one may still be running. */
  async reloaded(): Promise<Scene> {
    const next = new Scene(this.host.reloaded(), this.notes, this.#run + 1);
    await next.fence.claim();
    await this.host.clock.advance(safetyLimits.takeOverMs);
    return next;
  }

  /** Sets the notebook's permission level, as the owner does, without a trace in the journal. */
  allow(level: string): void {
    this.host.files.disk.set(permissionsPath, JSON.stringify({ [notebook]: level }));
  }

  preflight(action: MutationImplementation, args: JsonObject): Promise<JsonObject> {
    return this.coordinator.preflight(callOf(action, { ...args, validateOnly: true }));
  }

  commit(action: MutationImplementation, args: JsonObject, control: CallControl = freely): Promise<JsonObject> {
    return this.coordinator.commit(callOf(action, args), control);
  }

  /** The arguments of a commit, with the credentials of a fresh preflight. */
  async prepared(action: MutationImplementation, args: JsonObject): Promise<JsonObject> {
    return { ...args, ...credentialsOf(await this.preflight(action, args)) };
  }

  /** Requests that change something, in order. */
  get dispatches(): readonly string[] {
    const changing: readonly string[] = Object.values(writePaths);
    return this.host.requests.filter((path) => changing.includes(path));
  }

  /** The ledger files of the disk by request id. */
  get ledgerFiles(): ReadonlyMap<string, string> {
    const files = Array.from(this.host.files.disk).filter(([path]) => path.includes("/ledger/"));
    return new Map(files.map(([path, text]) => [path.slice(path.lastIndexOf("/") + 1, -".json".length), text]));
  }

  /** The recorded state of a request id. */
  stateOf(requestId: unknown): string | undefined {
    const text = this.ledgerFiles.get(String(requestId));
    return text === undefined ? undefined : (JSON.parse(text) as { record: { state: string } }).record.state;
  }

  #script(): void {
    const { siyuan } = this.host;
    const field = (body: Json, name: string) => (isJsonObject(body) ? String(body[name]) : "");
    const echo = (id: string, data: string) => envelope([{ doOperations: [{ id, parentID: "", data }] }]);
    siyuan.on("/api/block/getBlockKramdown", (body) => {
      const id = field(body, "id");
      return envelope({ id, kramdown: this.notes.get(id) ?? "" });
    });
    siyuan.on(writePaths.update, (body) => {
      this.notes.set(field(body, "id"), field(body, "data"));
      return echo(field(body, "id"), field(body, "data"));
    });
    siyuan.on(writePaths.append, (body) => {
      const [id = "", ...words] = field(body, "data").split(" ");
      this.notes.set(id, words.join(" "));
      return echo(id, words.join(" "));
    });
    siyuan.on("/api/block/getDocsInfo", () => envelope(null, -1, "not found"));
    siyuan.on(writePaths.notebook, () => envelope({ notebook: { id: "20260101000001-created" } }));
    siyuan.on(writePaths.icon, () => envelope(null));
  }
}
