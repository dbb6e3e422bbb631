// Turns a counter into request ids that look random and never repeat: a keyed permutation per number of digits.

import { safetyLimits } from "../../shared/limits.js";

/**
 * The id of the counter-th issue, from 0: the first 16^4 have four digits, the next 16^5 five, and so on. An id is
 * no secret and authorises nothing, so the permutation needs to be a bijection, not a cipher.
 *
 * @param key at least four 32-bit words
 */
export function requestIdOf(counter: number, key: readonly number[]): string {
  let digits: number = safetyLimits.minRequestIdDigits;
  let index = counter;
  while (index >= 16 ** digits) {
    index -= 16 ** digits;
    digits++;
  }
  return permute(index, digits * 4, key)
    .toString(16)
    .padStart(digits, "0");
}

/** The first counter whose id has so many digits. */
export function firstCounterOf(digits: number): number {
  let base = 0;
  for (let length: number = safetyLimits.minRequestIdDigits; length < digits; length++) base += 16 ** length;
  return base;
}

/** True when the id is the one of some counter below `issued`. */
export function isIssued(id: string, issued: number, key: readonly number[]): boolean {
  const digits = id.length;
  return firstCounterOf(digits) + unpermute(Number.parseInt(id, 16), digits * 4, key) < issued;
}

const rounds = 4;

/** A Feistel network over `bits` bits. Halves are unequal when `bits / 2` is odd; each round swaps their roles. */
function permute(value: number, bits: number, key: readonly number[]): number {
  let [left, right] = split(value, bits);
  const half = 2 ** (bits / 2);
  for (let round = 0; round < rounds; round++) [left, right] = [right, (left + mix(right, round, key)) % half];
  return left * half + right;
}

function unpermute(value: number, bits: number, key: readonly number[]): number {
  let [left, right] = split(value, bits);
  const half = 2 ** (bits / 2);
  for (let round = rounds - 1; round >= 0; round--) {
    const added = mix(left, round, key) % half;
    [left, right] = [(right - added + half) % half, left];
  }
  return left * half + right;
}

function split(value: number, bits: number): [number, number] {
  const half = 2 ** (bits / 2);
  return [Math.floor(value / half), value % half];
}

/** A 32-bit mix of one half with the round's key word. */
function mix(value: number, round: number, key: readonly number[]): number {
  let hash = (value ^ (key[round] ?? 0)) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) >>> 0;
  return (hash ^ (hash >>> 16)) >>> 0;
}
