// Document moves by id and by path. Whatever is impossible is a silent no-op, unless a path or target does not exist.
import { posix } from "node:path";
import { closeLater, type Envelope, Refusal, success } from "../http/answer.ts";
import type { RouteCall, RouteTable } from "../http/route.ts";
import type { Kernel } from "../kernel.ts";
import { documentIdOf, type StoredDocument } from "../model/document-store.ts";

const deepest = 6;

interface Target {
  notebook: string;
  /** `/` or a document's storage path. */
  path: string;
}

async function moveDocsByID(call: RouteCall): Promise<Envelope> {
  const { kernel, arguments: fields } = call;
  const fromIds = fields.texts("fromIDs");
  const toId = fields.identifier("toID");
  const sources = fromIds.map((id) => {
    const document = kernel.documents.documentOf(id);
    if (!document) throw new Refusal(-1, "tree not found", closeLater);
    return document;
  });
  const parent = kernel.documents.documentOf(toId);
  if (!parent && !kernel.notebooks.exists(toId)) {
    throw new Refusal(-1, `can't found box or tree by id [${toId}]`, closeLater);
  }
  return moveAll(call, sources, parent ?? { notebook: toId, path: "/" });
}

/** Every path must be exactly the path of a live document. */
async function moveDocs(call: RouteCall): Promise<Envelope> {
  const { kernel, arguments: fields } = call;
  const target = { notebook: fields.identifier("toNotebook"), path: fields.text("toPath") };
  const paths = fields.texts("fromPaths");
  if (!kernel.notebooks.isOpen(target.notebook)) throw new Refusal(-1, "Query notebook failed", closeLater);
  const sources = paths.map((path) => {
    const document = kernel.documents.document(documentIdOf(path));
    if (document?.path !== path) throw new Refusal(-1, "block not found", closeLater);
    return document;
  });
  return moveAll(call, sources, target);
}

async function moveAll(call: RouteCall, sources: StoredDocument[], target: Target): Promise<Envelope> {
  const { kernel } = call;
  await kernel.queue.drained();
  if (sources.length === 0) throw new Refusal(-1, "block not found", closeLater);
  kernel.notebooks.requireOpen(target.notebook);
  const movers = movable(kernel, sources, target);
  const folder = target.path.replace(/\.sy$/, "") || "/";
  const [only] = movers;
  if (movers.length === 1 && only?.notebook === target.notebook && posix.dirname(only.path) === folder) {
    return success(null);
  }
  for (const source of movers) {
    if (target.path.split("/").length - 1 + levelsBelow(kernel, source) > deepest) {
      throw new Refusal(
        -1,
        "The current settings do not allow the creation of sub-documents under a document 7 levels deep",
        closeLater,
      );
    }
  }
  for (const source of movers) {
    const isThere = target.path === "/" || kernel.documents.document(documentIdOf(target.path))?.path === target.path;
    if (!isThere) throw new Refusal(-1, "block not found", closeLater);
    if (!call.withoutEffect) kernel.documents.move(source, target.notebook, folder);
  }
  return success(null);
}

/** Without what lies below another source, and what the target lies below. */
function movable(kernel: Kernel, sources: StoredDocument[], target: Target): StoredDocument[] {
  return [...new Set(sources)].filter((source) => {
    const isBelowAnother = sources.some((other) => other !== source && kernel.documents.family(other).includes(source));
    return !isBelowAnother && !target.path.startsWith(source.path.replace(/\.sy$/, ""));
  });
}

function levelsBelow(kernel: Kernel, source: StoredDocument): number {
  const own = source.path.split("/").length;
  return Math.max(...kernel.documents.family(source).map((member) => member.path.split("/").length - own));
}

export const documentMoveRoutes: RouteTable = {
  "filetree/moveDocs": moveDocs,
  "filetree/moveDocsByID": moveDocsByID,
};
