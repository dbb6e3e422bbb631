// The real coordinator beside the model, under random commands. What the model does not allow did not fit any world.

import { describe, expect, it } from "vitest";
import { Scene, setText, writePaths } from "../../kernel/safety/testing/coordinator-scene.js";
import { envelope, settle, SimulatedHost } from "../../kernel/host/testing/simulated-host.js";
import { SisyphusError } from "../../shared/errors.js";
import { safetyLimits } from "../../shared/limits.js";
import type { JsonObject } from "../../shared/wire/json.js";
import { Random } from "../simulation/world/random.js";
import { ReferenceModel, type Trouble } from "./reference-model.js";

const blocks = ["20260812120000-aaaaaaa", "20260812120000-bbbbbbb"];
const troubles: readonly (readonly [Trouble, number])[] = [
  ["none", 6],
  ["lost", 3],
  ["refused", 1],
  ["no record before", 1],
  ["no record after", 1],
  ["process ends", 1],
];
const seeds = 400;
const commands = 40;

/** One story: the scene, the model, and what was done so far. */
class Story {
  readonly random: Random;
  readonly model = new ReferenceModel();
  readonly lines: string[] = [];
  readonly #calls = new Map<string, JsonObject>();
  /** Dispatches of each id. */
  readonly #sent = new Map<string, number>();
  /** Executes what was lost and is still under way. */
  #late: (() => void)[] = [];
  #texts = 0;
  scene: Scene;

  constructor(seed: number) {
    this.random = new Random(seed);
    this.scene = new Scene(new SimulatedHost(), new Map(blocks.map((block) => [block, "first"])));
    for (const block of blocks) this.model.textsOf(block).add("first");
  }

  async step(): Promise<void> {
    const command = this.random.weighted<() => Promise<void>>([
      [() => this.#preflight(), 4],
      [() => this.#commit(), 9],
      [() => this.#edit(), 1],
      [() => this.#arrive(), 1],
      [() => this.#restart(true), 0.6],
      [() => this.#restart(false), 0.6],
      [() => this.#pass(), 0.3],
    ]);
    await command();
    for (const block of blocks)
      expect(Array.from(this.model.textsOf(block)), this.lines.join("\n")).toContain(this.scene.notes.get(block));
    for (const [id, times] of Array.from(this.#sent)) expect(times, `${id} in ${this.lines.join("\n")}`).toBe(1);
  }

  async #preflight(): Promise<void> {
    const block = this.random.pick(blocks) ?? "";
    const now = this.scene.notes.get(block) ?? "";
    const data = this.random.chance(0.15) ? now : `text ${++this.#texts}`;
    const call = await this.scene.prepared(setText, { action: "set", id: block, data });
    const id = String(call.requestId);
    this.lines.push(`preflight ${id} of ${block}: ${data}`);
    expect(this.model.ids.has(id), this.lines.join("\n")).toBe(false);
    this.#calls.set(id, call);
    this.model.issued(id, block, data);
  }

  async #commit(): Promise<void> {
    const id = this.random.pick(Array.from(this.#calls.keys()).slice(-6));
    if (id === undefined) return;
    const isSameCall = !this.random.chance(0.1);
    const call = this.#calls.get(id) as JsonObject;
    const trouble = this.random.weighted(troubles);
    const allowed = this.model.allowed(id, isSameCall, trouble);
    const before = this.scene.dispatches.length;
    const answer = await this.#under(trouble, isSameCall ? call : { ...call, data: "other words" });
    const isSent = this.scene.dispatches.length > before;
    if (isSent) this.#sent.set(id, (this.#sent.get(id) ?? 0) + this.scene.dispatches.length - before);
    this.lines.push(
      `commit ${id}${isSameCall ? "" : " with other words"}, ${trouble}: ${answer} of ${allowed.join(", ")}`,
    );
    expect(allowed, this.lines.join("\n")).toContain(answer);
    this.model.answered(id, isSameCall, trouble, answer);
    // Trouble that met no dispatch changes nothing, except that the process is another one.
    if (trouble === "process ends") await this.#restart(true);
  }

  /** A commit whose dispatch, if there is one, meets the trouble. */
  async #under(trouble: Trouble, call: JsonObject): Promise<string> {
    const { host } = this.scene;
    const real = host.siyuan.on(writePaths.update, (body) => {
      const execute = () => real?.(body) as ReturnType<typeof envelope>;
      if (trouble === "refused") return envelope(null, -1, "no");
      if (trouble === "process ends") {
        if (this.random.chance(0.5)) execute();
        return new Promise(() => undefined);
      }
      if (trouble !== "lost") return execute();
      if (this.random.chance(0.4)) execute();
      else if (this.random.chance(0.6)) this.#late.push(execute);
      throw new SisyphusError("kernel_unreachable");
    });
    if (trouble === "no record before") host.files.fail({ kind: "write", path: "/ledger/" });
    if (trouble === "no record after") host.files.fail({ kind: "write", path: "/ledger/", skip: 1 });
    let answer: string | undefined;
    const before = this.scene.dispatches.length;
    endOf(this.scene.commit(setText, call)).then((end) => {
      answer = end;
    });
    while (answer === undefined) {
      await settle();
      // Nobody hears of it any more: what became of it is for the next run to find out.
      if (trouble === "process ends" && this.scene.dispatches.length > before) answer = "outcome_unknown";
    }
    host.files.heal();
    if (real) host.siyuan.on(writePaths.update, real);
    return answer;
  }

  async #edit(): Promise<void> {
    const block = this.random.pick(blocks) ?? "";
    const text = this.random.chance(0.4) ? "first" : `edit ${++this.#texts}`;
    this.lines.push(`edit of ${block}: ${text}`);
    this.scene.notes.set(block, text);
    this.model.written(block, text);
  }

  async #arrive(): Promise<void> {
    for (const execute of this.#late.splice(0, 1)) {
      this.lines.push("a lost request is executed");
      execute();
    }
  }

  async #restart(isNewProcess: boolean): Promise<void> {
    this.lines.push(isNewProcess ? "restart" : "reload");
    // A process takes with it what it had under way.
    if (isNewProcess) this.#late = [];
    this.scene = isNewProcess ? await this.scene.restarted() : await this.scene.reloaded();
    this.model.restarted(isNewProcess);
  }

  async #pass(): Promise<void> {
    this.lines.push("ten minutes pass");
    await this.scene.host.clock.advance(safetyLimits.leaseTtlMs);
    for (const entry of Array.from(this.model.ids.values())) if (entry.state === "leased") entry.state = "dead";
  }
}

/** `done` for an execution of its own, `replayed`, or the code. */
async function endOf(work: Promise<JsonObject>): Promise<string> {
  try {
    return ((await work).safety as JsonObject).replayed === true ? "replayed" : "done";
  } catch (thrown) {
    return thrown instanceof SisyphusError ? thrown.code : String(thrown);
  }
}

describe("the coordinator beside a model of it", () => {
  it(`answers nothing impossible in ${seeds} stories (I-15, I-16, I-17, I-20, I-21, I-35)`, async () => {
    for (let seed = 1; seed <= seeds; seed++) {
      const story = new Story(seed);
      story.lines.push(`seed ${seed}`);
      for (let done = 0; done < commands; done++) await story.step();
    }
  }, 60_000);
});
