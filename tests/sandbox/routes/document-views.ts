// Document routes that answer views: the editor's HTML and the search for titles.
import { type Envelope, Refusal, success } from "../http/answer.ts";
import type { RouteCall, RouteTable } from "../http/route.ts";
import { renderBlock } from "../model/block-dom.ts";
import { childrenOf } from "../model/block-node.ts";

const wholeDocument = 102_400;
const searchLimit = 64;

/** A few blocks more than asked for come, and `eof` is false even at the end. */
async function getDoc({ kernel, arguments: fields }: RouteCall): Promise<Envelope> {
  const id = fields.identifier("id");
  await kernel.queue.drained();
  const document = kernel.documents.documentOf(id);
  if (!document) throw new Refusal(3, "tree not found");
  const { notebook, path, root } = document;
  const blocks = childrenOf(root);
  const shown = blocks.slice(0, fields.number("size", wholeDocument) + 2);
  return success({
    blockCount: blocks.length,
    box: notebook,
    content: shown.map((block) => renderBlock(block, 1)).join(""),
    eof: false,
    id: root.id,
    mode: 0,
    path,
    rootID: root.id,
    type: "NodeDocument",
  });
}

/** From the SQL index, over all notebooks; each word must occur in the human path, the name, the alias or the memo. */
function searchDocs({ kernel, arguments: fields }: RouteCall): Envelope {
  const words = fields.text("k").toLowerCase().split(/\s+/).filter(Boolean);
  const names = new Map(kernel.notebooks.list().map((id) => [id, kernel.notebooks.conf(id).name]));
  const holds = (text: unknown) => (word: string) => String(text).toLowerCase().includes(word);
  const notebooks = [...names]
    .filter(([id, name]) => kernel.notebooks.isOpen(id) && words.some(holds(name)))
    .map(([id, name]) => ({ box: id, boxIcon: "", hPath: `${name}/`, path: "/" }));
  const documents = kernel.sql
    .query("SELECT id, box, path, hpath, name, alias, memo FROM blocks WHERE type = 'd' ORDER BY hpath LIMIT 100000")
    .filter((row) => words.every(holds([row.hpath, row.name, row.alias, row.memo].join("\n"))) || words[0] === row.id)
    .map(({ box, path, hpath }) => ({ box, boxIcon: "", hPath: `${names.get(String(box))}${hpath}`, path }));
  return success([...notebooks, ...documents].slice(0, searchLimit));
}

export const documentViewRoutes: RouteTable = {
  "filetree/getDoc": getDoc,
  "filetree/searchDocs": searchDocs,
};
