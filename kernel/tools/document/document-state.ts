// The state of a document that a precondition covers: its place, its title, its attributes and all its content.

import type { JsonObject } from "../../../shared/wire/json.js";
import { type DocumentPart, documentParts } from "../../api/document-dom.js";
import type { SiyuanReader } from "../../api/reader.js";
import type { LiveDocument } from "./live-document.js";

export interface DocumentState extends LiveDocument {
  readonly title: string;
  /** Attributes of the root that somebody set. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly dom: string;
  /** Its top-level blocks. */
  readonly parts: readonly DocumentPart[];
  /** Comparable form of all blocks. */
  readonly form: string;
}

/** Said elsewhere in the state, or changed by merely looking at the document. */
const leftOut: ReadonlySet<string> = new Set(["id", "title", "type", "updated", "scroll"]);

/** Two reads, whatever the document's size. The first one makes SiYuan finish what it has pending. */
export async function readDocumentState(reader: SiyuanReader, document: LiveDocument): Promise<DocumentState> {
  const { title, attributes } = await reader.documentInfo(document.id);
  const dom = (await reader.blockDom(document.id)) ?? "";
  const parts = await documentParts(dom, () => reader.pause());
  return {
    ...document,
    title,
    attributes: ownAttributes(attributes),
    dom,
    parts,
    form: parts.map((part) => part.form).join(""),
  };
}

/** Those of a root that somebody set. */
export function ownAttributes(all: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map(Array.from(all).filter(([name]) => !leftOut.has(name)));
}

/** Where the document is now; undefined when no live tree holds it. */
export async function rereadDocumentState(reader: SiyuanReader, id: string): Promise<DocumentState | undefined> {
  const location = await reader.location(id);
  return location && readDocumentState(reader, { id, ...location });
}

export function documentStateJson({ id, notebook, path, title, attributes, parts }: DocumentState): JsonObject {
  return { id, notebook, path, title, attributes: attributesJson(attributes), blocks: parts.map(({ form }) => form) };
}

export function attributesJson(attributes: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  const json: Record<string, string> = {};
  for (const [name, value] of Array.from(attributes)) json[name] = value;
  return json;
}

/** Names of attributes that differ between two documents, apart from those that were meant to. */
export function changedAttributes(
  before: DocumentState,
  after: DocumentState,
  meant: readonly string[],
): readonly string[] {
  const names = Array.from(new Set(Array.from(before.attributes.keys()).concat(Array.from(after.attributes.keys()))));
  return names.filter((name) => !meant.includes(name) && before.attributes.get(name) !== after.attributes.get(name));
}

/** Equal content. The text of a reference that follows its target may change at any time and does not count. */
export function sameContent(before: DocumentState, after: DocumentState): boolean {
  return sameForms(before.form, after.form);
}

/** Equal canonical forms, apart from texts of references that follow their targets. */
export function sameForms(left: string, right: string): boolean {
  return left === right || withoutFollowingTexts(left) === withoutFollowingTexts(right);
}

export function withoutFollowingTexts(form: string): string {
  const [head, ...references] = form.split(' data-subtype="d"');
  const emptied = references.map(
    (part) => part.slice(0, part.indexOf(">") + 1) + part.slice(Math.max(0, part.indexOf("</span>"))),
  );
  return [head].concat(emptied).join(' data-subtype="d"');
}
