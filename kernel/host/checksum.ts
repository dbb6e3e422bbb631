// The checksum of a small text: its UTF-8 bytes, read as one number, modulo a prime of 64 bits. It detects torn and
// damaged records; it protects against accidents, not forgery. The engine divides natively, where a loop over the
// bytes of one record would take most of a millisecond.

/** The largest prime below 2^64. */
const prime = BigInt("0xffffffffffffffc5");

export const checksumDigits = 16;

/** Lower-case hex digits. */
export function checksum(text: string): string {
  // The leading 1 makes the length count, also of a text that begins with zero bytes.
  const number = BigInt(`0x1${Buffer.from(text, "utf8").toString("hex")}`);
  return (number % prime).toString(16).padStart(checksumDigits, "0");
}
