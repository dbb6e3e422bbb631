// fs.write: a new document at a workspace path, or with overwrite another body for the one that is there.

import { fsWrite } from "../../../shared/catalogue/fs.js";
import { SisyphusError } from "../../../shared/errors.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import type { Notebook } from "../../api/reader.js";
import type { Echo } from "../../api/writer.js";
import {
  type Evidence,
  implementMutation,
  type LostCall,
  type Observation,
  type ReadTools,
  type Targets,
  type Verdict,
} from "../../safety/contract.js";
import { requireOpen } from "../block/location.js";
import {
  type CreatedDocument,
  type Creation,
  type CreationFacts,
  type CreationPlan,
  creationProblem,
  creationStage,
  humanPath,
  observeCreation,
  planCreation,
  readCreated,
} from "../document/creation.js";
import {
  observeOverwrite,
  type OverwriteAfter,
  type OverwriteFacts,
  type OverwriteFound,
  type OverwritePlan,
  overwriteTargets,
  planOverwrite,
  readOverwritten,
  reconcileOverwrite,
  verifyOverwrite,
} from "./overwrite.js";
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

/** Done when the document of the reserved id is at the asked path and lacks nothing of the request. */
async function reconcileCreation(input: WriteInput, { reservedIds: [id = ""] }: LostCall, tools: ReadTools) {
  const place = await placeOf(input.path, tools);
  const creation = creationOf(input, place);
  const [{ content }, after] = await Promise.all([
    observeCreation(creation, tools.reader),
    readCreated({ ...creation, id }, tools.reader),
  ]);
  const answer: JsonObject = { success: true, path: `/${place.notebook.name}${place.path}`, id, created: true };
  return { done: creationProblem({ ...creation, content, id }, id, after) === undefined, answer };
}

type WriteFound = ({ readonly kind: "create" } & Place) | ({ readonly kind: "overwrite" } & OverwriteFound);

type WriteFacts =
  | (CreationFacts & { readonly kind: "create"; readonly creation: Creation; readonly name: string })
  | OverwriteFacts;

type WritePlan = (CreationPlan & { readonly kind: "create" }) | OverwritePlan;

type WriteAfter = (CreatedDocument & { readonly kind: "create" }) | OverwriteAfter;

/** Facts and results of one call are of one kind. */
function otherKind(): SisyphusError {
  return new SisyphusError("internal_error");
}

export const write = implementMutation(fsWrite, {
  reserves: 1,

  async targets(input: WriteInput, tools): Promise<Targets<WriteFound>> {
    if (input.overwrite) {
      const { found, ...targets } = await overwriteTargets(input, tools);
      return { ...targets, found: { kind: "overwrite", ...found } };
    }
    const place = await placeOf(input.path, tools);
    await requireOpen(tools.reader, place.notebook.id);
    return { ids: [place.notebook.id], notebooks: [place.notebook.id], found: { kind: "create", ...place } };
  },

  async observe(input: WriteInput, { found }, tools): Promise<Observation<WriteFacts>> {
    if (found.kind === "overwrite")
      return observeOverwrite((title) => withoutTitleHeading(input.markdown, title), found, tools);
    const creation = creationOf(input, found);
    const facts = await observeCreation(creation, tools.reader);
    return { state: null, facts: { ...facts, kind: "create", creation, name: found.notebook.name } };
  },

  plan(_input: WriteInput, { facts }, [id]): WritePlan {
    if (facts.kind === "overwrite") return planOverwrite(facts, id as string);
    return { kind: "create", ...planCreation(facts.creation, facts, id as string) };
  },

  stages: [
    {
      name: "write",
      apply: (plan: WritePlan, tools): Promise<unknown> =>
        plan.kind === "overwrite"
          ? tools.writer.updateBlock(plan.id, plan.blocks.send)
          : creationStage.apply(plan, tools),
    },
  ],

  readback: async (plan: WritePlan, _answers, tools): Promise<WriteAfter> =>
    plan.kind === "overwrite"
      ? readOverwritten(plan, tools)
      : { kind: "create", ...(await readCreated(plan, tools.reader)) },

  verify(plan: WritePlan, { facts }, [answered], after: WriteAfter): Verdict {
    if (plan.kind === "overwrite") {
      if (facts.kind !== "overwrite" || after.kind !== "overwrite") throw otherKind();
      return verifyOverwrite(plan, facts, answered as readonly Echo[], after);
    }
    if (facts.kind !== "create" || after.kind !== "create") throw otherKind();
    const answer: JsonObject = { success: true, path: `/${facts.name}${plan.path}`, id: plan.id, created: true };
    const problem = creationProblem(plan, answered, after);
    return problem === undefined
      ? { outcome: "committed", answer }
      : { outcome: "mismatch", answer, difference: { problem } };
  },

  async reconcile(input: WriteInput, lost, tools): Promise<Evidence> {
    if (!input.overwrite) return reconcileCreation(input, lost, tools);
    const { found } = await overwriteTargets(input, tools);
    return reconcileOverwrite((title) => withoutTitleHeading(input.markdown, title), found, lost, tools);
  },
});
