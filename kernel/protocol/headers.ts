// Header values of the 2026-07-28 HTTP binding: white space, and the Base64 form of values that are not plain ASCII.

/** The decoded value of `Mcp-Name`, or undefined when its encoding is broken. */
export function decodeHeader(value: string): string | undefined {
  const match = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value);
  if (!match) return value.startsWith("=?base64?") ? undefined : value;
  const encoded = match[1] ?? "";
  if (encoded.length % 4 !== 0) return undefined;
  return decodeUtf8(decodeBase64(encoded));
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function decodeBase64(text: string): number[] {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const letter of text.replace(/=+$/, "")) {
    bits = ((bits << 6) | alphabet.indexOf(letter)) & 0xffffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes.push((bits >> held) & 0xff);
    }
  }
  return bytes;
}

function decodeUtf8(bytes: readonly number[]): string | undefined {
  try {
    return decodeURIComponent(bytes.map((byte) => `%${(byte < 16 ? "0" : "") + byte.toString(16)}`).join(""));
  } catch {
    return undefined;
  }
}
