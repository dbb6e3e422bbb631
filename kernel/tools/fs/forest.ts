// The documents below one or several places, listed folder by folder. One folder that fails spoils no other.

import { SisyphusError } from "../../../shared/errors.js";
import type { JsonObject } from "../../../shared/wire/json.js";
import type { SiyuanReader } from "../../api/reader.js";
import { inParallel } from "../parallel.js";

/** A notebook or document whose children can be listed. */
export interface Branch {
  readonly id: string;
  readonly name: string;
  /** Workspace path, `/Notebook/Folder/Document`. */
  readonly path: string;
  readonly notebook: string;
  /** `/` for a notebook. */
  readonly storagePath: string;
  /** Children that SiYuan counts; 0 where it does not say. */
  readonly count: number;
  /** Undefined until listed, and when listing failed. */
  children: readonly Branch[] | undefined;
}

export interface ListingError {
  /** What could not be listed. */
  readonly branch: Branch;
  /** Which of the branches that the growth began with it lies in. */
  readonly root: Branch;
  readonly error: SisyphusError;
}

/** Lists `levels` levels below the roots. Throws nothing of SiYuan's: what failed is answered. */
export async function grow(
  reader: SiyuanReader,
  roots: readonly Branch[],
  levels: number,
): Promise<readonly ListingError[]> {
  const errors: ListingError[] = [];
  let open = roots.map((branch) => ({ branch, root: branch }));
  for (let level = 0; level < levels && open.length > 0; level++) {
    await inParallel(open, async ({ branch, root }) => {
      try {
        branch.children = await childrenOf(reader, branch);
      } catch (thrown) {
        if (!(thrown instanceof SisyphusError)) throw thrown;
        errors.push({ branch, root, error: thrown });
      }
    });
    const next: typeof open = [];
    for (const { branch, root } of open) {
      for (const child of branch.children ?? []) if (child.count > 0) next.push({ branch: child, root });
    }
    open = next;
  }
  return errors;
}

async function childrenOf(reader: SiyuanReader, parent: Branch): Promise<readonly Branch[]> {
  const documents = await reader.documents(parent.notebook, parent.storagePath);
  return documents.map(({ id, title, path, children }) => ({
    id,
    name: title,
    path: `${parent.path}/${title}`,
    notebook: parent.notebook,
    storagePath: path,
    count: children,
    children: children === 0 ? [] : undefined,
  }));
}

/** A listing error as an answer names it. */
export function errorRow({ branch, error }: ListingError): JsonObject {
  return { path: branch.path, code: error.code, message: error.message };
}

/** Every branch that was reached, parents before children, in the order of the listing. */
export function flatten(branches: readonly Branch[]): readonly Branch[] {
  const all: Branch[] = [];
  const visit = (branch: Branch) => {
    all.push(branch);
    branch.children?.forEach(visit);
  };
  branches.forEach(visit);
  return all;
}
