// What an action implements: a read answers two questions, a mutation six. The coordinator asks them in order.

import type { ActionDeclaration } from "../../shared/catalogue/declaration.js";
import type { Json, JsonObject } from "../../shared/wire/json.js";
import type { SiyuanReader } from "../api/reader.js";
import type { SiyuanWriter } from "../api/writer.js";
import type { ConfigReader } from "../config/config-reader.js";
import type { ConfigWriter } from "../config/config-writer.js";

/** An intended change. The preview is for a preflight's reply only, and made only then. */
export interface Plan {
  preview(): JsonObject;
}

/** What reads may use. Nothing in it can change anything. */
export interface ReadTools {
  readonly reader: SiyuanReader;
  readonly config: ConfigReader;
}

/** What writes may use. Only `apply` and stages ever receive it. */
export interface WriteTools {
  readonly writer: SiyuanWriter;
  readonly config: ConfigWriter;
}

/** The live objects a call touches. */
export interface Targets<Found = unknown> {
  /** Ids the credential is bound to. */
  readonly ids: readonly string[];
  /** Notebooks whose permission is asked, from the live tree, never from arguments. */
  readonly notebooks: readonly string[];
  /**
   * Documents whose blocks the write changes: closed to other writes while nobody knows whether this one will still
   * run. Without it the notebooks are closed, which is right where documents come, go or move.
   */
  readonly documents?: readonly string[];
  readonly found: Found;
}

export interface Observation<Facts = unknown> {
  /** What the precondition covers, without volatile fields. */
  readonly state: Json;
  /** Whatever `plan` must know besides. */
  readonly facts: Facts;
  /**
   * What a later look can find again in the notes if the call did what it should, and nobody else wrote there: the proof
   * of a call whose outcome was lost. The ledger keeps its digest. Asked for at the commit only; may throw.
   */
  witness?(): Promise<Json | undefined> | Json | undefined;
  /** Ids without which the witness could not be read again. The ledger keeps them. */
  readonly namedIds?: readonly string[];
}

export interface Verdict {
  readonly outcome: "committed" | "no_change" | "mismatch";
  /** The state afterwards, in the form of the observed one. */
  readonly state?: Json;
  /** The business answer and receipt: ids and small facts, never note text. */
  readonly answer: JsonObject;
  /** Harmless normalisations that SiYuan made. */
  readonly notes?: readonly string[];
  /** For the caller only: what was expected and what is there. */
  readonly difference?: JsonObject;
}

/** What the ledger still knows of a call whose outcome was lost. */
export interface LostCall {
  /** Ids that the credential was bound to. */
  readonly targetIds: readonly string[];
  readonly notebooks: readonly string[];
  /** Those of the targets. */
  readonly documents?: readonly string[];
  readonly reservedIds: readonly string[];
  /** Names of the stages that started, in order. */
  readonly stages: readonly string[];
  /** Those of the observation, and those that answers of earlier stages named, as the stage's `names` tells. */
  readonly namedIds?: readonly string[];
  /** True when the last dispatch was never answered and SiYuan's process is still the same. */
  readonly mayStillRun: boolean;
}

/** What a look at the notes proves about a call whose outcome was lost. */
export interface Evidence {
  /** True when the notes hold all that the call asked for; false proves nothing. */
  readonly done: boolean;
  /** The business answer, as `verify` would give it. */
  readonly answer: JsonObject;
  /** Where given, one of these must be the witness that was observed, or nothing is proven. */
  readonly witnesses?: readonly Json[];
  /** Where given, this must be the state that was there before the call, or nothing is proven. */
  readonly before?: Json;
}

/** Whether the effect of a stage that started is in the notes, as a whole. */
export type StageTrace = "done" | "absent" | "unclear";

/** What a look at the notes shows of a call that stopped between its stages. */
export interface Trace<Facts = unknown> {
  /** Of each stage that started, in order. */
  readonly stages: readonly StageTrace[];
  /** What the stages that never started build on. Only where all that started are done. */
  readonly rest?: Rest<Facts>;
}

export interface Rest<Facts = unknown> {
  /**
   * Must be the witness that was observed: whatever these stages rely on is as the preflight saw it. Only where all that
   * they rely on is of the call's own making may it be left out.
   */
  readonly witness?: Json;
  /** The notes as they are now, for `plan` and `verify`. */
  readonly observation: Observation<Facts>;
  /** In place of the answers of the stages that started. */
  readonly answers: readonly unknown[];
}

export interface ReadImplementation {
  readonly kind: "read";
  readonly declaration: ActionDeclaration;
  targets(input: never, tools: ReadTools): Promise<Targets>;
  read(input: never, targets: Targets<never>, tools: ReadTools): Promise<Json>;
}

