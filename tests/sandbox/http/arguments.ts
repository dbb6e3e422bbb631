// Typed access to a request's JSON body in SiYuan's two styles: old handlers die on bad types, new ones name the field.
import { isIdentifier } from "../model/identifiers.ts";
import { HandlerPanic, Refusal } from "./answer.ts";

export type JsonObject = Record<string, unknown>;

export class RequestArguments {
  constructor(readonly fields: JsonObject) {}

  has(name: string): boolean {
    return this.fields[name] !== undefined && this.fields[name] !== null;
  }

  /** Old style: anything but text kills the handler. */
  text(name: string): string {
    const value = this.fields[name];
    if (typeof value !== "string") throw new HandlerPanic(name);
    return value;
  }

  optionalText(name: string): string {
    return this.has(name) ? this.text(name) : "";
  }

  /** Old style list of texts. */
  texts(name: string): string[] {
    return this.list(name).map((value) => {
      if (typeof value !== "string") throw new HandlerPanic(name);
      return value;
    });
  }

  list(name: string): unknown[] {
    const value = this.fields[name];
    if (!Array.isArray(value)) throw new HandlerPanic(name);
    return value;
  }

  object(name: string): JsonObject {
    const value = this.fields[name];
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new HandlerPanic(name);
    return value as JsonObject;
  }

  /** Old style text that must look like an identifier. */
  identifier(name: string): string {
    return checkedIdentifier(this.text(name));
  }

  /** New style: the answer names the missing field. */
  requiredText(name: string): string {
    const value = this.fields[name];
    if (value === undefined || value === null) throw new Refusal(-1, `Field [${name}] is required`);
    if (typeof value !== "string") throw new Refusal(-1, `Field [${name}] should be of type [string]`);
    return value;
  }

  requiredIdentifier(name: string): string {
    return checkedIdentifier(this.requiredText(name));
  }

  number(name: string, fallback: number): number {
    const value = this.fields[name];
    return typeof value === "number" ? value : fallback;
  }
}

export function checkedIdentifier(id: string): string {
  if (!isIdentifier(id)) throw new Refusal(-1, "invalid ID argument");
  return id;
}

export function asObject(value: unknown): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new HandlerPanic("object expected");
  return value as JsonObject;
}
