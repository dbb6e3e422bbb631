// Every action that the simulation tries, with how often. An action joins by one entry here and one object like those beside.

import { setAttrs, setDocumentAttr } from "./attributes.js";
import { deleteBlock, replaceInBlock, updateBlock, updateBlocks } from "./block-contents.js";
import { overwriteDocument, replaceInDocument } from "./document-bodies.js";
import { moveAtPath, moveDocuments } from "./document-moves.js";
import { createDocument, removeDocument, renameDocument } from "./documents.js";
import { appendBlock, insertBlock, insertBlocks, prependBlock } from "./new-blocks.js";
import {
  createNotebook,
  removeNotebook,
  renameNotebook,
  setNotebookConf,
  setNotebookIcon,
  setNotebookPermission,
  setOpenState,
} from "./notebooks.js";
import { moveBlock, reorderAtPath, reorderDocuments } from "./structure.js";
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
  [insertBlocks, 1],
  [replaceInBlock, 2],
  [overwriteDocument, 2],
  [replaceInDocument, 2],
  [moveDocuments, 2],
  [moveAtPath, 2],
  [reorderAtPath, 1],
  [removeNotebook, 0.5],
  [setNotebookPermission, 0.5],
];