export interface MutationImplementation {
  readonly kind: "mutation";
  readonly declaration: ActionDeclaration;
  /** How many block ids to reserve at the preflight. */
  readonly reserves: number;
  targets(input: never, tools: ReadTools): Promise<Targets>;
  observe(input: never, targets: Targets<never>, tools: ReadTools): Promise<Observation>;
  /** Pure: the intended change and its preview, or a thrown refusal. */
  plan(input: never, observation: Observation<never>, reservedIds: readonly string[]): Plan;
  /** Dispatches, each recorded before it starts, each at most once. Gets the answers of the stages before it. */
  readonly stages: readonly Stage[];
  /**
   * Pure: the state that SiYuan's answers announce, where they do. It proves nothing; its digest is made while the notes
   * are read back, and used when the state that was read is the same.
   */
  foresee?(plan: never, before: Observation<never>, answers: readonly unknown[]): Json | undefined;
  readback(plan: never, answers: readonly unknown[], tools: ReadTools): Promise<unknown>;
  /** Pure: compares request, echo, before and after. */
  verify(plan: never, before: Observation<never>, answers: readonly unknown[], after: never): Verdict;
  /**
   * Pure: fields of the answer that hold a person's words, out of the arguments. The ledger keeps no such field, and a
   * replay needs them. Without it: the arguments of the same names.
   */
  words?(input: never): JsonObject;
  /**
   * Reads only: whether the notes hold what a call asked whose outcome was lost. Without it the question is whether the
   * same change, planned again, would change nothing.
   */
  reconcile?(input: never, lost: LostCall, tools: ReadTools): Promise<Evidence>;
  /** Reads only: how far a call got that has several stages and stopped between them, so that a retry may run the rest. */
  trace?(input: never, lost: LostCall, tools: ReadTools): Promise<Trace<never>>;
}

export interface Stage {
  readonly name: string;
  /** Ids in the stage's answer that later stages need; recorded with the next stage. */
  names?(answer: never): readonly string[];
  apply(plan: never, tools: WriteTools, answers: readonly unknown[]): Promise<unknown>;
}

export type Implementation = ReadImplementation | MutationImplementation;

type InputOf<Declaration> = Declaration extends { input: () => infer Schema }
  ? Schema extends { _zod: { output: infer Output } }
    ? Output
    : never
  : never;

/** Implements a read. A declaration of another class does not compile. */
export function implementRead<Declaration extends ActionDeclaration & { class: { kind: "read" } }, Found>(
  declaration: Declaration,
  steps: {
    targets(input: InputOf<Declaration>, tools: ReadTools): Promise<Targets<Found>>;
    read(input: InputOf<Declaration>, targets: Targets<Found>, tools: ReadTools): Promise<Json>;
  },
): ReadImplementation {
  return { kind: "read", declaration, ...steps } as unknown as ReadImplementation;
}

/** Implements an additive action or a mutation. A read's declaration does not compile. */
export function implementMutation<
  Declaration extends ActionDeclaration & { class: { kind: "additive" } | { kind: "mutation" } },
  Found,
  Facts,
  Planned extends Plan,
  After,
>(
  declaration: Declaration,
  steps: {
    reserves?: number;
    targets(input: InputOf<Declaration>, tools: ReadTools): Promise<Targets<Found>>;
    observe(input: InputOf<Declaration>, targets: Targets<Found>, tools: ReadTools): Promise<Observation<Facts>>;
    plan(input: InputOf<Declaration>, observation: Observation<Facts>, reservedIds: readonly string[]): Planned;
    stages: readonly {
      name: string;
      names?(answer: never): readonly string[];
      apply(plan: Planned, tools: WriteTools, answers: readonly unknown[]): Promise<unknown>;
    }[];
    foresee?(plan: Planned, before: Observation<Facts>, answers: readonly unknown[]): Json | undefined;
    readback(plan: Planned, answers: readonly unknown[], tools: ReadTools): Promise<After>;
    verify(plan: Planned, before: Observation<Facts>, answers: readonly unknown[], after: After): Verdict;
    words?(input: InputOf<Declaration>): JsonObject;
    reconcile?(input: InputOf<Declaration>, lost: LostCall, tools: ReadTools): Promise<Evidence>;
    trace?(input: InputOf<Declaration>, lost: LostCall, tools: ReadTools): Promise<Trace<Facts>>;
  },
): MutationImplementation {
  return { kind: "mutation", declaration, reserves: 0, ...steps } as unknown as MutationImplementation;
}
