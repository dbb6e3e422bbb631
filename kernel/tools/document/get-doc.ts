// document.get_doc: a document by id, as Markdown in windows of whole blocks or as the editor's HTML.

import { documentGetDoc } from "../../../shared/catalogue/document.js";
import { sizeLimits } from "../../../shared/limits.js";
import { isJsonObject, type Json } from "../../../shared/wire/json.js";
import { topLevelNodes } from "../../api/dom.js";
import { implementRead } from "../../safety/contract.js";
import { refusal } from "../block/content.js";
import { windowOf } from "../fs/read.js";
import { liveDocument } from "./live-document.js";

interface GetDocInput {
  readonly id: string;
  readonly mode?: "markdown" | "html";
  readonly size?: number;
  readonly blockStart?: number;
  readonly blockLimit?: number;
  readonly tokenBudget?: number;
  readonly includeBlockIds?: boolean;
}

const windowFields = ["blockStart", "blockLimit", "tokenBudget", "includeBlockIds"] as const;

/** SiYuan's own default: in effect the whole document. */
const wholeDocument = 102_400;

export const getDoc = implementRead(documentGetDoc, {
  async targets(input: GetDocInput, { reader }) {
    const foreign =
      input.mode === "html"
        ? windowFields.find((name) => input[name] !== undefined)
        : input.size === undefined
          ? undefined
          : "size";
    if (foreign !== undefined)
      throw refusal("invalid_arguments", foreign, `belongs to mode ${input.mode === "html" ? "markdown" : "html"}`);
    const document = await liveDocument(reader, input.id, "id");
    return { ids: [input.id], notebooks: [document.notebook], found: document };
  },

  async read(input: GetDocInput, { found: { id, notebook } }, { reader }): Promise<Json> {
    const [hPath, notebooks] = await Promise.all([reader.humanPath(id), reader.notebooks()]);
    const notebookName = notebooks.find((entry) => entry.id === notebook)?.name ?? "";
    const head = { id, mode: input.mode ?? "markdown", notebook, notebookName, hPath };
    if (input.mode !== "html") {
      const { nextWindow, ...window } = windowOf(await reader.childRows(id), input);
      return {
        ...head,
        ...window,
        ...(isJsonObject(nextWindow) ? { nextWindow: { ...nextWindow, action: "get_doc" } } : {}),
      };
    }
    const { html, blockCount } = await reader.editorHtml(id, input.size ?? wholeDocument);
    if (html.length > sizeLimits.maxDocumentWindowBytes) {
      throw refusal(
        "invalid_arguments",
        "size",
        `the HTML has ${html.length} characters, more than ${sizeLimits.maxDocumentWindowBytes}; ask for fewer blocks, or for windows with mode markdown`,
      );
    }
    const returnedBlocks = topLevelNodes(html).nodes.length;
    return { ...head, content: html, returnedBlocks, totalBlocks: blockCount, truncated: returnedBlocks < blockCount };
  },
});
