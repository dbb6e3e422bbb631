// CRC-32 of a text, a byte for each unit and two for one beyond Latin-1: detects torn and damaged ledger records. It protects against accidents, not forgery.

let table: readonly number[] | undefined;

function buildTable(): readonly number[] {
  return Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value >>> 0;
  });
}

/** Eight lower-case hex digits. */
export function checksum(text: string): string {
  table = table ?? buildTable();
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    crc = (crc >>> 8) ^ (table[(crc ^ unit) & 0xff] as number);
    // The upper byte only where there is one: records are ASCII nearly always, and this loop is what a record costs.
    if (unit > 0xff) crc = (crc >>> 8) ^ (table[(crc ^ (unit >>> 8)) & 0xff] as number);
  }
  return ((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, "0");
}
