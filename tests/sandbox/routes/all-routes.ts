// Every JSON route of the sandbox in one table.
import type { RouteTable } from "../http/route.ts";
import { blockViewRoutes } from "./block-views.ts";
import { blockReadRoutes } from "./blocks-read.ts";
import { blockWriteRoutes } from "./blocks-write.ts";
import { dailyNoteRoutes } from "./daily-notes.ts";
import { documentCopyRoutes } from "./document-copies.ts";
import { documentHeadingRoutes } from "./document-headings.ts";
import { documentViewRoutes } from "./document-views.ts";
import { documentMoveRoutes } from "./document-moves.ts";
import { documentRoutes } from "./documents.ts";
import { fileRoutes } from "./files.ts";
import { notebookRoutes } from "./notebooks.ts";
import { pluginRoutes } from "./plugins.ts";
import { systemRoutes } from "./system.ts";
import { templateRoutes } from "./template.ts";

export const allRoutes: RouteTable = {
  ...blockReadRoutes,
  ...blockViewRoutes,
  ...blockWriteRoutes,
  ...documentMoveRoutes,
  ...dailyNoteRoutes,
  ...documentCopyRoutes,
  ...documentHeadingRoutes,
  ...documentRoutes,
  ...documentViewRoutes,
  ...fileRoutes,
  ...notebookRoutes,
  ...pluginRoutes,
  ...systemRoutes,
  ...templateRoutes,
};
