// notebook.create, rename, remove, set_icon, set_conf, set_open_state and set_permission.

import { isJsonObject, type JsonObject } from "../../../shared/wire/json.js";
import type { Notes } from "../siyuan/notes.js";
import type { Scenario } from "./scenario.js";
import { entry, idOfKey, isNew, someNotebook } from "./targets.js";

function confText(notes: Notes, id: unknown, fields: readonly string[]): string {
  const conf = notes.notebooks.get(String(id));
  return conf ? JSON.stringify(fields.map((field) => conf[field] ?? null)) : "";
}

const listed = ["name", "icon", "closed"];
const settings = listed.concat(
  "refCreateSavePath",
  "docCreateSavePath",
  "dailyNoteSavePath",
  "dailyNoteTemplatePath",
  "sortMode",
);

const ofNotebook: Pick<Scenario, "tool" | "notebooks" | "mayChange"> = {
  tool: "notebook",
  notebooks: (_notes, { notebook }) => [String(notebook)],
  mayChange: (key, { notebook }) => key === notebook,
};

export const renameNotebook: Scenario = {
  ...ofNotebook,
  action: "rename",
  build(notes, random, words) {
    const notebook = someNotebook(notes, random);
    return notebook === undefined ? undefined : { notebook, name: `Name ${words()}` };
  },
  vary: (args, words) => ({ ...args, name: `Name ${words()}` }),
  observed: (notes, { notebook }) => confText(notes, notebook, listed),
  holds: (notes, { notebook, name }) => notes.notebooks.get(String(notebook))?.name === name,
};

const icons = ["1f4d4", "1f4d5", "1f4d7", ""];

export const setNotebookIcon: Scenario = {
  ...ofNotebook,
  action: "set_icon",
  build(notes, random) {
    const notebook = someNotebook(notes, random);
    return notebook === undefined ? undefined : { notebook, icon: random.pick(icons) ?? "" };
  },
  vary: (args) => ({ ...args, icon: "1f600" }),
  observed: (notes, { notebook }) => confText(notes, notebook, listed),
  holds: (notes, { notebook, icon }) => notes.notebooks.get(String(notebook))?.icon === icon,
};

export const setNotebookConf: Scenario = {
  ...ofNotebook,
  action: "set_conf",
  build(notes, random, words) {
    const notebook = someNotebook(notes, random);
    const conf = { sortMode: random.between(0, 14), dailyNoteSavePath: `/daily ${words()}` };
    return notebook === undefined ? undefined : { notebook, conf };
  },
  vary: (args, words) => ({ ...args, conf: { dailyNoteSavePath: `/daily ${words()}` } }),
  observed: (notes, { notebook }) => confText(notes, notebook, settings),
  holds(notes, args) {
    const conf: JsonObject = notes.notebooks.get(String(args.notebook)) ?? {};
    const asked = isJsonObject(args.conf) ? args.conf : {};
    return Object.keys(asked).every((name) => conf[name] === asked[name]);
  },
};

/** Opening and closing: the notebook may be closed when it is picked. */
export const setOpenState: Scenario = {
  ...ofNotebook,
  action: "set_open_state",
  build(notes, random) {
    const notebook = random.pick(Array.from(notes.notebooks.keys()));
    return notebook === undefined ? undefined : { notebook, opened: !notes.isOpen(notebook) || random.chance(0.2) };
  },
  vary: (args) => ({ ...args, opened: args.opened !== true }),
  observed: (notes, { notebook }) => confText(notes, notebook, listed),
  holds: (notes, { notebook, opened }) =>
    notes.notebooks.has(String(notebook)) && notes.isOpen(String(notebook)) === opened,
};

export const createNotebook: Scenario = {
  tool: "notebook",
  action: "create",
  build: (_notes, random, words) => ({ name: `Name ${words()}`, ...(random.chance(0.5) ? { icon: "1f4d4" } : {}) }),
  vary: (_args, words) => ({ name: `Name ${words()}` }),
  notebooks: () => [],
  holds: (notes, { name, icon }) =>
    Array.from(notes.notebooks.values()).some(
      (conf) => conf.name === name && (icon === undefined || conf.icon === icon),
    ),
  // Later stages touch the notebook that the first one made, whose name SiYuan may have lost.
  mayChange: (key, { name }, before, after) =>
    isNew(key, before) || [name, "Untitled"].some((own) => (after.get(key) ?? "").includes(JSON.stringify(own))),
};

/** Never one of the first two: the others need somewhere to work. */
export const removeNotebook: Scenario = {
  ...ofNotebook,
  action: "remove",
  build(notes, random) {
    const notebook = random.pick(Array.from(notes.notebooks.keys()).slice(2));
    return notebook === undefined ? undefined : { notebook };
  },
  vary: () => ({ notebook: "20260101000000-nowhere" }),
  observed: (notes, { notebook }) => {
    const files = Array.from(notes.notes.values()).filter((note) => note.notebook === notebook);
    return `${confText(notes, notebook, listed)}\n${files
      .map((note) => notes.path(note))
      .sort()
      .join(" ")}`;
  },
  holds: (notes, { notebook }) => !notes.notebooks.has(String(notebook)),
  mayChange(key, { notebook }, before) {
    if (key === notebook || key === `order in ${String(notebook)}`) return true;
    const id = idOfKey(key);
    const note = entry(before, id)?.note ?? id;
    return entry(before, String(note))?.notebook === notebook;
  },
};

/** The owner's settings only; most levels leave something to do. */
export const setNotebookPermission: Scenario = {
  ...ofNotebook,
  action: "set_permission",
  build(notes, random) {
    const notebook = random.pick(Array.from(notes.notebooks.keys()));
    const permission = random.weighted<string>([
      ["rwd", 4],
      ["rw", 2],
      ["r", 1],
    ]);
    return notebook === undefined ? undefined : { notebook, permission };
  },
  vary: (args) => ({ ...args, permission: args.permission === "rw" ? "rwd" : "rw" }),
  observed: (notes, { notebook }) => notes.permission(String(notebook)) ?? "",
  holds: (notes, { notebook, permission }) => notes.permission(String(notebook)) === permission,
  mayChange: () => false,
};
