// document.create: a document from Markdown at a human path. SiYuan echoes nothing here; the oracle is the new
// document's own DOM against the parser's preview of the request.

import { documentCreate } from "../../../shared/catalogue/document.js";
import { sizeLimits } from "../../../shared/limits.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import { type DomNode, topLevelNodes } from "../../api/dom.js";
import type { Location } from "../../api/reader.js";
import { implementMutation, type Plan, type Verdict } from "../../safety/contract.js";
import { lostReferences, missingWords } from "../block/comparison.js";
import { type Content, readContent, refusal } from "../block/content.js";
import { requireOpen } from "../block/location.js";
import { idsInAttributeLines } from "../block/markdown-source.js";
import { textDiff, visibleText } from "../block/text-diff.js";

interface CreateDocumentInput {
  readonly notebook: string;
  readonly path?: string;
  readonly parentPath?: string;
  readonly title?: string;
  readonly markdown?: string;
}

interface CreateDocumentPlan extends Plan {
  readonly notebook: string;
  readonly path: string;
  readonly markdown: string;
  readonly content: Content;
  readonly id: string;
}

interface CreatedDocument {
  readonly location: Location | undefined;
  readonly title: string;
  readonly nodes: readonly DomNode[];
}

/** The human path that the arguments name: absolute, without trailing or double slashes. */
export function humanPathOf(input: CreateDocumentInput): string {
  const both = input.path !== undefined && (input.parentPath !== undefined || input.title !== undefined);
  if (both) throw refusal("invalid_arguments", "path", "give path, or parentPath with title, not both");
  if (input.path === undefined && (input.parentPath === undefined || input.title === undefined)) {
    throw refusal("invalid_arguments", input.parentPath === undefined ? "path" : "title", "give path, or parentPath with title");
  }
  if (input.title !== undefined) requireTitle(input.title, "title");
  const path = input.path ?? `${input.parentPath}/${input.title}`;
  const parts = path.split("/").filter((part) => part !== "");
  const field = input.path === undefined ? "parentPath" : "path";
  if (parts.length === 0) throw refusal("invalid_arguments", field, "the path names no title");
  if (parts.length > sizeLimits.maxHumanPathLevels) {
    throw refusal("invalid_arguments", field, `${parts.length} levels; SiYuan allows ${sizeLimits.maxHumanPathLevels} and would leave empty parents behind`);
  }
  for (const part of parts) requireTitle(part, field);
  return `/${parts.join("/")}`;
}

/** SiYuan changes such titles silently, so the note would not be found under the asked name. */
function requireTitle(title: string, field: string): void {
  if (title.length > sizeLimits.maxTitleChars) throw refusal("content_would_be_lost", field, `a title of more than ${sizeLimits.maxTitleChars} characters is cut`);
  if (/[\u0000-\u001f\u007f\u200b\u00a0/]/.test(title) || title !== title.trim() || /\.sy$/i.test(title)) {
    throw refusal("content_would_be_lost", field, "SiYuan drops slashes, control characters, no-break and outer spaces and the ending .sy from titles");
  }
}

export const createDocument = implementMutation(documentCreate, {
  reserves: 1,

  async targets(input: CreateDocumentInput, { reader }) {
    humanPathOf(input);
    await requireOpen(reader, input.notebook);
    return { ids: [input.notebook], notebooks: [input.notebook], found: undefined };
  },

  async observe(input: CreateDocumentInput, _targets, { reader }) {
    const path = humanPathOf(input);
    const content = await readContent({ dataType: "markdown", data: input.markdown ?? "" }, "markdown", reader);
    const ids = content.kind === "markdown" ? idsInAttributeLines(content.source) : [];
    const [twins, taken, parents] = await Promise.all([
      reader.idsByHumanPath(input.notebook, path),
      reader.treeInfos(ids),
      path.lastIndexOf("/") > 0 ? reader.idsByHumanPath(input.notebook, path.slice(0, path.lastIndexOf("/"))) : Promise.resolve([]),
    ]);
    return { state: null, facts: { path, content, twins, parents, taken: Array.from(taken.keys()) } };
  },

  plan(input: CreateDocumentInput, { facts: { path, content, twins, parents, taken } }, [id]): CreateDocumentPlan {
    if (twins.length > 0) throw refusal("invalid_arguments", input.path === undefined ? "title" : "path", `${path} exists already (id ${twins.join(", ")})`);
    if (parents.length > 1) throw refusal("invalid_arguments", input.path === undefined ? "parentPath" : "path", `${parents.length} documents have the path of the parent (ids ${parents.join(", ")})`);
    if (taken.length > 0) throw refusal("content_would_be_lost", "markdown", `the id ${taken[0]} belongs to a live block; remove the ids from the content`);
    const preview = content.kind === "markdown" ? content.preview : undefined;
    return {
      notebook: input.notebook,
      path,
      markdown: input.markdown ?? "",
      content,
      id: id as string,
      preview: () => ({ path, blocks: preview?.blocks ?? 0, diff: textDiff("", visibleText(preview?.html ?? "")) }),
    };
  },

  stages: [
    {
      name: "create",
      apply: (plan: CreateDocumentPlan, { writer }) => writer.createDocument(plan.notebook, plan.path, plan.markdown, plan.id),
    },
  ],

  async readback(plan: CreateDocumentPlan, _answers, { reader }): Promise<CreatedDocument> {
    const [location, dom, ids] = await Promise.all([
      reader.location(plan.id),
      reader.blockDom(plan.id),
      reader.idsByHumanPath(plan.notebook, plan.path),
    ]);
    return { location, title: ids.includes(plan.id) ? plan.path : "", nodes: topLevelNodes(dom ?? "").nodes };
  },

  verify(plan: CreateDocumentPlan, _before, [answered], after): Verdict {
    const title = plan.path.slice(plan.path.lastIndexOf("/") + 1);
    const answer: JsonObject = { success: true, id: plan.id, notebook: plan.notebook, path: plan.path, title, storagePath: after.location?.path ?? "" };
    const mismatch = (problem: string): Verdict => ({ outcome: "mismatch", answer, difference: { problem } });
    if (answered !== plan.id) return mismatch("SiYuan answered another id than the reserved one");
    if (!after.location || after.location.notebook !== plan.notebook) return mismatch("the document is not in the notebook");
    if (after.title !== plan.path) return mismatch("the document is not at the asked path");
    const expected = plan.content.kind === "markdown" ? plan.content.preview.blocks : 0;
    if (after.nodes.length < expected) return mismatch(`${after.nodes.length} of ${expected} blocks were made`);
    const missing = missingWords(plan.content, after.nodes);
    if (missing.length > 0) return mismatch(`SiYuan dropped words of the request: ${missing.slice(0, 5).join(" ")}`);
    const lost = lostReferences(plan.content, after.nodes);
    if (lost.length > 0) return mismatch(`references were emptied: ${lost.join(" ")}`);
    return { outcome: "committed", answer: { ...answer, blocks: after.nodes.length } };
  },
});

