// Every action that the simulation tries, with how often. An action joins by one entry here and one object like those beside.

import { setAttrs, setDocumentAttr } from "./attributes.js";
import { deleteBlock, updateBlock, updateBlocks } from "./block-contents.js";
import { createDocument, removeDocument, renameDocument } from "./documents.js";
import { appendBlock, insertBlock, prependBlock } from "./new-blocks.js";
import { createNotebook, renameNotebook, setNotebookConf, setNotebookIcon, setOpenState } from "./notebooks.js";
import { moveBlock, reorderDocuments } from "./structure.js";
import { removeAtPath, writeDocument } from "./workspace-paths.js";
import type { Scenario } from "./scenario.js";

export const scenarios: readonly (readonly [Scenario, number])[] = [
  [updateBlock, 6],
  [updateBlocks, 2],
  [deleteBlock, 2],
  [appendBlock, 4],
  [prependBlock, 2],
  [insertBlock, 3],
  [moveBlock, 2],
  [reorderDocuments, 1],
  [setAttrs, 3],
  [setDocumentAttr, 1],
  [createDocument, 2],
  [renameDocument, 2],
  [removeDocument, 1],
  [createNotebook, 1],
  [renameNotebook, 1],
  [setNotebookConf, 1],
  [setNotebookIcon, 1],
  [setOpenState, 0.5],
  [writeDocument, 1],
  [removeAtPath, 0.5],
];
