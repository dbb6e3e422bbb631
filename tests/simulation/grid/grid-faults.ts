// The accidents of the grid: what can go wrong with one request, by what the request is.

import { type Fault, stations } from "../world/faults.js";
import type { HostRequest } from "../world/request.js";

const always: readonly Fault[] = [
  { kind: "refused before send" },
  { kind: "token rejected" },
  { kind: "lost before apply", breaks: false },
  { kind: "answer lost", breaks: true },
  { kind: "answer lost", breaks: false },
  { kind: "http 500", applied: false },
  { kind: "code not 0", applied: false },
  { kind: "slow", ms: 60_000, holdsLock: false },
  { kind: "slow", ms: 60_000, holdsLock: true },
  ...stations.map((at): Fault => ({ kind: "process exit", at })),
];

const ofReads: readonly Fault[] = [{ kind: "code 0, data null" }];

const ofWrites: readonly Fault[] = [
  { kind: "http 500", applied: true },
  { kind: "code not 0", applied: true },
  { kind: "code 0, nothing applied" },
  { kind: "code 0, data null" },
  { kind: "late effect", ms: 2_000 },
  { kind: "late effect", ms: 50_000 },
  { kind: "loses part", loss: "first block only" },
  { kind: "loses part", loss: "last word" },
  { kind: "loses part", loss: "attributes" },
];

/** A record has fewer than this many times 512 bytes. */
const borders = [0, 1, 2, 3];

const ofUploads: readonly Fault[] = [
  { kind: "http 500", applied: true },
  { kind: "code not 0", applied: true },
  { kind: "code 0, nothing applied" },
  { kind: "vanishes" },
  ...borders.map((border): Fault => ({ kind: "torn", border })),
];

export function faultsFor({ isWrite, path }: Pick<HostRequest, "isWrite" | "path">): readonly Fault[] {
  return always.concat(isWrite ? ofWrites : path === "/api/file/putFile" ? ofUploads : ofReads);
}
