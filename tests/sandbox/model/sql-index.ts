// The SQL index: an in-memory SQLite that follows the trees about two seconds late, or at once on a flush.
import { createHash } from "node:crypto";
import sqlite from "node-sqlite3-wasm";
import type { LuteEngine } from "../lute/lute-engine.ts";
import { attributeLine } from "./attribute-text.ts";
import { blockReferences } from "./block-dom.ts";
import { abbreviation, type BlockNode, childrenOf, subtypeOf, walk } from "./block-node.ts";
import { plainText } from "./block-text.ts";
import type { DocumentStore, StoredDocument } from "./document-store.ts";
import { stampOf } from "./identifiers.ts";
import { toMarkdown } from "./kramdown.ts";

const lagMs = 2000;
const defaultLimit = 64;

const schema = `
  CREATE TABLE blocks (id, parent_id, root_id, hash, box, path, hpath, name, alias, memo, tag, content, fcontent,
    markdown, length, type, subtype, ial, sort, created, updated);
  CREATE INDEX blocks_root ON blocks (root_id);
  CREATE INDEX blocks_id ON blocks (id);
  CREATE VIRTUAL TABLE blocks_fts USING fts5 (id UNINDEXED, parent_id UNINDEXED, root_id UNINDEXED, hash UNINDEXED,
    box UNINDEXED, path UNINDEXED, hpath, name, alias, memo, tag, content, fcontent, markdown UNINDEXED,
    length UNINDEXED, type UNINDEXED, subtype UNINDEXED, ial, sort UNINDEXED, created UNINDEXED, updated UNINDEXED);
  CREATE TABLE attributes (id, name, value, type, block_id, root_id, box, path);
  CREATE TABLE refs (id, def_block_id, def_block_parent_id, def_block_root_id, def_block_path, block_id, root_id, box,
    path, content, markdown, type);
`;

const sortOrder: Record<string, number> = { d: 0, h: 5, l: 15, i: 20, b: 20, p: 10 };

export class SqlSyntaxError extends Error {}

/** Finalising a statement that failed while running reports that failure once more. */
function finalized(statement: { finalize(): void }): void {
  try {
    statement.finalize();
  } catch {
    // Already answered.
  }
}

export class SqlIndex {
  readonly #database = new sqlite.Database();
  readonly #dirty = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly store: DocumentStore,
    readonly lute: LuteEngine,
  ) {
    this.#database.exec(schema);
    store.onChange = (documentId) => {
      this.#dirty.add(documentId);
      this.#timer ??= setTimeout(() => this.flush(), lagMs);
    };
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const ids = [...this.#dirty];
    this.#dirty.clear();
    if (ids.length === 0) return;
    this.#database.exec("BEGIN");
    for (const id of ids) this.#reindex(id);
    this.#database.exec("COMMIT");
  }

  #reindex(documentId: string): void {
    for (const table of ["blocks", "blocks_fts", "attributes", "refs"]) {
      this.#database.run(`DELETE FROM ${table} WHERE root_id = ?`, [documentId]);
    }
    const document = this.store.document(documentId);
    if (!document) return;
    for (const node of walk(document.root)) this.#insert(document, node);
  }

  #insert(document: StoredDocument, node: BlockNode): void {
    const { notebook, path, root } = document;
    const type = abbreviation(node);
    const isRoot = node === root;
    const content = isRoot ? this.store.title(document) : plainText(node);
    const markdown = isRoot ? "" : toMarkdown(node, this.lute);
    const attributes = new Map([["id", node.id], ...node.attributes]);
    const first = childrenOf(node)[0];
    const row = [
      node.id,
      node.parent?.id ?? "",
      root.id,
      createHash("sha256").update(markdown).digest("hex").slice(0, 7),
      notebook,
      path,
      this.store.humanPath(document),
      node.attributes.get("name") ?? "",
      node.attributes.get("alias") ?? "",
      node.attributes.get("memo") ?? "",
      [...content.matchAll(/#[^#\s]+#/g)].map((match) => match[0]).join(" "),
      content,
      first && !isRoot ? plainText(first) : "",
      markdown,
      content.length,
      type,
      subtypeOf(node),
      attributeLine(attributes),
      sortOrder[type] ?? 10,
      stampOf(node.id),
      node.attributes.get("updated") ?? stampOf(node.id),
    ];
    const places = row.map(() => "?").join(",");
    this.#database.run(`INSERT INTO blocks VALUES (${places})`, row);
    this.#database.run(`INSERT INTO blocks_fts VALUES (${places})`, row);
    for (const [name, value] of node.attributes) {
      const values = [`${node.id}-${name}`, name, value, "b", node.id, root.id, notebook, path];
      this.#database.run("INSERT INTO attributes VALUES (?,?,?,?,?,?,?,?)", values);
    }
    for (const target of isRoot ? [] : blockReferences(node))
      this.#insertReference(document, node, target, content, markdown);
  }

  #insertReference(document: StoredDocument, node: BlockNode, target: string, content: string, markdown: string): void {
    const definition = this.store.documentOf(target);
    const parent = this.store.node(target)?.parent?.id ?? "";
    this.#database.run("INSERT INTO refs VALUES (?,?,?,?,?,?,?,?,?,?,?,?)", [
      `${node.id}-${target}`,
      target,
      parent,
      definition?.root.id ?? "",
      definition?.path ?? "",
      node.id,
      document.root.id,
      document.notebook,
      document.path,
      content,
      markdown,
      "textmark",
    ]);
  }

  /** Rows of a statement. Without a LIMIT anywhere at most 64 come; a failure while running gives no rows. */
  query(statement: string): Record<string, unknown>[] {
    const bare = statement.trim().replace(/;+$/, "");
    const selects = /^\s*(select|with)\b/i.test(bare);
    const limited = /\blimit\b/i.test(bare.replace(/'[^']*'/g, "''"));
    const prepared = this.#prepare(selects && !limited ? `${bare} LIMIT ${defaultLimit}` : bare);
    try {
      return prepared.all() as Record<string, unknown>[];
    } catch {
      return [];
    } finally {
      finalized(prepared);
    }
  }

  #prepare(statement: string) {
    try {
      return this.#database.prepare(statement);
    } catch (error) {
      throw new SqlSyntaxError(error instanceof Error ? error.message : String(error));
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#database.close();
  }
}
