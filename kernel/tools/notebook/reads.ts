// notebook.get_conf, get_permissions and get_child_docs: reads of one notebook.

import { notebookGetChildDocs, notebookGetConf, notebookGetPermissions } from "../../../shared/catalogue/notebook.js";
import type { Json } from "../../../shared/wire/json.js";
import { implementRead } from "../../safety/contract.js";
import { pageOf } from "../paging.js";
import { existingNotebook, openNotebookTarget } from "./notebooks.js";

export const getNotebookConf = implementRead(notebookGetConf, {
  targets: ({ notebook }, { reader }) => existingNotebook(reader, notebook),
  async read({ notebook }, { found }, { reader }): Promise<Json> {
    const { boxCrypt: _secret, ...conf } = await reader.notebookConf(notebook);
    return { box: notebook, conf, name: found.notebook.name };
  },
});

export const getNotebookPermissions = implementRead(notebookGetPermissions, {
  async targets({ notebook = "all" }, { reader }) {
    if (notebook !== "all") return existingNotebook(reader, notebook);
    return { ids: [], notebooks: [], found: undefined };
  },
  async read(_input, { found }, { reader, config }): Promise<Json> {
    if (found) {
      const { id, name } = found.notebook;
      return { notebook: { id, name, permission: await config.permission(id) } };
    }
    const notebooks = [];
    for (const { id, name } of await reader.notebooks()) {
      const permission = await config.permission(id);
      if (permission !== "none") notebooks.push({ id, name, permission });
    }
    return { notebooks };
  },
});

export const getNotebookChildDocs = implementRead(notebookGetChildDocs, {
  targets: ({ notebook }, { reader }) => openNotebookTarget(reader, notebook),
  async read({ notebook, page, pageSize }, _targets, { reader }): Promise<Json> {
    const rows = (await reader.documents(notebook, "/")).map((document) => ({ ...document }));
    return { notebook, ...pageOf(rows, page, pageSize) };
  },
});
