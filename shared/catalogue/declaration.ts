// The shape of an action's declaration. Everything else about an action is derived from it.

import type * as z from "zod/mini";
import type { JsonObject } from "../wire/json.js";
import type { PreconditionKind } from "../wire/safety.js";

export type ToolName = "fs" | "notebook" | "document" | "block" | "search";

/** Level needed on the notebooks concerned; `workspace` concerns no notebook. */
export type RequiredPermission = "r" | "rw" | "rwd" | "workspace";

/**
 * What an action may do.
 * - read: changes nothing
 * - additive: makes something new; needs a request id, has no earlier state to compare
 * - mutation: changes something; the precondition names what is compared
 */
export type ActionClass =
  | { readonly kind: "read" }
  | { readonly kind: "additive" }
  | { readonly kind: "mutation"; readonly precondition: PreconditionKind };

/** Another class for the calls that set this switch: `fs write` with `overwrite` changes what is there. */
export interface ClassVariant {
  readonly field: string;
  readonly class: ActionClass;
}

export interface ActionDeclaration<Tool extends ToolName = ToolName, Name extends string = string, Input = unknown> {
  readonly tool: Tool;
  readonly name: Name;
  readonly class: ActionClass;
  readonly variant?: ClassVariant;
  readonly permission: RequiredPermission;
  /** Ask the user first. */
  readonly confirm: boolean;
  /** Enabled unless the owner switches it off. */
  readonly enabled: boolean;
  readonly summary: string;
  /** Compact list of what a call must carry, as shown in the tool description. */
  readonly signature: string;
  /** Brings other accepted spellings of the arguments to the declared one. Throws `invalid_arguments`. */
  readonly spelled?: (business: JsonObject) => JsonObject;
  /** Built on demand: building every schema at start costs too much in goja. */
  readonly input: () => z.ZodMiniType<Input>;
  readonly examples: readonly JsonObject[];
  /** Positional arguments on the command line, in order. */
  readonly positionals?: readonly string[];
  /** Longer advice shown by help. */
  readonly guidance?: readonly string[];
}

export interface ToolDeclaration {
  readonly name: ToolName;
  readonly title: string;
  /** When to choose the tool, and what its paths and ids mean. */
  readonly description: string;
  readonly actions: readonly ActionDeclaration[];
}

type Draft<Tool extends ToolName, Name extends string, Input> = Omit<
  ActionDeclaration<Tool, Name, Input>,
  "class" | "confirm" | "enabled"
> & { readonly confirm?: boolean; readonly enabled?: boolean };

function declare<Class extends ActionClass, Tool extends ToolName, Name extends string, Input>(
  actionClass: Class,
  draft: Draft<Tool, Name, Input>,
): ActionDeclaration<Tool, Name, Input> & { readonly class: Class } {
  return { confirm: false, enabled: true, ...draft, class: actionClass };
}

/** Declares an action that changes nothing. */
export const read = <Tool extends ToolName, Name extends string, Input>(draft: Draft<Tool, Name, Input>) =>
  declare({ kind: "read" }, draft);

/** Declares an action that makes something new. */
export const additive = <Tool extends ToolName, Name extends string, Input>(draft: Draft<Tool, Name, Input>) =>
  declare({ kind: "additive" }, draft);

/** Declares an action that changes something, with the kind of state its preflight digests. */
export const mutation = <Kind extends PreconditionKind, Tool extends ToolName, Name extends string, Input>(
  precondition: Kind,
  draft: Draft<Tool, Name, Input>,
) => declare({ kind: "mutation", precondition }, draft);

type Classes = Pick<ActionDeclaration, "class" | "variant">;

/** The class of one call, from its parsed input. */
export function classOf({ class: usual, variant }: Classes, input: unknown): ActionClass {
  const isSet = variant && (input as Readonly<Record<string, unknown>> | null)?.[variant.field] === true;
  return isSet ? variant.class : usual;
}

/** Every class that a call of the action may have. */
export function classesOf({ class: usual, variant }: Classes): readonly ActionClass[] {
  return variant ? [usual, variant.class] : [usual];
}

/** The credential field that a call of the action may need; every class of an action has the same one, or none. */
export function preconditionOf(declaration: Classes): PreconditionKind | undefined {
  for (const of of classesOf(declaration)) if (of.kind === "mutation") return of.precondition;
  return undefined;
}
