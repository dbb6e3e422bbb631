// document.set_attr: icon and cover of a document. SiYuan echoes nothing; the oracle is the live root's attribute list.

import { documentSetAttr } from "../../../shared/catalogue/document.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import { implementMutation, type Plan, type Verdict } from "../../safety/contract.js";
import {
  changedAttributes,
  documentStateJson,
  type DocumentState,
  readDocumentState,
  rereadDocumentState,
  sameContent,
} from "./document-state.js";
import { storedCover, storedIcon } from "./icon-and-cover.js";
import { liveDocument } from "./live-document.js";

interface SetAttrInput {
  readonly id: string;
  readonly attrs: { readonly icon?: string | null; readonly cover?: string | null };
}

interface SetAttrPlan extends Plan {
  readonly id: string;
  /** As SiYuan names and stores them; null removes. */
  readonly attributes: Readonly<Record<string, string | null>>;
  readonly answer: JsonObject;
}

const coverName = "title-img";

export const setDocumentAttributes = implementMutation(documentSetAttr, {
  async targets({ id }: SetAttrInput, { reader }) {
    const document = await liveDocument(reader, id, "id");
    return { ids: [id], notebooks: [document.notebook], found: document };
  },

  async observe(_input: SetAttrInput, { found }, { reader }) {
    const before = await readDocumentState(reader, found);
    return { state: documentStateJson(before), facts: { before } };
  },

  plan({ id, attrs: { icon, cover } }: SetAttrInput, { facts: { before } }): SetAttrPlan {
    const attributes: Record<string, string | null> = {};
    if (icon !== undefined) attributes.icon = icon === null ? null : storedIcon(icon, "attrs.icon");
    if (cover !== undefined) attributes[coverName] = cover === null ? null : storedCover(cover, "attrs.cover");
    const changes = Object.keys(attributes).map((name) => ({
      name,
      from: before.attributes.get(name) ?? null,
      to: attributes[name] ?? null,
    }));
    const answer: JsonObject = {
      success: true,
      id,
      ...(icon === undefined ? {} : { icon: attributes.icon ?? null }),
      ...(cover === undefined
        ? {}
        : cover === null
          ? { clearedCover: true }
          : { cover, titleImg: attributes[coverName] ?? null }),
    };
    return { id, attributes, answer, preview: () => ({ changes }) };
  },

  stages: [
    {
      name: "attributes",
      apply: (plan: SetAttrPlan, { writer }) => writer.setAttributes(plan.id, plan.attributes),
    },
  ],

  readback: ({ id }: SetAttrPlan, _answers, { reader }) => rereadDocumentState(reader, id),

  verify(
    { attributes, answer }: SetAttrPlan,
    { facts: { before } },
    _answers,
    after: DocumentState | undefined,
  ): Verdict {
    const mismatch = (problem: string): Verdict => ({ outcome: "mismatch", answer, difference: { problem } });
    if (!after) return mismatch("the document is gone");
    const names = Object.keys(attributes);
    const wrong = names.find((name) => (after.attributes.get(name) ?? null) !== attributes[name]);
    if (wrong !== undefined) return mismatch(`${wrong} is ${after.attributes.get(wrong) ?? "not set"}`);
    const changed = changedAttributes(before, after, names);
    if (changed.length > 0) return mismatch(`other attributes changed meanwhile: ${changed.join(", ")}`);
    if (after.path !== before.path || after.notebook !== before.notebook || after.title !== before.title)
      return mismatch("the document was moved or renamed meanwhile");
    if (!sameContent(before, after)) return mismatch("the content changed meanwhile");
    const outcome = changedAttributes(before, after, []).length === 0 ? "no_change" : "committed";
    return { outcome, state: documentStateJson(after), answer };
  },
});
