// Every declared action with its implementation. A declared action without one does not compile.

import type { ActionKey } from "../../shared/catalogue/catalogue.js";
import type { Implementation } from "../safety/contract.js";
import { addToDailyNote } from "./block/add-to-daily-note.js";
import { appendBlock } from "./block/append.js";
import { batchKramdown, docsInfo, wordCount } from "./block/batch-reads.js";
import { deleteBlock } from "./block/delete.js";
import { insertBlock } from "./block/insert.js";
import { moveBlock } from "./block/move.js";
import { prependBlock } from "./block/prepend.js";
import { getChildren, getKramdown } from "./block/reads.js";
import { replaceInBlock } from "./block/replace.js";
import { recentUpdated } from "./block/recent-updated.js";
import { breadcrumb, dom, getAttrs, info } from "./block/single-reads.js";
import { setFoldState } from "./block/set-fold-state.js";
import { setAttrs } from "./block/set-attrs.js";
import { transferReferences } from "./block/transfer-references.js";
import { updateBlock } from "./block/update.js";
import { findReplace } from "./search/find-replace.js";
import { getChildBlocks, getChildDocuments } from "./document/children.js";
import { createDailyNote } from "./document/create-daily-note.js";
import { createDocument } from "./document/create.js";
import { documentToHeading } from "./document/doc-to-heading.js";
import { duplicateDocument } from "./document/duplicate.js";
import { getDoc } from "./document/get-doc.js";
import { headingToDocument } from "./document/heading-to-doc.js";
import { listTree } from "./document/list-tree.js";
import { lookup } from "./document/lookup.js";
import { moveDocuments } from "./document/move.js";
import { removeDocument } from "./document/remove.js";
import { reorderDocuments } from "./document/reorder.js";
import { renameDocument } from "./document/rename.js";
import { searchDocuments } from "./document/search-docs.js";
import { setDocumentAttributes } from "./document/set-attr.js";
import { ls } from "./fs/ls.js";
import { readDocument } from "./fs/read.js";
import { mv } from "./fs/mv.js";
import { reorder } from "./fs/reorder.js";
import { replace } from "./fs/replace.js";
import { rm } from "./fs/rm.js";
import { search } from "./fs/search.js";
import { tree } from "./fs/tree.js";
import { write } from "./fs/write.js";
import { createNotebook } from "./notebook/create.js";
import { listNotebooks } from "./notebook/list.js";
import { getNotebookChildDocs, getNotebookConf, getNotebookPermissions } from "./notebook/reads.js";
import { removeNotebook } from "./notebook/remove.js";
import { renameNotebook } from "./notebook/rename.js";
import { setNotebookConf } from "./notebook/set-conf.js";
import { setNotebookIcon } from "./notebook/set-icon.js";
import { setNotebookOpenState } from "./notebook/set-open-state.js";
import { setNotebookPermission } from "./notebook/set-permission.js";

export const implementations: { readonly [Key in keyof ActionKey]: Implementation } = {
  "fs.ls": ls,
  "fs.tree": tree,
  "fs.read": readDocument,
  "fs.write": write,
  "fs.replace": replace,
  "fs.rm": rm,
  "fs.search": search,
  "fs.mv": mv,
  "fs.reorder": reorder,
  "notebook.list": listNotebooks,
  "notebook.create": createNotebook,
  "notebook.set_open_state": setNotebookOpenState,
  "notebook.remove": removeNotebook,
  "notebook.rename": renameNotebook,
  "notebook.get_conf": getNotebookConf,
  "notebook.set_conf": setNotebookConf,
  "notebook.set_icon": setNotebookIcon,
  "notebook.get_permissions": getNotebookPermissions,
  "notebook.set_permission": setNotebookPermission,
  "notebook.get_child_docs": getNotebookChildDocs,
  "document.create": createDocument,
  "document.create_daily_note": createDailyNote,
  "document.lookup": lookup,
  "document.rename": renameDocument,
  "document.remove": removeDocument,
  "document.duplicate": duplicateDocument,
  "document.heading_to_doc": headingToDocument,
  "document.doc_to_heading": documentToHeading,
  "document.get_child_blocks": getChildBlocks,
  "document.get_child_docs": getChildDocuments,
  "document.set_attr": setDocumentAttributes,
  "document.list_tree": listTree,
  "document.search_docs": searchDocuments,
  "document.get_doc": getDoc,
  "document.move": moveDocuments,
  "document.reorder": reorderDocuments,
  "block.insert": insertBlock,
  "block.prepend": prependBlock,
  "block.append": appendBlock,
  "block.add_to_daily_note": addToDailyNote,
  "block.update": updateBlock,
  "block.replace": replaceInBlock,
  "block.transfer_references": transferReferences,
  "block.delete": deleteBlock,
  "block.move": moveBlock,
  "block.set_attrs": setAttrs,
  "block.set_fold_state": setFoldState,
  "block.get_kramdown": getKramdown,
  "block.batch_kramdown": batchKramdown,
  "block.get_children": getChildren,
  "block.get_attrs": getAttrs,
  "block.info": info,
  "block.breadcrumb": breadcrumb,
  "block.dom": dom,
  "block.docs_info": docsInfo,
  "block.word_count": wordCount,
  "block.recent_updated": recentUpdated,
  "search.find_replace": findReplace,
};
