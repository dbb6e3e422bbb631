// Every declared action with its implementation. A declared action without one does not compile.

import type { ActionKey } from "../../shared/catalogue/catalogue.js";
import type { Implementation } from "../safety/contract.js";
import { appendBlock } from "./block/append.js";
import { getChildren, getKramdown } from "./block/reads.js";
import { updateBlock } from "./block/update.js";
import { createDocument } from "./document/create.js";
import { ls } from "./fs/ls.js";
import { readDocument } from "./fs/read.js";
import { createNotebook } from "./notebook/create.js";
import { listNotebooks } from "./notebook/list.js";

export const implementations: { readonly [Key in keyof ActionKey]: Implementation } = {
  "fs.ls": ls,
  "fs.read": readDocument,
  "notebook.list": listNotebooks,
  "notebook.create": createNotebook,
  "document.create": createDocument,
  "block.append": appendBlock,
  "block.update": updateBlock,
  "block.get_kramdown": getKramdown,
  "block.get_children": getChildren,
};
