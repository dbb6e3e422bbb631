// What the reads of SiYuan's API answer: notebooks, documents, blocks and their places.

export interface Notebook {
  readonly id: string;
  readonly name: string;
  readonly icon: string;
  readonly sort: number;
  readonly closed: boolean;
}

/** Where a document lies, or the document that a block lies in. */
export interface Location {
  readonly notebook: string;
  /** Storage path, `/<id>/<id>.sy`. */
  readonly path: string;
}

export interface TreeInfo {
  /** For example `NodeParagraph`; "" is a phantom that no document holds. */
  readonly type: string;
  readonly parentID: string;
}

/** Where a block stands in its document. */
export interface TreePlace extends TreeInfo {
  /** Neighbours among the parent's children; "" at the ends. */
  readonly previousID: string;
  readonly nextID: string;
}

/** A document's root, as its live tree holds it. */
export interface DocumentInfo {
  readonly title: string;
  /** Every attribute of the root, stamps included. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly subDocuments: number;
}

/** A row of the title search, which follows the trees up to three seconds late. */
export interface TitleMatch extends Location {
  /** Human path with the notebook's name in front, without a leading slash. */
  readonly humanPath: string;
}

/** A reference as SiYuan's index has it. */
export interface IndexedReference extends Location {
  /** The block that holds the reference. */
  readonly holder: string;
  /** The document that the holder lies in. */
  readonly document: string;
  readonly target: string;
}

/** A document's file in a notebook's folder, whether the notebook is open or not. */
export interface StoredDocument {
  readonly id: string;
  /** Storage path, `/<id>/<id>.sy`. */
  readonly path: string;
  /** When the file was last written, in seconds. */
  readonly updatedSeconds: number;
}
