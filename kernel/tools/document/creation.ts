// Making a document from Markdown, for every action that does. SiYuan echoes nothing here; the oracle is the new
// document's own DOM against the parser's preview of the request.

import { sizeLimits } from "../../../shared/limits.js";
import { type DomNode, topLevelNodes } from "../../api/dom.js";
import type { Location, SiyuanReader } from "../../api/reader.js";
import type { SiyuanWriter } from "../../api/writer.js";
import type { Plan } from "../../safety/contract.js";
import { lostReferences, missingWords } from "../block/comparison.js";
import { type Content, readContent, refusal, requireOwnAttributes } from "../block/content.js";
import { idsInAttributeLines } from "../block/markdown-source.js";
import { textDiff, visibleText } from "../block/text-diff.js";
import { requireTitle } from "./title.js";

/** A document to be: where, with what, and which arguments name its title and its parents. */
export interface Creation {
  readonly notebook: string;
  /** Human path inside the notebook, as humanPath gives it. */
  readonly path: string;
  readonly markdown: string;
  readonly titleField: string;
  readonly parentField: string;
}

export interface CreationFacts {
  readonly content: Content;
  readonly twins: readonly string[];
  readonly parents: readonly string[];
  readonly taken: readonly string[];
}

export interface CreationPlan extends Plan {
  readonly notebook: string;
  readonly path: string;
  readonly markdown: string;
  readonly content: Content;
  readonly id: string;
}

export interface CreatedDocument {
  readonly location: Location | undefined;
  /** True when a document of this path has the reserved id. */
  readonly atPath: boolean;
  readonly nodes: readonly DomNode[];
}

/** The human path of these titles: absolute, without trailing or double slashes. Refuses what SiYuan would change. */
export function humanPath(titles: readonly string[], field: string): string {
  if (titles.length === 0) throw refusal("invalid_arguments", field, "the path names no title");
  if (titles.length > sizeLimits.maxHumanPathLevels) {
    throw refusal(
      "invalid_arguments",
      field,
      `${titles.length} levels; SiYuan allows ${sizeLimits.maxHumanPathLevels} and would leave empty parents behind`,
    );
  }
  for (const title of titles) {
    requireTitle(title, field);
    if (title === "." || title === "..")
      throw refusal("content_would_be_lost", field, "SiYuan resolves . and .. in paths");
  }
  if (titles.slice(0, -1).some((title) => title.includes("\u200d"))) {
    const reason = "SiYuan does not find a parent whose title holds a joined emoji, and would make a second one";
    throw refusal("content_would_be_lost", field, reason);
  }
  return `/${titles.join("/")}`;
}

export async function observeCreation(
  { notebook, path, markdown }: Creation,
  reader: SiyuanReader,
): Promise<CreationFacts> {
  const content = await readContent({ dataType: "markdown", data: markdown }, "markdown", reader);
  const ids = content.kind === "markdown" ? idsInAttributeLines(content.source) : [];
  const [twins, taken, parents] = await Promise.all([
    reader.idsByHumanPath(notebook, path),
    reader.treeInfos(ids),
    path.lastIndexOf("/") > 0
      ? reader.idsByHumanPath(notebook, path.slice(0, path.lastIndexOf("/")))
      : Promise.resolve([]),
  ]);
  return { content, twins, parents, taken: Array.from(taken.keys()) };
}

/** Pure. Refuses twins, ambiguous parents and ids that belong to live blocks. */
export function planCreation(
  creation: Creation,
  { content, twins, parents, taken }: CreationFacts,
  id: string,
): CreationPlan {
  const { notebook, path, markdown, titleField, parentField } = creation;
  if (twins.length > 0)
    throw refusal("invalid_arguments", titleField, `${path} exists already (id ${twins.join(", ")})`);
  if (parents.length > 1)
    throw refusal(
      "invalid_arguments",
      parentField,
      `${parents.length} documents have the path of the parent (ids ${parents.join(", ")})`,
    );
  requireOwnAttributes(content, "markdown");
  if (taken.length > 0)
    throw refusal(
      "content_would_be_lost",
      "markdown",
      `the id ${taken[0]} belongs to a live block; remove the ids from the content`,
    );
  const preview = content.kind === "markdown" ? content.preview : undefined;
  return {
    notebook,
    path,
    markdown,
    content,
    id,
    preview: () => ({ path, blocks: preview?.blocks ?? 0, diff: textDiff("", visibleText(preview?.html ?? "")) }),
  };
}

/** The only stage. */
export const creationStage = {
  name: "create",
  apply: ({ notebook, path, markdown, id }: CreationPlan, { writer }: { readonly writer: SiyuanWriter }) =>
    writer.createDocument(notebook, path, markdown, id),
};

export async function readCreated(
  { notebook, path, id }: Pick<CreationPlan, "notebook" | "path" | "id">,
  reader: SiyuanReader,
): Promise<CreatedDocument> {
  const [location, dom, ids] = await Promise.all([
    reader.location(id),
    reader.blockDom(id),
    reader.idsByHumanPath(notebook, path),
  ]);
  return { location, atPath: ids.includes(id), nodes: topLevelNodes(dom ?? "").nodes };
}

/** Pure: what is wrong with the document that is there now; undefined when it is as asked. */
export function creationProblem(
  plan: Omit<CreationPlan, "preview">,
  answered: unknown,
  after: CreatedDocument,
): string | undefined {
  if (answered !== plan.id) return "SiYuan answered another id than the reserved one";
  if (after.location?.notebook !== plan.notebook) return "the document is not in the notebook";
  if (!after.atPath) return "the document is not at the asked path";
  const expected = plan.content.kind === "markdown" ? plan.content.preview.blocks : 0;
  if (after.nodes.length < expected) return `${after.nodes.length} of ${expected} blocks were made`;
  const missing = missingWords(plan.content, after.nodes);
  if (missing.length > 0) return `SiYuan dropped words of the request: ${missing.slice(0, 5).join(" ")}`;
  const lost = lostReferences(plan.content, after.nodes);
  return lost.length > 0 ? `references were emptied: ${lost.join(" ")}` : undefined;
}
