// Routes of notebooks and of the workspace: lists, settings, and the folders that hold the documents.

import type { Json, JsonObject } from "../../../shared/wire/json.js";
import { type Notes, treeOrder } from "./notes.js";
import { type ReadRoute, Refusal, text, type Write, type WriteRoute } from "./route.js";

const defaultConf: JsonObject = {
  name: "Untitled",
  sort: 0,
  icon: "",
  closed: false,
  refCreateSavePath: "",
  docCreateSavePath: "",
  dailyNoteSavePath: "/daily note",
  dailyNoteTemplatePath: "",
  sortMode: 15,
  boxCrypt: null,
};

export function addNotebook(notes: Notes, id: string, name: string): void {
  notes.notebooks.set(id, { ...defaultConf, name });
  notes.notebookChanged(id);
}

function confOf(notes: Notes, id: string): JsonObject {
  const conf = notes.notebooks.get(id);
  if (!conf) throw new Refusal(-1, `notebook [${id}] not found`);
  return conf;
}

/** Lays fields over a notebook's settings; an unknown notebook becomes a ghost, as in SiYuan. */
function changes(id: string, fields: JsonObject, data: Json): Write {
  return {
    data,
    apply: (notes, loss) => {
      if (loss === "nothing") return;
      const names = Object.keys(fields);
      const kept = loss === "attributes" ? names.slice(1) : names;
      const changed: Record<string, Json> = { ...(notes.notebooks.get(id) ?? defaultConf) };
      for (const name of kept) changed[name] = fields[name] as Json;
      notes.notebooks.set(id, changed);
      notes.notebookChanged(id);
    },
  };
}

export const notebookReads: Readonly<Record<string, ReadRoute>> = {
  "/api/notebook/lsNotebooks": (notes) => ({
    notebooks: Array.from(notes.notebooks, ([id, { name, icon, sort, closed }]) => ({
      id,
      name: name ?? "",
      icon: icon ?? "",
      sort: sort ?? 0,
      closed: closed ?? false,
    })),
  }),
  "/api/notebook/getNotebookConf": (notes, body) => {
    const box = text(body, "notebook");
    return { box, conf: confOf(notes, box) };
  },
  "/api/system/getConf": () => ({
    conf: {
      search: { limit: 64 },
      fileTree: { sort: treeOrder, allowCreateDeeper: false },
      system: { id: "simulated-device" },
    },
  }),
};

function openState(closed: boolean): WriteRoute {
  return (_notes, body) => changes(text(body, "notebook"), { closed }, null);
}

export const notebookWrites: Readonly<Record<string, WriteRoute>> = {
  "/api/notebook/openNotebook": openState(false),
  "/api/notebook/closeNotebook": openState(true),
  "/api/notebook/createNotebook": (notes, body) => {
    const [id, name] = [notes.newId(), text(body, "name")];
    return {
      data: { notebook: { id, name } },
      apply: (now, loss) => {
        if (loss !== "nothing") addNotebook(now, id, loss === "last word" ? "Untitled" : name);
      },
    };
  },
  "/api/notebook/removeNotebook": (_notes, body) => {
    const id = text(body, "notebook");
    return {
      data: null,
      apply: (now, loss) => {
        if (loss === "nothing") return;
        for (const note of Array.from(now.notes.values())) if (note.notebook === id) now.removed(note);
        now.notebooks.delete(id);
        now.notebookChanged(id);
        now.sorts.delete(id);
        now.sortChanged(id);
      },
    };
  },
  "/api/notebook/renameNotebook": (notes, body) => {
    const id = text(body, "notebook");
    if (!notes.isOpen(id)) throw new Refusal(-1, "query notebook failed");
    return changes(id, { name: text(body, "name") }, null);
  },
  "/api/notebook/setNotebookConf": (notes, body) => {
    const id = text(body, "notebook");
    const fields = (body.conf ?? {}) as JsonObject;
    return changes(id, fields, { ...confOf(notes, id), ...fields });
  },
  "/api/notebook/setNotebookIcon": (_notes, body) =>
    changes(text(body, "notebook"), { icon: text(body, "icon") }, null),
};
