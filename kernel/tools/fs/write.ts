// fs.write: a new document at a workspace path.

import { fsWrite } from "../../../shared/catalogue/fs.js";
import { SisyphusError } from "../../../shared/errors.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import type { Notebook } from "../../api/reader.js";
import { implementMutation, type ReadTools, type Verdict } from "../../safety/contract.js";
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
} from "../document/creation.js";
import { ambiguous, invalid, pathParts, readableNotebooks, resolvePath } from "./resolve.js";
import { virtualFiles, virtualIsReadOnly } from "./virtual-files.js";

interface WriteInput {
  readonly path: string;
  readonly markdown: string;
  readonly overwrite?: boolean;
}

/** Where the document will lie: a notebook and a human path inside it. */
interface Place {
  readonly notebook: Notebook;
  readonly path: string;
}

/** The notebook may be left out where the parent document tells it. */
async function placeOf(path: string, tools: ReadTools): Promise<Place> {
  const parts = pathParts(path);
  const file = virtualFiles.find((entry) => entry.path === `/${parts.join("/")}`);
  if (file) throw virtualIsReadOnly(file);
  const named = (await readableNotebooks(tools)).filter((notebook) => notebook.name === parts[0]);
  const [notebook] = named;
  if (named.length > 1)
    throw ambiguous(
      path,
      named.map(({ id }) => id),
    );
  if (notebook) {
    if (parts.length === 1) throw invalid(path, "this names a notebook; a document needs /Notebook/Title");
    return { notebook, path: humanPath(parts.slice(1), "path") };
  }
  if (parts.length < 2) throw invalid(path, "a document needs /Notebook/Title");
  const parent = await resolvePath(`/${parts.slice(0, -1).join("/")}`, tools);
  if (parent.kind !== "document")
    throw new SisyphusError("document_not_found", `No readable notebook or parent document fits ${path}`, {
      fields: [{ path: "path", message: "nothing fits" }],
    });
  const inNotebook = parent.path
    .slice(parent.notebook.name.length + 1)
    .split("/")
    .filter((part) => part !== "");
  return { notebook: parent.notebook, path: humanPath(inNotebook.concat(parts.slice(-1)), "path") };
}

/**
 * SiYuan shows the title above the body, so that a first heading of the same words would show it twice. A heading with
 * attributes stays: they would go to another block.
 */
export function withoutTitleHeading(markdown: string, title: string): string {
  const [first = "", ...rest] = markdown.split("\n");
  if (/^#[ \t]+(.*)$/.exec(first.trimEnd())?.[1] !== title || rest[0]?.startsWith("{:")) return markdown;
  const body = rest.findIndex((line) => line.trim() !== "");
  return body < 0 ? "" : rest.slice(body).join("\n");
}

function creationOf({ markdown }: WriteInput, { notebook, path }: Place): Creation {
  const title = path.slice(path.lastIndexOf("/") + 1);
  return {
    notebook: notebook.id,
    path,
    markdown: withoutTitleHeading(markdown, title),
    titleField: "path",
    parentField: "path",
  };
}

export const write = implementMutation(fsWrite, {
  reserves: 1,

  async targets({ path, overwrite }: WriteInput, tools) {
    if (overwrite) {
      throw refusal(
        "invalid_arguments",
        "overwrite",
        "replacing the body of a document comes in a later version; change its blocks with block update",
      );
    }
    const place = await placeOf(path, tools);
    await requireOpen(tools.reader, place.notebook.id);
    return { ids: [place.notebook.id], notebooks: [place.notebook.id], found: place };
  },

  async observe(input: WriteInput, { found }, { reader }) {
    const creation = creationOf(input, found);
    return {
      state: null,
      facts: { ...(await observeCreation(creation, reader)), creation, name: found.notebook.name },
    };
  },

  plan: (_input: WriteInput, { facts }, [id]): CreationPlan => planCreation(facts.creation, facts, id as string),

  stages: [creationStage],

  readback: (plan: CreationPlan, _answers, { reader }) => readCreated(plan, reader),

  verify(plan: CreationPlan, before, [answered], after: CreatedDocument): Verdict {
    const answer: JsonObject = { success: true, path: `/${before.facts.name}${plan.path}`, id: plan.id, created: true };
    const problem = creationProblem(plan, answered, after);
    return problem === undefined
      ? { outcome: "committed", answer }
      : { outcome: "mismatch", answer, difference: { problem } };
  },
});
