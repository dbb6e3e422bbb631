// Setting attributes: name rules, value clean-up, merge into a block.
import { reorderAttributes } from "./block-dom.ts";
import type { BlockNode } from "./block-node.ts";

export class BadAttribute extends Error {}

const nameShape = /^[a-z][a-z0-9-]*$/;
const customShape = /^custom-[a-z][a-z0-9-]*$/;

function cleaned(name: string, value: string): string {
  let text = value.replaceAll("\u200b", "").replaceAll("\u00a0", " ").trim();
  if (name === "tags") text = [...new Set(text.split(",").map((tag) => tag.trim()))].filter(Boolean).join(",");
  if (name === "icon" && /[^ -~]/.test(text)) {
    text = [...text].map((character) => (character.codePointAt(0) ?? 0).toString(16)).join("-");
  }
  return text;
}

/** Checks all names and values before the first change. */
export function checkAttributes(blockId: string, changes: Record<string, unknown>): void {
  for (const [rawName, value] of Object.entries(changes)) {
    const name = rawName.toLowerCase();
    if (!nameShape.test(name) || (name.startsWith("custom-") && !customShape.test(name))) {
      throw new BadAttribute(
        "The attribute name can only contain lowercase English letters, digits, and hyphens, " +
          `and must start with a lowercase English letter [${blockId}]`,
      );
    }
    if (value !== null && typeof value !== "string")
      throw new BadAttribute(`the value of attr [${rawName}] must be a string`);
  }
}

/** Merges; `null` and "" remove. */
export function changeAttributes(node: BlockNode, changes: Record<string, unknown>): void {
  checkAttributes(node.id, changes);
  for (const [rawName, value] of Object.entries(changes)) {
    const name = rawName.toLowerCase();
    const text = typeof value === "string" ? cleaned(name, value) : "";
    if (text === "") node.attributes.delete(name);
    else node.attributes.set(name, text);
  }
  reorderAttributes(node);
}
