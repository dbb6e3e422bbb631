// duplicateDoc: a copy with new ids behind the original.
import { posix } from "node:path";
import { type Envelope, Refusal, success } from "../http/answer.ts";
import type { RouteCall, RouteTable } from "../http/route.ts";
import type { Kernel } from "../kernel.ts";
import { emptyDanglingReferences } from "../model/block-dom.ts";
import { type BlockNode, cloneNode, walk } from "../model/block-node.ts";
import type { StoredDocument } from "../model/document-store.ts";
import { currentStamp, newIdentifier } from "../model/identifiers.ts";

const uncopied = /^(custom-avs|av-names|custom-riff-decks|custom-sy-av-s-text.*)$/;

function localTime(): string {
  const stamp = currentStamp();
  const [, year, month, day, hour, minute, second] = /(....)(..)(..)(..)(..)(..)/.exec(stamp) ?? [];
  return `${year}-${month}-${day} ${hour}:${minute}:${second}`;
}

/** New ids for all blocks; references among them follow. The reference to the document itself stays with the original. */
function withNewIds(root: BlockNode): void {
  const ids = new Map<string, string>();
  for (const node of walk(root)) {
    const id = newIdentifier();
    if (node !== root) ids.set(node.id, id);
    node.id = id;
    for (const name of [...node.attributes.keys()]) if (uncopied.test(name)) node.attributes.delete(name);
  }
  for (const node of walk(root)) {
    node.parts = node.parts.map((part) =>
      typeof part === "string"
        ? part.replace(/(<span data-type="[^"]*block-ref[^"]*"[^>]*data-id=")([^"]*)"/g, (_whole, head, id: string) => {
            return `${head}${ids.get(id) ?? id}"`;
          })
        : part,
    );
  }
}

/** Puts a document behind another one: all documents of the folder are numbered anew, from 0. */
export function putBehind(kernel: Kernel, document: StoredDocument, previous: StoredDocument): void {
  const values = kernel.notebooks.sortValues(document.notebook);
  const order = kernel.documents
    .children(document.notebook, posix.dirname(document.path))
    .filter((other) => other.root.id !== document.root.id)
    .sort((left, right) => (values[left.root.id] ?? 0) - (values[right.root.id] ?? 0));
  order.splice(order.indexOf(previous) + 1, 0, document);
  order.forEach((each, index) => {
    values[each.root.id] = index;
  });
  kernel.notebooks.saveSortValues(document.notebook, values);
}

async function duplicateDoc(call: RouteCall): Promise<Envelope> {
  const { kernel, arguments: fields } = call;
  const source = kernel.documents.documentOf(fields.text("id"));
  if (!source) throw new Refusal(-1, "tree not found");
  await kernel.queue.drained();
  const title = kernel.documents.title(source);
  const suffix = `(Duplicated ${localTime()})`;
  const root = cloneNode(source.root);
  withNewIds(root);
  const path = posix.join(posix.dirname(source.path), `${root.id}.sy`);
  const answer = { hPath: `/${title}  ${suffix}`, id: root.id, notebook: source.notebook, path };
  if (call.withoutEffect) return success(answer);
  root.attributes.set("title", `${title} ${suffix}`);
  root.attributes.set("updated", currentStamp());
  const local = new Set([...walk(root)].map((node) => node.id));
  emptyDanglingReferences(root, (id) => local.has(id) || kernel.documents.indexEntry(id) !== undefined);
  const copy = { notebook: source.notebook, path, root };
  kernel.documents.write(copy);
  putBehind(kernel, copy, source);
  return success(answer);
}

export const documentCopyRoutes: RouteTable = { "filetree/duplicateDoc": duplicateDoc };
