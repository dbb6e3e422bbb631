// Notebook routes.
import { setTimeout as sleep } from "node:timers/promises";
import { type Envelope, Refusal, success } from "../http/answer.ts";
import type { RouteCall, RouteTable } from "../http/route.ts";
import type { Kernel } from "../kernel.ts";
import { type NotebookConf, notebookName } from "../model/notebook-store.ts";

const openingMs = 200;
const closingMs = 60;

function knownConf(kernel: Kernel, notebook: string): NotebookConf {
  if (!kernel.notebooks.exists(notebook)) throw new Refusal(-1, `notebook [${notebook}] not found`);
  return kernel.notebooks.conf(notebook);
}

function lsNotebooks({ kernel }: RouteCall): Envelope {
  return success({
    notebooks: kernel.notebooks.list().map((id) => kernel.notebooks.describe(id)),
    boxDocEnabled: false,
  });
}

async function createNotebook(call: RouteCall): Promise<Envelope> {
  const name = call.arguments.requiredText("name");
  await sleep(50);
  const id = call.kernel.notebooks.create(name);
  call.kernel.mount(id);
  await call.kernel.queue.drained();
  return success({ notebook: call.kernel.notebooks.describe(id) });
}

/** Answers at once; the trees are loadable some 200 ms later, and never when the flag was already "open". */
async function openNotebook({ kernel, arguments: fields }: RouteCall): Promise<Envelope> {
  const id = fields.requiredIdentifier("notebook");
  await kernel.queue.drained();
  if (!kernel.notebooks.exists(id)) throw new Refusal(-1, "can not open file, just support open folder only");
  if (kernel.notebooks.isOpen(id)) return success(null);
  kernel.notebooks.saveConf(id, { ...kernel.notebooks.conf(id), closed: false });
  setTimeout(() => kernel.mount(id), openingMs).unref();
  return success(null);
}

async function closeNotebook({ kernel, arguments: fields }: RouteCall): Promise<Envelope> {
  const id = fields.requiredIdentifier("notebook");
  await kernel.queue.drained();
  if (!kernel.notebooks.exists(id)) return success(null);
  kernel.notebooks.saveConf(id, { ...kernel.notebooks.conf(id), closed: true });
  setTimeout(() => kernel.unmount(id), closingMs).unref();
  return success(null);
}

async function removeNotebook({ kernel, arguments: fields }: RouteCall): Promise<Envelope> {
  const id = fields.requiredIdentifier("notebook");
  await kernel.queue.drained();
  kernel.notebooks.remove(id);
  kernel.unmount(id);
  return success(null);
}

function renameNotebook({ kernel, arguments: fields }: RouteCall): Envelope {
  const id = fields.requiredIdentifier("notebook");
  const name = notebookName(fields.requiredText("name"));
  kernel.notebooks.requireOpen(id, { closeTimeout: 5000 });
  kernel.notebooks.saveConf(id, { ...kernel.notebooks.conf(id), name });
  return success(null);
}

function getNotebookConf({ kernel, arguments: fields }: RouteCall): Envelope {
  const box = fields.requiredIdentifier("notebook");
  const conf = knownConf(kernel, box);
  return success({ box, conf, name: conf.name });
}

function withLeadingSlash(path: string): string {
  return path === "" || path.startsWith("/") ? path : `/${path}`;
}

function templatePath(path: string): string {
  const rooted = withLeadingSlash(path.trim());
  return rooted === "" || rooted.endsWith(".md") ? rooted : `${rooted}.md`;
}

function setNotebookConf({ kernel, arguments: fields, withoutEffect }: RouteCall): Envelope {
  const id = fields.requiredIdentifier("notebook");
  const conf = knownConf(kernel, id);
  const changes = fields.object("conf");
  const merged: Record<string, unknown> = { ...conf };
  for (const [name, value] of Object.entries(changes)) {
    if (!(name in conf) || name === "encrypted" || name === "boxCrypt") continue;
    if (typeof value !== typeof merged[name]) {
      throw new Refusal(-1, `json: cannot unmarshal ${typeof value} into Go struct field BoxConf.${name}`);
    }
    merged[name] = value;
  }
  const next = merged as unknown as NotebookConf;
  next.refCreateSavePath = next.refCreateSavePath.trim();
  next.dailyNoteSavePath = withLeadingSlash(next.dailyNoteSavePath.trim());
  next.dailyNoteTemplatePath = templatePath(next.dailyNoteTemplatePath);
  if (next.dailyNoteSavePath === "/") throw new Refusal(-1, "The daily note save path is invalid");
  if (!withoutEffect) kernel.notebooks.saveConf(id, next);
  return success(next);
}

/** No existence check: a wrong id makes a ghost folder. */
function setNotebookIcon({ kernel, arguments: fields }: RouteCall): Envelope {
  const id = fields.requiredText("notebook");
  kernel.notebooks.saveConf(id, { ...kernel.notebooks.conf(id), icon: fields.requiredText("icon") });
  return success(null);
}

function changeSortNotebook({ kernel, arguments: fields }: RouteCall): Envelope {
  fields.texts("notebooks").forEach((id, index) => {
    kernel.notebooks.saveConf(id, { ...kernel.notebooks.conf(id), sort: index + 1 });
  });
  return success(null);
}

export const notebookRoutes: RouteTable = {
  "notebook/lsNotebooks": lsNotebooks,
  "notebook/createNotebook": createNotebook,
  "notebook/openNotebook": openNotebook,
  "notebook/closeNotebook": closeNotebook,
  "notebook/removeNotebook": removeNotebook,
  "notebook/renameNotebook": renameNotebook,
  "notebook/getNotebookConf": getNotebookConf,
  "notebook/setNotebookConf": setNotebookConf,
  "notebook/setNotebookIcon": setNotebookIcon,
  "notebook/changeSortNotebook": changeSortNotebook,
};
