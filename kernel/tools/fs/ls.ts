// fs.ls: the notebooks, or what lies directly under a path.

import { fsLs } from "../../../shared/catalogue/fs.js";
import { implementRead } from "../../safety/contract.js";
import { branchOf } from "./branches.js";
import { readableNotebooks, resolvePath } from "./resolve.js";
import { virtualFiles } from "./virtual-files.js";

export const ls = implementRead(fsLs, {
  async targets({ path }, tools) {
    const found = await resolvePath(path, tools);
    return { ids: [], notebooks: "notebook" in found ? [found.notebook.id] : [], found };
  },
  async read(_input, { found }, tools) {
    if (found.kind === "root") {
      const notebooks = await readableNotebooks(tools);
      return {
        path: "/",
        items: [
          ...virtualFiles.map(({ name, path }) => ({ name, path, children: 0, virtual: true })),
          ...notebooks.map(({ id, name, closed }) => ({ name, path: `/${name}`, id, closed })),
        ],
      };
    }
    if (found.kind === "virtual") return { path: found.file.path, items: [] };
    const { path, notebook, storagePath } = await branchOf(found, tools.reader);
    const documents = await tools.reader.documents(notebook, storagePath);
    return {
      path,
      items: documents.map(({ id, title, children }) => ({ name: title, path: `${path}/${title}`, id, children })),
    };
  },
});
