// The places that Markdown reaches: a document with blocks, and every action that writes text, as calls of it.

import type { Call, Damage } from "./damage.js";

export interface Bed {
  readonly document: string;
  readonly before: string;
  /** Has attributes of a person. */
  readonly target: string;
  readonly second: string;
  readonly after: string;
}

export const attributesOfTarget = { name: "n<1>", alias: "al", memo: 'a "b" {c} & d\ne', "custom-k": "v" };

export async function makeBed({ document, siyuan }: Damage): Promise<Bed> {
  const { id, blocks } = await document("before\n\ntarget\n\nsecond\n\nafter");
  const [before = "", target = "", second = "", after = ""] = blocks;
  await siyuan.setAttributes(target, attributesOfTarget);
  return { document: id, before, target, second, after };
}

/** A way to write text. What it makes, and where, is known from its kind. */
export interface Place {
  readonly name: string;
  /** One block is replaced; a new block stands behind `behind` ("" for first); or a new document is made. */
  readonly kind: "update" | "new" | "document";
  readonly field: string;
  call(text: string, bed: Bed): Call;
  /** The block that is replaced, or the one that the new ones stand behind. */
  at(bed: Bed): string;
}

const block = (args: object): Call => ({ tool: "block", args: { ...args } });
const markdown = (data: string) => ({ dataType: "markdown", data });
let titles = 0;

export function placesOf({ notebook }: Pick<Damage, "notebook">, notebookName: string): readonly Place[] {
  return [
    {
      name: "update",
      kind: "update",
      field: "data",
      call: (text, { target }) => block({ action: "update", id: target, ...markdown(text) }),
      at: ({ target }) => target,
    },
    {
      name: "update of two",
      kind: "update",
      field: "items.1.data",
      call: (text, { before, second }) =>
        block({
          action: "update",
          items: [
            { id: before, ...markdown("before") },
            { id: second, ...markdown(text) },
          ],
        }),
      at: ({ second }) => second,
    },
    {
      name: "append",
      kind: "new",
      field: "data",
      call: (text, bed) => block({ action: "append", parentID: bed.document, ...markdown(text) }),
      at: () => "END",
    },
    {
      name: "prepend",
      kind: "new",
      field: "data",
      call: (text, bed) => block({ action: "prepend", parentID: bed.document, ...markdown(text) }),
      at: () => "",
    },
    {
      name: "insert",
      kind: "new",
      field: "data",
      call: (text, { second }) => block({ action: "insert", previousID: second, ...markdown(text) }),
      at: ({ second }) => second,
    },
    {
      name: "insert among others",
      kind: "new",
      field: "blocks.0.data",
      call: (text, { after }) => block({ action: "insert", nextID: after, blocks: [markdown(text)] }),
      at: ({ after }) => `before ${after}`,
    },
    {
      name: "document create",
      kind: "document",
      field: "markdown",
      call: (text) => ({
        tool: "document",
        args: { action: "create", notebook, path: `/made ${++titles}`, markdown: text },
      }),
      at: () => "",
    },
    {
      name: "fs write",
      kind: "document",
      field: "markdown",
      call: (text) => ({
        tool: "fs",
        args: { action: "write", path: `/${notebookName}/made ${++titles}`, markdown: text },
      }),
      at: () => "",
    },
  ];
}
