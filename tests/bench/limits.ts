// What each row may cost, in one place. They hold for a real SiYuan on an idle machine.

import type { Limit } from "./measure.js";

const times = (most: number): Limit => ({ of: "ratio", most });
const more = (most: number): Limit => ({ of: "difference", most });
const atMost = (most: number): Limit => ({ of: "value", most });

export const limits = {
  commit4KiB: times(1.2),
  preflight4KiB: times(0.15),
  commit64KiB: times(1.4),
  commitUnchanged: times(1.2),
  commitHundred: times(2),
  readDocument: times(3),
  readTree: times(3),
  replaceLong: atMost(2_000),
  readBesideLong: atMost(100),
  relay: more(2),
  cliVersion: more(60),
  cliList: more(100),
  kernelBytes: atMost(600),
  kernelLoad: atMost(300),
  requestsOfRead: atMost(3),
  requestsOfPreflight: atMost(6),
  requestsOfCommit: atMost(12),
} as const;
