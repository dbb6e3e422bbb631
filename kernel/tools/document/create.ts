// document.create: a document from Markdown at a human path inside a notebook.

import { documentCreate } from "../../../shared/catalogue/document.js";
import { SisyphusError } from "../../../shared/errors.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import { topLevelNodes } from "../../api/dom.js";
import type { SiyuanReader } from "../../api/reader.js";
import { implementMutation, type Verdict } from "../../safety/contract.js";
import { lostReferences, missingWords } from "../block/comparison.js";
import { refusal } from "../block/content.js";
import { requireOpen } from "../block/location.js";
import {
  type CreatedDocument,
  type Creation,
  type CreationPlan,
  creationProblem,
  creationStage,
  humanPath,
  observeCreation,
  planCreation,
  readCreated,
} from "./creation.js";
import { requireTitle } from "./title.js";

interface CreateDocumentInput {
  readonly notebook: string;
  readonly path?: string;
  readonly parentPath?: string;
  readonly title?: string;
  readonly markdown?: string;
}

/** The human path that the arguments name. */
function humanPathOf(input: CreateDocumentInput): string {
  const both = input.path !== undefined && (input.parentPath !== undefined || input.title !== undefined);
  if (both) throw refusal("invalid_arguments", "path", "give path, or parentPath with title, not both");
  if (input.path === undefined && (input.parentPath === undefined || input.title === undefined)) {
    throw refusal(
      "invalid_arguments",
      input.parentPath === undefined ? "path" : "title",
      "give path, or parentPath with title",
    );
  }
  if (input.title !== undefined) requireTitle(input.title, "title");
  const path = input.path ?? `${input.parentPath}/${input.title}`;
  return humanPath(
    path.split("/").filter((part) => part !== ""),
    input.path === undefined ? "parentPath" : "path",
  );
}

/** A path with the notebook's name in front, as fs takes it, would make a folder of that name inside the notebook. */
async function requireInside(input: CreateDocumentInput, reader: SiyuanReader): Promise<void> {
  const [, first = "", second] = humanPathOf(input).split("/");
  if (second === undefined) return;
  const notebook = (await reader.notebooks()).find(({ id, name }) => id === input.notebook && name === first);
  if (!notebook || (await reader.idsByHumanPath(notebook.id, `/${first}`)).length > 0) return;
  const field = input.path === undefined ? "parentPath" : "path";
  const message = `the path is inside the notebook, so leave its name "${first}" out; for a folder of that name create /${first} first`;
  throw new SisyphusError("invalid_path", message, { fields: [{ path: field, message }] });
}

function creationOf(input: CreateDocumentInput): Creation {
  const [titleField, parentField] = input.path === undefined ? ["title", "parentPath"] : ["path", "path"];
  return {
    notebook: input.notebook,
    path: humanPathOf(input),
    markdown: input.markdown ?? "",
    titleField,
    parentField,
  };
}

export const createDocument = implementMutation(documentCreate, {
  reserves: 1,

  async targets(input: CreateDocumentInput, { reader }) {
    humanPathOf(input);
    await requireOpen(reader, input.notebook);
    await requireInside(input, reader);
    return { ids: [input.notebook], notebooks: [input.notebook], found: undefined };
  },

  async observe(input: CreateDocumentInput, _targets, { reader }) {
    return { state: null, facts: await observeCreation(creationOf(input), reader) };
  },

  plan: (input: CreateDocumentInput, { facts }, [id]): CreationPlan =>
    planCreation(creationOf(input), facts, id as string),

  stages: [creationStage],

  readback: (plan: CreationPlan, _answers, { reader }) => readCreated(plan, reader),

  verify(plan: CreationPlan, _before, [answered], after: CreatedDocument): Verdict {
    const title = plan.path.slice(plan.path.lastIndexOf("/") + 1);
    const answer: JsonObject = {
      success: true,
      id: plan.id,
      notebook: plan.notebook,
      path: plan.path,
      title,
      storagePath: after.location?.path ?? "",
    };
    const problem = creationProblem(plan, answered, after);
    if (problem !== undefined) return { outcome: "mismatch", answer, difference: { problem } };
    return { outcome: "committed", answer: { ...answer, blocks: after.nodes.length } };
  },

  async reconcile(input: CreateDocumentInput, { reservedIds }, { reader }) {
    const [id] = reservedIds;
    const path = humanPathOf(input);
    const facts = await observeCreation(creationOf(input), reader);
    const { content } = facts;
    const nodes = topLevelNodes((await reader.blockDom(id as string)) ?? "").nodes;
    const done =
      facts.twins.includes(id as string) &&
      nodes.length >= (content.kind === "markdown" ? content.preview.blocks : 0) &&
      missingWords(content, nodes).length === 0 &&
      lostReferences(content, nodes).length === 0;
    return { done, answer: { success: true, id: id as string, notebook: input.notebook, path } };
  },
});
