// Everything of the small SiYuan that is not HTTP: workspace, notebooks, trees, write queue, SQL index.
import { LuteEngine } from "./lute/lute-engine.ts";
import { DocumentStore } from "./model/document-store.ts";
import { NotebookStore } from "./model/notebook-store.ts";
import type { Transaction } from "./model/operation.ts";
import { SqlIndex } from "./model/sql-index.ts";
import { executeTransaction } from "./model/transaction-executor.ts";
import { TransactionQueue } from "./model/transaction-queue.ts";
import type { Workspace } from "./model/workspace.ts";

const engine = new LuteEngine();

export class Kernel {
  readonly lute = engine;
  readonly notebooks: NotebookStore;
  readonly documents: DocumentStore;
  readonly sql: SqlIndex;
  readonly queue: TransactionQueue;
  /** Notebooks whose trees are loaded; a notebook flagged open by hand is not among them. */
  readonly mounted = new Set<string>();
  #creating: Promise<unknown> = Promise.resolve();

  constructor(readonly workspace: Workspace) {
    this.notebooks = new NotebookStore(workspace);
    this.documents = new DocumentStore(this.notebooks);
    this.sql = new SqlIndex(this.documents, this.lute);
    this.queue = new TransactionQueue((transaction) => executeTransaction(transaction, this.documents, this.lute));
    for (const notebook of this.notebooks.list()) if (this.notebooks.isOpen(notebook)) this.mount(notebook);
    this.sql.flush();
  }

  mount(notebook: string): void {
    this.mounted.add(notebook);
    this.documents.loadNotebook(notebook);
  }

  unmount(notebook: string): void {
    this.mounted.delete(notebook);
    this.documents.unloadNotebook(notebook);
  }

  /** Queues transactions and waits until they ran. */
  async perform(transactions: readonly Transaction[]): Promise<void> {
    this.queue.add(transactions);
    await this.queue.drained();
  }

  /** Creations of documents run one at a time. */
  async oneCreation<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#creating.then(run);
    this.#creating = turn.catch(() => undefined);
    return turn;
  }

  stop(): void {
    this.queue.stop();
    this.sql.stop();
  }
}
