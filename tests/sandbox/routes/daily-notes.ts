// Daily notes: today's document by the notebook's settings, and blocks added to it.
import { posix } from "node:path";
import { type Envelope, Refusal, success } from "../http/answer.ts";
import type { RouteCall, RouteTable } from "../http/route.ts";
import type { Kernel } from "../kernel.ts";
import { cloneNode } from "../model/block-node.ts";
import type { StoredDocument } from "../model/document-store.ts";
import { newIdentifier } from "../model/identifiers.ts";
import { operation, transaction } from "../model/operation.ts";
import { dataAsDom, finish } from "./blocks-write.ts";
import { createDocument, ensureFolder, putOnTop } from "./documents.ts";
import { renderTemplate } from "./template.ts";

class NoNotebook extends Error {}

/** Found by its human path, else made with its parents; the template is applied to new notes only and is not imitated. */
async function todaysNote(call: RouteCall, notebook: string): Promise<StoredDocument | undefined> {
  const { kernel } = call;
  return kernel.oneCreation(async () => {
    if (!kernel.notebooks.exists(notebook) || !kernel.notebooks.isOpen(notebook)) throw new NoNotebook();
    const { dailyNoteSavePath } = kernel.notebooks.conf(notebook);
    if (dailyNoteSavePath === "" || dailyNoteSavePath === "/")
      throw new Refusal(-1, "Please specify the daily note save path in the Notebook Settings");
    const path = renderTemplate(dailyNoteSavePath)
      .split("/")
      .map((title) => title.trim())
      .join("/");
    await kernel.queue.drained();
    const known = kernel.documents
      .documents()
      .find((document) => document.notebook === notebook && kernel.documents.humanPath(document) === path);
    if (call.withoutEffect) return known;
    if (known) return marked(kernel, known);
    const folder = ensureFolder(kernel, notebook, posix.dirname(path), "");
    const made = createDocument(kernel, notebook, folder, newIdentifier(), posix.basename(path), "");
    putOnTop(kernel, made);
    await kernel.queue.drained();
    await kernel.queue.drained();
    return marked(kernel, made);
  });
}

function marked(kernel: Kernel, document: StoredDocument): StoredDocument {
  const date = renderTemplate('{{now | date "20060102"}}');
  const name = `custom-dailynote-${date}`;
  if (document.root.attributes.has(name)) return document;
  const copy = { ...document, root: cloneNode(document.root) };
  copy.root.attributes.set(name, date);
  kernel.documents.write(copy);
  return copy;
}

async function createDailyNote(call: RouteCall): Promise<Envelope> {
  const notebook = call.arguments.identifier("notebook");
  try {
    const note = await todaysNote(call, notebook);
    return success({ id: note?.root.id ?? newIdentifier() });
  } catch (error) {
    if (error instanceof NoNotebook) throw new Refusal(1, "notebook not found");
    throw error;
  }
}

function intoDailyNote(action: "appendInsert" | "prependInsert") {
  return async (call: RouteCall): Promise<Envelope> => {
    const { kernel, arguments: fields } = call;
    const data = fields.text("data");
    const dataType = fields.text("dataType");
    const notebook = fields.identifier("notebook");
    const dom = dataAsDom(kernel, data, dataType);
    const note = await todaysNote(call, notebook).catch((error: unknown) => {
      const reason = error instanceof NoNotebook ? "notebook not found" : String((error as Error).message);
      throw new Refusal(-1, `create daily note failed: ${reason}`);
    });
    const parentID = note?.root.id ?? newIdentifier();
    return finish(call, [transaction(operation(action, { data: dom, parentID }))]);
  };
}

export const dailyNoteRoutes: RouteTable = {
  "filetree/createDailyNote": createDailyNote,
  "block/appendDailyNoteBlock": intoDailyNote("appendInsert"),
  "block/prependDailyNoteBlock": intoDailyNote("prependInsert"),
};
