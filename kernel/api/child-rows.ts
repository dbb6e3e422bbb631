// The blocks directly inside another, each kept as SiYuan's own JSON until it is asked for. A read of a whole document
// wants little but the Markdown, and a window few of the blocks; building an object for each costs most of such a read.

import { isJsonObject, type JsonObject } from "../../shared/wire/json.js";
import type { HostReply } from "../host/host.js";
import { dataOf } from "./envelope.js";

export interface ChildBlock {
  readonly id: string;
  readonly type: string;
  readonly subType: string;
  readonly markdown: string;
}

/** SiYuan leaves out what is empty. */
export function childBlock(entry: JsonObject): ChildBlock {
  return {
    id: String(entry.id),
    type: String(entry.type),
    subType: String(entry.subType ?? ""),
    markdown: String(entry.markdown ?? ""),
  };
}

/** In front of the first id, between two rows, behind the last row. A quote inside a text is escaped and fits none. */
const head = '{"code":0,"msg":"","data":[{"id":';
const between = '},{"id":';
const tail = "}]}";
const headingType = '"type":"h"';

export class ChildRows {
  /** A row is what stands between `{"id":` and `}`. */
  readonly #rows: readonly string[];
  /** False when there surely is none, and no row needs a look. */
  readonly #mayHoldHeadings: boolean;

  private constructor(rows: readonly string[], mayHoldHeadings: boolean) {
    this.#rows = rows;
    this.#mayHoldHeadings = mayHoldHeadings;
  }

  static of(blocks: readonly ChildBlock[]): ChildRows {
    const rows = blocks.map((block) => JSON.stringify(block).slice('{"id":'.length, -1));
    return new ChildRows(rows, true);
  }

  /** The rows of an answer of getChildBlocks. Another form than the usual one is read as any JSON. */
  static in(reply: HostReply): ChildRows {
    const { status, text } = reply;
    if (status === 200 && text.startsWith(head) && text.endsWith(tail))
      return new ChildRows(text.slice(head.length, -tail.length).split(between), text.indexOf(headingType) >= 0);
    const data = dataOf("getChildBlocks", reply);
    return ChildRows.of((Array.isArray(data) ? data : []).filter(isJsonObject).map(childBlock));
  }

  get length(): number {
    return this.#rows.length;
  }

  block(index: number): ChildBlock {
    return blockOf(this.#rows[index] ?? '""');
  }

  /** Markdown of the rows from `start` to before `end`. */
  markdown(start: number, end: number): readonly string[] {
    const rows = this.#rows.slice(start, end);
    try {
      return JSON.parse(`[${rows.map(markdownLiteral).join(",")}]`);
    } catch {
      // Something stands behind the Markdown.
      return rows.map((row) => blockOf(row).markdown);
    }
  }

  /** Indexes of the headings from `start` to before `end`. */
  headings(start: number, end: number): readonly number[] {
    const found: number[] = [];
    if (!this.#mayHoldHeadings) return found;
    this.#rows.slice(start, end).forEach((row, index) => {
      if (row.indexOf(headingType) >= 0 && blockOf(row).type === "h") found.push(start + index);
    });
    return found;
  }
}

const markdownKey = '"markdown":';

/** The Markdown as JSON, which in SiYuan's rows is the last field. */
function markdownLiteral(row: string): string {
  const at = row.indexOf(markdownKey);
  return at < 0 ? '""' : row.slice(at + markdownKey.length);
}

function blockOf(row: string): ChildBlock {
  return childBlock(JSON.parse(`{"id":${row}}`));
}
