// What a release wrote into its own folders, and the calls that made it write: one file of fixtures per release.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Fields } from "../contract/modern-client.js";

const folder = new URL(".", import.meta.url);

export interface RecordedCall {
  readonly tool: string;
  /** All arguments of the commit, credentials included. */
  readonly args: Fields;
  /** What a replay must come to: a recorded outcome, or the code of an error. */
  readonly outcome: "committed" | "no_change" | "outcome_unknown" | "state_unchanged";
  /** The business part of the answer, for what was committed. */
  readonly answer: Fields;
}

export interface RecordedRelease {
  readonly version: string;
  readonly calls: readonly RecordedCall[];
  /** Permission levels by notebook. */
  readonly permissions: Readonly<Record<string, string>>;
  /** Texts of the ledger's one day by file name, as they stood on disk; so are the others. */
  readonly ledger: Readonly<Record<string, string>>;
  readonly requestIds: string;
  readonly openWrites: string;
  readonly instance: string;
}

/** The file of a release's fixtures. */
export function fixtureFile(version: string): string {
  return fileURLToPath(new URL(`${version}.json`, folder));
}

/** Releases with fixtures, oldest first. */
export function recordedReleases(): readonly RecordedRelease[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as RecordedRelease);
}
