// New SiYuan block ids, reserved before a write so that their presence afterwards proves it.

import type { Host } from "../host/host.js";
import { localStamp } from "../host/stamps.js";

const letters = "0123456789abcdefghijklmnopqrstuvwxyz";

/** `count` ids in SiYuan's form: local time, a dash, seven random letters or digits. */
export async function newBlockIds(host: Host, count: number): Promise<readonly string[]> {
  if (count === 0) return [];
  const bytes = await host.entropy.bytes(count * 7);
  const stamp = localStamp(host.clock.nowMs());
  return Array.from({ length: count }, (_, index) => {
    const tail = Array.from(bytes.subarray(index * 7, index * 7 + 7), (byte) => letters.charAt(byte % letters.length));
    return `${stamp}-${tail.join("")}`;
  });
}
