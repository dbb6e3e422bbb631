// The documents below one or several places, listed folder by folder. One folder that fails spoils no other.

import { SisyphusError } from "../../../shared/errors.js";
import { readLimits } from "../../../shared/limits.js";
import type { SiyuanReader } from "../../api/reader.js";

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
  readonly path: string;
  readonly code: string;
  readonly message: string;
  /** Which of the branches that the growth began with it lies in. */
  readonly root: Branch;
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
    const next: typeof open = [];
    for (let start = 0; start < open.length; start += readLimits.parallelRequests) {
      const group = open.slice(start, start + readLimits.parallelRequests);
      await Promise.all(
        group.map(async ({ branch, root }) => {
          try {
            branch.children = await childrenOf(reader, branch);
          } catch (thrown) {
            errors.push({ path: branch.path, root, ...problemOf(thrown) });
          }
        }),
      );
      // In the order of the listing, whichever answer came first.
      for (const { branch, root } of group) {
        next.push(
          ...(branch.children ?? []).filter((child) => child.count > 0).map((child) => ({ branch: child, root })),
        );
      }
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

function problemOf(thrown: unknown): { code: string; message: string } {
  if (!(thrown instanceof SisyphusError)) throw thrown;
  return { code: thrown.code, message: thrown.message };
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
