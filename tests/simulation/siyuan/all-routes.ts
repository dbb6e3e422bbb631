// Every route of the simulated SiYuan. An action that needs another one gets it in the file of its kind.

import { blockReads } from "./block-reads.js";
import { blockWrites } from "./block-writes.js";
import { documentReads, documentWrites } from "./documents.js";
import { notebookReads, notebookWrites } from "./notebooks.js";
import { transactionWrites } from "./transactions.js";
import type { Routes } from "./route.js";

export const allRoutes: Routes = {
  reads: { ...blockReads, ...documentReads, ...notebookReads },
  writes: { ...blockWrites, ...documentWrites, ...notebookWrites, ...transactionWrites },
};
