// fs.reorder: the manual order of all documents directly under a workspace path, by their paths.

import { fsReorder } from "../../../shared/catalogue/fs.js";
import { SisyphusError } from "../../../shared/errors.js";
import { implementMutation, type ReadTools } from "../../safety/contract.js";
import type { Folder, FolderPlace } from "../document/folder.js";
import {
  observeOrder,
  type OrderPlan,
  orderStages,
  planOrder,
  readOrder,
  reconcileOrder,
  verifyOrder,
} from "../document/ordering.js";
import { ambiguous, invalid, resolvePath, storagePathOf } from "./resolve.js";
import { virtualIsReadOnly } from "./virtual-files.js";

interface ReorderInput {
  readonly path: string;
  readonly orderedPaths: readonly string[];
}

interface NamedFolder {
  readonly place: FolderPlace;
  /** Workspace path with the notebook's name. */
  readonly path: string;
}

async function folderAt(workspacePath: string, tools: ReadTools): Promise<NamedFolder> {
  const found = await resolvePath(workspacePath, tools);
  if (found.kind === "virtual") throw virtualIsReadOnly(found.file);
  if (found.kind === "root") throw invalid(workspacePath, "the order of notebooks cannot be set here; name a notebook");
  const { notebook } = found;
  if (found.kind === "notebook")
    return { place: { notebook: notebook.id, path: "/", parentID: notebook.id }, path: `/${notebook.name}` };
  const path = await storagePathOf(found, tools.reader);
  return { place: { notebook: notebook.id, path, parentID: found.id }, path: found.path };
}

/** The ids of these paths, which may leave the notebook's name out, as the path of the folder may. */
function idsOf(orderedPaths: readonly string[], folder: Folder, path: string): readonly string[] {
  const namesIn = (text: string) => text.split("/").filter((part) => part !== "");
  const base = namesIn(path);
  const titles = new Map<string, string[]>();
  for (const { id, title } of folder.visible) titles.set(title, (titles.get(title) ?? []).concat(id));
  return orderedPaths.map((orderedPath, index) => {
    const field = `orderedPaths.${index}`;
    const parts = namesIn(orderedPath);
    const parents = parts.slice(0, -1).join("/");
    const isHere = parents === base.join("/") || parents === base.slice(1).join("/");
    const ids = isHere ? titles.get(parts[parts.length - 1] ?? "") : undefined;
    if (!ids) {
      throw new SisyphusError("document_not_found", `${orderedPath} is no document directly under ${path}`, {
        fields: [{ path: field, message: "no document directly under the folder" }],
      });
    }
    const [id, second] = ids;
    if (id === undefined || second !== undefined) throw ambiguous(orderedPath, ids);
    return id;
  });
}

export const reorder = implementMutation(fsReorder, {
  async targets({ path }: ReorderInput, tools) {
    const folder = await folderAt(path, tools);
    return { ids: [folder.place.parentID], notebooks: [folder.place.notebook], found: folder };
  },
  async observe(_input: ReorderInput, { found }, { reader }) {
    const { state, facts } = await observeOrder(reader, found.place);
    return { state, facts: { folder: facts, path: found.path } };
  },
  plan: ({ orderedPaths }: ReorderInput, { facts }) =>
    planOrder(facts.folder, idsOf(orderedPaths, facts.folder, facts.path), "orderedPaths"),
  stages: orderStages,
  readback: (plan: OrderPlan, _answers, { reader }) => readOrder(plan, reader),
  verify: (plan: OrderPlan, { facts }, _answers, after: Folder) =>
    verifyOrder(plan, facts.folder, after, { path: facts.path }),
  async reconcile({ path, orderedPaths }: ReorderInput, _lost, tools) {
    const { place, path: found } = await folderAt(path, tools);
    return reconcileOrder(tools.reader, place, (folder) => idsOf(orderedPaths, folder, found), { path: found });
  },
});
