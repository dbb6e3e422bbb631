// notebook.list: the notebooks that the permission levels let one see.

import { notebookList } from "../../../shared/catalogue/notebook.js";
import { implementRead } from "../../safety/contract.js";

export const listNotebooks = implementRead(notebookList, {
  targets: async () => ({ ids: [], notebooks: [], found: undefined }),
  async read(_input, _targets, { reader, config }) {
    const visible = [];
    for (const notebook of await reader.freshNotebooks()) {
      const permission = await config.permission(notebook.id);
      if (permission !== "none") visible.push({ ...notebook, permission });
    }
    return { notebooks: visible };
  },
});
