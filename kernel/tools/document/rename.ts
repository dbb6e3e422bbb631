// document.rename: another title. SiYuan echoes nothing; the oracle is the live root's title and the human path.

import { documentRename } from "../../../shared/catalogue/document.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import type { SiyuanReader } from "../../api/reader.js";
import { implementMutation, type Plan, type Verdict } from "../../safety/contract.js";
import { refusal } from "../block/content.js";
import {
  changedAttributes,
  documentStateJson,
  type DocumentState,
  readDocumentState,
  rereadDocumentState,
  sameContent,
} from "./document-state.js";
import { documentAt, type LiveDocument, liveDocument, parentPathOf } from "./live-document.js";
import { requireTitle } from "./title.js";

interface RenameInput {
  readonly title: string;
  readonly id?: string;
  readonly notebook?: string;
  readonly path?: string;
}

interface RenameFacts {
  readonly before: DocumentState;
  /** Documents beside it that have the new title already. */
  readonly twins: readonly string[];
}

interface RenamePlan extends Plan {
  readonly id: string;
  readonly title: string;
  readonly path: string | undefined;
}

interface RenamedDocument {
  readonly document: DocumentState | undefined;
  readonly humanPath: string;
}

/** SiYuan marks a document without a title; a title takes the mark away. */
const untitledMark = "custom-sy-title-empty";

async function documentOf(reader: SiyuanReader, { id, notebook, path }: RenameInput): Promise<LiveDocument> {
  if (id !== undefined) {
    if (notebook !== undefined || path !== undefined)
      throw refusal(
        "invalid_arguments",
        notebook === undefined ? "path" : "notebook",
        "give id, or notebook with path, not both",
      );
    return liveDocument(reader, id, "id");
  }
  if (notebook === undefined || path === undefined) {
    throw refusal(
      "invalid_arguments",
      notebook === undefined ? (path === undefined ? "id" : "notebook") : "path",
      "give id, or notebook with path",
    );
  }
  return documentAt(reader, notebook, path, "path");
}

export const renameDocument = implementMutation(documentRename, {
  async targets(input: RenameInput, { reader }) {
    const document = await documentOf(reader, input);
    return { ids: [document.id], notebooks: [document.notebook], found: document };
  },

  async observe({ title }: RenameInput, { found }, { reader }) {
    const before = await readDocumentState(reader, found);
    const beside = await reader.documents(found.notebook, parentPathOf(found.path));
    const twins = beside.filter((entry) => entry.title === title && entry.id !== found.id).map((entry) => entry.id);
    return { state: documentStateJson(before), facts: { before, twins } as RenameFacts };
  },

  plan({ title, path }: RenameInput, { facts: { before, twins } }): RenamePlan {
    requireTitle(title, "title");
    return {
      id: before.id,
      title,
      path,
      preview: () => ({ from: before.title, to: title, ...(twins.length > 0 ? { sameTitle: twins } : {}) }),
    };
  },

  stages: [{ name: "rename", apply: (plan: RenamePlan, { writer }) => writer.renameDocument(plan.id, plan.title) }],

  async readback({ id }: RenamePlan, _answers, { reader }): Promise<RenamedDocument> {
    const document = await rereadDocumentState(reader, id);
    return { document, humanPath: document ? await reader.humanPath(id) : "" };
  },

  verify({ id, title, path }: RenamePlan, { facts: { before, twins } }, _answers, { document, humanPath }): Verdict {
    const answer: JsonObject = { success: true, id, ...(path === undefined ? {} : { path }), title };
    const mismatch = (problem: string): Verdict => ({ outcome: "mismatch", answer, difference: { problem } });
    if (!document) return mismatch("the document is gone");
    if (document.title !== title) return mismatch(`the title is ${document.title}`);
    if (!humanPath.endsWith(`/${title}`)) return mismatch(`the human path is ${humanPath}`);
    if (document.path !== before.path || document.notebook !== before.notebook)
      return mismatch("the document moved meanwhile");
    const changed = changedAttributes(before, document, [untitledMark]);
    if (changed.length > 0) return mismatch(`attributes changed meanwhile: ${changed.join(", ")}`);
    if (!sameContent(before, document)) return mismatch("the content changed meanwhile");
    const notes = twins.length > 0 ? [`${twins.length} more documents beside it have this title; use ids`] : [];
    const outcome =
      before.title === title && changedAttributes(before, document, []).length === 0 ? "no_change" : "committed";
    return { outcome, state: documentStateJson(document), answer, notes };
  },
});
